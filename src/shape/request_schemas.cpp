#include "shape/request_schemas.hpp"

#include <cassert>

#include "embedded/capacity_provider_schema.hpp"
#include "embedded/cluster_providers_schema.hpp"
#include "embedded/cluster_request_schema.hpp"
#include "embedded/daemon_schema.hpp"
#include "embedded/daemon_task_definition_schema.hpp"
#include "embedded/express_service_schema.hpp"
#include "embedded/run_task_schema.hpp"
#include "embedded/service_schema.hpp"
#include "embedded/task_definition_schema.hpp"
#include "embedded/task_set_schema.hpp"

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

Schema cluster_schema() {
  return load(embedded::cluster_request_schema());
}

Schema cluster_providers_schema() {
  return load(embedded::cluster_providers_schema());
}

Schema task_set_schema() {
  return load(embedded::task_set_schema());
}

Schema daemon_schema() {
  return load(embedded::daemon_schema());
}

Schema daemon_task_definition_schema() {
  return load(embedded::daemon_task_definition_schema());
}

Schema express_service_schema() {
  return load(embedded::express_service_schema());
}

}  // namespace bayplan::shape
