#include "placement/model/scenario.hpp"

#include <algorithm>
#include <map>
#include <string_view>

namespace bayplan::placement {

std::string_view Strategy::attribute() const {
  constexpr std::string_view kPrefix = "attribute:";
  const std::string_view text = field;
  return text.starts_with(kPrefix) ? text.substr(kPrefix.size()) : std::string_view();
}

std::string spot_pool(const InstanceProfile& profile) {
  return profile.instance_type + "@" + profile.availability_zone;
}

std::string_view name_of(InstanceStatus status) {
  switch (status) {
    case InstanceStatus::kActive:
      return "ACTIVE";
    case InstanceStatus::kDraining:
      return "DRAINING";
    case InstanceStatus::kRegistering:
      return "REGISTERING";
    case InstanceStatus::kDeregistering:
      return "DEREGISTERING";
    case InstanceStatus::kRegistrationFailed:
      return "REGISTRATION_FAILED";
    case InstanceStatus::kInactive:
      return "INACTIVE";
  }
  return "ACTIVE";
}

const InstanceUse* Scenario::use_of(std::uint32_t instance) const {
  return instance < in_use.size() ? &in_use[instance] : nullptr;
}

std::span<const RunningTask> Scenario::running_on(std::uint32_t instance) const {
  const auto first = std::partition_point(running.begin(), running.end(),
                                          [instance](const RunningTask& task) { return task.instance < instance; });
  const auto last = std::partition_point(first, running.end(),
                                         [instance](const RunningTask& task) { return task.instance == instance; });
  const auto before = static_cast<std::size_t>(first - running.begin());
  return {running.data() + before, static_cast<std::size_t>(last - first)};
}

bool attaches_volumes(const Scenario& scenario) {
  return std::any_of(scenario.workloads.begin(), scenario.workloads.end(),
                     [](const Workload& workload) { return workload.requirement.ebs_volumes > 0; }) ||
         std::any_of(scenario.in_use.begin(), scenario.in_use.end(),
                     [](const InstanceUse& use) { return use.ebs_volumes > 0; });
}

void assume(Scenario& scenario, std::string id, std::string subject, std::string text) {
  for (const auto& known : scenario.assumptions) {
    if (known.subject == subject && known.id == id) return;
  }
  scenario.assumptions.push_back({std::move(id), std::move(subject), std::move(text)});
}

std::vector<capacity::TaskRequirement> requirements_of_running(const Scenario& scenario) {
  std::map<std::string_view, const capacity::TaskRequirement*> known;
  for (const auto& definition : scenario.task_definitions) known.emplace(definition.name, &definition.requirement);
  std::vector<capacity::TaskRequirement> requirements;
  requirements.reserve(scenario.running.size());
  for (const auto& task : scenario.running) {
    const auto found = known.find(task.task_definition);
    requirements.push_back(found == known.end() ? capacity::TaskRequirement() : *found->second);
  }
  return requirements;
}

}  // namespace bayplan::placement
