#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "text/document.hpp"

/// How a service deploys: `deploymentController`, `deploymentConfiguration` and what routes its traffic, with the
/// defaults of API_DeploymentConfiguration and of the pages on blue/green, linear and canary deployments. The healthy
/// percents and the circuit breaker are read elsewhere. Members of CreateService and of describe-services alike.
namespace bayplan::model {

enum class DeploymentStrategy : std::uint8_t { kRolling, kBlueGreen, kLinear, kCanary };
std::string_view name_of(DeploymentStrategy strategy);  ///< "BLUE_GREEN"

enum class DeploymentController : std::uint8_t { kEcs, kCodeDeploy, kExternal };
std::string_view name_of(DeploymentController controller);  ///< "CODE_DEPLOY"

/// The stages of a deployment that runs both revisions at once, in their order. Hooks can stop at all but SCALE_UP,
/// BAKE_TIME and CLEAN_UP (blue-green-deployment-how-it-works).
enum class DeploymentStage : std::uint8_t {
  kPreScaleUp,
  kScaleUp,
  kPostScaleUp,
  kTestTrafficShift,
  kPostTestTrafficShift,
  kProductionTrafficShift,
  kPostProductionTrafficShift,
  kBakeTime,
  kCleanUp,
};
std::string_view name_of(DeploymentStage stage);  ///< "SCALE_UP"

/// The component that moves the traffic between the revisions; each takes a different time.
enum class TrafficRouting : std::uint8_t { kNone, kManaged, kNetworkLoadBalancer, kVpcLattice };

/// An element of lifecycleHooks.
struct LifecycleHook {
  bool is_pause = false;  ///< targetType PAUSE; else a Lambda function.
  std::vector<std::string> stages;
  std::int64_t timeout_minutes = 1'440;
  bool continues = false;  ///< timeoutConfiguration.action CONTINUE: at the time-out it goes on, else it rolls back.
  bool operator==(const LifecycleHook&) const = default;
};

/// earlySuccessCriteria
struct EarlySuccess {
  bool enabled = false;
  std::int64_t healthy_percent = 100;
  bool is_deferred = false;  ///< sourceServiceRevisionCleanup DEFERRED: old tasks are removed after the success.
  bool operator==(const EarlySuccess&) const = default;

  /// Healthy new tasks with which a deployment of `desired` tasks succeeds: at least 1, so that 0 % is not instant.
  std::int64_t required(std::int64_t desired) const;
};

/// alarms
struct DeploymentAlarms {
  bool enabled = false;
  bool rollback = false;
  std::vector<std::string> names;
  bool operator==(const DeploymentAlarms&) const = default;
};

struct DeploymentSettings {
  DeploymentStrategy strategy = DeploymentStrategy::kRolling;
  DeploymentController controller = DeploymentController::kEcs;
  std::optional<std::int64_t> bake_minutes;  ///< bakeTimeInMinutes
  std::int64_t step_tenths = 100;            ///< linearConfiguration.stepPercent in tenths: of traffic, not of tasks.
  std::int64_t step_bake_minutes = 6;
  std::int64_t canary_tenths = 50;  ///< canaryConfiguration.canaryPercent in tenths: of the traffic.
  std::int64_t canary_bake_minutes = 10;
  std::vector<LifecycleHook> hooks;
  DeploymentAlarms alarms;
  EarlySuccess early_success;
  bool has_load_balancer = false;  ///< loadBalancers
  TrafficRouting routing = TrafficRouting::kNone;
  bool has_test_traffic = false;   ///< A test listener, or a test rule of VPC Lattice.
  std::int64_t grace_seconds = 0;  ///< healthCheckGracePeriodSeconds
  bool operator==(const DeploymentSettings&) const = default;

  /// All new tasks start while all old ones run, which stay until the end: every strategy but ROLLING, and every
  /// controller but ECS. maximumPercent does not bound them.
  bool runs_both() const {
    return strategy != DeploymentStrategy::kRolling || controller != DeploymentController::kEcs;
  }
  /// "BLUE_GREEN", or the controller where that is not ECS.
  std::string_view name() const {
    return controller == DeploymentController::kEcs ? name_of(strategy) : name_of(controller);
  }
  /// Steps in which the production traffic moves: LINEAR ceil(100 / stepPercent), CANARY 2 (1 of 100 %), else 1.
  std::int64_t traffic_steps() const;
  /// Pauses between the steps, all together: LINEAR one less than the steps, CANARY one; none follows 100 %.
  /// CloudFormation counts them so (AWS::ECS::Service, 100 / step - 1 where it divides, else the integer part of 100 /
  /// step).
  std::int64_t shift_minutes() const;
  bool has_hook_at(DeploymentStage stage) const;
};

/// Reads the settings of a service; members that are absent stay as in `before` (UpdateService).
DeploymentSettings deployment_settings(text::Value service, DeploymentSettings before = {});

/// Settings that contradict each other or the service.
struct DeploymentConflict {
  text::Value at;              ///< The setting.
  std::string message;         ///< "canaryConfiguration has no effect with strategy BLUE_GREEN"
  std::string help;            ///< It says what to write instead.
  bool is_of_absence = false;  ///< Something that it requires is absent, which an update keeps from before.
};

/// `service`: as CreateService has it; absent members have their defaults.
std::vector<DeploymentConflict> find_deployment_conflicts(text::Value service, bool is_daemon);

}  // namespace bayplan::model
