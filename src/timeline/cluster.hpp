#pragma once
#include <algorithm>
#include <array>
#include <cstdint>
#include <functional>
#include <limits>
#include <map>
#include <optional>
#include <queue>
#include <string>
#include <utility>
#include <vector>

#include "placement/engine/filters.hpp"
#include "placement/engine/index_engine.hpp"
#include "placement/engine/occupancy.hpp"
#include "placement/model/task_numbers.hpp"
#include "placement/model/timetable.hpp"
#include "timeline/history.hpp"

namespace bayplan::timeline {

using placement::Seconds;

/// What falls due by itself, in the order in which one instant takes it up.
enum class Step : std::uint8_t {
  kStop,          ///< A task ends, or has finished stopping.
  kActive,        ///< An instance has booted.
  kRunning,       ///< A task's containers run.
  kHealthy,       ///< A task counts as healthy.
  kTimeout,       ///< A task has been PROVISIONING for too long.
  kRetry,         ///< A service tries again.
  kIdle,          ///< Managed Instances: an instance has been without a task for so long that it ends.
  kInterruption,  ///< A Spot instance receives the interruption notice that was drawn for it.
  kReclaim,       ///< The two minutes after an interruption notice are over.
  kAge,           ///< Managed Instances: an instance has reached the age at which it drains, or ends.
  kUnprotected,   ///< The protection of a task expires.
};
inline constexpr std::size_t kStepCount = 11;

/// Steps whose index is that of a task.
inline bool is_of_task(Step step) {
  return step == Step::kStop || step == Step::kRunning || step == Step::kHealthy || step == Step::kTimeout;
}

inline constexpr Seconds kNever = std::numeric_limits<Seconds>::max();

/// What is due and when. Entries are never taken back: whoever takes one up asks whether it still holds.
class Agenda {
 public:
  void add(Step step, Seconds at, std::uint32_t index) { of(step).push({at, index}); }

  /// The next entry of the step that is due at `now`, by index.
  std::optional<std::uint32_t> take(Step step, Seconds now) {
    auto& queue = of(step);
    if (queue.empty() || queue.top().at > now) return std::nullopt;
    const std::uint32_t index = queue.top().index;
    queue.pop();
    return index;
  }

  /// When the first entry is due that holds; `holds(step, at, index)`.
  template <class Holds>
  Seconds next(Holds holds) {
    Seconds first = kNever;
    for (std::size_t step = 0; step < kStepCount; ++step) {
      auto& queue = queues_[step];
      while (!queue.empty() && !holds(static_cast<Step>(step), queue.top().at, queue.top().index)) queue.pop();
      if (!queue.empty()) first = std::min(first, queue.top().at);
    }
    return first;
  }

  /// Whether one of the first entries is due at `at` and `is_one(step, index)`.
  template <class IsOne>
  bool has_due(Seconds at, IsOne is_one) const {
    for (std::size_t step = 0; step < kStepCount; ++step) {
      const auto& queue = queues_[step];
      if (!queue.empty() && queue.top().at == at && is_one(static_cast<Step>(step), queue.top().index)) return true;
    }
    return false;
  }

 private:
  struct Entry {
    Seconds at = 0;
    std::uint32_t index = 0;
    bool operator>(const Entry& other) const { return at != other.at ? at > other.at : index > other.index; }
  };
  using Queue = std::priority_queue<Entry, std::vector<Entry>, std::greater<>>;

  Queue& of(Step step) { return queues_[static_cast<std::size_t>(step)]; }

  std::array<Queue, kStepCount> queues_;
};

/// What the simulation knows of a task in addition to what the history says.
struct LiveTask {
  std::optional<Seconds> duration;  ///< Nothing: it runs until it is stopped.
  std::optional<Seconds> stop_due;  ///< It ends then.
  std::optional<Seconds> running_due;
  OptionalIndex service;     ///< Index into Timetable::services.
  OptionalIndex last_event;  ///< Last event of the task.
  StopCause stopping = StopCause::kNone;
  Seconds protected_until = 0;  ///< Task scale-in protection.
  bool is_healthy = false;
  bool is_provisioning = false;
  bool is_tried = false;  ///< It has looked for a place.
};

enum class ExplanationReason : std::uint8_t { kWaiting, kFailed, kAtTheEnd };

enum class InstanceStage : std::uint8_t { kBooting, kActive, kDraining, kGone };

struct LiveInstance {
  InstanceStage stage = InstanceStage::kActive;
  bool is_terminating = false;       ///< Goes when it holds only daemons.
  OptionalIndex last_event;          ///< That gave room on it.
  OptionalIndex last_change;         ///< A task came, or left its group: what constraints look at.
  std::int64_t busy = 0;             ///< Tasks on it that are no daemon's.
  std::vector<std::uint32_t> tasks;  ///< Tasks on the instance, including stopping ones, in no order.
};

/// The cluster at one instant: its tasks and instances, what falls due, and the changes that both can go through. Every
/// change is written into the history. Who decides on changes are the schedulers.
///
/// An instance has one number in the history, the scenario and the occupancy.
class Cluster {
 public:
  /// The history refers to the scenario.
  explicit Cluster(const placement::Scenario& scenario);

