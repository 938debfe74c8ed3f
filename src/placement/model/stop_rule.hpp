#pragma once
#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/optional_index.hpp"
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

/// The candidates in the order in which `task_to_stop` names them, while one after another is stopped, other tasks of
/// the service start, and the instances change as the occupancy says: a service that replaces many tasks does not look
/// at all of them for each.
///
///   StopOrder order(occupancy, candidates, tasks, workload);
///   while (...) stop(order.next());
///   order.count_started(instance);
class StopOrder {
 public:
  /// As `task_to_stop`; every candidate must be among the tasks.
  StopOrder(const Occupancy& occupancy, const std::vector<StoppableTask>& candidates,
            const std::vector<StoppableTask>& tasks, std::uint32_t workload);
  StopOrder(const StopOrder&) = delete;
  StopOrder& operator=(const StopOrder&) = delete;

  /// There must be a candidate left. The caller stops the task before it asks again.
  std::uint32_t next();
  /// Another task of the service, which is not a candidate, runs on the instance now.
  void count_started(std::uint32_t instance) { count(instance, 1); }

 private:
  /// Candidates of one size on one instance: the strategies rank them alike.
  struct Batch {
    std::uint32_t instance = 0;
    const capacity::TaskRequirement* requirement = nullptr;
    std::int64_t* on_instance = nullptr;  ///< Tasks of the service there.
    std::vector<std::uint32_t> tasks;     ///< Ascending.
  };
  /// An attribute of a spread, and the tasks of the service on instances with each of its values.
  struct Attribute {
    std::string name;
    std::map<std::optional<std::string>, std::uint32_t, std::less<>> numbers;  ///< Values where candidates are.
    std::map<std::uint32_t, OptionalIndex> number_of_profile;                  ///< None: no candidate has the value.
    std::vector<std::int64_t> tasks;                                           ///< One entry per value.
  };

  OptionalIndex number_of_value(Attribute& attribute, std::uint32_t instance) const;
  void count(std::uint32_t instance, std::int64_t tasks);
  void follow_changes();
  bool is_before(std::uint32_t a, std::uint32_t b) const;

  const Occupancy& occupancy_;
  std::vector<Strategy> strategies_;
  std::vector<Batch> batches_;                         ///< Sorted by instance.
  std::map<std::uint32_t, std::int64_t> on_instance_;  ///< Tasks by instance.
  std::vector<Attribute> attributes_;                  ///< In the order of the spreads.
  std::vector<std::vector<std::uint32_t>> values_;     ///< By attribute, then batch: its value.
  std::optional<SpreadTournament> tournament_;
  std::optional<std::uint32_t> last_;  ///< Batch of the last task, which counts until the next one is asked for.
  std::vector<std::pair<std::size_t, std::uint32_t>> changed_values_;  ///< Attribute and value.
  std::uint64_t seen_ = 0;                                             ///< Changes of the occupancy.
};

}  // namespace bayplan::placement
