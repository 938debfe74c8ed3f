#include "study/memory_uncertainty.hpp"

#include <algorithm>
#include <map>
#include <numeric>
#include <set>

#include "capacity/fit.hpp"
#include "capacity/offer.hpp"
#include "fleet/recommended/fill_fleet.hpp"
#include "placement/engine/engine.hpp"
#include "placement/model/profiles.hpp"

namespace bayplan::study {

using catalog::MemoryBasis;
using placement::InstanceProfile;
using placement::Scenario;

namespace {

constexpr std::int64_t kMaxPlacements = 1'000'000;

bool is_estimated(const InstanceProfile& profile) {
  const bool by_catalog = profile.memory_basis != MemoryBasis::kStated && profile.memory_basis != MemoryBasis::kUnknown;
  return by_catalog && profile.type != nullptr && profile.type->memory_error() > 0;
}

MiB error_of(const InstanceProfile& profile) {
  if (!is_estimated(profile)) return 0;
  const auto offer = capacity::make_offer(*profile.type, {.windows = placement::is_windows(profile)});
  return std::min(offer.memory_error, profile.memory);
}

std::vector<UncertainTasks> left_in(const Scenario& launched) {
  std::map<std::string, std::int64_t> counts;
  for (const auto& failure : placement::place(launched).failures)
    ++counts[launched.workloads[failure.attempt.workload].name];
  std::vector<UncertainTasks> left;
  for (const auto& [name, count] : counts) left.push_back({name, count});
  return left;
}

std::int64_t compute_sum(const std::vector<UncertainTasks>& left) {
  return std::accumulate(left.begin(), left.end(), std::int64_t{0},
                         [](std::int64_t sum, const UncertainTasks& own) { return sum + own.count; });
}

}  // namespace

std::int64_t MemoryUncertainty::tasks() const {
  return compute_sum(without_place);
}

bool rests_on_estimated_memory(const Scenario& scenario, const placement::Outcome& outcome) {
  for (std::size_t i = 0; i < outcome.instances.size(); ++i) {
    const auto& state = outcome.instances[i];
    if (state.tasks > 0 && state.memory < error_of(scenario.profiles[scenario.instances[i].profile])) return true;
  }
  return false;
}

MemoryUncertainty memory_uncertainty(const Scenario& filled, std::int64_t orders) {
  MemoryUncertainty doubt;
  Scenario least = filled;
  std::map<std::string, EstimatedMemory> types;
  std::vector<const catalog::InstanceType*> known;
  std::set<std::uint32_t> in_use;
  for (const auto& instance : filled.instances) in_use.insert(instance.profile);
  for (const std::uint32_t index : in_use) {
    InstanceProfile& profile = least.profiles[index];
    if (!is_estimated(profile)) continue;
    const MiB error = error_of(profile);
    if (types.try_emplace(profile.instance_type, EstimatedMemory{profile.instance_type, profile.memory, error}).second)
      known.push_back(profile.type);
    profile.memory -= error;
  }
  for (const auto& type : types) doubt.types.push_back(type.second);
  doubt.assumptions = capacity::memory_assumptions(known);
  if (doubt.types.empty()) return doubt;
  std::int64_t tasks = 1;
  for (const auto& workload : filled.workloads) tasks += workload.count.value_or(0);
  doubt.orders = std::clamp<std::int64_t>(kMaxPlacements / tasks, 1, std::max<std::int64_t>(1, orders));
  for (std::int64_t order = 0; order < doubt.orders; ++order) {
    auto left = left_in(fleet::in_launch_order(least, static_cast<std::uint64_t>(order)));
    if (left.empty()) continue;
    ++doubt.failing_orders;
    if (compute_sum(left) > doubt.tasks()) doubt.without_place = std::move(left);
  }
  return doubt;
}

}  // namespace bayplan::study
