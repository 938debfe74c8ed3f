#include "catalog/ecs_quotas.hpp"

#include <cassert>

#include <fmt/core.h>

#include "base/strings.hpp"
#include "embedded/ecs_quotas.hpp"

namespace bayplan::catalog {

EcsQuota ecs_quota(std::string_view name) {
  enum Column : std::size_t { kName, kValue, kUnit, kAdjustable, kSource, kColumns };
  for (const auto line : split(embedded::ecs_quotas(), '\n')) {
    const auto cells = split(line, ',');
    if (cells.size() != kColumns || cells[kName] != name) continue;
    return {to_integer(cells[kValue]).value_or(0), cells[kAdjustable] == "yes", std::string(cells[kSource])};
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
