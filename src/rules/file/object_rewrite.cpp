#include <algorithm>
#include <set>

#include "base/json_writer.hpp"
#include "base/strings.hpp"
#include "rules/container/health_command.hpp"
#include "rules/file/list_rewrite.hpp"
#include "rules/file/reshape.hpp"
#include "rules/file/written_list.hpp"
#include "text/removal.hpp"

namespace bayplan::rules {
namespace {

using text::Kind;
using text::Value;

Rewrite with_reshape(std::string text, Reshape edits) {
  return {std::move(text), true, edits ? std::move(*edits) : std::vector<Edit>()};
}

bool is_health_check(const shape::Rule& rule) {
  return rule.find("retries") != nullptr && rule.find("startPeriod") != nullptr;
}

bool is_map_of_strings(const shape::Rule& rule) {
  return rule.members.empty() && rule.others != nullptr && rule.others->types.only(Kind::kString);
}

bool holds_strings(Value list) {
  const auto words = list.children();
  return list.size() > 0 && std::all_of(words.begin(), words.end(), [](Value word) { return word.is_string(); });
}

/// The health check is only its command, in one string or as a list.
std::optional<Rewrite> health_check(Value value, MemberSpelling spelling) {
  std::vector<std::string> words;
  if (value.is_array() && holds_strings(value)) {
    for (const Value word : value.children()) words.emplace_back(word.text());
  }
  if (!value.is_string() && words.empty()) return std::nullopt;
  const auto command = read_health_command(value.is_string() ? value.text() : json_list(words));
  if (!command) return std::nullopt;
  const std::string text = "{\"command\": " + json_list(command->words) + "}";
  if (value.is_array() && words != command->words) return Rewrite{text, false, {}};
  const std::string key = spelling == MemberSpelling::kApi ? "command" : "Command";
  auto result = with_reshape(text, value.is_array()
                                       ? put_in_object(value, key)
                                       : replace_scalar(value, "{\"" + key + "\": " + json_list(command->words) + "}"));
  result.complete = command->certain;
  return result;
}

bool is_plain_scalar(Value value) {
  return value && !value.is_object() && !value.is_array() && !value.is_null() && value.kind() != Kind::kPlaceholder;
}

Value find_ignoring_case(Value object, std::string_view key) {
  for (const Value member : object.children()) {
    if (equal_ignoring_case(member.key(), key)) return member;
  }
  return {};
}

using MapMember = std::pair<std::string, NewMember>;

/// `{"name": "A", "value": "1"}` or "A=1".
std::optional<MapMember> read_named_value(Value element) {
  if (element.is_string()) {
    const auto text = element.text();
    const auto equals = text.find('=');
    if (equals == 0 || equals == std::string_view::npos) return std::nullopt;
    return MapMember{text.substr(0, equals), NewMember{{}, std::string(text.substr(equals + 1))}};
  }
  if (!element.is_object() || element.size() != 2) return std::nullopt;
  Value name = find_ignoring_case(element, "name");
  if (!name) name = find_ignoring_case(element, "key");
  const Value value = find_ignoring_case(element, "value");
  if (!is_plain_scalar(name) || !is_plain_scalar(value)) return std::nullopt;
  NewMember member{{}, std::string(value.text())};
  if (value.is_string()) member.source = text::find_source(value);
  return MapMember{name.text(), std::move(member)};
}

std::optional<Rewrite> map_of_pairs(Value list) {
  std::vector<MapMember> members;
  std::set<std::string> names;
  NewObject object;
  for (const Value element : list.children()) {
    auto member = read_named_value(element);
    if (!member || !names.insert(member->first).second) return std::nullopt;
    members.push_back(std::move(*member));
  }
  for (const auto& [name, value] : members) object.push_back({name, value.text});
  return with_reshape(as_json(object), list_to_map(list, members));
}

/// A map of its own, or half of a name and its value?
bool may_be_half_a_pair(Value element) {
  const auto members = element.children();
  return std::any_of(members.begin(), members.end(), [](Value member) {
    const std::string key = lower(member.key());
    return key == "name" || key == "key" || key == "value";
  });
}

}  // namespace

std::optional<Rewrite> as_object(const shape::ShapeFinding& finding, MemberSpelling spelling) {
  const Value value = finding.node;
  const auto& wanted = *finding.wanted;
  if (wanted.types.only(Kind::kObject) && is_health_check(wanted)) {
    if (auto result = health_check(value, spelling)) return result;
  }
  if (!value.is_array() || value.size() == 0) return std::nullopt;
  if (is_map_of_strings(wanted)) {
    if (auto result = map_of_pairs(value)) return result;
    if (may_be_half_a_pair(value.at(0))) return std::nullopt;
  }
  if (value.size() != 1 || !wanted.types.has(value.at(0).kind())) return std::nullopt;
  return with_reshape(std::string(text::find_source(value.at(0))), take_out_of_list(value));
}

}  // namespace bayplan::rules
