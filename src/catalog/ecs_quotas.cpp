#include "catalog/ecs_quotas.hpp"

#include <cassert>

#include <fmt/core.h>

#include "base/strings.hpp"
#include "catalog/cells.hpp"
#include "embedded/ecs_quotas.hpp"

namespace bayplan::catalog {

EcsQuota ecs_quota(std::string_view name) {
  for (auto row : lines_of(embedded::ecs_quotas())) {
    if (take_until(row, ',') != name) continue;
    EcsQuota quota;
    quota.value = to_integer(take_until(row, ',')).value_or(0);
    take_until(row, ',');  // the unit, for readers of the table
    quota.is_adjustable = take_until(row, ',') == "yes";
    quota.source = row;
    return quota;
  }
  assert(false && "a quota that data/ecs-quotas.csv does not have");
  return {};
}

std::string quota_excess(std::string_view quota, std::int64_t count, std::string_view things, std::string_view whole) {
  const auto limit = ecs_quota(quota);
  if (count <= limit.value) return {};
  return fmt::format("{} {} in a {}: ECS allows {}{}", count, things, whole, limit.value,
                     limit.is_adjustable ? " unless AWS raises the quota" : ", a quota that AWS does not raise");
}

}  // namespace bayplan::catalog
