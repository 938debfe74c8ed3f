#pragma once
#include <cstdint>
#include <deque>
#include <utility>
#include <vector>

#include "timeline/cluster.hpp"
#include "timeline/service_controller.hpp"

namespace bayplan::timeline {

/// What replica and daemon services have in common: deployments, tasks that fail, when they start others.
class Service {
 public:
  Service(Cluster& cluster, std::uint32_t index);
  virtual ~Service() = default;
  Service(const Service&) = delete;
  Service& operator=(const Service&) = delete;

  /// An event of the scenario; `event` is its line in the log.
  void update(const placement::UpdateService& update, std::uint32_t event);
  /// The deployment in progress, if one is, fails for a reason outside of its tasks; `event` is its line in the log.
  virtual void fail_deployment(DeploymentFailure, std::uint32_t) {}
  /// A deployment that can be stopped is in progress.
  virtual bool is_deploying() const { return false; }
  /// The deployment in progress watches the alarm.
  virtual bool watches(const std::string&) const { return false; }
  /// A protected task of an older deployment holds up the one in progress: ECS protects no task of the service then
  /// (UpdateTaskProtection fails with DEPLOYMENT_BLOCKED).
  bool is_held_up_by_protection() const;
  /// A task of the service ended by itself before it was healthy.
  void note_failed_task(std::uint32_t task);
  /// A task of the service was PROVISIONING for too long.
  void note_task_that_never_ran(std::uint32_t task);
  virtual void note_healthy_task(std::uint32_t task);
  /// The service retries what failed.
  virtual void retry() { is_touched_ = true; }
  virtual bool retries_at(Seconds at) const { return at == restart_at_ || at == launches_at_; }

  void touch() { is_touched_ = true; }
  /// Reconciles when something that it looks at has changed.
  void reconcile_if_needed();

 protected:
  virtual bool needs_reconcile() const = 0;
  virtual void reconcile() = 0;
  /// What else an event of the scenario changes.
  virtual void take_over(const placement::UpdateService&) {}
  /// A deployment starts; `kind`: kDeploymentStarted or kRollback.
  virtual void restart(EventKind) {}
  /// A task of the service failed, before it was healthy.
  virtual void count_failed(std::uint32_t task);

  const placement::ServicePlan& plan() const { return cluster_.timetable().services[index_]; }
  const placement::Workload& workload() const { return cluster_.scenario().workloads[deployment().workload]; }
  Deployment& deployment() { return cluster_.history().deployments[deployment_]; }
  const Deployment& deployment() const { return cluster_.history().deployments[deployment_]; }
  const placement::Timing& timing() const { return cluster_.timetable().timing; }
  bool is_newest(std::uint32_t task) const { return cluster_.task(task).deployment == deployment_; }
  bool is_in_progress() const { return deployment().state == Deployment::State::kInProgress; }
  bool may_start() const { return cluster_.now >= restart_at_; }
  bool has_version_changed() const { return cluster_.version() != version_; }
  /// Tasks that the service may request now: ECS launches only that many for it within any minute. What it starts with
  /// is taken to have been there before.
  std::int64_t launches_left();
  void note_launches(std::int64_t count);
  /// It wants more than that, and goes on as soon as it may.
  void wait_for_launches();
  /// Forgets tasks that have stopped.
  void drop_stopped();
  std::uint32_t start_deployment(std::uint32_t workload, EventKind kind, OptionalIndex cause);
  void complete();
  /// Logged once, when it begins to hold.
  void set_steady(bool is_steady);

  Cluster& cluster_;
  std::uint32_t index_;
  std::uint32_t deployment_ = 0;  ///< The newest: index into History::deployments.
  ServiceTerms terms_;
  std::vector<std::uint32_t> tasks_;  ///< Not stopped, by arrival.
  OptionalIndex reason_;              ///< The latest event that concerns the service.
  bool is_steady_ = false;
  bool is_new_ = true;  ///< Its first deployment has not been logged.
  bool is_touched_ = true;
  std::uint64_t version_ = 0;  ///< Version of the cluster after the last reconciliation.
  std::uint64_t changes_ = 0;  ///< Changes of the occupancy at that time.

 private:
  void restart_after(Seconds delay);
  /// The deployment of the start places its tasks.
  bool is_start() const { return cluster_.now == 0 && deployment_ == index_; }

  std::int64_t failures_in_a_row_ = 0;
  std::optional<Seconds> failed_at_;  ///< The last of them.
  Seconds restart_at_ = 0;
  std::deque<std::pair<Seconds, std::int64_t>> launches_;  ///< When, and how many: those of the last minute.
  Seconds launches_at_ = -1;                               ///< More may be requested then; -1: it does not wait.
  bool is_rate_reported_ = false;                          ///< Of this deployment.
};

}  // namespace bayplan::timeline
