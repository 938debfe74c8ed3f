#pragma once
#include <cstdint>
#include <optional>
#include <unordered_map>
#include <vector>

#include "replay/requests.hpp"

namespace bayplan::replay {

/// A task while the records are replayed.
struct TaskState {
  std::uint32_t held = kNoIndex;      ///< Requests::held.
  std::uint32_t instance = kNoIndex;  ///< Of the cluster.
  bool is_held = false;
  bool counts = false;  ///< In its group.
};

/// Which tasks run where at the time at hand, and which may run or not because a record of them is missing. Puts them
/// on the recorded cluster and takes them off it.
class TaskStates {
 public:
  /// `is_open`: Timeline::is_open.
  TaskStates(const History& history, RecordedCluster& cluster, Requests& requests, std::vector<bool> is_open);

  const TaskState& operator[](std::uint32_t task) const { return states_[task]; }

  /// An instance joined the cluster.
  void add_instance();
  /// The task ran when the snapshot was taken, which counts its resources.
  void add_running(std::uint32_t task, const RunningTask& running);
  /// The task ran on the instance when it was first described, which counts its resources.
  void add_described(std::uint32_t task, std::uint32_t instance, bool counts);

  /// Puts the task on its instance. Returns that; nothing if it is there, or if no record has described it.
  std::optional<std::uint32_t> take(std::uint32_t task);
  /// Its desired status is STOPPED: it counts in its group no longer.
  void stop_counting(std::uint32_t task);
  /// It is STOPPED.
  void release(std::uint32_t task);

  /// The task may run from now on; false if its instance is unknown.
  bool begin_unseen(std::uint32_t task);
  void end_unseen(std::uint32_t task);

  /// Held, and perhaps ended: no record says so.
  const std::vector<std::uint32_t>& open() const { return open_; }
  /// Not held, and perhaps running: no record has their placement.
  const std::vector<std::uint32_t>& unseen() const { return unseen_; }
  /// Tasks of both, by instance.
  const std::vector<std::uint32_t>& doubts() const { return doubts_; }
  /// Tasks that are to stop and have not stopped, by instance.
  const std::vector<std::vector<GroupTasks>>& stopping() const { return stopping_; }

 private:
  const History& history_;
  RecordedCluster& cluster_;
  Requests& requests_;
  std::vector<TaskState> states_;
  std::unordered_map<std::uint32_t, std::vector<std::uint32_t>> devices_;  ///< By task; looked up only.
  std::vector<bool> is_open_;
  std::vector<std::uint32_t> open_;
  std::vector<std::uint32_t> unseen_;
  std::vector<std::uint32_t> doubts_;
  std::vector<std::vector<GroupTasks>> stopping_;
};

}  // namespace bayplan::replay
