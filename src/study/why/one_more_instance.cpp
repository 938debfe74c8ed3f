#include "study/why/one_more_instance.hpp"

#include <algorithm>
#include <limits>
#include <set>
#include <utility>
#include <vector>

#include "placement/engine/engine.hpp"

namespace bayplan::study {

using namespace placement;  // NOLINT: the study of placements is about nothing else

namespace {

constexpr std::size_t kMaxProfiles = 8;
/// Turns times instances of one simulation.
constexpr std::size_t kPlacementEffort = 2'000'000;

MicroUsd price_for_order(const InstanceProfile& profile) {
  return profile.hourly_price.value_or(std::numeric_limits<MicroUsd>::max());
}

/// One profile a type and zone that takes tasks, cheapest first, then in file order.
std::vector<std::uint32_t> kinds(const Scenario& scenario) {
  std::vector<std::uint32_t> found;
  std::set<std::pair<std::string_view, std::string_view>> seen;
  for (std::uint32_t i = 0; i < scenario.profiles.size(); ++i) {
    const auto& profile = scenario.profiles[i];
    if (profile.status != InstanceStatus::kActive || !profile.agent_connected) continue;
    if (seen.emplace(profile.instance_type, profile.availability_zone).second) found.push_back(i);
  }
  std::stable_sort(found.begin(), found.end(), [&](std::uint32_t a, std::uint32_t b) {
    return price_for_order(scenario.profiles[a]) < price_for_order(scenario.profiles[b]);
  });
  if (found.size() > kMaxProfiles) found.resize(kMaxProfiles);
  return found;
}

}  // namespace

std::optional<Remedy> one_more_instance(const Scenario& scenario, const Outcome& outcome) {
  const std::size_t attempts = outcome.placements.size() + outcome.failures.size();
  if (outcome.failures.empty() || attempts * (scenario.instances.size() + 1) > kPlacementEffort) return std::nullopt;
  Scenario larger = scenario;
  larger.instances.push_back({});
  for (const std::uint32_t kind : kinds(scenario)) {
    larger.instances.back() = {"one more", kind};
    if (!place(larger).failures.empty()) continue;
    const auto& profile = scenario.profiles[kind];
    return Remedy{.change = one_more(profile), .hourly_cost = profile.hourly_price};
  }
  return std::nullopt;
}

}  // namespace bayplan::study
