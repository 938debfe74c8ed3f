#pragma once
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "placement/model/stop_rule.hpp"
#include "timeline/base_service.hpp"
#include "timeline/deployment_stages.hpp"

namespace bayplan::timeline {

/// Keeps desiredCount tasks: starts what lacks, replaces what is old within the healthy percents, stops what is too
/// many, gives up a deployment that fails, evens out its zones. A deployment that runs both revisions goes through
/// stages instead: it keeps desiredCount tasks of each until CLEAN_UP.
class ReplicaService : public Service {
 public:
  using Service::Service;

  void note_healthy_task(std::uint32_t task) override;
  void retry() override;
  bool retries_at(Seconds at) const override { return at == retry_at_ || at == stage_due_ || Service::retries_at(at); }
  void fail_deployment(DeploymentFailure failure, std::uint32_t event) override;
  bool is_deploying() const override { return is_in_progress() && !is_rollback_; }
  bool watches(const std::string& alarm) const override;

 private:
  /// The tasks that the service keeps, sorted as `ServiceCounts` counts them.
  struct RetainedTasks {
    std::vector<std::uint32_t> current_unplaced;
    std::vector<std::uint32_t> current_placed;
    std::vector<std::uint32_t> outdated_unplaced;
    std::vector<std::uint32_t> outdated_placed;
    ServiceCounts counts;
  };
  /// Whose tasks are looked at: all, or in a deployment with stages those of one revision.
  enum class Revision : std::uint8_t { kAll, kSource, kTarget };
  /// A deployment that runs both revisions.
  struct StagedDeployment {
    std::uint32_t source_deployment = 0;  ///< The last one that completed: its tasks stay until CLEAN_UP.
    std::uint32_t source_workload = 0;
    std::vector<StageTime> stages;
    std::size_t current = 0;  ///< Position in `stages`.
    Seconds since = 0;
  };

  bool needs_reconcile() const override;
  void reconcile() override;
  void take_over(const placement::UpdateService& update) override;
  void restart(EventKind kind) override;
  void count_failed(std::uint32_t task) override;

  RetainedTasks retained_tasks(Revision revision = Revision::kAll) const;
  bool is_of(std::uint32_t task, Revision revision) const;
  std::uint32_t workload_of(Revision revision) const;
  void follow_move();
  void forget_move();
  /// Stops what is too many, or starts what lacks.
  void fit_to_target();
  void stop_pending_on_draining();
  bool open_breaker();
  void roll_back(std::uint32_t event);
  void scale_in(Revision revision = Revision::kAll);
  void want_more(Revision revision = Revision::kAll);
  void place(Revision revision = Revision::kAll);
  void reconcile_rolling();
  void reconcile_stages();
  /// Keeps desiredCount tasks of one revision, as if it were the only one.
  void keep(Revision revision);
  void stop_strays();
  void stop_source();
  /// True when the deployment entered another stage or ended.
  bool advance();
  bool is_stage_over(const StageTime& stage) const;
  void enter_stage(std::size_t stage);
  void settle_stages();
  /// The alarms have been watched for long enough since the first call; always so without alarms.
  bool has_baked();
  void succeed_early();
  std::optional<std::uint32_t> last_completed() const;
  /// The deployment of the start, which the service is taken to have completed before.
  bool is_first() const { return deployment_ == index_; }
  void give_up(DeploymentFailure failure, bool rolls_back, OptionalIndex cause);
  void first_unplaced(std::uint32_t task);
  bool may_provision(std::uint32_t task) const;
  void watch_unplaced();
  std::int64_t unplaced_of_newest() const;
  bool is_stopping_any() const;
  /// Tasks of the newest deployment find no place. All of one instant are one try and count as one failed task: a lack
  /// of resources throttles the service (service-throttle-logic), it does not fail a deployment at once.
  void count_failed_try();
  void count_again_later();
  void stop_counting();
  void stop_replaced(Revision revision = Revision::kAll);
  void make_room(Revision revision = Revision::kAll);
  void stop_outdated(Revision revision, const std::function<bool(const ServiceCounts&)>& goes_on);
  std::vector<std::uint32_t> without_protected(std::vector<std::uint32_t> tasks) const;
  /// Of tasks on instances.
  std::vector<placement::StoppableTask> stoppable(const std::vector<std::uint32_t>& tasks) const;
  std::vector<placement::StoppableTask> group_of(const RetainedTasks& kept) const;
  StopCause find_cause(std::uint32_t task) const;
  void settle();
  void rebalance(const RetainedTasks& kept);
  bool start_move(const RetainedTasks& kept);
  std::uint32_t next_provider(const RetainedTasks& kept, std::uint32_t workload) const;
  std::int64_t target() const { return terms_.desired + (move_ ? 1 : 0); }
  bool has_failed() const { return deployment().state == Deployment::State::kFailed; }

  placement::CircuitBreaker breaker_ = plan().circuit_breaker;
  model::DeploymentSettings settings_ = plan().settings;
  std::optional<StagedDeployment> staged_;
  Seconds stage_due_ = -1;    ///< A stage, or the bake time of alarms, ends then.
  Seconds baked_at_ = -1;     ///< The bake time of the alarms ends then; -1: it has not begun.
  bool is_early_ = false;     ///< As many new tasks as earlySuccessCriteria requires have been healthy.
  bool is_removing_ = false;  ///< After an early success: old tasks are removed.
  bool is_rollback_ = false;
  std::int64_t failed_tasks_ = 0;  ///< Failed tasks of the newest deployment, as the circuit breaker counts.
  Seconds failed_try_at_ = -1;     ///< The last try that is counted.
  Seconds retry_at_ = -1;          ///< The lack of places is counted again.
  Seconds retry_delay_ = timing().placement_retry_delay;
  bool waits_to_provision_ = false;  ///< A task without a place would be PROVISIONING, but too many are.
  bool has_unplaced_ = false;        ///< The last reconciliation left tasks unplaced.
  bool rebalances_ = plan().rebalances;
  bool wants_move_ = false;  ///< Its zones are uneven.
  bool is_rebalancing_ = false;
  bool just_moved_ = false;
  std::optional<std::uint32_t> move_;  ///< The task that is to replace one in the fullest zone.
};

}  // namespace bayplan::timeline
