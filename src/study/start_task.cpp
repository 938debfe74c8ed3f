#include "study/start_task.hpp"

#include <algorithm>
#include <cassert>
#include <memory>
#include <optional>

#include "placement/checks.hpp"
#include "query/query.hpp"

namespace bayplan::study {

using placement::Scenario;

namespace {

/// Marks the instance that a task is to be started on; no attribute of ECS begins like this.
constexpr std::string_view kMark = "bayplan.start-task";

std::string_view id_of(std::string_view name) {
  return name.substr(name.rfind('/') + 1);
}

/// By the id of the container instance, not of the EC2 instance, where ARNs are described.
std::optional<std::uint32_t> instance_called(const Scenario& scenario, std::string_view name) {
  for (std::uint32_t i = 0; i < scenario.instances.size(); ++i) {
    if (id_of(instance_name(scenario, i)) == id_of(name)) return i;
  }
  return std::nullopt;
}

/// Leaves of the cluster the instances that are named: none of the others counts for anything.
void keep_only(Scenario& scenario, const std::vector<std::uint32_t>& kept) {
  std::vector<placement::ContainerInstance> instances;
  std::vector<placement::InstanceUse> in_use;
  std::vector<placement::RunningTask> running;
  for (const auto index : kept) {
    const auto* use = scenario.use_of(index);
    in_use.push_back(use == nullptr ? placement::InstanceUse() : *use);
    for (auto task : scenario.running_on(index)) {
      task.instance = static_cast<std::uint32_t>(instances.size());
      running.push_back(std::move(task));
    }
    instances.push_back(scenario.instances[index]);
  }
  scenario.instances = std::move(instances);
  scenario.in_use = std::move(in_use);
  scenario.running = std::move(running);
}

/// A profile of its own, which alone has the mark.
void mark(Scenario& scenario, std::uint32_t instance) {
  auto profile = scenario.profiles[scenario.instances[instance].profile];
  profile.attributes.insert_or_assign(std::string(kMark), std::to_string(instance));
  scenario.instances[instance].profile = static_cast<std::uint32_t>(scenario.profiles.size());
  scenario.profiles.push_back(std::move(profile));
}

placement::Constraint only_on(std::uint32_t instance) {
  std::string source = "attribute:" + std::string(kMark) + " == " + std::to_string(instance);
  auto parsed = query::parse(source);
  assert(parsed.expression);
  return {placement::ConstraintType::kMemberOf, std::move(source),
          std::make_shared<const query::Expression>(std::move(*parsed.expression))};
}

}  // namespace

StartTask::StartTask(Scenario& scenario, const std::vector<std::string_view>& named) {
  placement::Workload workload = std::move(scenario.workloads.front());
  workload.count = 1;
  workload.capacity_providers.clear();
  scenario.workloads.clear();
  scenario.calls.clear();
  std::vector<std::uint32_t> kept;
  for (const auto name : named) {
    const auto instance = instance_called(scenario, name);
    if (!instance) {
      failed_.push_back({std::string(name), "MISSING"});
    } else if (scenario.profiles[scenario.instances[*instance].profile].status ==
               placement::InstanceStatus::kInactive) {
      failed_.push_back({std::string(instance_name(scenario, *instance)), "INACTIVE"});
    } else {
      const auto known = std::find(kept.begin(), kept.end(), *instance);
      instances_.push_back(static_cast<std::uint32_t>(known - kept.begin()));
      if (known == kept.end()) kept.push_back(*instance);
    }
  }
  keep_only(scenario, kept);
  for (std::uint32_t i = 0; i < kept.size(); ++i) mark(scenario, i);
  for (const auto instance : instances_) {
    auto own = workload;
    own.constraints.push_back(only_on(instance));
    scenario.calls.push_back({static_cast<std::uint32_t>(scenario.workloads.size()), 1});
    scenario.workloads.push_back(std::move(own));
  }
}

std::vector<CallFailure> StartTask::failures(const Scenario& scenario, const placement::Outcome& outcome) const {
  auto failures = failed_;
  for (const auto& failure : outcome.failures) {
    const std::uint32_t instance = instances_[failure.turn.workload];
    const auto* rejection = placement::rejection_of(placement::explained(outcome, failure), instance);
    if (rejection == nullptr) continue;
    const auto status = scenario.profiles[scenario.instances[instance].profile].status;
    failures.push_back(
        {std::string(instance_name(scenario, instance)), placement::reason_text(rejection->failed.first(), status)});
  }
  return failures;
}

}  // namespace bayplan::study
