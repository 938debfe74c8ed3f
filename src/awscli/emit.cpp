#include "awscli/emit.hpp"

#include <fmt/core.h>

#include "base/strings.hpp"

namespace bayplan::awscli {

using text::Builder;
using text::Kind;
using text::Style;
using text::Value;

namespace {

Span moved(Span span, std::uint32_t shift) {
  return {span.begin + shift, span.end + shift};
}

const shape::Rule* member_rule(const shape::Rule* rule, std::string_view name) {
  if (rule == nullptr) return nullptr;
  if (const shape::Member* member = rule->find(name)) return member->rule;
  for (const auto* variant : rule->any_of) {
    if (const auto* found = member_rule(variant, name)) return found;
  }
  return rule->others;
}

/// Digits, with single underscores between them; nothing when Python's int() would refuse them.
std::optional<std::string> python_integer(std::string_view written) {
  std::string_view text = trim(written);
  std::string digits;
  if (!text.empty() && (text.front() == '-' || text.front() == '+')) {
    if (text.front() == '-') digits = "-";
    text.remove_prefix(1);
  }
  bool after_digit = false;
  std::string number;
  for (const char c : text) {
    const bool is_digit = c >= '0' && c <= '9';
    if (!is_digit && !(c == '_' && after_digit)) return std::nullopt;
    if (is_digit && !(c == '0' && number.empty())) number += c;
    after_digit = is_digit;
  }
  if (!after_digit) return std::nullopt;
  return number.empty() ? "0" : digits + number;
}

void emit_text(Builder& builder, const ShorthandValue& value, std::uint32_t shift) {
  builder.scalar(Kind::kString, Style::kPlain, builder.keep(value.text), moved(value.span, shift));
}

void emit_scalar(Builder& builder, const ShorthandValue& value, const shape::Rule& rule, std::uint32_t shift,
                 const Refuse& refuse) {
  if (rule.types.has(Kind::kInteger)) return emit_integer(builder, value.text, moved(value.span, shift), refuse);
  const std::string word = lower(value.text);
  const bool is_flag = rule.types.has(Kind::kBoolean) && (word == "true" || word == "false");
  if (!is_flag) return emit_text(builder, value, shift);
  builder.scalar(Kind::kBoolean, Style::kPlain, word == "true" ? "true" : "false", moved(value.span, shift));
}

}  // namespace

void emit_integer(Builder& builder, std::string_view written, Span span, const Refuse& refuse) {
  const auto number = python_integer(written);
  if (!number) refuse(span.begin, fmt::format("'{}' is not a whole number", written), "");
  const std::string text = number.value_or("0");
  builder.scalar(to_integer(text) ? Kind::kInteger : Kind::kNumber, Style::kPlain, builder.keep(text), span);
}

std::vector<Value> effective_children(Value value) {
  std::vector<Value> effective;
  for (const Value child : value.children()) {
    if (!value.is_object() || value.find(child.key()) == child) effective.push_back(child);
  }
  return effective;
}

void emit_copy(Builder& builder, Value value, std::uint32_t shift) {
  if (!value.tag().empty()) builder.tag(std::string(value.tag()));
  if (!value.is_array() && !value.is_object()) {
    builder.scalar(value.kind(), value.style(), builder.keep(std::string(value.text())), moved(value.span(), shift));
    return;
  }
  builder.open(value.kind(), moved(value.opening(), shift));
  for (const Value child : effective_children(value)) {
    if (value.is_object()) {
      builder.key(builder.keep(std::string(child.key())), moved(child.key_span(), shift));
    }
    emit_copy(builder, child, shift);
  }
  builder.close(value.span().end + shift);
}

void emit_shorthand(Builder& builder, const ShorthandValue& value, const shape::Rule* rule, std::uint32_t shift,
                    const Refuse& refuse) {
  const bool wants_list = rule != nullptr && rule->types.has(Kind::kArray);
  if (value.kind == ShorthandValue::Kind::kText) {
    if (wants_list) {
      builder.open(Kind::kArray, moved({value.span.begin, value.span.begin}, shift));
      emit_text(builder, value, shift);
      builder.close(value.span.end + shift);
    } else if (rule != nullptr) {
      emit_scalar(builder, value, *rule, shift, refuse);
    } else {
      emit_text(builder, value, shift);
    }
    return;
  }
  const bool is_list = value.kind == ShorthandValue::Kind::kList;
  // The AWS CLI puts a lone object into the list and leaves its texts what they are.
  const bool is_wrapped = wants_list && !is_list;
  const Span opening = moved({value.span.begin, value.span.begin + 1}, shift);
  if (is_wrapped) builder.open(Kind::kArray, moved({value.span.begin, value.span.begin}, shift));
  builder.open(is_list ? Kind::kArray : Kind::kObject, opening);
  for (const auto& child : value.children) {
    const shape::Rule* inner = nullptr;
    if (rule != nullptr && !is_wrapped) inner = is_list ? rule->elements : member_rule(rule, child.key);
    if (!is_list) builder.key(builder.keep(child.key), moved(child.key_span, shift));
    emit_shorthand(builder, child, inner, shift, refuse);
  }
  builder.close(value.span.end + shift);
  if (is_wrapped) builder.close(value.span.end + shift);
}

}  // namespace bayplan::awscli
