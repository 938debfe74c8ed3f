#include "catalog/managed_instances.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/core.h>

#include "base/strings.hpp"
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
  enum Column : std::size_t { kFamily, kFee, kSource, kDate, kColumns };
  const std::string_view size = std::string_view(type.name).substr(std::min(type.family().size(), type.name.size()));
  if (type.is_own) return {.why_not = "it is not a type of EC2"};
  if (size == ".nano" || size == ".micro") return {.why_not = "it is too small"};
  if (type.vcpus <= 1) return {.why_not = "it has one vCPU"};
  for (const auto line : split(embedded::managed_instances(), '\n')) {
    if (!line.starts_with(type.family())) continue;
    const auto cells = split(line, ',');
    if (cells.size() != kColumns || cells[kFamily] != type.family()) continue;
    return {{},
            std::llround(to_number(cells[kFee]).value_or(0) * kMillionthsPerPercent),
            std::string(cells[kSource]),
            std::string(cells[kDate])};
  }
  return {.why_not = fmt::format("the family {} is not offered", type.family())};
}

bool is_burstable(const InstanceType& type) {
  return type.name.starts_with('t') && type.name.size() > 1 && type.name[1] >= '0' && type.name[1] <= '9';
}

}  // namespace bayplan::catalog
