#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/units.hpp"
#include "placement/model/outcome.hpp"
#include "placement/model/scenario.hpp"
#include "placement/policy/policy.hpp"

namespace bayplan::study {

/// What one way to choose instances achieves.
struct SchedulerResult {
  std::int64_t placed = 0;              ///< Tasks.
  std::int64_t instances = 0;           ///< Instances that have a task that belongs to no daemon service.
  std::optional<MicroUsd> hourly_cost;  ///< Cost of these instances; nothing when one has no known price.
  bool operator==(const SchedulerResult&) const = default;
};

/// More tasks; of as many, a lower cost of the instances that have tasks, or fewer of them where no price is known.
bool is_better(const SchedulerResult& a, const SchedulerResult& b);

/// Tasks of one workload on one instance.
struct StartedTasks {
  std::uint32_t workload = 0;  ///< Index into Scenario::workloads.
  std::uint32_t instance = 0;  ///< Index into Scenario::instances.
  std::int64_t count = 0;
};

/// How ECS comes near to the policy, and how near; simulated.
struct SchedulerWay {
  /// The strategy of all services and tasks; nothing = as written.
  std::optional<placement::Strategy> strategy;
  placement::TaskOrder order = placement::TaskOrder::kGiven;
  /// Constraints that workloads have in addition.
  std::vector<std::pair<std::uint32_t, placement::Constraint>> constraints;
  /// StartTask starts the tasks that it can where this policy has them, after the services, which keep their
  /// strategies.
  std::optional<placement::Policy> start_task;
  std::vector<StartedTasks> started;  ///< With `start_task`: by workload, then by instance.
  SchedulerResult result;
};

/// A policy of the literature, or one strategy of ECS for everything, that does better than the strategies as written.
struct BetterScheduler {
  std::optional<placement::Policy> policy;  ///< Nothing when none is better than the best strategy of ECS.
  SchedulerResult result;                   ///< Of the policy, else of the strategy, which is the only way.
  SchedulerResult as_written;               ///< ECS with the strategies of the scenario.
  std::vector<SchedulerWay> ways;  ///< Simplest first, each better than the ones before it; all better than as written.
  /// Faults of the program that `verify` finds in the outcomes above, never of the input.
  std::vector<std::string> mistakes;
};

struct SchedulerStudy {
  std::optional<BetterScheduler> found;
  bool is_too_large = false;  ///< Nothing was tried: it would take longer than placing itself.
};

/// Looks for the policy that places the most tasks, where ECS does not place all of them (or is to place as many as
/// fit), else for the one that needs the fewest instances. Of equal policies the first wins. Nothing is found when
/// nothing is better than the strategies as written, when another strategy of ECS places every task (a remedy), or when
/// every task is placed and no policy needs fewer instances than each strategy of ECS. `outcome`: of the scenario.
/// Effort is counted, never timed.
SchedulerStudy find_better_scheduler(const placement::Scenario& scenario, const placement::Outcome& outcome);

}  // namespace bayplan::study
