#include "timeline/history.hpp"

namespace bayplan::timeline {

std::string_view name_of(EventKind kind) {
  switch (kind) {
    case EventKind::kTaskArrived:
      return "TASK_ARRIVED";
    case EventKind::kTaskPlaced:
      return "TASK_PLACED";
    case EventKind::kTaskWaiting:
      return "TASK_WAITING";
    case EventKind::kTaskCouldStart:
      return "TASK_COULD_START";
    case EventKind::kTaskProvisioning:
      return "TASK_PROVISIONING";
    case EventKind::kTaskFailed:
      return "TASK_FAILED";
    case EventKind::kTaskRunning:
      return "TASK_RUNNING";
    case EventKind::kTaskHealthy:
      return "TASK_HEALTHY";
    case EventKind::kTaskStopping:
      return "TASK_STOPPING";
    case EventKind::kTaskStopped:
      return "TASK_STOPPED";
    case EventKind::kInstanceLaunched:
      return "INSTANCE_LAUNCHED";
    case EventKind::kInstanceActive:
      return "INSTANCE_ACTIVE";
    case EventKind::kInstanceDraining:
      return "INSTANCE_DRAINING";
    case EventKind::kInstanceTerminated:
      return "INSTANCE_TERMINATED";
    case EventKind::kZoneLost:
      return "AVAILABILITY_ZONE_LOST";
    case EventKind::kServiceUpdated:
      return "SERVICE_UPDATED";
    case EventKind::kDeploymentStarted:
      return "SERVICE_DEPLOYMENT_IN_PROGRESS";
    case EventKind::kDeploymentCompleted:
      return "SERVICE_DEPLOYMENT_COMPLETED";
    case EventKind::kDeploymentFailed:
      return "SERVICE_DEPLOYMENT_FAILED";
    case EventKind::kDeploymentStuck:
      return "SERVICE_DEPLOYMENT_STUCK";
    case EventKind::kRollback:
      return "SERVICE_DEPLOYMENT_ROLLBACK";
    case EventKind::kSteadyState:
      return "SERVICE_STEADY_STATE";
    case EventKind::kRebalancingStarted:
      return "SERVICE_REBALANCING_STARTED";
    case EventKind::kRebalancingCompleted:
      return "SERVICE_REBALANCING_COMPLETED";
    case EventKind::kScaleOut:
      return "CAPACITY_PROVIDER_SCALE_OUT";
    case EventKind::kScaleIn:
      return "CAPACITY_PROVIDER_SCALE_IN";
    case EventKind::kNothingNamed:
      return "NOTHING_NAMED";
    case EventKind::kJobStarted:
      return "JOB_STARTED";
    case EventKind::kJobFailed:
      return "JOB_FAILED";
  }
  return {};
}

std::string_view name_of(StopCause cause) {
  switch (cause) {
    case StopCause::kNone:
      return "";
    case StopCause::kEnded:
      return "ended";
    case StopCause::kStopTask:
      return "stopTask";
    case StopCause::kScaledIn:
      return "scaledIn";
    case StopCause::kReplaced:
      return "replaced";
    case StopCause::kDraining:
      return "draining";
    case StopCause::kInstanceGone:
      return "instanceTerminated";
    case StopCause::kRebalanced:
      return "rebalanced";
    case StopCause::kProvisioningTimeout:
      return "provisioningTimeout";
    case StopCause::kProvisioningLimit:
      return "provisioningLimit";
    case StopCause::kJobFailed:
      return "jobFailed";
    case StopCause::kRolledBack:
      return "rolledBack";
  }
  return {};
}

}  // namespace bayplan::timeline
