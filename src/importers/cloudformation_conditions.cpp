#include "importers/cloudformation_evaluator.hpp"

namespace bayplan::importers {

using text::Value;

/// A condition may ask others; one that asks itself, or through more than these, is not known.
constexpr std::uint32_t kDeepest = 64;

std::optional<bool> Evaluator::condition(std::string_view name) {
  const Value declared = template_.condition(name);
  if (!declared || depth_ >= kDeepest) return std::nullopt;
  const auto [at, is_new] = conditions_.try_emplace(name, State::kRunning);
  if (is_new) {
    ++depth_;
    const auto answer = test(declared);
    --depth_;
    at->second = !answer ? State::kUnknown : *answer ? State::kTrue : State::kFalse;
  }
  if (at->second == State::kTrue) return true;
  if (at->second == State::kFalse) return false;
  return std::nullopt;
}

std::optional<bool> Evaluator::test(Value value) {
  // The long form has no other member next to it: {"Condition": "IsProduction"}.
  if (value.is_object() && value.size() == 1 && value.at(0).key() == "Condition") return condition(value.at(0).text());
  const auto expression = expression_in(value);
  if (!expression) return std::nullopt;
  const Value argument = expression->argument;
  if (expression->is("Condition")) return condition(argument.text());
  if (!argument.is_array()) return std::nullopt;
  if (expression->is("Equals")) return equals(argument);
  if (expression->is("And")) return any_or_all(argument, false);
  if (expression->is("Or")) return any_or_all(argument, true);
  if (!expression->is("Not") || !argument.at(0)) return std::nullopt;
  const auto inner = test(argument.at(0));
  return inner ? std::optional(!*inner) : std::nullopt;
}

std::optional<bool> Evaluator::equals(Value argument) {
  if (!argument.at(1)) return std::nullopt;
  const auto left = evaluate(argument.at(0));
  const auto right = evaluate(argument.at(1));
  const auto a = known_text(left);
  const auto b = known_text(right);
  return a && b ? std::optional(*a == *b) : std::nullopt;
}

/// One part that is `decisive` settles it, whatever the others are.
std::optional<bool> Evaluator::any_or_all(Value argument, bool decisive) {
  bool is_known = true;
  for (const Value part : argument.children()) {
    const auto answer = test(part);
    if (answer == decisive) return decisive;
    is_known = is_known && answer.has_value();
  }
  return is_known ? std::optional(!decisive) : std::nullopt;
}

}  // namespace bayplan::importers
