#pragma once
#include <cstdint>
#include <map>
#include <optional>
#include <vector>

#include "placement/engine/occupancy.hpp"
#include "placement/index/spread_tournament.hpp"
#include "placement/model/strategies.hpp"

namespace bayplan::placement {

/// A task of a service as the rule looks at it.
struct StoppableTask {
  std::uint32_t task = 0;  ///< The later it came, the larger.
  std::uint32_t instance = 0;
  const capacity::TaskRequirement* requirement = nullptr;
};

/// Which of a service's tasks ECS stops first (ECS developer guide, task-placement-strategies; UpdateService): binpack
/// where most of the field is left, spread where the group has most tasks, without a strategy in the zone with most and
/// there on the instance with most. Among equals the latest arrival.
///
/// `candidates`: at least one. `tasks`: all tasks of the service that count in its group. `workload`: whose strategies
/// decide. Returns `StoppableTask::task`.
std::uint32_t task_to_stop(const Occupancy& occupancy, std::vector<StoppableTask> candidates,
                           const std::vector<StoppableTask>& tasks, std::uint32_t workload);

/// The candidates in the order in which `task_to_stop` names them, while one after another is stopped and nothing else
/// happens: a service that stops many tasks does not look at all of them for each.
///
///   StopOrder order(occupancy, candidates, tasks, workload);
///   while (...) stop(order.next());
class StopOrder {
 public:
  /// As `task_to_stop`; every candidate must be among the tasks.
  StopOrder(const Occupancy& occupancy, const std::vector<StoppableTask>& candidates,
            const std::vector<StoppableTask>& tasks, std::uint32_t workload);
  StopOrder(const StopOrder&) = delete;
  StopOrder& operator=(const StopOrder&) = delete;

  /// There must be a candidate left. The caller stops the task before it asks again.
  std::uint32_t next();

 private:
  /// Candidates of one size on one instance: the strategies rank them alike.
  struct Batch {
    std::uint32_t instance = 0;
    const capacity::TaskRequirement* requirement = nullptr;
    std::int64_t* on_instance = nullptr;  ///< Tasks of the service there.
    std::vector<std::uint32_t> tasks;     ///< Ascending.
  };

  bool is_before(std::uint32_t a, std::uint32_t b) const;
  void follow_last();

  const Occupancy& occupancy_;
  std::vector<Strategy> strategies_;
  std::vector<Batch> batches_;                         ///< Sorted by instance.
  std::map<std::uint32_t, std::int64_t> on_instance_;  ///< Tasks by instance.
  std::vector<std::vector<std::uint32_t>> values_;     ///< By attribute of a spread, then batch: its value.
  std::vector<std::vector<std::int64_t>> counts_;      ///< By attribute of a spread, then value: the tasks.
  std::optional<SpreadTournament> tournament_;
  std::optional<std::uint32_t> last_;  ///< Batch of the last task; its instance has changed since.
};

}  // namespace bayplan::placement
