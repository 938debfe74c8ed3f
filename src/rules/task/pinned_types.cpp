#include "rules/task/pinned_types.hpp"

#include <algorithm>

#include <fmt/core.h>

#include "base/pattern.hpp"
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

/// The pattern with one alternative in place of each group of them: "m5|m10i" is "m5" and "m10i", and
/// "(m5|m10i).large" is "(m5).large" and "(m10i).large". Other groups stay as they are.
std::vector<std::string> single_alternatives(std::string_view pattern) {
  struct Group {
    std::size_t begin = 0;
    std::vector<std::size_t> bars = {};
  };
  std::vector<std::string> result;
  std::vector<Group> open{Group{}};
  const auto close = [&](std::size_t end) {
    const auto group = std::move(open.back());
    open.pop_back();
    if (group.bars.empty()) return;
    auto begin = group.begin;
    for (std::size_t i = 0; i <= group.bars.size(); ++i) {
      const auto stop = i < group.bars.size() ? group.bars[i] : end;
      result.push_back(std::string(pattern.substr(0, group.begin)) + std::string(pattern.substr(begin, stop - begin)) +
                       std::string(pattern.substr(end)));
      begin = stop + 1;
    }
  };
  bool is_in_class = false;
  for (std::size_t i = 0; i < pattern.size(); ++i) {
    const char c = pattern[i];
    if (c == '\\') {
      ++i;
    } else if (is_in_class || c == '[') {
      is_in_class = c != ']';
    } else if (c == '(') {
      const bool has_mark = pattern.substr(i + 1).starts_with("?:");
      open.push_back({i + (has_mark ? 3 : 1)});
    } else if (c == '|') {
      open.back().bars.push_back(i);
    } else if (c == ')' && open.size() > 1) {
      close(i);
    }
  }
  if (open.size() == 1) close(pattern.size());
  return result;
}

/// An alternative of a pattern that matches no type of the catalog may name a newer one.
bool knows_every_alternative(std::string_view pattern, const catalog::Catalog& catalog) {
  for (const auto& alternative : single_alternatives(pattern)) {
    const auto compiled = Pattern::compile(alternative, Pattern::Dialect::kJava);
    const auto matches = [&](const InstanceType& type) { return compiled->matches_whole(type.name); };
    if (compiled && std::none_of(catalog.types().begin(), catalog.types().end(), matches)) return false;
  }
  return true;
}

/// A type that the catalog lacks may be anything: named outright, or by an alternative of a pattern.
bool knows_every_type(const query::Expression& expression, const catalog::Catalog& catalog) {
  for (const auto& predicate : expression.predicates()) {
    if (predicate.attribute != kInstanceType) continue;
    const bool names = predicate.operation == Operator::kEqual || predicate.operation == Operator::kIn;
    const bool is_pattern = predicate.operation == Operator::kMatches;
    for (const auto& value : predicate.values) {
      if (names && catalog.find(value.text) == nullptr) return false;
      if (is_pattern && !knows_every_alternative(value.text, catalog)) return false;
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
