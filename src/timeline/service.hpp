#pragma once
#include <cstdint>
#include <vector>

#include "timeline/cluster.hpp"

namespace bayplan::timeline {

/// What replica and daemon services have in common: deployments, tasks that fail, the circuit breaker's count.
class Service {
 public:
  Service(Cluster& cluster, std::uint32_t index);
  virtual ~Service() = default;
  Service(const Service&) = delete;
  Service& operator=(const Service&) = delete;

  /// An event of the scenario; `event` is its line in the log.
  void update(const placement::Happening& happening, std::uint32_t event);
  /// A task of the service ended by itself before it was healthy.
  void note_failed_task(std::uint32_t task);
  /// A task of the service was PROVISIONING for too long.
  void note_task_that_never_ran(std::uint32_t task);
  void note_healthy_task(std::uint32_t task);
  /// The service retries what failed.
  void retry();
  bool retries_at(Seconds at) const { return at == retry_at_ || at == restart_at_; }

  void touch() { is_touched_ = true; }
  /// Has its turn when something that it looks at has changed.
  void take_turn();

 protected:
  virtual bool needs_turn() const = 0;
  virtual void turn() = 0;
  virtual void forget_move() {}
  virtual std::int64_t placeless_of_newest() const = 0;
  virtual bool is_stopping_any() const { return false; }

  const placement::ServicePlan& plan() const { return cluster_.timetable().services[index_]; }
  const placement::Workload& workload() const { return cluster_.scenario().workloads[deployment().workload]; }
  Deployment& deployment() { return cluster_.history().deployments[deployment_]; }
  const Deployment& deployment() const { return cluster_.history().deployments[deployment_]; }
  const placement::Timing& timing() const { return cluster_.timetable().timing; }
  bool is_newest(std::uint32_t task) const { return cluster_.task(task).deployment == deployment_; }
  bool is_in_progress() const { return deployment().state == Deployment::State::kInProgress; }
  bool may_start() const { return cluster_.now >= restart_at_; }
  bool has_version_changed() const { return cluster_.version() != version_; }
  std::int64_t lower() const { return (desired_ * minimum_healthy_percent_ + 99) / 100; }
  std::int64_t upper() const { return desired_ * maximum_percent_ / 100; }
  /// Forgets tasks that have stopped.
  void drop_stopped();
  std::uint32_t start_deployment(std::uint32_t workload, EventKind kind, std::uint32_t cause);
  void complete();
  /// Told once when it comes to hold.
  void set_steady(bool is_steady);
  /// Tasks of the newest deployment found no place, or still have none.
  void count_placeless(std::int64_t count);

  Cluster& cluster_;
  std::uint32_t index_;
  std::uint32_t deployment_ = kNoIndex;  ///< The newest: index into History::deployments.
  std::int64_t desired_;
  std::int64_t minimum_healthy_percent_;
  std::int64_t maximum_percent_;
  placement::CircuitBreaker breaker_;
  bool rebalances_;
  std::vector<std::uint32_t> tasks_;  ///< Not stopped, by arrival.
  std::uint32_t reason_ = kNoIndex;   ///< The latest event that concerns the service.
  bool is_steady_ = false;
  bool is_new_ = true;  ///< Its first deployment has not been told of.
  bool is_touched_ = true;
  std::uint64_t version_ = 0;  ///< Of the cluster, after the last turn.
  std::uint64_t changes_ = 0;
  bool is_rollback_ = false;
  std::int64_t failed_tasks_ = 0;  ///< Of the newest deployment, as the circuit breaker counts.
  Seconds retry_at_ = -1;          ///< The lack of places is counted again.
  Seconds retry_delay_;

 private:
  void restart_after(Seconds delay);
  void count_failed(std::uint32_t task);

  std::int64_t failures_in_a_row_ = 0;
  Seconds failed_at_ = -1;  ///< The last of them.
  Seconds restart_at_ = 0;
};

}  // namespace bayplan::timeline
