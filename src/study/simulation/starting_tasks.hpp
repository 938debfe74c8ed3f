#pragma once
#include <cstdint>
#include <vector>

#include "base/optional_index.hpp"
#include "placement/engine/occupancy.hpp"
#include "placement/model/outcome.hpp"

namespace bayplan::study {

inline constexpr OptionalIndex kNone;
inline constexpr OptionalIndex kNoInstance;

/// A task that a service or an owner wants to run. Tasks of DAEMON services are counted, not listed.
struct SimulatedTask {
  std::uint32_t workload = 0;
  std::uint32_t task_class = 0;
  OptionalIndex instance;
  OptionalIndex running;  ///< Index into Scenario::running when it ran before the first placement.
  OptionalIndex call;     ///< The RunTask call that started it.
  std::int64_t number = 0;
  bool is_started = false;  ///< It was placed by the simulation, not by the scenario.
  bool is_removed = false;  ///< Nobody wants it any more.
  /// Its service is being redeployed, or its instance was DRAINING before any event: it stops when a new task has taken
  /// its place.
  bool is_outdated = false;
  std::vector<placement::ContainerGpus>
      gpus;  ///< GPUs of tasks that ran before the first placement: RunningTask::gpus.
};

/// The tasks of a RunTask call follow each other.
struct RunTaskCall {
  std::uint32_t workload = 0;
  std::uint32_t first = 0;
  std::uint32_t count = 0;
};

struct DaemonCounts {
  std::int64_t started = 0;
  std::int64_t failed = 0;  ///< Tasks for which there was no room.
};

/// Where tasks are once a scenario has been placed.
struct StartingTasks {
  std::vector<SimulatedTask> tasks;  ///< Tasks that ran before, then the others in the order of placement.
  std::vector<RunTaskCall> calls;
  std::vector<DaemonCounts> daemons;  ///< One entry per instance.
};

/// Places on `occupancy` what the outcome placed. `workload_of_running`: by running task; kNone for those of DAEMON
/// services and those that are stopping.
StartingTasks starting_tasks(const placement::Scenario& scenario, const placement::Outcome& outcome,
                             const std::vector<OptionalIndex>& workload_of_running, placement::Occupancy& occupancy);

/// Whether service tasks wait on DRAINING instances for room elsewhere: they take what is added first.
bool has_tasks_to_leave(const placement::Scenario& scenario);

/// Position of the capacity provider that the task counts for in the base and weights of its service's strategy; kNone
/// when it counts for none.
OptionalIndex counted_provider(const placement::Scenario& scenario, const placement::Occupancy& occupancy,
                               const SimulatedTask& task);

}  // namespace bayplan::study
