#pragma once
#include <cstdint>
#include <string>
#include <string_view>

namespace bayplan::catalog {

/// A number that ECS does not exceed, as data/ecs-quotas.csv has it.
struct EcsQuota {
  std::int64_t value = 0;
  bool is_adjustable = false;  ///< AWS raises it on request.
  std::string source;          ///< Key of Catalog::sources().
};

/// `name`: "tasks-per-service". A name that the data lacks is a fault of the program.
EcsQuota ecs_quota(std::string_view name);

/// Id of an assumption that says what exceeds a quota.
inline constexpr std::string_view kEcsQuotaExceeded = "ecs-quota-exceeded";

/// "6000 container instances in a cluster: ECS allows 5000"; empty where the count is within the quota. `things`: of
/// which the count is, `whole`: what has them.
std::string quota_excess(std::string_view quota, std::int64_t count, std::string_view things, std::string_view whole);

}  // namespace bayplan::catalog
