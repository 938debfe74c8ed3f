#pragma once
#include <cstdint>

/// What ECS does next with the tasks of a REPLICA service, as pure functions over its terms and counts. The timeline
/// asks at every instant; what-if asks until nothing is left to do, with tasks that are healthy as soon as they start
/// and gone as soon as they stop.
namespace bayplan::timeline {

/// The deployment configuration in force. ECS rounds minimumHealthyPercent up and maximumPercent down
/// (API_DeploymentConfiguration).
struct ServiceTerms {
  std::int64_t desired = 0;  ///< 0 for a DAEMON service: its instances decide.
  std::int64_t minimum_healthy_percent = 0;
  std::int64_t maximum_percent = 0;

  std::int64_t lower() const { return (desired * minimum_healthy_percent + 99) / 100; }
  std::int64_t upper() const { return desired * maximum_percent / 100; }
};

/// The tasks that a service keeps, without those that have stopped. Current tasks belong to the newest deployment and
/// are not on a draining instance; all others are outdated and have to be replaced.
struct ServiceCounts {
  std::int64_t current_unplaced = 0;
  std::int64_t current_placed = 0;
  std::int64_t current_healthy = 0;  ///< Healthy ones among `current_placed`.
  std::int64_t outdated_unplaced = 0;
  std::int64_t outdated_placed = 0;
  std::int64_t outdated_healthy = 0;            ///< Healthy ones among `outdated_placed`.
  std::int64_t outdated_protected = 0;          ///< Those among `outdated_placed` that no deployment may stop.
  std::int64_t outdated_protected_healthy = 0;  ///< Healthy ones among them.
  std::int64_t stopping = 0;                    ///< Stopping, and in neither of the above.

  std::int64_t current() const { return current_unplaced + current_placed; }
  std::int64_t outdated() const { return outdated_unplaced + outdated_placed; }
  std::int64_t healthy() const { return current_healthy + outdated_healthy; }
};

/// Current tasks beyond `target`. ECS stops unplaced tasks first, then those that placement/stop_rule.hpp picks.
std::int64_t tasks_to_scale_in(const ServiceCounts& counts, std::int64_t target);

/// Tasks that may start now to reach `target`, which is desiredCount, or one more while a zone is evened out. Negative
/// or 0 when none may.
std::int64_t tasks_to_start(const ServiceTerms& terms, const ServiceCounts& counts, std::int64_t target);

/// A healthy task may stop: enough are left for minimumHealthyPercent.
bool may_stop_healthy(const ServiceTerms& terms, std::int64_t healthy);

enum class OutdatedStop : std::uint8_t {
  kWait,       ///< There is none, or too few healthy tasks would be left.
  kUnplaced,   ///< The last one without an instance.
  kUnhealthy,  ///< One that is not healthy yet.
  kHealthy,
};
/// Which outdated task stops next when one is to stop.
OutdatedStop next_outdated_to_stop(const ServiceTerms& terms, const ServiceCounts& counts);

/// Healthy current tasks have taken the place of outdated ones, which are to stop.
bool has_replaced_tasks(const ServiceTerms& terms, const ServiceCounts& counts);

/// Outdated tasks that have to stop before current ones can start or find room.
std::int64_t tasks_to_make_room_for(const ServiceTerms& terms, const ServiceCounts& counts);

}  // namespace bayplan::timeline
