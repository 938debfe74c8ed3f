#include "importers/cloudformation_evaluator.hpp"

#include <array>

#include "base/strings.hpp"
#include "importers/members.hpp"

namespace bayplan::importers {
namespace {

using text::Value;

Outcome removed() {
  return {.kind = Outcome::Kind::kRemoved};
}

Outcome unknown(std::string expression, std::string_view resource = {}) {
  return {.kind = Outcome::Kind::kUnknown, .text = std::move(expression), .resource = resource};
}

Outcome written(Value value) {
  return {.kind = Outcome::Kind::kWritten, .written = value};
}

/// The two forms of Fn::GetAtt: "Role.Arn" and [Role, Arn].
std::string_view resource_of_get_att(Value argument) {
  const Value first = argument.is_array() ? argument.at(0) : argument;
  return is_scalar(first) ? first.text().substr(0, first.text().find('.')) : std::string_view();
}

/// What an outcome adds to a longer text: of what is not known its name, as Fn::Sub would write it.
std::string piece(const Outcome& outcome) {
  if (const auto known = Evaluator::known_text(outcome)) return std::string(*known);
  if (outcome.kind == Outcome::Kind::kText) return outcome.text;
  std::string_view name = outcome.text;
  for (const std::string_view plain : {"!Ref ", "!GetAtt ", "!"}) {
    if (!name.starts_with(plain)) continue;
    name.remove_prefix(plain.size());
    break;
  }
  std::string result = "${";
  for (const char c : name) {
    if (c != '{' && c != '}' && c != '$') result += c;
  }
  return result == "${" ? "${?}" : result + "}";
}

bool is_known(const Outcome& outcome) {
  return Evaluator::known_text(outcome).has_value();
}

bool is_same(const Outcome& a, const Outcome& b) {
  if (a.kind == Outcome::Kind::kRemoved || b.kind == Outcome::Kind::kRemoved) return a.kind == b.kind;
  const auto left = Evaluator::known_text(a);
  return left && left == Evaluator::known_text(b);
}

}  // namespace

std::optional<std::string_view> Evaluator::known_text(const Outcome& outcome) {
  if (outcome.kind == Outcome::Kind::kText && outcome.is_whole) return outcome.text;
  if (outcome.kind == Outcome::Kind::kWritten && is_scalar(outcome.written) && !outcome.written.is_null() &&
      outcome.written.kind() != text::Kind::kPlaceholder) {
    return outcome.written.text();
  }
  return std::nullopt;
}

Outcome Evaluator::evaluate(Value value) {
  const auto expression = expression_in(value);
  return expression ? apply(*expression) : written(value);
}

Outcome Evaluator::apply(const Expression& expression) {
  const Value argument = expression.argument;
  Outcome outcome;
  if (!spend(0)) {
    outcome = {};
  } else if (expression.is("Ref")) {
    outcome = ref(argument);
  } else if (expression.is("GetAtt")) {
    outcome = get_att(expression);
  } else if (expression.is("Sub")) {
    outcome = sub(expression);
  } else if (expression.is("Join")) {
    outcome = join(argument);
  } else if (expression.is("Select")) {
    outcome = select(argument);
  } else if (expression.is("Split")) {
    outcome = split(argument);
  } else if (expression.is("FindInMap")) {
    outcome = find_in_map(argument);
  } else if (expression.is("If")) {
    outcome = if_else(expression);
  } else if (expression.is("GetAZs") && names_zones_) {
    outcome = zones(expression);
  }
  if (outcome.kind == Outcome::Kind::kUnknown && outcome.text.empty()) outcome.text = in_short(expression);
  return outcome;
}

Outcome Evaluator::ref(Value argument) {
  if (!is_scalar(argument)) return {};
  return named(argument.text());
}

Outcome Evaluator::named(std::string_view name) {
  if (name == "AWS::NoValue") return removed();
  if (name == "AWS::Region") has_asked_for_region_ = true;
  if (const auto parameter = template_.parameter(name)) {
    if (!spend(parameter->value.size())) return {};
    if (parameter->is_list()) return list(bayplan::split(parameter->value, ','));
    return text(std::string(parameter->value));
  }
  return unknown("!Ref " + std::string(name), template_.type_of(name).empty() ? std::string_view() : name);
}

Outcome Evaluator::get_att(const Expression& expression) {
  const auto resource = resource_of_get_att(expression.argument);
  return unknown(in_short(expression), template_.type_of(resource).empty() ? std::string_view() : resource);
}

Outcome Evaluator::sub(const Expression& expression) {
  const Value argument = expression.argument;
  const Value pattern = argument.is_array() ? argument.at(0) : argument;
  const Value variables = argument.is_array() ? argument.at(1) : Value();
  if (!is_scalar(pattern)) return {};
  std::string result;
  bool is_whole = true;
  std::string_view rest = pattern.text();
  for (auto at = rest.find("${"); at != std::string_view::npos; at = rest.find("${")) {
    const auto end = rest.find('}', at);
    if (end == std::string_view::npos) break;
    result += rest.substr(0, at);
    const auto name = trim(rest.substr(at + 2, end - at - 2));
    rest.remove_prefix(end + 1);
    if (name.starts_with('!')) {
      result += "${" + std::string(name.substr(1)) + "}";
      continue;
    }
    const auto value = variable(name, variables);
    is_whole = is_whole && is_known(value);
    const auto more = piece(value);
    if (!spend(more.size())) return {};
    result += more;
  }
  return text(result + std::string(rest), is_whole);
}

Outcome Evaluator::variable(std::string_view name, Value variables) {
  if (variables && variables.is_object()) {
    if (!look_through(variables)) return {};
    if (const Value own = variables.find(name)) {
      auto outcome = evaluate(own);
      return is_known(outcome) ? outcome : unknown("!Ref " + std::string(name));
    }
  }
  const auto dot = name.find('.');
  return dot == std::string_view::npos ? named(name) : unknown("!GetAtt " + std::string(name));
}

Outcome Evaluator::join(Value argument) {
  if (!argument.is_array()) return {};
  const auto between = evaluate(argument.at(0));
  const auto separator = known_text(between);
  const auto parts = list_of(argument.at(1));
  if (!separator || !parts) return {};
  std::string result;
  bool is_whole = true;
  bool is_first = true;
  for (const auto& part : *parts) {
    const auto more = piece(part);
    if (!spend(more.size() + separator->size())) return {};
    if (!is_first) result += *separator;
    result += more;
    is_whole = is_whole && is_known(part);
    is_first = false;
  }
  return text(std::move(result), is_whole);
}

Outcome Evaluator::select(Value argument) {
  if (!argument.is_array()) return {};
  const auto index = evaluate(argument.at(0));
  const auto position = to_integer(known_text(index).value_or("")).value_or(-1);
  auto elements = list_of(argument.at(1));
  if (!elements || position < 0 || position >= static_cast<std::int64_t>(elements->size())) return {};
  return std::move((*elements)[static_cast<std::size_t>(position)]);
}

Outcome Evaluator::split(Value argument) {
  if (!argument.is_array()) return {};
  const auto separator = evaluate(argument.at(0));
  const auto source = evaluate(argument.at(1));
  const auto mark = known_text(separator);
  const auto whole = known_text(source);
  if (!mark || mark->empty() || !whole) return {};
  std::vector<std::string_view> parts;
  std::string_view rest = *whole;
  for (auto at = rest.find(*mark); at != std::string_view::npos; at = rest.find(*mark)) {
    parts.push_back(rest.substr(0, at));
    rest.remove_prefix(at + mark->size());
  }
  parts.push_back(rest);
  Outcome result{.kind = Outcome::Kind::kList};
  for (const auto part : parts) result.elements.push_back(text(std::string(part)));
  return result;
}

Outcome Evaluator::find_in_map(Value argument) {
  if (!argument.is_array()) return {};
  std::array<Outcome, 3> names;
  for (std::size_t i = 0; i < names.size(); ++i) {
    names[i] = evaluate(argument.at(i));
    if (!is_known(names[i])) return {};
  }
  const Value map = template_.mapping(*known_text(names[0]));
  if (!map || !look_through(map)) return {};
  const Value row = map.is_object() ? map.find(*known_text(names[1])) : Value();
  const Value found = row && row.is_object() ? row.find(*known_text(names[2])) : Value();
  if (found && found.is_array()) {
    std::vector<std::string_view> texts;
    for (const Value element : found.children()) texts.push_back(element.text());
    return list(std::move(texts));
  }
  if (found && is_scalar(found) && !found.is_null()) return text(std::string(found.text()));
  const Value options = argument.at(3);
  const Value standard = options && options.is_object() ? options.find("DefaultValue") : Value();
  return standard && !found ? evaluate(standard) : Outcome{};
}

Outcome Evaluator::if_else(const Expression& expression) {
  const Value argument = expression.argument;
  if (!argument.is_array() || !argument.at(2) || !is_scalar(argument.at(0))) return {};
  const auto decision = condition(argument.at(0).text());
  if (decision) return evaluate(argument.at(*decision ? 1 : 2));
  const auto yes = evaluate(argument.at(1));
  if (!is_same(yes, evaluate(argument.at(2)))) return unknown(in_short(expression));
  return yes.kind == Outcome::Kind::kRemoved ? yes : text(std::string(*known_text(yes)));
}

/// The argument of a function that takes one value; of the short form it is in the tagged node itself.
Outcome Evaluator::argument_of(const Expression& expression) {
  const Value argument = expression.argument;
  const bool is_short = argument.tag().starts_with('!') && argument.tag().substr(1) == expression.function;
  if (!is_short) return evaluate(argument);
  if (is_scalar(argument)) return text(std::string(argument.text()));
  const Value inner = argument.at(0);
  if (!argument.is_object() || !inner || argument.at(1)) return {};
  if (inner.key() == "Ref") return apply({"Ref", inner});
  return inner.key().starts_with("Fn::") ? apply({inner.key().substr(4), inner}) : Outcome{};
}

Outcome Evaluator::before_base64(Value value) {
  const auto expression = expression_in(value);
  return expression && expression->is("Base64") ? argument_of(*expression) : evaluate(value);
}

/// An empty region is that of the stack.
Outcome Evaluator::zones(const Expression& expression) {
  const auto argument = argument_of(expression);
  const auto region = known_text(argument);
  if (!region) return {};
  const auto own = region->empty() ? named("AWS::Region") : text(std::string(*region));
  const auto name = known_text(own);
  if (!name || name->empty()) return {};
  has_named_zones_ = true;
  Outcome result{.kind = Outcome::Kind::kList};
  for (const char letter : std::string_view("abcdef")) result.elements.push_back(text(std::string(*name) + letter));
  return result;
}

/// The elements, without those that are removed.
std::optional<std::vector<Outcome>> Evaluator::list_of(Value value) {
  if (!value) return std::nullopt;
  auto outcome = evaluate(value);
  if (outcome.kind == Outcome::Kind::kList) return std::move(outcome.elements);
  if (outcome.kind != Outcome::Kind::kWritten || !outcome.written.is_array()) return std::nullopt;
  std::vector<Outcome> elements;
  for (const Value element : outcome.written.children()) {
    if (!spend(0)) return std::nullopt;
    elements.push_back(evaluate(element));
    if (elements.back().kind == Outcome::Kind::kRemoved) elements.pop_back();
  }
  return elements;
}

Outcome Evaluator::text(std::string text, bool is_whole) {
  if (!spend(text.size())) return {};
  return {.kind = Outcome::Kind::kText, .text = std::move(text), .is_whole = is_whole};
}

/// Blanks around the elements of a list parameter do not count.
Outcome Evaluator::list(std::vector<std::string_view> texts) {
  Outcome result{.kind = Outcome::Kind::kList};
  for (const auto one : texts) result.elements.push_back(text(std::string(trim(one))));
  return result;
}

/// A search goes through all members, so that a long object searched often costs much.
bool Evaluator::look_through(Value object) {
  return spend(object.span().length() / 16);
}

bool Evaluator::spend(std::size_t bytes) {
  constexpr std::size_t kPerValue = 16;
  if (left_ < bytes + kPerValue) {
    left_ = 0;
    return false;
  }
  left_ -= bytes + kPerValue;
  return true;
}

}  // namespace bayplan::importers
