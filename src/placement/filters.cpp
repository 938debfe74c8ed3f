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
  missing_.reserve(scenario.profiles.size());
  for (const auto& profile : scenario.profiles) profile_failures_.push_back(check_profile(profile));
}

CheckSet Filter::check_profile(const InstanceProfile& profile) {
  CheckSet failed;
  if (profile.status != InstanceStatus::kActive) failed.add(Check::kStatus);
  if (!profile.agent_connected) failed.add(Check::kAgent);
  auto& missing = missing_.emplace_back();
  for (const auto& attribute : workload_.requirement.required_attributes) {
    if (!has_required_attribute(profile, attribute)) missing.push_back(attribute);
  }
  if (!missing.empty()) failed.add(Check::kAttribute);
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

bool Filter::is_foreign(const InstanceProfile& profile, std::string_view provider) const {
  return !provider.empty() && profile.capacity_provider_name != provider;
}

bool Filter::has_room(std::uint32_t instance, const InstanceState& state) const {
  if (!resources_fit(state, workload_.requirement)) return false;
  if (distinct_ && state.tasks_of(group_) > 0) return false;
  return live_.empty() || check_tasks(scenario_.profiles[scenario_.instances[instance].profile], state).empty();
}

bool Filter::passes(std::uint32_t instance, const InstanceState& state, std::string_view provider) const {
  const std::uint32_t index = scenario_.instances[instance].profile;
  return profile_failures_[index].empty() && !is_foreign(scenario_.profiles[index], provider) &&
         has_room(instance, state);
}

std::vector<char> Filter::profiles_allowed(std::string_view provider) const {
  std::vector<char> allowed;
  allowed.reserve(scenario_.profiles.size());
  for (std::size_t i = 0; i < scenario_.profiles.size(); ++i) {
    allowed.push_back(profile_failures_[i].empty() && !is_foreign(scenario_.profiles[i], provider) ? 1 : 0);
  }
  return allowed;
}

CheckSet Filter::failing(std::uint32_t instance, const InstanceState& state, std::string_view provider) const {
  const std::uint32_t index = scenario_.instances[instance].profile;
  const auto& profile = scenario_.profiles[index];
  CheckSet failed = profile_failures_[index];
  if (is_foreign(profile, provider)) failed.add(Check::kCapacityProvider);
  failed.add(failing_resources(state, workload_.requirement));
  if (distinct_ || !live_.empty()) failed.add(check_tasks(profile, state));
  return failed;
}

bool Filter::wants_daemon(std::uint32_t instance, const InstanceState& state) const {
  const std::uint32_t index = scenario_.instances[instance].profile;
  const CheckSet failed = profile_failures_[index];
  if (failed.has(Check::kStatus) || failed.has(Check::kLocation) || failed.has(Check::kMemberOf)) return false;
  if (state.tasks_of(group_) > 0) return false;
  return !check_tasks(scenario_.profiles[index], state).has(Check::kMemberOf);
}

Rejection Filter::reject(std::uint32_t instance, const InstanceState& state, std::string_view provider) const {
  const std::uint32_t index = scenario_.instances[instance].profile;
  const auto& profile = scenario_.profiles[index];
  Rejection rejection{instance, profile_failures_[index], {}};
  if (is_foreign(profile, provider)) rejection.failed.add(Check::kCapacityProvider);
  rejection.shortfall.attributes = missing_[index];
  check_resources(state, workload_.requirement, rejection.failed, rejection.shortfall);
  rejection.failed.add(check_tasks(profile, state));
  return rejection;
}

}  // namespace bayplan::placement
