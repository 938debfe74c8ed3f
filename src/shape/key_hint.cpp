#include "shape/key_hint.hpp"

#include <algorithm>
#include <set>

#include "base/ascii.hpp"
#include "base/edit_distance.hpp"
#include "base/strings.hpp"

namespace bayplan::shape {
namespace {

/// A key in lower case without `_` and `-`: container_definitions and ContainerDefinitions are one word. Typographic
/// quotes, which YAML takes for letters, go too.
struct FoldedKey {
  std::string text;

  explicit FoldedKey(std::string_view key) : text(lower(key)) {
    for (const std::string_view quote : {"\u201C", "\u201D", "\u2018", "\u2019"}) {
      for (auto at = text.find(quote); at != std::string::npos; at = text.find(quote)) text.erase(at, quote.size());
    }
    std::erase_if(text, is_joint);
  }

  /// Whether a name of the schema, folded, is this key. A file may have a hundred thousand keys: nothing is copied.
  bool is(std::string_view name) const {
    std::size_t at = 0;
    for (const char c : name) {
      if (is_joint(c)) continue;
      if (at == text.size() || (is_upper(c) ? static_cast<char>(c - 'A' + 'a') : c) != text[at]) return false;
      ++at;
    }
    return at == text.size();
  }

 private:
  static bool is_joint(char c) { return c == '_' || c == '-'; }
};

std::string_view same_but_spelling(const Rule& rule, const FoldedKey& key) {
  const auto found =
      std::find_if(rule.members.begin(), rule.members.end(), [&](const Member& member) { return key.is(member.name); });
  return found == rule.members.end() ? std::string_view() : found->name;
}

/// The object that a member holds, directly or as list elements.
const Rule* structure_of(const Rule* rule) {
  while (rule->elements != nullptr) rule = rule->elements;
  return rule->members.empty() ? nullptr : rule;
}

std::string called(const Rule& rule) {
  return rule.title.empty() ? "another object" : "the " + std::string(rule.title);
}

/// The structures inside a rule, nearest first; the first is the rule itself.
class Structures {
 public:
  struct Place {
    const Rule* rule;
    std::size_t parent;
    const Member* by;  ///< The parent's member that holds it; none of the first.
  };

  explicit Structures(const Rule& rule) : places_{{&rule, 0, nullptr}} {
    std::set<const Rule*> seen{&rule};
    for (std::size_t i = 0; i < places_.size(); ++i) {
      for (const auto& inner : places_[i].rule->members) {
        const Rule* structure = structure_of(inner.rule);
        if (structure != nullptr && seen.insert(structure).second) places_.push_back({structure, i, &inner});
      }
    }
  }

  const std::vector<Place>& all() const { return places_; }

  /// "containerDefinitions[].healthCheck"
  std::string path(const Place& place) const {
    if (place.by == nullptr) return {};
    std::string above = path(places_[place.parent]);
    if (!above.empty()) above += '.';
    return above + std::string(place.by->name) + (place.by->rule->elements != nullptr ? "[]" : "");
  }

 private:
  std::vector<Place> places_;
};

/// Looks for `key` in the structures inside `rule`, nearest first; gives the path of the one that has it.
KeyHint found_inside(const Rule& rule, const FoldedKey& key) {
  const Structures structures(rule);
  for (const auto& place : structures.all()) {
    if (place.by == nullptr) continue;
    const auto member = same_but_spelling(*place.rule, key);
    if (!member.empty()) return {HintKind::kMisplaced, std::string(member), {}, structures.path(place)};
  }
  return {};
}

/// Words such as `name` and `value` are members of so many structures that their owner cannot be told.
constexpr std::size_t kMostOwners = 3;

KeyHint misplaced(const Schema& schema, const std::vector<Step>& path, const FoldedKey& key) {
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
  const FoldedKey folded(key);
  if (schema.is_editor_note(key)) return {HintKind::kEditorNote, {}, {}, {}};
  if (path.size() == 1) {
    if (auto hint = of_the_root(schema, key); hint.kind != HintKind::kNone) return hint;
  }
  if (const auto member = same_but_spelling(rule, folded); !member.empty())
    return {HintKind::kSpelling, std::string(member), {}, {}};
  if (auto hint = alias(rule, key); hint.kind != HintKind::kNone) return hint;
  if (auto hint = misplaced(schema, path, folded); hint.kind != HintKind::kNone) return hint;
  if (auto hint = near_miss(rule, key); hint.kind != HintKind::kNone) return hint;
  if (auto hint = found_inside(schema.root(), folded); hint.kind != HintKind::kNone) {
    hint.kind = HintKind::kElsewhere;
    return hint;
  }
  return {};
}

}  // namespace bayplan::shape
