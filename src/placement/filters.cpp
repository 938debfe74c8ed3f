#include "placement/filters.hpp"

#include <algorithm>

#include "placement/constraints.hpp"

namespace bayplan::placement {

Filter::Filter(const Scenario& scenario, const Groups& groups, const Workload& workload, std::uint32_t group)
    : scenario_(scenario), groups_(groups), workload_(workload), group_(group) {
  for (const auto& constraint : workload.constraints) {
    if (constraint.type == ConstraintType::kDistinctInstance) distinct_ = true;
    if (constraint.expression && constraint.expression->depends_on_tasks())
      live_.push_back(constraint.expression.get());
  }
  profile_failures_.reserve(scenario.profiles.size());
  for (const auto& profile : scenario.profiles) profile_failures_.push_back(check_profile(profile));
}

CheckSet Filter::check_profile(const InstanceProfile& profile) const {
  CheckSet failed;
  if (profile.status != InstanceStatus::kActive) failed.add(Check::kStatus);
  if (!profile.agent_connected) failed.add(Check::kAgent);
  for (const auto& attribute : workload_.requirement.required_attributes) {
    if (!has_required_attribute(profile, attribute)) failed.add(Check::kAttribute);
  }
  const auto& zones = workload_.availability_zones;
  if (zones && !profile.availability_zone.empty() &&
      std::find(zones->begin(), zones->end(), profile.availability_zone) == zones->end()) {
    failed.add(Check::kLocation);
  }
  const ProfileView view(profile, nullptr, nullptr);
  for (const auto& constraint : workload_.constraints) {
    if (!constraint.expression || constraint.expression->depends_on_tasks()) continue;
    if (!constraint.expression->holds(view)) failed.add(Check::kMemberOf);
  }
  return failed;
}

CheckSet Filter::check_tasks(const InstanceProfile& profile, const InstanceState& state) const {
  CheckSet failed;
  const ProfileView view(profile, &state, &groups_);
  for (const auto* expression : live_) {
    if (!expression->holds(view)) failed.add(Check::kMemberOf);
  }
  if (distinct_ && state.tasks_of(group_) > 0) failed.add(Check::kDistinctInstance);
  return failed;
}

bool Filter::passes(std::uint32_t instance, const InstanceState& state, std::string_view provider) const {
  const std::uint32_t index = scenario_.instances[instance].profile;
  if (!profile_failures_[index].empty()) return false;
  const auto& profile = scenario_.profiles[index];
  if (!provider.empty() && profile.capacity_provider_name != provider) return false;
  if (!resources_fit(state, workload_.requirement)) return false;
  return (live_.empty() && !distinct_) || check_tasks(profile, state).empty();
}

bool Filter::wants_daemon(std::uint32_t instance, const InstanceState& state) const {
  const std::uint32_t index = scenario_.instances[instance].profile;
  const CheckSet failed = profile_failures_[index];
  if (failed.has(Check::kStatus) || failed.has(Check::kLocation) || failed.has(Check::kMemberOf)) return false;
  return !check_tasks(scenario_.profiles[index], state).has(Check::kMemberOf);
}

Rejection Filter::reject(std::uint32_t instance, const InstanceState& state, std::string_view provider) const {
  const std::uint32_t index = scenario_.instances[instance].profile;
  const auto& profile = scenario_.profiles[index];
  Rejection rejection{instance, profile_failures_[index], {}};
  if (!provider.empty() && profile.capacity_provider_name != provider) rejection.failed.add(Check::kCapacityProvider);
  for (const auto& attribute : workload_.requirement.required_attributes) {
    if (!has_required_attribute(profile, attribute)) rejection.shortfall.attributes.push_back(attribute);
  }
  check_resources(state, workload_.requirement, rejection.failed, rejection.shortfall);
  rejection.failed.add(check_tasks(profile, state));
  return rejection;
}

}  // namespace bayplan::placement