  Seconds now = 0;
  Agenda agenda;

  const placement::Scenario& scenario() const { return scenario_; }
  const placement::Timetable& timetable() const { return scenario_.timetable; }
  const placement::Occupancy& occupancy() const { return *occupancy_; }
  History& history() { return history_; }
  const History& history() const { return history_; }
  const Task& task(std::uint32_t index) const { return history_.tasks[index]; }
  const LiveTask& live(std::uint32_t task) const { return live_[task]; }
  const LiveInstance& instance(std::uint32_t index) const { return instances_[index]; }
  /// A task that no service keeps is on the instance.
  bool has_standalone(std::uint32_t instance) const;
  std::uint32_t instance_count() const { return static_cast<std::uint32_t>(instances_.size()); }
  const placement::InstanceProfile& profile(std::uint32_t instance) const {
    return scenario_.profiles[scenario_.instances[instance].profile];
  }
  const placement::Workload& workload_of(std::uint32_t task) const {
    return scenario_.workloads[*history_.tasks[task].workload];
  }
  const capacity::TaskRequirement& requirement_of(std::uint32_t task) const;

  /// Has a place and neither ended nor was stopped.
  bool is_up(std::uint32_t task) const;
  /// Neither scale-in nor a deployment may stop the task. On a draining instance it stops like others: ECS documents
  /// protection for those two alone.
  bool is_protected(std::uint32_t task) const;
  void protect(std::uint32_t task, Seconds until);
  bool is_pending(std::uint32_t task) const { return is_up(task) && !history_.tasks[task].started_at; }
  /// Arrived, has no place, and has not given up.
  bool needs_placement(std::uint32_t task) const {
    const auto& own = history_.tasks[task];
    return !own.placed_at && !own.stopped_at;
  }
  bool is_provisioning(std::uint32_t task) const { return live_[task].is_provisioning; }
  /// PROVISIONING tasks, the longest waiting first.
  const std::vector<std::uint32_t>& provisioning() const { return provisioning_; }
  std::int64_t provisioning_count() const { return static_cast<std::int64_t>(provisioning_.size()); }
  std::int64_t provisioning_of(std::uint32_t task_class) const { return classes_[task_class].provisioning; }
  std::uint32_t class_of(std::uint32_t task) const;
  /// Waits for instances that its capacity provider starts, rather than fail.
  bool is_managed(std::uint32_t task) const { return is_managed_class(class_of(task)); }
  bool is_managed_class(std::uint32_t task_class) const { return classes_[task_class].is_managed; }

  /// Changes with every change of what tasks find.
  std::uint64_t version() const { return occupancy_->history().end() + occupancy_->changes(); }

  std::uint32_t log(const Event& event);
  /// The event took a task out of the queue, so that those behind it have their turn. The latest event counts: a task
  /// that ended earlier leaves the queue only when it comes to the front.
  void note_queue_moved(std::uint32_t event) {
    if (!queue_moved_by_ || *queue_moved_by_ < event) queue_moved_by_ = event;
  }
  std::uint32_t last_event() const { return static_cast<std::uint32_t>(history_.events.size() - 1); }

  /// Whether the entry of the agenda still holds; of Step::kRetry the service knows.
  bool holds(Step step, Seconds at, std::uint32_t index) const;

  struct Arrival {
    std::uint32_t workload = 0;
    std::uint32_t provider = 0;  ///< Position in the workload's providers.
    OptionalIndex service;
    OptionalIndex deployment;
    OptionalIndex job;
    OptionalIndex instance;  ///< The instance that a daemon is meant for.
    OptionalIndex cause;
    std::optional<Seconds> duration;  ///< Replaces the duration of the workload.
  };
  std::uint32_t arrive(const Arrival& arrival);

