#include "model/deployment.hpp"
#include "rules/topics.hpp"

namespace bayplan::rules {
namespace {

using text::Value;

/// API reference of RunTask, count.
constexpr std::int64_t kMostTasks = 10;

Report& because_daemon(Report& report, const ServiceContext& ctx) {
  return report.related(ctx.service->scheduling_strategy.node, "DAEMON is selected here");
}

// Any count is refused, 0 too.
void daemon_desired_count(const ServiceContext& ctx, Emitter& emit) {
  if (!ctx.is_daemon() || !ctx.service->desired_count.present()) return;
  auto report = emit.at(ctx.service->desired_count);
  report.says("a DAEMON service runs one task on every instance and does not support desiredCount")
      .help("delete desiredCount");
  because_daemon(report, ctx);
  report.remove(ctx.service->desired_count.node, false);
}

void daemon_max_percent(const ServiceContext& ctx, Emitter& emit) {
  if (!ctx.is_daemon() || !ctx.service->maximum_percent.present() || !emit.knows(ctx.service->maximum_percent)) return;
  if (*ctx.service->maximum_percent == 100) return;
  auto report = emit.at(ctx.service->maximum_percent);
  report.says("maximumPercent of a DAEMON service must be 100, got {}", *ctx.service->maximum_percent)
      .help("use 100, or omit it");
  because_daemon(report, ctx);
}

void daemon_fargate(const ServiceContext& ctx, Emitter& emit) {
  if (!ctx.is_daemon()) return;
  const auto tell = [&](Value because, std::string_view what) {
    emit.at(ctx.service->scheduling_strategy)
        .says("DAEMON is not supported with {} {}", what, because.text())
        .related(because, std::string(because.text()) + " is selected here")
        .help("use \"REPLICA\"");
  };
  if (const Value mark = ctx.request.fargate_mark()) {
    tell(mark, mark.key() == "launchType" ? "launchType" : "the capacity provider");
  }
  const auto& controller = ctx.service->deployment_controller;
  if (controller.value == "CODE_DEPLOY" || controller.value == "EXTERNAL") {
    tell(controller.node, "the deployment controller");
  }
}

// Each of the three was seen refused; what is absent was not.
void deployment_percent(const ServiceContext& ctx, Emitter& emit) {
  if (ctx.service == nullptr || ctx.is_daemon() || !rolls(*ctx.service)) return;
  if (ctx.service->scheduling_strategy.unknown()) return;
  const auto& minimum = ctx.service->minimum_healthy_percent;
  const auto& maximum = ctx.service->maximum_percent;
  if (minimum.present() && emit.knows(minimum) && *minimum > 100) {
    emit.at(minimum).says("minimumHealthyPercent must be 100 or less, got {}", *minimum).help("use 100 or less");
  }
  if (maximum.present() && emit.knows(maximum) && *maximum < 100) {
    emit.at(maximum)
        .says("maximumPercent must be 100 or more, got {}", *maximum)
        .help("use more than 100, such as 200");
  }
  if (maximum.value != 100) return;
  if (minimum.value == 100) {
    auto report = emit.at(maximum);
    report.says("maximumPercent and minimumHealthyPercent are both 100, so no task can be replaced")
        .related(minimum.node, "the other value of 100")
        .help("raise maximumPercent, or lower minimumHealthyPercent");
    if (ctx.input == ServiceInput::kAnswer) report.severity(Severity::kWarning);
  } else if (!minimum.present() && ctx.sees_absence()) {
    emit.at(maximum)
        .says("maximumPercent is 100 and minimumHealthyPercent defaults to 100, so no task can be replaced")
        .help("raise maximumPercent, or set a lower minimumHealthyPercent")
        .severity(Severity::kWarning);
  }
}

// ECS accepted the settings of a described service, whatever a page says of them.
void deployment_settings_conflict(const ServiceContext& ctx, Emitter& emit) {
  if (ctx.service == nullptr || ctx.input == ServiceInput::kAnswer || ctx.service->scheduling_strategy.unknown())
    return;
  for (const auto& conflict : model::find_deployment_conflicts(ctx.service->node, ctx.is_daemon())) {
    if (conflict.is_of_absence && !ctx.sees_absence()) continue;
    emit.at(conflict.at).says("{}", conflict.message).help("{}", conflict.help);
  }
}

void run_task_count(const ServiceContext& ctx, Emitter& emit) {
  if (ctx.input != ServiceInput::kRunTask || !ctx.run->count.present() || !emit.knows(ctx.run->count)) return;
  const auto count = *ctx.run->count;
  if (count >= 1 && count <= kMostTasks) return;
  emit.at(ctx.run->count)
      .says("count must be 1 to {} per call, got {}", kMostTasks, count)
      .help("{}", count < 1 ? "use 1 or more" : "use several calls");
}

void az_rebalancing_daemon(const ServiceContext& ctx, Emitter& emit) {
  if (!ctx.is_daemon() || ctx.service->availability_zone_rebalancing.value != "ENABLED") return;
  auto report = emit.at(ctx.service->availability_zone_rebalancing);
  report.says("a DAEMON service runs on every instance and does not support rebalancing across zones")
      .help("use \"DISABLED\", or omit it");
  because_daemon(report, ctx);
}

// ECS keeps ceil(desiredCount * minimumHealthyPercent / 100) tasks and starts at most floor(desiredCount *
// maximumPercent / 100) (API_DeploymentConfiguration). It accepts the settings; the deployment then never ends.
void deployment_cannot_move(const ServiceContext& ctx, Emitter& emit) {
  if (ctx.service == nullptr || ctx.is_daemon() || !rolls(*ctx.service) || ctx.service->scheduling_strategy.unknown())
    return;
  const auto& desired = ctx.service->desired_count;
  const auto& minimum = ctx.service->minimum_healthy_percent;
  const auto& maximum = ctx.service->maximum_percent;
  if (!desired.present() || !maximum.present() || !emit.knows(desired) || !emit.knows(maximum)) return;
  if (minimum.present() ? !emit.knows(minimum) : !ctx.sees_absence()) return;
  const std::int64_t tasks = *desired, lowest = minimum.present() ? *minimum : 100, highest = *maximum;
  const bool is_in_range = tasks >= 1 && tasks <= 1'000'000 && lowest >= 0 && lowest <= 100 && highest >= 100;
  const bool is_refused = lowest == 100 && highest == 100;  // deployment_percent
  if (is_refused || !is_in_range) return;
  const std::int64_t kept = (tasks * lowest + 99) / 100, most = tasks * highest / 100;
  if (kept < tasks || most > tasks) return;
  emit.at(maximum)
      .says(
          "no deployment can replace a task: of {} at least {} must run (minimumHealthyPercent {}) and at most {} may "
          "(maximumPercent {})",
          tasks == 1 ? "1 task" : std::to_string(tasks) + " tasks", kept, lowest, most, highest)
      .help("raise maximumPercent to {}, or lower minimumHealthyPercent to {}", (100 * (tasks + 1) + tasks - 1) / tasks,
            100 * (tasks - 1) / tasks);
}

/// The developer guide (service-rebalancing, 2026) lists what keeps a service from it.
void az_rebalancing_without_effect(const ServiceContext& ctx, Emitter& emit) {
  if (!ctx.is_service_request() || ctx.is_daemon()) return;
  const auto& rebalancing = ctx.service->availability_zone_rebalancing;
  if (rebalancing.value != "ENABLED") return;
  const auto tell = [&](Value because, std::string_view what) {
    emit.at(rebalancing)
        .says("availabilityZoneRebalancing is not supported with {}", what)
        .related(because, "set here")
        .help("use \"DISABLED\", or change the other setting");
  };
  const auto& maximum = ctx.service->maximum_percent;
  if (maximum.present() && maximum.known() && *maximum <= 100) tell(maximum.node, "maximumPercent 100");
  for (const auto& constraint : ctx.request.placement_constraints) {
    const auto& expression = constraint.expression;
    if (expression.known() && expression->find("ecs.availability-zone") != std::string::npos)
      tell(expression.node, "a constraint on ecs.availability-zone");
  }
  const Value balancers = ctx.request.node.find("loadBalancers");
  if (!balancers || !balancers.is_array()) return;
  for (const Value balancer : balancers.children()) {
    const Value name = balancer.is_object() ? balancer.find("loadBalancerName") : Value();
    if (name && !name.is_null()) tell(name, "a Classic Load Balancer");
  }
}

void platform_version_ec2(const ServiceContext& ctx, Emitter& emit) {
  const auto& version = ctx.request.platform_version;
  if (ctx.request.launch_type.value != "EC2" || !version.present() || version.value == "") return;
  auto report = emit.at(version);
  report.says("platformVersion is supported on Fargate only, but launchType is EC2")
      .related(ctx.request.launch_type.node, "EC2 is selected here")
      .help("delete platformVersion");
  report.remove(version.node, false);
}

/// Neither the API model nor the developer guide states a minimum. Issues say that ECS rejects a negative count, but
/// none quotes the response.
void desired_count_negative(const ServiceContext& ctx, Emitter& emit) {
  if (!ctx.is_service_request() || !ctx.service->desired_count.present()) return;
  const auto& desired = ctx.service->desired_count;
  if (!emit.knows(desired) || *desired >= 0) return;
  emit.at(desired)
      .says("desiredCount must be 0 or more, got {}; the answer of ECS has not been recorded", *desired)
      .help("use 0 or more, or omit it in an update to keep the number");
}

}  // namespace

std::span<const Rule> service_scheduling_rules() {
  using enum Scope;
  static constexpr Rule kRules[] = {
      {"BAY1109", kService, daemon_desired_count},
      {"BAY1110", kService, daemon_max_percent},
      {"BAY1111", kService, daemon_fargate},
      {"BAY1118", kService, deployment_percent, {.on_answers = true}},
      {"BAY1119", kService, run_task_count, {.refused_in_calls = true}},
      {"BAY1121", kService, az_rebalancing_daemon},
      {"BAY1122", kService, platform_version_ec2, {.follows_from = {"BAY1120"}}},
      {"BAY1125", kService, deployment_settings_conflict},
      {"BAY1137", kService, az_rebalancing_without_effect},
      {"BAY1138", kService, deployment_cannot_move, {.on_answers = true}},
      {"BAY1166", kService, desired_count_negative},
  };
  return kRules;
}

}  // namespace bayplan::rules
