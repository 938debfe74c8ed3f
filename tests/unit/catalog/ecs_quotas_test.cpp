#include "catalog/ecs_quotas.hpp"

#include <algorithm>

#include "catalog/catalog.hpp"
#include "catch.hpp"

namespace bayplan::catalog {

TEST_CASE("quotas of ECS have a value and a source") {
  const Catalog catalog = Catalog::load();
  for (const auto* name :
       {"capacity-providers-per-cluster", "container-instances-per-cluster", "services-per-cluster",
        "tasks-per-service", "tasks-per-run-task", "provisioning-tasks-per-cluster", "service-launch-rate"}) {
    CAPTURE(name);
    const auto quota = ecs_quota(name);
    CHECK(quota.value > 0);
    CHECK(std::any_of(catalog.sources().begin(), catalog.sources().end(),
                      [&](const Source& source) { return source.key == quota.source; }));
  }
  CHECK(ecs_quota("tasks-per-run-task").value == 10);
  CHECK(quota_excess("container-instances-per-cluster", 5000, "container instances", "cluster").empty());
  CHECK(quota_excess("container-instances-per-cluster", 5001, "container instances", "cluster") ==
        "5001 container instances in a cluster: ECS allows 5000, a quota that AWS does not raise");
  CHECK(quota_excess("tasks-per-service", 5001, "tasks", "service") ==
        "5001 tasks in a service: ECS allows 5000 unless AWS raises the quota");
}

}  // namespace bayplan::catalog
