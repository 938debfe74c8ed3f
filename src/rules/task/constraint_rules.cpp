// placementConstraints of the definition: their kind, number and expressions.
#include "base/edit_distance.hpp"
#include "base/json_writer.hpp"
#include "base/strings.hpp"
#include "query/query.hpp"
#include "rules/file/spelling.hpp"
#include "rules/task/constraint_worlds.hpp"
#include "rules/topics.hpp"
#include "text/part_of_string.hpp"

namespace bayplan::rules {
namespace {

using model::PlacementConstraint;

// API_TaskDefinitionPlacementConstraint; service quotas of ECS.
constexpr std::size_t kMostConstraints = 10;
constexpr std::size_t kLongestExpression = 2000;

/// memberof, memberOff: BAY022 writes the right word.
bool is_slip_of_member_of(std::string_view type) {
  constexpr std::size_t kSlips = 2;
  return edit_distance(lower(type), "memberof", kSlips) <= kSlips;
}

void check_expression(const PlacementConstraint& constraint, Emitter& emit) {
  const auto& expression = constraint.expression;
  if (expression->size() > kLongestExpression) {
    emit.at(expression)
        .says("expression has {} characters; the maximum is {}", expression->size(), kLongestExpression)
        .help("split it into several constraints, all of which must hold");
    return;
  }
  const auto parsed = query::parse(*expression);
  if (parsed) return;
  const auto& fault = *parsed.fault;
  auto report = emit.at(text::part_of_string(expression.node, fault.span), expression.node);
  report.says("{}", fault.message);
  report.help("{}", fault.help.empty() ? "use for example attribute:ecs.instance-type == g4dn.xlarge" : fault.help);
}

void constraint_type(const Context& ctx, Emitter& emit) {
  for (const auto& constraint : ctx.task.placement_constraints) {
    const auto& type = constraint.type;
    if (!emit.knows(type) || *type == "memberOf" || is_slip_of_member_of(*type)) continue;
    auto report = emit.at(type);
    report.says("constraint type must be memberOf in a task definition, got {}", json_quoted(*type));
    report.help(*type == "distinctInstance" ? "move it to the service, or to run-task" : "use \"memberOf\"");
  }
}

void constraint_count(const Context& ctx, Emitter& emit) {
  const text::Value list = ctx.task.placement_constraints.node;
  if (!runs_on_instances(ctx) || !list || !list.is_array() || list.size() <= kMostConstraints) return;
  emit.at(list.at(kMostConstraints).opening(), list)
      .says("{} placement constraints; the maximum is {}, including those of the service or run-task", list.size(),
            kMostConstraints)
      .help("combine expressions with and");
}

void constraint_expression(const Context& ctx, Emitter& emit) {
  if (!runs_on_instances(ctx)) return;
  for (const auto& constraint : ctx.task.placement_constraints) {
    if (constraint.type && *constraint.type != "memberOf") continue;
    const auto& expression = constraint.expression;
    if (!expression.present()) {
      if (is_spelled_otherwise(constraint.node, "expression")) continue;
      emit.missing(constraint.node, "expression")
          .says("placement constraint has no expression")
          .help("add for example \"expression\": \"attribute:ecs.instance-type == g4dn.xlarge\"");
    } else if (emit.knows(expression)) {
      check_expression(constraint, emit);
    }
  }
}

}  // namespace

std::span<const Rule> constraint_rules() {
  using enum Scope;
  static constexpr Rule kRules[] = {
      {"BAY125", kTaskDefinition, constraint_type},
      {"BAY126", kTaskDefinition, constraint_count},
      {"BAY127", kTaskDefinition, constraint_expression},
  };
  return kRules;
}

}  // namespace bayplan::rules
