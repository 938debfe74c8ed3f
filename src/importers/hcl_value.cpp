#include "importers/hcl_value.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include <fmt/core.h>

#include "base/json_writer.hpp"
#include "base/strings.hpp"

namespace bayplan::importers {

using Kind = HclValue::Kind;

const HclValue* HclValue::find(std::string_view key) const {
  const auto found = std::find_if(members.begin(), members.end(), [&](const Member& one) { return one.key == key; });
  return kind == Kind::kObject && found != members.end() ? found->value.get() : nullptr;
}

HclValuePtr unknown_value(std::string because) {
  return std::make_shared<HclValue>(HclValue{.kind = Kind::kUnknown, .text = std::move(because)});
}

HclValuePtr unknown_origin(std::string origin) {
  return std::make_shared<HclValue>(HclValue{.kind = Kind::kUnknown, .text = std::move(origin), .is_origin = true});
}

HclValuePtr null_value() {
  return std::make_shared<HclValue>(HclValue{.kind = Kind::kNull});
}

HclValuePtr boolean_value(bool value) {
  return std::make_shared<HclValue>(HclValue{.kind = Kind::kBoolean, .boolean = value});
}

HclValuePtr number_value(double value) {
  constexpr double kExact = 9007199254740992.0;  // Above 2^53 not every integer is a double.
  const bool is_integer = std::abs(value) < kExact && value == std::floor(value);
  std::string text = is_integer ? std::to_string(static_cast<std::int64_t>(value)) : fmt::format("{}", value);
  if (!std::isfinite(value)) return unknown_value("number");
  return std::make_shared<HclValue>(HclValue{.kind = Kind::kNumber, .text = std::move(text)});
}

HclValuePtr string_value(std::string text, bool is_whole) {
  return std::make_shared<HclValue>(HclValue{.kind = Kind::kString, .is_whole = is_whole, .text = std::move(text)});
}

HclValuePtr list_value(std::vector<HclValuePtr> elements) {
  HclValue list{.kind = Kind::kList};
  list.members.reserve(elements.size());
  for (auto& element : elements) list.members.push_back({{}, {}, std::move(element)});
  return std::make_shared<HclValue>(std::move(list));
}

HclValuePtr object_value(std::vector<HclValue::Member> members) {
  return std::make_shared<HclValue>(HclValue{.kind = Kind::kObject, .members = std::move(members)});
}

std::optional<double> number_of(const HclValue& value) {
  const bool may_be = value.is(Kind::kNumber) || (value.is(Kind::kString) && value.is_whole);
  if (!may_be || value.text.empty()) return std::nullopt;
  return to_number(value.text);
}

std::optional<bool> boolean_of(const HclValue& value) {
  if (value.is(Kind::kBoolean)) return value.boolean;
  if (!value.is(Kind::kString) || !value.is_whole) return std::nullopt;
  if (value.text == "true") return true;
  return value.text == "false" ? std::optional(false) : std::nullopt;
}

std::optional<std::string> text_of(const HclValue& value) {
  if (value.is(Kind::kBoolean)) return value.boolean ? "true" : "false";
  const bool is_text = value.is(Kind::kNumber) || (value.is(Kind::kString) && value.is_whole);
  return is_text ? std::optional(value.text) : std::nullopt;
}

bool is_all_known(const HclValue& value) {
  if (value.is(Kind::kUnknown) || !value.is_whole) return false;
  return std::all_of(value.members.begin(), value.members.end(),
                     [](const HclValue::Member& one) { return is_all_known(*one.value); });
}

std::optional<bool> are_equal(const HclValue& a, const HclValue& b) {
  if (!is_all_known(a) || !is_all_known(b)) return std::nullopt;
  if (a.kind != b.kind || a.members.size() != b.members.size()) return false;
  switch (a.kind) {
    case Kind::kBoolean:
      return a.boolean == b.boolean;
    case Kind::kNumber:
      return number_of(a) == number_of(b);
    case Kind::kString:
      return a.text == b.text;
    case Kind::kList:
      for (std::size_t i = 0; i < a.members.size(); ++i) {
        if (are_equal(*a.members[i].value, *b.members[i].value) != true) return false;
      }
      return true;
    case Kind::kObject:
      for (const auto& member : a.members) {
        const HclValue* other = b.find(member.key);
        if (other == nullptr || are_equal(*member.value, *other) != true) return false;
      }
      return true;
    default:
      return true;
  }
}

namespace {

/// A string as JSON writes it, between quotes.
void append_json_string(std::string_view text, std::string& json) {
  json += '"';
  for (const char c : text) {
    if (c == '"' || c == '\\') {
      json += '\\';
      json += c;
    } else if (c == '\n') {
      json += "\\n";
    } else if (static_cast<unsigned char>(c) < 0x20) {
      json += fmt::format("\\u{:04x}", static_cast<unsigned>(c));
    } else {
      json += c;
    }
  }
  json += '"';
}

}  // namespace

std::string placeholder_for(const HclValue& value) {
  std::string words = value.is(Kind::kUnknown) ? value.text : "expression";
  std::erase_if(words, [](char c) { return std::string_view("\"\\{}$").find(c) != std::string_view::npos; });
  return "${" + words + "}";
}

void append_json(const HclValue& value, std::string& json) {
  switch (value.kind) {
    case Kind::kUnknown:
      json += placeholder_for(value);
      return;
    case Kind::kNull:
      json += "null";
      return;
    case Kind::kBoolean:
      json += value.boolean ? "true" : "false";
      return;
    case Kind::kNumber:
      json += value.text;
      return;
    case Kind::kString:
      append_json_string(value.text, json);
      return;
    case Kind::kList:
    case Kind::kObject: {
      const bool is_object = value.is(Kind::kObject);
      json += is_object ? '{' : '[';
      bool is_first = true;
      for (const auto& member : value.members) {
        if (!std::exchange(is_first, false)) json += ',';
        if (is_object) {
          append_json_string(member.key, json);
          json += ':';
        }
        append_json(*member.value, json);
      }
      json += is_object ? '}' : ']';
      return;
    }
  }
}

std::string words_of_expression(std::string_view source) {
  constexpr std::size_t kLongest = 120;
  const auto is_plain = [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
           std::string_view("_-.[]*").find(c) != std::string_view::npos;
  };
  const auto end = static_cast<std::size_t>(std::find_if_not(source.begin(), source.end(), is_plain) - source.begin());
  if (end == source.size() && end > 0 && end <= kLongest) return std::string(source);
  const auto name = source.substr(0, std::min(source.find_first_of("[]*"), end));
  return name.empty() || name.size() > kLongest ? "expression" : std::string(name);
}

}  // namespace bayplan::importers
