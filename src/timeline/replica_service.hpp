#pragma once
#include <cstdint>
#include <optional>
#include <vector>

#include "timeline/base_service.hpp"

namespace bayplan::timeline {

/// Keeps desiredCount tasks: starts what lacks, replaces what is old within the healthy percents, stops what is too
/// many, gives up a deployment that fails, evens out its zones.
class ReplicaService : public Service {
 public:
  using Service::Service;

  void note_healthy_task(std::uint32_t task) override;
  void retry() override;
  bool retries_at(Seconds at) const override { return at == retry_at_ || Service::retries_at(at); }

 private:
  /// The tasks that the service keeps, sorted as `ServiceCounts` counts them.
  struct RetainedTasks {
    std::vector<std::uint32_t> current_unplaced;
    std::vector<std::uint32_t> current_placed;
    std::vector<std::uint32_t> outdated_unplaced;
    std::vector<std::uint32_t> outdated_placed;
    ServiceCounts counts;
  };

  bool needs_reconcile() const override;
  void reconcile() override;
  void take_over(const placement::UpdateService& update) override;
  void restart() override;
  void count_failed(std::uint32_t task) override;

  RetainedTasks retained_tasks() const;
  void follow_move();
  void forget_move();
  /// Stops what is too many, or starts what lacks.
  void fit_to_target();
  void stop_pending_on_draining();
  bool open_breaker();
  void roll_back(std::uint32_t event);
  void scale_in();
  void want_more();
  void place();
  void first_unplaced(std::uint32_t task);
  void watch_unplaced();
  std::int64_t unplaced_of_newest() const;
  bool is_stopping_any() const;
  /// Tasks of the newest deployment find no place. All of one instant are one try and count as one failed task: a lack
  /// of resources throttles the service (service-throttle-logic), it does not fail a deployment at once.
  void count_failed_try();
  void count_again_later();
  void stop_counting();
  void stop_replaced();
  void make_room();
  bool stop_one_outdated(const RetainedTasks& kept);
  std::uint32_t pick(const std::vector<std::uint32_t>& candidates, const RetainedTasks& kept) const;
  StopCause find_cause(std::uint32_t task) const;
  void settle();
  void rebalance(const RetainedTasks& kept);
  bool start_move(const RetainedTasks& kept);
  std::uint32_t next_provider(const RetainedTasks& kept) const;
  std::int64_t target() const { return terms_.desired + (move_ ? 1 : 0); }
  bool has_failed() const { return deployment().state == Deployment::State::kFailed; }

  placement::CircuitBreaker breaker_ = plan().circuit_breaker;
  bool is_rollback_ = false;
  std::int64_t failed_tasks_ = 0;  ///< Failed tasks of the newest deployment, as the circuit breaker counts.
  Seconds failed_try_at_ = -1;     ///< The last try that is counted.
  Seconds retry_at_ = -1;          ///< The lack of places is counted again.
  Seconds retry_delay_ = timing().restart_delay;
  bool has_unplaced_ = false;  ///< The last reconciliation left tasks unplaced.
  bool rebalances_ = plan().rebalances;
  bool wants_move_ = false;  ///< Its zones are uneven.
  bool is_rebalancing_ = false;
  bool just_moved_ = false;
  std::optional<std::uint32_t> move_;  ///< The task that is to stand in for one in the fullest zone.
};

}  // namespace bayplan::timeline
