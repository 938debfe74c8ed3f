#include "shape/key_hint.hpp"

#include <algorithm>
#include <set>

#include "base/edit_distance.hpp"
#include "base/strings.hpp"

namespace bayplan::shape {
namespace {

/// Lower case without `_` and `-`: container_definitions and ContainerDefinitions are one word. Typographic quotes,
/// which YAML takes for letters, go too.
std::string folded(std::string_view key) {
  std::string result = lower(key);
  for (const std::string_view quote : {"\u201C", "\u201D", "\u2018", "\u2019"}) {
    for (auto at = result.find(quote); at != std::string::npos; at = result.find(quote)) result.erase(at, quote.size());
  }
  std::erase_if(result, [](char c) { return c == '_' || c == '-'; });
  return result;
}

std::string_view same_but_spelling(const Rule& rule, std::string_view key) {
  const std::string wanted = folded(key);
  for (const auto& member : rule.members) {
    if (folded(member.name) == wanted) return member.name;
  }
  return {};
}

/// The object that a member holds, directly or as list elements.
const Rule* structure_of(const Rule* rule) {
  while (rule->elements != nullptr) rule = rule->elements;
  return rule->members.empty() ? nullptr : rule;
}

std::string called(const Rule& rule) {
  return rule.title.empty() ? "another object" : "the " + std::string(rule.title);
}

/// Looks for `key` in the structures inside `rule`, nearest first; gives the path of the one that has it.
KeyHint found_inside(const Rule& rule, std::string_view key) {
  struct Place {
    const Rule* rule;
    std::string path;
  };
  std::vector<Place> queue{{&rule, ""}};
  std::set<const Rule*> seen{&rule};
  for (std::size_t i = 0; i < queue.size(); ++i) {
    const Place at = queue[i];
    const auto member = i == 0 ? std::string_view() : same_but_spelling(*at.rule, key);
    if (!member.empty()) return {HintKind::kMisplaced, std::string(member), {}, at.path};
    for (const auto& inner : at.rule->members) {
      const Rule* structure = structure_of(inner.rule);
      if (structure == nullptr || !seen.insert(structure).second) continue;
      const auto list = inner.rule->elements != nullptr ? "[]" : "";
      queue.push_back({structure, at.path + (at.path.empty() ? "" : ".") + std::string(inner.name) + list});
    }
  }
  return {};
}

/// Words such as `name` and `value` are members of so many structures that their owner cannot be told.
constexpr std::size_t kMostOwners = 3;

KeyHint misplaced(const Schema& schema, const std::vector<Step>& path, std::string_view key) {
  for (auto step = path.rbegin() + 1; step < path.rend(); ++step) {
    const auto member = same_but_spelling(*step->rule, key);
    if (!member.empty() && schema.uses_of(member) <= kMostOwners) {
      return {HintKind::kMisplaced, std::string(member), {}, called(*step->rule)};
    }
  }
  KeyHint hint = found_inside(*path.back().rule, key);
  if (hint.kind == HintKind::kNone && path.size() > 1) {
    hint = found_inside(*path[path.size() - 2].rule, key);
  }
  return schema.uses_of(hint.member) <= kMostOwners ? hint : KeyHint{};
}

KeyHint alias(const Rule& rule, std::string_view key) {
  for (const auto& [written, meant] : rule.aliases) {
    if (!equal_ignoring_case(written, key)) continue;
    const auto form =
        meant.find_first_of("[{", meant.find(' ') == std::string_view::npos ? meant.size() : meant.find(' '));
    if (form == std::string_view::npos) return {HintKind::kAlias, std::string(meant), {}, {}};
    return {HintKind::kAlias, std::string(trim(meant.substr(0, form))), std::string(meant.substr(form)), {}};
  }
  return {};
}

KeyHint near_miss(const Rule& rule, std::string_view key) {
  std::vector<std::string_view> names;
  for (const auto& member : rule.members) names.push_back(member.name);
  const auto found = nearest(key, names);
  return found ? KeyHint{HintKind::kNear, std::string(*found), {}, {}} : KeyHint{};
}

KeyHint of_the_root(const Schema& schema, std::string_view key) {
  const auto& response = schema.response_only();
  if (std::find(response.begin(), response.end(), key) != response.end()) return {HintKind::kResponseOnly, {}, {}, {}};
  const auto request = schema.belongs_to().find(key);
  if (request != schema.belongs_to().end()) return {HintKind::kOtherRequest, {}, {}, std::string(request->second)};
  return {};
}

}  // namespace

KeyHint key_hint(const Schema& schema, const std::vector<Step>& path, std::string_view key) {
  const Rule& rule = *path.back().rule;
  if (schema.is_editor_note(key)) return {HintKind::kEditorNote, {}, {}, {}};
  if (path.size() == 1) {
    if (auto hint = of_the_root(schema, key); hint.kind != HintKind::kNone) return hint;
  }
  if (const auto member = same_but_spelling(rule, key); !member.empty())
    return {HintKind::kSpelling, std::string(member), {}, {}};
  if (auto hint = alias(rule, key); hint.kind != HintKind::kNone) return hint;
  if (auto hint = misplaced(schema, path, key); hint.kind != HintKind::kNone) return hint;
  if (auto hint = near_miss(rule, key); hint.kind != HintKind::kNone) return hint;
  if (auto hint = found_inside(schema.root(), key); hint.kind != HintKind::kNone) {
    hint.kind = HintKind::kElsewhere;
    return hint;
  }
  return {};
}

}  // namespace bayplan::shape
