#include "shape/request_schemas.hpp"

#include <cassert>

#include "embedded/capacity_provider_schema.hpp"
#include "embedded/run_task_schema.hpp"
#include "embedded/service_schema.hpp"
#include "embedded/task_definition_schema.hpp"

namespace bayplan::shape {
namespace {

Schema load(std::string_view text) {
  auto schema = Schema::load(text);
  assert(schema.ok());
  return std::move(*schema);
}

}  // namespace

Schema task_definition_schema() {
  return load(embedded::task_definition_schema());
}

Schema service_schema() {
  return load(embedded::service_schema());
}

Schema capacity_provider_schema() {
  return load(embedded::capacity_provider_schema());
}

Schema run_task_schema() {
  return load(embedded::run_task_schema());
}

}  // namespace bayplan::shape
