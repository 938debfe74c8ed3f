#include "timeline/history.hpp"

#include <array>

namespace bayplan::timeline {

namespace {

/// Indexed by EventKind.
constexpr auto kEventNames = std::to_array<std::string_view>({
    "TASK_ARRIVED",
    "TASK_PLACED",
    "TASK_WAITING",
    "TASK_COULD_START",
    "TASK_PROVISIONING",
    "TASK_FAILED",
    "TASK_RUNNING",
    "TASK_HEALTHY",
    "TASK_STOPPING",
    "TASK_STOPPED",
    "INSTANCE_LAUNCHED",
    "INSTANCE_ACTIVE",
    "INSTANCE_DRAINING",
    "INSTANCE_TERMINATED",
    "AVAILABILITY_ZONE_LOST",
    "SERVICE_UPDATED",
    "SERVICE_DEPLOYMENT_STOPPED",
    "ALARM_RAISED",
    "DESIRED_CAPACITY_SET",
    "TASK_PROTECTION_UPDATED",
    "SERVICE_DEPLOYMENT_IN_PROGRESS",
    "SERVICE_DEPLOYMENT_COMPLETED",
    "SERVICE_DEPLOYMENT_FAILED",
    "SERVICE_DEPLOYMENT_STUCK",
    "SERVICE_DEPLOYMENT_STAGE",
    "SERVICE_DEPLOYMENT_ROLLBACK",
    "SERVICE_STEADY_STATE",
    "SERVICE_LAUNCH_RATE_REACHED",
    "SERVICE_REBALANCING_STARTED",
    "SERVICE_REBALANCING_COMPLETED",
    "CAPACITY_PROVIDER_SCALE_OUT",
    "CAPACITY_PROVIDER_SCALE_IN",
    "NOTHING_NAMED",
    "JOB_STARTED",
    "JOB_FAILED",
    "SPOT_INTERRUPTION",
    "REBALANCE_RECOMMENDATION",
});
static_assert(kEventNames.size() == static_cast<std::size_t>(EventKind::kRebalanceRecommendation) + 1);

/// Indexed by StopCause.
constexpr auto kStopNames = std::to_array<std::string_view>({
    "",
    "ended",
    "stopTask",
    "scaledIn",
    "replaced",
    "draining",
    "instanceTerminated",
    "rebalanced",
    "provisioningTimeout",
    "provisioningLimit",
    "jobFailed",
    "rolledBack",
});
static_assert(kStopNames.size() == static_cast<std::size_t>(StopCause::kRolledBack) + 1);

/// Indexed by DeploymentFailure.
constexpr auto kFailureNames =
    std::to_array<std::string_view>({"", "circuitBreaker", "stageLimit", "alarm", "hook", "stopped"});
static_assert(kFailureNames.size() == static_cast<std::size_t>(DeploymentFailure::kStopped) + 1);

}  // namespace

std::string_view name_of(DeploymentFailure failure) {
  return kFailureNames[static_cast<std::size_t>(failure)];
}

std::string_view name_of(EventKind kind) {
  return kEventNames[static_cast<std::size_t>(kind)];
}

std::string_view name_of(StopCause cause) {
  return kStopNames[static_cast<std::size_t>(cause)];
}

}  // namespace bayplan::timeline
