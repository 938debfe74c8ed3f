#include "placement/engine/filters.hpp"

#include <algorithm>

#include "placement/model/constraints.hpp"

namespace bayplan::placement {

namespace {

CheckSet check_profile(const Workload& workload, const Scenario& scenario, std::uint32_t index) {
  const InstanceProfile& profile = scenario.profiles[index];
  CheckSet failed;
  if (profile.status != InstanceStatus::kActive) failed.add(Check::kStatus);
  if (!profile.agent_connected) failed.add(Check::kAgent);
  if (!missing_attributes(profile, workload.requirement).empty()) failed.add(Check::kAttribute);
  const auto& zones = workload.availability_zones;
  if (zones && !profile.availability_zone.empty() &&
      std::find(zones->begin(), zones->end(), profile.availability_zone) == zones->end()) {
    failed.add(Check::kLocation);
  }
  const ProfileView view(profile, nullptr, nullptr);
  for (const auto& constraint : workload.constraints) {
    if (constraint.expression && !constraint.expression->may_hold(view)) failed.add(Check::kMemberOf);
  }
  if (workload.only_profile && *workload.only_profile != index) failed.add(Check::kMemberOf);
  return failed;
}

}  // namespace

std::shared_ptr<const std::vector<CheckSet>> ProfileChecks::failures(const Workload& workload) {
  std::vector<std::string> expressions;
  for (const auto& constraint : workload.constraints) {
    if (constraint.expression) expressions.push_back(constraint.source);
  }
  const auto& task = workload.requirement;
  auto& known = known_[{task.required_attributes, capacity::wanted_architecture(task), task.windows, task.linux,
                        workload.availability_zones, std::move(expressions), workload.only_profile}];
  if (known.workload == nullptr) {
    known = {&workload, std::make_shared<std::vector<CheckSet>>()};
    check_more(known);
  }
  return known.failures;
}

void ProfileChecks::follow() {
  for (auto& [wanted, known] : known_) check_more(known);
}

void ProfileChecks::check_more(CachedFailures& known) const {
  auto& failures = *known.failures;
  failures.reserve(scenario_.profiles.size());
  while (failures.size() < scenario_.profiles.size()) {
    failures.push_back(check_profile(*known.workload, scenario_, static_cast<std::uint32_t>(failures.size())));
  }
}

Filter::Filter(const Scenario& scenario, const Groups& groups, const Workload& workload, std::uint32_t group,
               ProfileChecks& checks)
    : scenario_(scenario),
      groups_(groups),
      workload_(workload),
      group_(group),
      profile_failures_(checks.failures(workload)) {
  for (const auto& constraint : workload.constraints) {
    if (constraint.type == ConstraintType::kDistinctInstance) distinct_ = true;
    if (constraint.depends_on_tasks()) live_.push_back(constraint.expression.get());
  }
  set_least();
}

Filter::Filter(const Scenario& scenario, const Groups& groups, const Workload& workload, std::uint32_t group)
    : Filter(scenario, groups, workload, group, *std::make_unique<ProfileChecks>(scenario)) {}

// A task that reserves nothing of a resource passes its check whatever is left, even less than nothing.
void Filter::set_least() {
  constexpr std::int64_t kAny = std::numeric_limits<std::int64_t>::min();
  const auto& task = workload_.requirement;
  const bool counts_gpus = task.gpu_form == capacity::GpuForm::kCount;
  constexpr std::int32_t kAnyCount = std::numeric_limits<std::int32_t>::min();
  const auto at_least = [](std::int64_t wanted) { return wanted > 0 ? wanted : kAny; };
  const auto count = [](std::int64_t wanted) { return wanted > 0 ? room_count(wanted) : kAnyCount; };
  least_ = {at_least(task.cpu),
            at_least(task.memory),
            count(task.network_interfaces),
            counts_gpus ? room_count(task.gpu_count) : kAnyCount,
            count(task.ebs_volumes),
            count(task.ebs_volumes + task.network_interfaces)};
  needs_room_and_ports_only_ = (counts_gpus || !task.wants_devices()) && live_.empty();
  needs_room_only_ = needs_room_and_ports_only_ && task.tcp_ports.empty() && task.udp_ports.empty();
}

bool Filter::is_like(const Filter& other) const {
  const auto& own = workload_.requirement;
  const auto& others = other.workload_.requirement;
  return needs_room_and_ports_only_ && other.needs_room_and_ports_only_ && least_room() == other.least_room() &&
         distinct_ == other.distinct_ && profile_failures_ == other.profile_failures_ &&
         own.tcp_ports == others.tcp_ports && own.udp_ports == others.udp_ports;
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
  return (*profile_failures_)[index].empty() && !is_foreign(scenario_.profiles[index], provider) &&
         has_room(instance, state);
}

CheckSet Filter::failing_for_good(std::uint32_t profile, std::string_view provider) const {
  CheckSet failed = (*profile_failures_)[profile];
  if (is_foreign(scenario_.profiles[profile], provider)) failed.add(Check::kCapacityProvider);
  return failed;
}

CheckSet Filter::failing(std::uint32_t instance, const InstanceState& state, std::string_view provider) const {
  const std::uint32_t index = scenario_.instances[instance].profile;
  CheckSet failed = failing_for_good(index, provider);
  failed.add(failing_resources(state, workload_.requirement));
  if (distinct_ || !live_.empty()) failed.add(check_tasks(scenario_.profiles[index], state));
  return failed;
}

CheckSet Filter::failing_room(const Room& room) const {
  CheckSet failed;
  if (room.cpu < least_.cpu) failed.add(Check::kCpu);
  if (room.memory < least_.memory) failed.add(Check::kMemory);
  if (room.whole_gpus < least_.whole_gpus) failed.add(Check::kGpu);
  if (room.network_interfaces < least_.network_interfaces) failed.add(Check::kNetworkInterface);
  if (room.ebs_attachments < least_.ebs_attachments || room.shared_attachments < least_.shared_attachments)
    failed.add(Check::kEbsAttachment);
  return failed;
}

std::vector<std::string> Filter::missing_attributes(std::uint32_t instance) const {
  const std::uint32_t index = scenario_.instances[instance].profile;
  if (!(*profile_failures_)[index].has(Check::kAttribute)) return {};
  return placement::missing_attributes(scenario_.profiles[index], workload_.requirement);
}

bool Filter::wants_daemon(std::uint32_t instance, const InstanceState& state) const {
  return state.tasks_of(group_) == 0 && allows_daemon(instance, state);
}

bool Filter::allows_daemon(std::uint32_t instance, const InstanceState& state) const {
  const std::uint32_t index = scenario_.instances[instance].profile;
  const CheckSet failed = (*profile_failures_)[index];
  if (failed.has(Check::kStatus) || failed.has(Check::kLocation) || failed.has(Check::kMemberOf)) return false;
  return !check_tasks(scenario_.profiles[index], state).has(Check::kMemberOf);
}

Rejection Filter::reject(std::uint32_t instance, const InstanceState& state, std::string_view provider) const {
  const std::uint32_t index = scenario_.instances[instance].profile;
  const auto& profile = scenario_.profiles[index];
  Rejection rejection{instance, (*profile_failures_)[index], {}};
  if (is_foreign(profile, provider)) rejection.failed.add(Check::kCapacityProvider);
  rejection.shortfall.attributes = missing_attributes(instance);
  check_resources(state, workload_.requirement, rejection.failed, rejection.shortfall);
  rejection.failed.add(check_tasks(profile, state));
  return rejection;
}

}  // namespace bayplan::placement
