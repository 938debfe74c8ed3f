#include "study/why/snapshot.hpp"

#include <algorithm>

#include "study/simulation/cluster_at_attempt.hpp"

namespace bayplan::study {

using namespace placement;  // NOLINT: the study of placements is about nothing else

namespace {

RunningTask running_from(const Scenario& scenario, const Placement& placement) {
  const auto& workload = scenario.workloads[placement.attempt.workload];
  RunningTask task;
  task.id = task_id(scenario, placement.attempt);
  task.instance = placement.instance;
  task.group = workload.group;
  task.daemon = workload.kind == WorkloadKind::kDaemon;
  if (workload.task_definition < scenario.task_definitions.size())
    task.task_definition = scenario.task_definitions[workload.task_definition].name;
  for (const auto& container : placement.gpus)
    task.gpus.insert(task.gpus.end(), container.devices.begin(), container.devices.end());
  std::sort(task.gpus.begin(), task.gpus.end());
  task.gpus.erase(std::unique(task.gpus.begin(), task.gpus.end()), task.gpus.end());
  return task;
}

/// What ran and what was placed, by instance.
void add_running(const Scenario& scenario, const Outcome& outcome, const PlacementAttempt& attempt,
                 Snapshot& snapshot) {
  std::vector<std::vector<const Placement*>> placed(scenario.instances.size());
  for (const auto* placement : placed_before(outcome, attempt)) placed[placement->instance].push_back(placement);
  for (std::uint32_t i = 0; i < scenario.instances.size(); ++i) {
    for (const auto& task : scenario.running_on(i)) {
      snapshot.scenario.running.push_back(task);
      snapshot.placed_by.emplace_back();
    }
    for (const auto* placement : placed[i]) {
      snapshot.scenario.running.push_back(running_from(scenario, *placement));
      snapshot.placed_by.emplace_back(placement->attempt.workload);
    }
  }
}

Workload task_alone(const Scenario& scenario, const PlacementAttempt& attempt) {
  Workload workload = scenario.workloads[attempt.workload];
  workload.count = 1;
  workload.all_or_nothing = false;
  if (attempt.capacity_provider)
    workload.capacity_providers = {{std::string(capacity_provider_of(scenario, attempt)), 0, 1}};
  return workload;
}

/// A daemon service of a live cluster, where its definition is known.
std::optional<Workload> described_daemon(const Scenario& scenario, const RunningService& service) {
  for (std::uint32_t i = 0; i < scenario.task_definitions.size(); ++i) {
    const auto& definition = scenario.task_definitions[i];
    if (definition.name != service.task_definition) continue;
    Workload daemon;
    daemon.kind = WorkloadKind::kDaemon;
    daemon.name = service.name;
    daemon.group = "service:" + service.name;
    daemon.task_definition = i;
    daemon.requirement = definition.requirement;
    daemon.constraints = definition.constraints;
    daemon.constraints.insert(daemon.constraints.end(), service.constraints.begin(), service.constraints.end());
    if (daemon.requirement.network_interfaces > 0) daemon.availability_zones = service.availability_zones;
    return daemon;
  }
  return std::nullopt;
}

std::vector<Workload> list_daemons(const Scenario& scenario) {
  std::vector<Workload> daemons;
  for (const auto& workload : scenario.workloads) {
    if (workload.kind == WorkloadKind::kDaemon) daemons.push_back(workload);
  }
  for (const auto& service : scenario.services) {
    const auto is_there = [&](const Workload& daemon) { return daemon.group == "service:" + service.name; };
    if (service.kind != WorkloadKind::kDaemon || std::any_of(daemons.begin(), daemons.end(), is_there)) continue;
    if (auto daemon = described_daemon(scenario, service)) daemons.push_back(std::move(*daemon));
  }
  return daemons;
}

}  // namespace

Snapshot snapshot_before(const Scenario& scenario, const Outcome& outcome, const PlacementAttempt& attempt) {
  Snapshot snapshot;
  auto& stopped = snapshot.scenario;
  stopped.region = scenario.region;
  stopped.cluster_name = scenario.cluster_name;
  stopped.profiles = scenario.profiles;
  stopped.instances = scenario.instances;
  stopped.services = scenario.services;
  stopped.task_definitions = scenario.task_definitions;
  stopped.seed = scenario.seed;
  stopped.ties = scenario.ties;
  stopped.managed_providers = scenario.managed_providers;
  stopped.documents = scenario.documents;
  stopped.workloads = list_daemons(scenario);
  snapshot.asked = static_cast<std::uint32_t>(stopped.workloads.size());
  stopped.workloads.push_back(task_alone(scenario, attempt));
  const ClusterAtAttempt standing = cluster_at_attempt(scenario, outcome, attempt);
  for (std::uint32_t i = 0; i < scenario.instances.size(); ++i)
    stopped.in_use.push_back(use_of(standing.states[i], scenario.profiles[scenario.instances[i].profile]));
  add_running(scenario, outcome, attempt, snapshot);
  return snapshot;
}

}  // namespace bayplan::study
