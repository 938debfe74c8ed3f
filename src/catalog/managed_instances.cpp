#include "catalog/managed_instances.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <string>
#include <string_view>
#include <utility>

#include <fmt/core.h>

#include "base/strings.hpp"
#include "catalog/cells.hpp"
#include "embedded/managed_instances.hpp"

namespace bayplan::catalog {

namespace {

constexpr std::int64_t kMillion = 1'000'000;
constexpr std::int64_t kMillionthsPerPercent = kMillion / 100;

}  // namespace

MicroUsd ManagedInstances::fee(MicroUsd on_demand) const {
  return (on_demand * fee_millionths + kMillion / 2) / kMillion;
}

ManagedInstances managed_instances(const InstanceType& type) {
  // Asked for every type of the catalog: the table is read once.
  static const std::map<std::string_view, ManagedInstances> kFamilies = [] {
    std::map<std::string_view, ManagedInstances> families;
    for (auto row : lines_of(embedded::managed_instances())) {
      const auto family = take_until(row, ',');
      const auto fee = take_until(row, ',');
      ManagedInstances offered;
      offered.source = take_until(row, ',');
      offered.date = row;
      offered.fee_millionths = std::llround(to_number(fee).value_or(0) * kMillionthsPerPercent);
      offered.may_be_offered = fee.empty();
      if (offered.may_be_offered) {
        offered.why_not = offered.source == "ecs-neuron"
                              ? fmt::format("the ECS guide has the family {} on the EC2 launch type only", family)
                              : fmt::format("the ECS guide does not list the family {}", family);
      }
      families.emplace(family, std::move(offered));
    }
    return families;
  }();
  const std::string_view size = std::string_view(type.name).substr(std::min(type.family().size(), type.name.size()));
  if (type.is_own) return {.why_not = "it is not a type of EC2"};
  if (size == ".nano" || size == ".micro") return {.why_not = "it is too small"};
  if (type.vcpus <= 1) return {.why_not = "it has one vCPU"};
  const auto found = kFamilies.find(type.family());
  if (found != kFamilies.end()) return found->second;
  return {.why_not = fmt::format("the family {} is not offered", type.family())};
}

bool is_burstable(const InstanceType& type) {
  return type.name.starts_with('t') && type.name.size() > 1 && type.name[1] >= '0' && type.name[1] <= '9';
}

}  // namespace bayplan::catalog
