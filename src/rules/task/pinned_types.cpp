#include "rules/task/pinned_types.hpp"

#include <algorithm>

#include <fmt/core.h>

#include "base/strings.hpp"
#include "query/query.hpp"

namespace bayplan::rules {
namespace {

using catalog::InstanceType;
using query::Operator;

constexpr std::string_view kInstanceType = "ecs.instance-type";

bool names_instance_type(const query::Expression& expression) {
  const auto& predicates = expression.predicates();
  return std::any_of(predicates.begin(), predicates.end(),
                     [](const auto& predicate) { return predicate.attribute == kInstanceType; });
}

/// A type named outright that the catalog lacks may be anything.
bool knows_every_type(const query::Expression& expression, const catalog::Catalog& catalog) {
  for (const auto& predicate : expression.predicates()) {
    const bool names = predicate.operation == Operator::kEqual || predicate.operation == Operator::kIn;
    if (predicate.attribute != kInstanceType || !names) continue;
    for (const auto& value : predicate.values) {
      if (catalog.find(value.text) == nullptr) return false;
    }
  }
  return true;
}

bool can_hold(const query::Expression& expression, const InstanceType& type) {
  std::vector<query::KnownAttribute> known{{kInstanceType, type.name}, {"ecs.os-type", "linux"}};
  if (type.architectures.size() == 1) known.push_back({"ecs.cpu-architecture", type.architectures.front()});
  return expression.evaluate(known) != query::Truth::kFalse;
}

/// The constraints that say something about the instance type; nothing when one of them cannot be judged.
std::optional<std::vector<std::pair<query::Expression, text::Value>>> pins(const Context& ctx, Emitter& emit) {
  std::vector<std::pair<query::Expression, text::Value>> result;
  for (const auto& constraint : ctx.task.placement_constraints) {
    const auto& expression = constraint.expression;
    if (!expression.present() || expression.node.text().find(kInstanceType) == std::string_view::npos) continue;
    if (!emit.knows(expression)) return std::nullopt;
    auto parsed = query::parse(*expression);
    if (!parsed) return std::nullopt;
    if (!names_instance_type(*parsed.expression)) continue;
    if (!knows_every_type(*parsed.expression, ctx.catalog.get())) return std::nullopt;
    result.emplace_back(std::move(*parsed.expression), expression.node);
  }
  return result;
}

}  // namespace

std::string ChosenTypes::names() const {
  constexpr std::size_t kShown = 3;
  std::vector<std::string> shown;
  for (std::size_t i = 0; i < std::min(kShown, types.size()); ++i) shown.push_back(types[i]->name);
  const std::string list = join(shown, ", ");
  return types.size() <= kShown ? list : fmt::format("{} and {} more", list, types.size() - kShown);
}

std::string_view ChosenTypes::chosen_by() const {
  return constraint ? "pinned" : "configured";
}

std::vector<const InstanceType*> ChosenTypes::with_gpu() const {
  std::vector<const InstanceType*> result;
  std::copy_if(types.begin(), types.end(), std::back_inserter(result),
               [](const InstanceType* type) { return type->has_nvidia_gpu(); });
  return result;
}

std::optional<ChosenTypes> chosen_types(const Context& ctx, Emitter& emit) {
  const auto pinned = pins(ctx, emit);
  if (!pinned || (pinned->empty() && ctx.options.types.empty())) return std::nullopt;
  const auto& catalog = ctx.catalog.get();
  const bool knows_all = std::none_of(ctx.options.types.begin(), ctx.options.types.end(),
                                      [&](const auto& glob) { return catalog.matching({glob}).empty(); });
  if (!knows_all) return std::nullopt;  // a type newer than the catalog may be anything
  ChosenTypes chosen;
  chosen.types = catalog.matching(ctx.options.types);
  if (!pinned->empty()) chosen.constraint = pinned->front().second;
  std::erase_if(chosen.types, [&](const InstanceType* type) {
    return std::any_of(pinned->begin(), pinned->end(), [&](const auto& pin) { return !can_hold(pin.first, *type); });
  });
  if (chosen.types.empty()) return std::nullopt;
  return chosen;
}

}  // namespace bayplan::rules
