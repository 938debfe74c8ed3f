#include "model/deployment.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include <fmt/core.h>

#include "base/decimal.hpp"

namespace bayplan::model {

using text::Value;

namespace {

constexpr auto kStrategies = std::to_array<std::string_view>({"ROLLING", "BLUE_GREEN", "LINEAR", "CANARY"});
constexpr auto kControllers = std::to_array<std::string_view>({"ECS", "CODE_DEPLOY", "EXTERNAL"});
constexpr auto kStages = std::to_array<std::string_view>(
    {"PRE_SCALE_UP", "SCALE_UP", "POST_SCALE_UP", "TEST_TRAFFIC_SHIFT", "POST_TEST_TRAFFIC_SHIFT",
     "PRODUCTION_TRAFFIC_SHIFT", "POST_PRODUCTION_TRAFFIC_SHIFT", "BAKE_TIME", "CLEAN_UP"});
/// The hook stage before each step of the production traffic; ServiceDeploymentLifecycleStage does not have it.
constexpr std::string_view kBeforeEachStep = "PRE_PRODUCTION_TRAFFIC_SHIFT";
/// Most minutes of any setting: the time-out of a hook, 14 days. A described service may say anything.
constexpr std::int64_t kMostMinutes = 20'160;
constexpr std::int64_t kAllTenths = 1'000;  ///< 100 %.

Value member(Value object, std::string_view key) {
  if (!object || !object.is_object()) return {};
  const Value found = object.find(key);
  return found && !found.is_null() ? found : Value();
}

std::string member_text(Value object, std::string_view key) {
  const Value found = member(object, key);
  return found ? std::string(found.text()) : std::string();
}

bool is_true(Value object, std::string_view key, bool before) {
  const Value found = member(object, key);
  return found ? found.boolean().value_or(before) : before;
}

std::int64_t integer_of(Value object, std::string_view key, std::int64_t before, std::int64_t most) {
  const Value found = member(object, key);
  return found ? std::clamp<std::int64_t>(found.integer().value_or(before), 0, most) : before;
}

/// Percent of the traffic in tenths, as API_LinearConfiguration and API_CanaryConfiguration have it: 0.1 to 100.0.
std::int64_t tenths_of(Value object, std::string_view key, std::int64_t before) {
  const Value found = member(object, key);
  double percent = 0;
  if (!found) return before;
  const auto text = found.text();
  if (read_decimal(text, percent).ec != std::errc{} || !(percent > 0)) return before;
  return std::clamp<std::int64_t>(std::llround(std::min(percent, 100.0) * 10), 1, kAllTenths);
}

template <class Enum, std::size_t kCount>
Enum named(const std::array<std::string_view, kCount>& names, const std::string& name, Enum before) {
  const auto* const found = std::find(names.begin(), names.end(), name);
  return found == names.end() ? before : static_cast<Enum>(found - names.begin());
}

std::vector<std::string> texts_of(Value object, std::string_view key) {
  std::vector<std::string> texts;
  const Value list = member(object, key);
  if (!list || !list.is_array()) return texts;
  for (const Value item : list.children()) texts.emplace_back(item.text());
  return texts;
}

bool has_items(Value object, std::string_view key) {
  const Value list = member(object, key);
  return list && list.is_array() && list.size() > 0;
}

std::vector<LifecycleHook> hooks_of(Value list) {
  std::vector<LifecycleHook> hooks;
  if (!list.is_array()) return hooks;
  for (const Value item : list.children()) {
    const Value timeout = member(item, "timeoutConfiguration");
    hooks.push_back({.is_pause = member_text(item, "targetType") == "PAUSE",
                     .stages = texts_of(item, "lifecycleStages"),
                     .timeout_minutes = integer_of(timeout, "timeoutInMinutes", 1'440, kMostMinutes),
                     .continues = member_text(timeout, "action") == "CONTINUE"});
  }
  return hooks;
}

/// The part of `loadBalancers` or `vpcLatticeConfigurations` that says how traffic moves.
void read_routing(Value service, DeploymentSettings& settings) {
  const auto each = [&](std::string_view key, auto read) {
    const Value list = member(service, key);
    if (!list || !list.is_array()) return;
    for (const Value item : list.children()) read(member(item, "advancedConfiguration"));
  };
  if (has_items(service, "loadBalancers")) {
    settings.has_load_balancer = true;
    settings.routing = TrafficRouting::kManaged;
    settings.has_test_traffic = false;
  } else if (has_items(service, "vpcLatticeConfigurations")) {
    settings.routing = TrafficRouting::kVpcLattice;
    settings.has_test_traffic = false;
  } else if (member(service, "serviceConnectConfiguration") && settings.routing == TrafficRouting::kNone) {
    settings.routing = TrafficRouting::kManaged;
  }
  // An ALB is named by a listener rule, an NLB by its listener (troubleshooting-blue-green).
  each("loadBalancers", [&](Value advanced) {
    if (member_text(advanced, "productionListenerRule").find(":listener/net/") != std::string::npos)
      settings.routing = TrafficRouting::kNetworkLoadBalancer;
    if (!member_text(advanced, "testListenerRule").empty()) settings.has_test_traffic = true;
  });
  each("vpcLatticeConfigurations", [&](Value advanced) {
    if (!member_text(advanced, "testListenerRule").empty()) settings.has_test_traffic = true;
  });
}

void read_configuration(Value configuration, DeploymentSettings& settings) {
  settings.strategy = named(kStrategies, member_text(configuration, "strategy"), settings.strategy);
  if (const Value bake = member(configuration, "bakeTimeInMinutes"); bake && bake.integer())
    settings.bake_minutes = std::clamp<std::int64_t>(*bake.integer(), 0, kMostMinutes);
  const Value linear = member(configuration, "linearConfiguration");
  settings.step_tenths = tenths_of(linear, "stepPercent", settings.step_tenths);
  settings.step_bake_minutes = integer_of(linear, "stepBakeTimeInMinutes", settings.step_bake_minutes, kMostMinutes);
  const Value canary = member(configuration, "canaryConfiguration");
  settings.canary_tenths = tenths_of(canary, "canaryPercent", settings.canary_tenths);
  settings.canary_bake_minutes =
      integer_of(canary, "canaryBakeTimeInMinutes", settings.canary_bake_minutes, kMostMinutes);
  if (const Value hooks = member(configuration, "lifecycleHooks")) settings.hooks = hooks_of(hooks);
  if (const Value alarms = member(configuration, "alarms")) {
    settings.alarms = {is_true(alarms, "enable", false), is_true(alarms, "rollback", false),
                       texts_of(alarms, "alarmNames")};
  }
  if (const Value early = member(configuration, "earlySuccessCriteria")) {
    settings.early_success = {is_true(early, "enable", false), integer_of(early, "healthyPercent", 100, 100),
                              member_text(early, "sourceServiceRevisionCleanup") == "DEFERRED"};
  }
}

}  // namespace

std::string_view name_of(DeploymentStrategy strategy) {
  return kStrategies[static_cast<std::size_t>(strategy)];
}

std::string_view name_of(DeploymentController controller) {
  return kControllers[static_cast<std::size_t>(controller)];
}

std::string_view name_of(DeploymentStage stage) {
  return kStages[static_cast<std::size_t>(stage)];
}

std::int64_t EarlySuccess::required(std::int64_t desired) const {
  return std::max<std::int64_t>(1, (desired * healthy_percent + 99) / 100);
}

std::int64_t DeploymentSettings::traffic_steps() const {
  if (controller != DeploymentController::kEcs) return 1;
  if (strategy == DeploymentStrategy::kLinear) return (kAllTenths + step_tenths - 1) / step_tenths;
  return strategy == DeploymentStrategy::kCanary && canary_tenths < kAllTenths ? 2 : 1;
}

std::int64_t DeploymentSettings::shift_minutes() const {
  const std::int64_t pauses = traffic_steps() - 1;
  return pauses * (strategy == DeploymentStrategy::kLinear ? step_bake_minutes : canary_bake_minutes);
}

bool DeploymentSettings::has_hook_at(DeploymentStage stage) const {
  return std::any_of(hooks.begin(), hooks.end(), [&](const LifecycleHook& hook) {
    return std::any_of(hook.stages.begin(), hook.stages.end(), [&](const std::string& own) {
      return own == name_of(stage) || (stage == DeploymentStage::kProductionTrafficShift && own == kBeforeEachStep);
    });
  });
}

DeploymentSettings deployment_settings(Value service, DeploymentSettings before) {
  read_configuration(member(service, "deploymentConfiguration"), before);
  before.controller =
      named(kControllers, member_text(member(service, "deploymentController"), "type"), before.controller);
  before.grace_seconds = integer_of(service, "healthCheckGracePeriodSeconds", before.grace_seconds, 2'147'483'647);
  read_routing(service, before);
  return before;
}

namespace {

/// Compares the settings of one service with each other.
class ConflictFinder {
 public:
  ConflictFinder(Value service, bool is_daemon)
      : service_(service),
        configuration_(member(service, "deploymentConfiguration")),
        settings_(deployment_settings(service)),
        is_daemon_(is_daemon) {}

  std::vector<DeploymentConflict> run() && {
    check_service();
    check_steps();
    check_circuit_breaker();
    check_bake_time();
    check_early_success();
    check_hooks();
    check_ranges();
    return std::move(conflicts_);
  }

 private:
  void add(Value at, std::string message, std::string help, bool is_of_absence = false) {
    if (at) conflicts_.push_back({at, std::move(message), std::move(help), is_of_absence});
  }

  Value strategy() const { return member(configuration_, "strategy"); }
  bool is(DeploymentStrategy strategy) const { return settings_.strategy == strategy; }

  void check_service() {
    const auto name = name_of(settings_.strategy);
    if (is(DeploymentStrategy::kRolling)) return;
    if (settings_.controller != DeploymentController::kEcs) {
      add(strategy(),
          fmt::format("strategy {} requires deploymentController ECS, got {}", name, name_of(settings_.controller)),
          "use ROLLING, or the controller ECS");
    }
    if (is_daemon_) {
      add(strategy(), fmt::format("strategy {} is documented for REPLICA services, got DAEMON", name), "use ROLLING");
    }
    const bool is_headless =
        settings_.routing == TrafficRouting::kNone && !is_daemon_ && settings_.controller == DeploymentController::kEcs;
    if (is_headless && !is(DeploymentStrategy::kBlueGreen)) {
      add(strategy(),
          fmt::format(
              "strategy {} moves traffic in steps, and the service has no load balancer, no Service Connect and "
              "no VPC Lattice",
              name),
          "use BLUE_GREEN, or add loadBalancers", true);
    }
  }

  void check_steps() {
    const auto check = [&](std::string_view key, DeploymentStrategy own) {
      if (is(own)) return;
      add(member(configuration_, key),
          fmt::format("{} has no effect with strategy {}", key, name_of(settings_.strategy)),
          fmt::format("delete it, or use strategy {}", name_of(own)), !strategy());
    };
    check("linearConfiguration", DeploymentStrategy::kLinear);
    check("canaryConfiguration", DeploymentStrategy::kCanary);
    check_length();
  }

  /// AWS::ECS::Service, deploymentConfiguration: 36 hours in all, of which 33 for bake and step times.
  void check_length() {
    constexpr std::int64_t kMostHours = 33;
    if (is(DeploymentStrategy::kRolling) || is(DeploymentStrategy::kBlueGreen)) return;
    const std::int64_t minutes = settings_.shift_minutes() + settings_.bake_minutes.value_or(0);
    if (minutes <= kMostHours * 60) return;
    add(strategy(),
        fmt::format("bake and step times are {} minutes, and CloudFormation rejects more than {} ({} hours)", minutes,
                    kMostHours * 60, kMostHours),
        "shorten bakeTimeInMinutes or the steps");
  }

  /// Ranges of API_LinearConfiguration, API_CanaryConfiguration and API_DeploymentConfiguration.
  void check_ranges() {
    constexpr std::int64_t kMostBake = 1'440;
    const Value linear = member(configuration_, "linearConfiguration");
    const Value canary = member(configuration_, "canaryConfiguration");
    check_minutes(configuration_, "bakeTimeInMinutes", kMostBake);
    check_minutes(linear, "stepBakeTimeInMinutes", kMostBake);
    check_minutes(canary, "canaryBakeTimeInMinutes", kMostBake);
    check_percent(linear, "stepPercent", 3);
    check_percent(canary, "canaryPercent", 0.1);
  }

  void check_minutes(Value object, std::string_view key, std::int64_t most) {
    const Value found = member(object, key);
    const auto minutes = found ? found.integer() : std::nullopt;
    if (minutes && (*minutes < 0 || *minutes > most))
      add(found, fmt::format("{} must be 0 to {}, got {}", key, most, *minutes), fmt::format("use at most {}", most));
  }

  void check_percent(Value object, std::string_view key, double least) {
    const Value found = member(object, key);
    double percent = 0;
    if (!found || read_decimal(found.text(), percent).ec != std::errc{}) return;
    if (percent < least || percent > 100)
      add(found, fmt::format("{} must be {} to 100, got {}", key, plain_decimal(least), found.text()),
          "use a percentage in this range");
  }

  /// DeploymentCircuitBreaker of the API reference, 2026-11: only for rolling updates. ECS takes it with CODE_DEPLOY
  /// (https://github.com/cloudposse/terraform-aws-ecs-alb-service-task/issues/165).
  void check_circuit_breaker() {
    const Value breaker = member(configuration_, "deploymentCircuitBreaker");
    const Value enable = breaker ? member(breaker, "enable") : Value();
    if (!enable || enable.boolean() != true ||
        member_text(member(service_, "deploymentController"), "type") != "CODE_DEPLOY")
      return;
    add(breaker, "deploymentCircuitBreaker has no effect with the deployment controller CODE_DEPLOY",
        "delete it; a deployment group of CodeDeploy has its own rollback settings");
  }

  void check_bake_time() {
    if (is(DeploymentStrategy::kRolling) && settings_.bake_minutes.value_or(0) > 0) {
      add(member(configuration_, "bakeTimeInMinutes"), "bakeTimeInMinutes has no effect with strategy ROLLING",
          "delete it, or use strategy BLUE_GREEN", !strategy());
    }
  }

  void check_early_success() {
    const Value early = member(configuration_, "earlySuccessCriteria");
    if (!settings_.early_success.enabled) return;
    if (!is(DeploymentStrategy::kRolling)) {
      return add(early,
                 fmt::format("earlySuccessCriteria requires strategy ROLLING, got {}", name_of(settings_.strategy)),
                 "delete it");
    }
    for (const std::string_view key : {"healthyPercent", "sourceServiceRevisionCleanup"}) {
      if (member(early, key)) continue;
      add(early, fmt::format("earlySuccessCriteria with enable true requires {}", key), fmt::format("add \"{}\"", key));
    }
    const Value percent = member(early, "healthyPercent");
    const std::int64_t minimum =
        integer_of(configuration_, "minimumHealthyPercent", is_daemon_ ? 0 : 100, kMostMinutes);
    if (percent && settings_.early_success.healthy_percent < minimum) {
      add(percent,
          fmt::format("healthyPercent must be at least minimumHealthyPercent ({}), got {}", minimum,
                      settings_.early_success.healthy_percent),
          fmt::format("use {} or more, or lower minimumHealthyPercent", minimum),
          !member(configuration_, "minimumHealthyPercent"));
    }
  }

  void check_hooks() {
    const Value list = member(configuration_, "lifecycleHooks");
    if (!list || !list.is_array()) return;
    for (const Value hook : list.children()) {
      if (member_text(hook, "targetType") == "PAUSE") {
        check_pause(hook);
      } else if (hook.is_object() && !member(hook, "hookTargetArn")) {
        add(hook, "a lifecycle hook of type AWS_LAMBDA requires hookTargetArn",
            "add \"hookTargetArn\", or use targetType PAUSE");
      }
    }
  }

  void check_pause(Value hook) {
    const Value stages = member(hook, "lifecycleStages");
    if (!stages || !stages.is_array()) return;
    for (const Value stage : stages.children()) {
      if (stage.text() != "TEST_TRAFFIC_SHIFT" && stage.text() != "PRODUCTION_TRAFFIC_SHIFT") continue;
      add(stage, fmt::format("a PAUSE hook is not supported at stage {}", stage.text()),
          "use the stage before or after it, or a Lambda hook");
    }
  }

  Value service_;
  Value configuration_;
  DeploymentSettings settings_;
  bool is_daemon_;
  std::vector<DeploymentConflict> conflicts_;
};

}  // namespace

std::vector<DeploymentConflict> find_deployment_conflicts(Value service, bool is_daemon) {
  if (!service || !service.is_object()) return {};
  return ConflictFinder(service, is_daemon).run();
}

}  // namespace bayplan::model
