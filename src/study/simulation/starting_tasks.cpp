#include "study/simulation/starting_tasks.hpp"

#include <algorithm>
#include <string_view>

#include "placement/engine/attempts.hpp"
#include "placement/model/capacity_providers.hpp"

namespace bayplan::study {

using namespace placement;  // NOLINT: the study of placements is about nothing else

namespace {

std::uint32_t find_position(std::string_view provider, const std::vector<ProviderShare>& shares) {
  for (std::uint32_t i = 0; i < shares.size(); ++i) {
    if (shares[i].capacity_provider == provider) return i;
  }
  return 0;
}

/// The capacity provider of the instance that the task ran on before the first placement.
std::string_view provider_of_running(const Scenario& scenario, std::uint32_t running) {
  const std::uint32_t instance = scenario.running[running].instance;
  return scenario.profiles[scenario.instances[instance].profile].capacity_provider_name;
}

/// Reads the placements and failures of an outcome in their common order.
class OutcomeReader {
 public:
  explicit OutcomeReader(const Outcome& outcome) : outcome_(outcome) {}

  struct Decision {
    const PlacementAttempt* attempt = nullptr;
    const Placement* placement = nullptr;  ///< Null when it failed.
    const Failure* failure = nullptr;
  };
  Decision peek() const {
    const bool has_placement = placement_ < outcome_.placements.size();
    const bool has_failure = failure_ < outcome_.failures.size();
    if (has_placement &&
        (!has_failure || outcome_.placements[placement_].attempt.step < outcome_.failures[failure_].attempt.step))
      return {&outcome_.placements[placement_].attempt, &outcome_.placements[placement_], nullptr};
    return has_failure ? Decision{&outcome_.failures[failure_].attempt, nullptr, &outcome_.failures[failure_]}
                       : Decision{};
  }
  Decision next() {
    const Decision own = peek();
    ++(own.placement != nullptr ? placement_ : failure_);
    return own;
  }

 private:
  const Outcome& outcome_;
  std::size_t placement_ = 0;
  std::size_t failure_ = 0;
};

void add_running_tasks(const Scenario& scenario, const std::vector<OptionalIndex>& workload_of_running,
                       const Occupancy& occupancy, StartingTasks& starting) {
  for (std::uint32_t i = 0; i < scenario.running.size(); ++i) {
    if (!workload_of_running[i]) continue;
    const std::uint32_t workload = *workload_of_running[i];
    const auto& shares = scenario.workloads[workload].capacity_providers;
    SimulatedTask task;
    task.workload = workload;
    task.task_class = occupancy.classes().number(workload, find_position(provider_of_running(scenario, i), shares));
    task.instance = scenario.running[i].instance;
    task.running = i;
    // ECS replaces what a service runs on a DRAINING instance, so such a task is outdated before anything happens.
    const auto& profile = scenario.profiles[scenario.instances[*task.instance].profile];
    task.is_outdated =
        scenario.workloads[workload].kind == WorkloadKind::kService && profile.status == InstanceStatus::kDraining;
    starting.tasks.push_back(std::move(task));
  }
}

void place_daemons(std::uint32_t workload, const Outcome& outcome, OutcomeReader& reader, Occupancy& occupancy,
                   std::vector<DaemonCounts>& daemons) {
  while (reader.peek().attempt != nullptr && reader.peek().attempt->workload == workload) {
    const auto own = reader.next();
    if (own.placement != nullptr) {
      occupancy.take(workload, own.placement->instance);
      ++daemons[own.placement->instance].started;
    } else {
      ++daemons[explained(outcome, *own.failure).instances.front().instance].failed;
    }
  }
}

}  // namespace

StartingTasks starting_tasks(const Scenario& scenario, const Outcome& outcome,
                             const std::vector<OptionalIndex>& workload_of_running, Occupancy& occupancy) {
  StartingTasks starting;
  starting.daemons.resize(scenario.instances.size());
  add_running_tasks(scenario, workload_of_running, occupancy, starting);
  OutcomeReader reader(outcome);
  for (const auto& call : placement_order(scenario)) {
    const auto& workload = scenario.workloads[call.workload];
    if (workload.kind == WorkloadKind::kDaemon) {
      place_daemons(call.workload, outcome, reader, occupancy, starting.daemons);
      continue;
    }
    if (!workload.count) continue;
    const bool is_service = workload.kind == WorkloadKind::kService;
    const auto& shares = workload.capacity_providers;
    ProviderDistributor distributor(shares);
    if (!is_service) {
      const auto first = static_cast<std::uint32_t>(starting.tasks.size());
      starting.calls.push_back({call.workload, first, static_cast<std::uint32_t>(call.count)});
    }
    for (std::int64_t i = 0; i < call.count; ++i) {
      const auto next = reader.next();
      SimulatedTask task;
      task.workload = call.workload;
      task.number = next.attempt->number;
      const std::size_t provider = is_service       ? next.attempt->capacity_provider.value_or(0)
                                   : shares.empty() ? 0
                                                    : distributor.next();
      task.task_class = occupancy.classes().number(call.workload, provider);
      if (!is_service) task.call = static_cast<std::uint32_t>(starting.calls.size() - 1);
      if (next.placement != nullptr) {
        task.instance = next.placement->instance;
        task.gpus = occupancy.take(call.workload, next.placement->instance);
      }
      starting.tasks.push_back(std::move(task));
    }
  }
  return starting;
}

bool has_tasks_to_leave(const Scenario& scenario) {
  return std::any_of(scenario.running.begin(), scenario.running.end(), [&](const RunningTask& task) {
    const auto& profile = scenario.profiles[scenario.instances[task.instance].profile];
    return profile.status == InstanceStatus::kDraining && !task.daemon && !task.stopping &&
           task.group.starts_with("service:");
  });
}

OptionalIndex counted_provider(const Scenario& scenario, const Occupancy& occupancy, const SimulatedTask& task) {
  const auto& shares = scenario.workloads[task.workload].capacity_providers;
  if (shares.empty()) return kNone;
  const std::uint32_t provider = task.task_class - occupancy.classes().number(task.workload, 0);
  const bool ran_before = task.running != kNone && !task.is_started;
  if (ran_before && shares[provider].capacity_provider != provider_of_running(scenario, *task.running)) return kNone;
  return provider;
}

}  // namespace bayplan::study
