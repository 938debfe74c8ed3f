// What makes a deployment slow to notice a failure, or an interruption of the service. ECS accepts all of it, so these
// rules are off by default.
#include <algorithm>

#include "base/json_writer.hpp"
#include "rules/topics.hpp"

namespace bayplan::rules {
namespace {

using text::Value;

/// The container of a definition that a load balancer sends to.
const model::ContainerDefinition* find_target(const model::TaskDefinition& task, Value balancer,
                                              const model::Placeholders& placeholders) {
  const auto name = model::string_field(balancer, "containerName", placeholders);
  const auto& containers = task.container_definitions;
  const auto found = std::find_if(containers.begin(), containers.end(),
                                  [&](const auto& one) { return name.known() && one.name.value == *name; });
  return found != containers.end() ? &*found : nullptr;
}

/// ECS ignores the health checks of load balancers for healthCheckGracePeriodSeconds, 0 by default, and those of a
/// container for its startPeriod (API_CreateService and API_HealthCheck, 2026).
void grace_period_short(const ServiceContext& ctx, Emitter& emit) {
  const auto* task = ctx.definition.task;
  const Value balancers = ctx.request.node.find("loadBalancers");
  if (!ctx.is_service_request() || task == nullptr || !balancers || !balancers.is_array()) return;
  const auto grace = model::integer_field(ctx.request.node, "healthCheckGracePeriodSeconds", emit.placeholders());
  if (grace.present() ? !emit.knows(grace) : !ctx.sees_absence()) return;
  const std::int64_t seconds = grace.present() ? *grace : 0;
  for (const Value balancer : balancers.children()) {
    const auto* container = balancer.is_object() ? find_target(*task, balancer, emit.placeholders()) : nullptr;
    if (container == nullptr || !container->health_check || !container->health_check.is_object()) continue;
    const auto start = model::integer_field(container->health_check, "startPeriod", emit.placeholders());
    if (!start.present() || !emit.knows(start) || *start <= seconds) continue;
    auto report = grace.present() ? emit.at(grace) : emit.missing(ctx.request.node, "healthCheckGracePeriodSeconds");
    report
        .says(
            "healthCheckGracePeriodSeconds {} is shorter than startPeriod {} of {} ({}): the load balancer can replace "
            "a task that still starts",
            seconds, *start, json_quoted(*container->name), ctx.definition.place_of(start.node))
        .help("use {} or more", *start);
    return;
  }
}

/// Without a circuit breaker or an alarm a deployment whose tasks fail starts new ones without an end
/// (deployment-circuit-breaker, 2026).
void circuit_breaker_off(const ServiceContext& ctx, Emitter& emit) {
  if (ctx.input != ServiceInput::kCreate || !ctx.is_whole || ctx.is_daemon() || !rolls(*ctx.service)) return;
  if (ctx.service->deployment_controller.unknown() || ctx.service->deployment_strategy.unknown()) return;
  const Value configuration = ctx.request.node.find("deploymentConfiguration");
  if (configuration && !configuration.is_object() && !configuration.is_null()) return;
  const bool has_settings = configuration && configuration.is_object();
  const auto& enabled = ctx.service->circuit_breaker.enable;
  if (enabled.unknown()) return emit.skip(enabled.node);
  const Value breaker = has_settings ? configuration.find("deploymentCircuitBreaker") : Value();
  const bool may_be_on = breaker && !breaker.is_null() && !breaker.is_object();
  const Value alarms = has_settings ? configuration.find("alarms") : Value();
  if (enabled.value == true || may_be_on || (alarms && !alarms.is_null())) return;
  auto report = enabled.present() ? emit.at(enabled)
                                  : emit.missing(has_settings ? configuration : ctx.request.node,
                                                 has_settings ? "deploymentCircuitBreaker" : "deploymentConfiguration");
  report.says("without a deployment circuit breaker, ECS starts tasks of a failing deployment again and again")
      .help("add \"deploymentCircuitBreaker\": {\"enable\": true, \"rollback\": true} to deploymentConfiguration");
}

void all_tasks_stop(const ServiceContext& ctx, Emitter& emit) {
  if (ctx.service == nullptr || ctx.is_daemon() || !rolls(*ctx.service) || ctx.service->scheduling_strategy.unknown())
    return;
  const auto& desired = ctx.service->desired_count;
  const auto& minimum = ctx.service->minimum_healthy_percent;
  const auto& maximum = ctx.service->maximum_percent;
  if (!desired.present() || !minimum.present() || !maximum.present()) return;
  if (!emit.knows(desired) || !emit.knows(minimum) || !emit.knows(maximum)) return;
  const bool is_in_range = *desired >= 1 && *desired <= 1'000'000 && *maximum >= 100 && *maximum <= 1'000'000;
  // ceil(desiredCount * minimumHealthyPercent / 100) and floor(desiredCount * maximumPercent / 100), as for BAY1138.
  if (!is_in_range || *minimum != 0 || *desired * *maximum / 100 > *desired) return;
  emit.at(minimum)
      .says("a deployment stops {} before a new one starts: minimumHealthyPercent is 0 and maximumPercent {}",
            *desired == 1 ? std::string("the only task") : "all " + std::to_string(*desired) + " tasks", *maximum)
      .related(maximum.node, "no task can start before an old one stops")
      .help("{}", *desired == 1 ? "raise maximumPercent to 200 and minimumHealthyPercent to 100"
                                : "raise minimumHealthyPercent or maximumPercent");
}

/// ECS spreads the tasks of a service over zones only if no strategy is given (task-placement-strategies, 2026).
void zones_not_spread(const ServiceContext& ctx, Emitter& emit) {
  if (!ctx.is_service_request() || ctx.is_daemon() || ctx.request.fargate_mark()) return;
  const auto& desired = ctx.service->desired_count;
  const auto& strategy = ctx.request.placement_strategy;
  if (!desired.present() || !emit.knows(desired) || *desired < 2 || strategy.empty() || !strategy.is_complete()) return;
  for (const auto& item : strategy) {
    if (!emit.knows(item.type) || item.field.unknown()) return;
    if (*item.type == "spread" && item.field.value == "attribute:ecs.availability-zone") return;
  }
  emit.at(strategy.node)
      .says("placementStrategy does not spread the {} tasks over availability zones", *desired)
      .help("begin with {\"type\": \"spread\", \"field\": \"attribute:ecs.availability-zone\"}");
}

}  // namespace

std::span<const Rule> deployment_rules() {
  using enum Scope;
  static constexpr Rule kRules[] = {
      {"BAY1159", kService, grace_period_short},
      {"BAY1160", kService, circuit_breaker_off},
      {"BAY1161", kService, all_tasks_stop, {.on_answers = true}},
      {"BAY1162", kService, zones_not_spread},
  };
  return kRules;
}

}  // namespace bayplan::rules
