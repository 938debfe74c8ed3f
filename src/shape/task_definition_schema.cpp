#include "shape/task_definition_schema.hpp"

#include <cassert>

#include "embedded/task_definition_schema.hpp"

namespace bayplan::shape {

Schema task_definition_schema() {
  auto schema = Schema::load(embedded::task_definition_schema());
  assert(schema.ok());
  return std::move(*schema);
}

}  // namespace bayplan::shape
