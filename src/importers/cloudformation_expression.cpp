#include "importers/cloudformation_expression.hpp"

#include <algorithm>

#include "importers/members.hpp"

namespace bayplan::importers {
namespace {

using text::Value;

constexpr std::string_view kPrefix = "Fn::";

/// The first word of the argument says most: a name, a condition, a map.
std::string first_word(Value argument) {
  while (argument && argument.is_array()) argument = argument.at(0);
  return argument && is_scalar(argument) ? std::string(argument.text()) : std::string();
}

/// `[Role, Arn]` of Fn::GetAtt.
std::string dotted(Value list) {
  std::string result;
  for (const Value part : list.children()) {
    if (!is_scalar(part)) break;
    result += (result.empty() ? "" : ".") + std::string(part.text());
  }
  return result;
}

}  // namespace

std::optional<Expression> expression_in(Value value) {
  if (!value) return std::nullopt;
  const auto tag = value.tag();
  if (tag.size() > 1 && tag.front() == '!') return Expression{tag.substr(1), value};
  if (!value.is_object()) return std::nullopt;
  const Value only = value.at(0);
  if (!only || value.at(1)) return std::nullopt;
  const auto key = only.key();
  if (key == "Ref") return Expression{key, only};
  if (key.starts_with(kPrefix)) return Expression{key.substr(kPrefix.size()), only};
  return std::nullopt;
}

bool has_macro(Value object) {
  const auto members = object.children();
  return std::any_of(members.begin(), members.end(), [](Value member) { return member.key().starts_with(kPrefix); });
}

std::string in_short(const Expression& expression) {
  constexpr std::size_t kLongest = 60;
  const Value argument = expression.argument;
  std::string result = "!" + std::string(expression.function);
  const auto fits = [](std::string_view text) {
    return !text.empty() && text.size() <= kLongest && text.find('\n') == std::string_view::npos;
  };
  const Span span = argument.span();
  const bool is_list = argument.is_array() && !expression.is("GetAtt");
  const auto written = std::string_view(argument.document().source()).substr(span.begin, span.length());
  if (is_list && fits(written)) return result + " " + std::string(written);
  const std::string word = argument.is_array() && !is_list ? dotted(argument) : first_word(argument);
  return fits(word) ? result + " " + word : result;
}

}  // namespace bayplan::importers
