#include "model/placement_strategy.hpp"
#include "rules/topics.hpp"

namespace bayplan::rules {
namespace {

using text::Value;

/// API reference of CreateService and RunTask, placementStrategy; a sixth was seen refused.
constexpr std::size_t kMostStrategies = 5;
/// API reference of CreateService and RunTask, placementConstraints: those of the task definition count too.
constexpr std::size_t kMostConstraintsOfTask = 10;

/// Strategies of this type that cannot be ranked.
void tell_strategy_faults(std::string_view type, const ServiceContext& ctx, Emitter& emit) {
  for (const auto& item : ctx.request.placement_strategy) {
    if (!item.type || (item.field.present() && !emit.knows(item.field)) || *item.type != type) continue;
    const auto fault = model::find_strategy_fault(*item.type, item.field.value);
    if (!fault) continue;
    if (item.field.known() && !item.field->empty()) {
      emit.at(item.field).says("{}", fault->message).help("{}", fault->help);
    } else if (item.field.known() || ctx.is_whole) {
      emit.missing(item.node, "field").says("{}", fault->message).help("{}", fault->help).severity(Severity::kWarning);
    }
  }
}

void strategy_binpack_field(const ServiceContext& ctx, Emitter& emit) {
  tell_strategy_faults("binpack", ctx, emit);
}

void strategy_random_field(const ServiceContext& ctx, Emitter& emit) {
  for (const auto& item : ctx.request.placement_strategy) {
    if (item.type.value != "random" || !emit.knows(item.field) || item.field->empty()) continue;
    auto report = emit.at(item.field);
    report.says("random does not support a field, got \"{}\"", *item.field).help("delete field");
    report.remove(item.field.node);
  }
}

void strategy_spread_field(const ServiceContext& ctx, Emitter& emit) {
  tell_strategy_faults("spread", ctx, emit);
}

void strategy_too_many(const ServiceContext& ctx, Emitter& emit) {
  const auto& strategies = ctx.request.placement_strategy;
  if (strategies.size() <= kMostStrategies) return;
  emit.at(strategies.node)
      .says("{} placement strategies; the maximum is {}", strategies.size(), kMostStrategies)
      .help("keep the {} most important ones", kMostStrategies);
}

void constraint_too_many(const ServiceContext& ctx, Emitter& emit) {
  const auto& own = ctx.request.placement_constraints;
  const auto* task = ctx.definition.task;
  const std::size_t inherited = task == nullptr ? 0 : task->placement_constraints.size();
  if (own.empty() || own.size() + inherited <= kMostConstraintsOfTask) return;
  auto report = emit.at(own.node);
  if (inherited == 0) {
    report.says("{} placement constraints; the maximum is {}", own.size(), kMostConstraintsOfTask);
  } else {
    report.says("{} placement constraints here and {} in the task definition ({}); the maximum is {} in total",
                own.size(), inherited, ctx.definition.place_of(task->placement_constraints.node),
                kMostConstraintsOfTask);
  }
  report.help("combine expressions with and");
}

void distinct_instance_expression(const ServiceContext& ctx, Emitter& emit) {
  for (const auto& item : ctx.request.placement_constraints) {
    if (item.type.value != "distinctInstance" || !item.expression.present() || item.expression.value == "") continue;
    emit.at(item.expression)
        .says("distinctInstance does not support an expression")
        .help("delete the expression, or move it to a separate memberOf constraint");
  }
}

// Seen refused for launchType; a capacity provider of Fargate has no instances to choose from either.
void placement_on_fargate(const ServiceContext& ctx, Emitter& emit) {
  const Value mark = ctx.request.fargate_mark();
  if (!mark) return;
  const bool is_seen = mark.key() == "launchType";
  const auto tell = [&](Value list, std::string_view choosing) {
    if (!list || !list.is_array() || list.size() == 0) return;
    auto report = emit.at(list);
    report.says("{} not supported on {}, which has no instances to choose from", choosing, mark.text())
        .related(mark, std::string(mark.text()) + " is selected here")
        .help("delete {}", list.key());
    report.remove(list, false);
    if (!is_seen) report.severity(Severity::kWarning);
  };
  tell(ctx.request.placement_strategy.node, "placementStrategy is");
  tell(ctx.request.placement_constraints.node, "placementConstraints are");
}

void daemon_strategy(const ServiceContext& ctx, Emitter& emit) {
  const auto& strategies = ctx.request.placement_strategy;
  if (!ctx.is_daemon() || strategies.empty()) return;
  auto report = emit.at(strategies.node);
  report.says("a DAEMON service runs on every instance and does not support placementStrategy")
      .related(ctx.service->scheduling_strategy.node, "DAEMON is selected here")
      .help("delete placementStrategy; placementConstraints are allowed");
  report.remove(strategies.node, false);
}

}  // namespace

std::span<const Rule> service_placement_rules() {
  using enum Scope;
  static constexpr Rule kRules[] = {
      {"BAY1101", kService, strategy_binpack_field}, {"BAY1102", kService, strategy_random_field},
      {"BAY1103", kService, strategy_spread_field},  {"BAY1104", kService, strategy_too_many},
      {"BAY1105", kService, constraint_too_many},    {"BAY1106", kService, distinct_instance_expression},
      {"BAY1107", kService, placement_on_fargate},   {"BAY1108", kService, daemon_strategy},
  };
  return kRules;
}

}  // namespace bayplan::rules