  /// Where the task would go now. A class that found no place is not asked again while nothing changes.
  std::optional<placement::Choice> find_place(std::uint32_t task) { return find_place_of(class_of(task)); }
  std::optional<placement::Choice> find_place_of(std::uint32_t task_class);
  /// Whether a task of the class would find one; draws nothing.
  bool has_place(std::uint32_t task_class);
  void place(std::uint32_t task, placement::Choice choice);
  /// find_place and place.
  bool try_place(std::uint32_t task);
  /// Takes a placement of this instant back as if it had not been; nothing of it was logged yet. Jobs of time 0.
  void take_back(std::uint32_t task);
  void place_unlogged(std::uint32_t task, placement::Choice choice);
  /// The placement is final: it is logged, and the task starts.
  void log_placed(std::uint32_t task);

  /// Notes why the task finds no place; there is an end to how many explanations are kept.
  void explain(std::uint32_t task, ExplanationReason why);
  /// Why a daemon does not fit on the instance.
  void explain_on(std::uint32_t task, std::uint32_t instance);
  /// kTaskWaiting or kTaskProvisioning, the first time.
  void wait(std::uint32_t task, OptionalIndex instance = {});
  void provision(std::uint32_t task);
  void fail(std::uint32_t task, StopCause cause, OptionalIndex event);

  void start_running_at(std::uint32_t task, Seconds at);
  void run(std::uint32_t task);
  void become_healthy(std::uint32_t task);
  /// Stops the task: without a place, PENDING or without a stop delay it has stopped at once.
  void stop(std::uint32_t task, StopCause cause, OptionalIndex event);
  /// The task has come to its end.
  void finish(std::uint32_t task);

  /// Adds an instance after all others; it boots until `activate`.
  std::uint32_t launch(std::uint32_t profile, OptionalIndex group, std::string id, OptionalIndex cause);
  void activate(std::uint32_t instance);
  void drain(std::uint32_t instance, OptionalIndex cause);
  void mark_terminating(std::uint32_t instance) { instances_[instance].is_terminating = true; }
  void terminate(std::uint32_t instance, OptionalIndex cause);

  /// The service of the task reconciles.
  void touch(std::uint32_t task);
  /// Services of which a task or an instance under one changed since the last call.
  std::vector<std::uint32_t> take_touched_services();

 private:
  static constexpr std::uint64_t kNoVersion = std::numeric_limits<std::uint64_t>::max();

  /// What is known of the tasks of one class.
  struct ClassState {
    bool is_managed = false;
    std::int64_t provisioning = 0;            ///< Number of its tasks that are PROVISIONING.
    std::uint64_t failed_at = kNoVersion;     ///< Version of the cluster at which it found no place.
    std::uint64_t explained_at = kNoVersion;  ///< Version of the cluster that `explanation` describes.
    OptionalIndex explanation;                ///< Index into History::failures.
  };

  void reserve();
  void add_running();
  void set_status(std::uint32_t instance, placement::InstanceStatus status);
  OptionalIndex what_let_in(std::uint32_t task) const;
  void log_place_of(std::uint32_t task);
  void free(std::uint32_t task);
  void lose_member(std::uint32_t task);
  std::uint32_t note(placement::Failure failure, std::uint32_t task_class);
  placement::PlacementAttempt make_attempt(std::uint32_t task) const;
  void end_provisioning(std::uint32_t task);
  StopCause cause_of_stop(std::uint32_t task) const;

  placement::Scenario scenario_;  ///< A copy: instances come and change.
  History history_;
  std::optional<placement::Occupancy> occupancy_;
  std::optional<placement::IndexChooser> chooser_;
  std::vector<LiveTask> live_;
  std::vector<LiveInstance> instances_;
  std::map<std::pair<std::uint32_t, placement::InstanceStatus>, std::uint32_t> profile_with_;
  placement::TaskNumbers numbers_;
  std::vector<ClassState> classes_;
  std::vector<std::uint32_t> provisioning_;
  std::size_t rows_ = 0;  ///< Rows of all explanations.
  OptionalIndex queue_moved_by_;
  std::vector<std::uint32_t> touched_services_;
  std::vector<capacity::TaskRequirement> of_running_;  ///< One entry per running task.
};

}  // namespace bayplan::timeline
