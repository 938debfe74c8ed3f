#include "shape/check.hpp"

#include <algorithm>
#include <set>
#include <string_view>
#include <vector>

#include "base/ascii.hpp"
#include "base/edit_distance.hpp"
#include "base/strings.hpp"
#include "base/utf8.hpp"
#include "text/yaml_scalar.hpp"

namespace bayplan::shape {

namespace {

/// An object on the way from the root to the value at hand.
struct Step {
  const Rule* rule;
  std::string_view key;  ///< Key of the member that contains it, without lists; empty for the root.
};

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

/// Words such as `name` and `value` are members of many structures, so the intended one is unknown.
constexpr std::size_t kMostOwners = 3;

KeyHint misplaced(const Schema& schema, const std::vector<Step>& path, const FoldedKey& key) {
  for (auto step = path.rbegin() + 1; step < path.rend(); ++step) {
    const auto member = same_but_spelling(*step->rule, key);
    if (!member.empty() && schema.count_uses(member) <= kMostOwners) {
      return {HintKind::kMisplaced, std::string(member), {}, called(*step->rule)};
    }
  }
  KeyHint hint = found_inside(*path.back().rule, key);
  if (hint.kind == HintKind::kNone && path.size() > 1) {
    hint = found_inside(*path[path.size() - 2].rule, key);
  }
  return schema.count_uses(hint.member) <= kMostOwners ? hint : KeyHint{};
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

/// What was meant by `key`, which the innermost object of `path` does not have.
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

}  // namespace

using text::Kind;
using text::Value;

std::string_view name_of(Problem problem) {
  switch (problem) {
    case Problem::kUnknownKey:
      return "unknown key";
    case Problem::kMissing:
      return "missing";
    case Problem::kNull:
      return "null";
    case Problem::kStringForInteger:
      return "string for integer";
    case Problem::kScalarForString:
      return "scalar for string";
    case Problem::kFractionForInteger:
      return "fraction for integer";
    case Problem::kOutOfRange:
      return "out of range";
    case Problem::kNotAList:
      return "not a list";
    case Problem::kMapInList:
      return "map in list";
    case Problem::kWrongType:
      return "wrong type";
    case Problem::kNotInEnum:
      return "not in enum";
    case Problem::kTooFewItems:
      return "too few items";
    case Problem::kTooManyItems:
      return "too many items";
    case Problem::kTooShort:
      return "too short";
    case Problem::kTooLong:
      return "too long";
    case Problem::kPattern:
      return "pattern";
    case Problem::kPlainWord:
      return "plain word";
    case Problem::kEmpty:
      return "empty";
  }
  return "fault";
}

std::string_view article_and_name(Kind kind) {
  switch (kind) {
    case Kind::kNull:
      return "null";
    case Kind::kBoolean:
      return "a boolean";
    case Kind::kInteger:
      return "an integer";
    case Kind::kNumber:
      return "a number";
    case Kind::kString:
      return "a string";
    case Kind::kPlaceholder:
      return "a placeholder";
    case Kind::kArray:
      return "a list";
    case Kind::kObject:
      return "an object";
    case Kind::kAbsent:
      return "nothing";
  }
  return "a value";
}

namespace {

std::string list_type(const Rule& rule) {
  const Rule* elements = rule.elements;
  if (elements == nullptr || elements->types.any()) return "a list";
  for (const auto& [kind, name] :
       {std::pair{Kind::kObject, "objects"}, {Kind::kString, "strings"}, {Kind::kInteger, "integers"}}) {
    if (elements->types.only(kind)) return std::string("a list of ") + name;
  }
  return "a list";
}

bool is_scalar(Value value) {
  return !value.is_object() && !value.is_array();
}

/// Returns how YAML reads the text without quotes.
text::OtherReading other_reading_of(Value value) {
  const bool is_plain = value.is_string() && value.style() == text::Style::kPlain;
  return is_plain ? text::other_reading(value.text()) : text::OtherReading::kNone;
}

bool is_empty(Value value) {
  return value.is_string() ? value.text().empty() : !is_scalar(value) && value.size() == 0;
}

}  // namespace

std::string wanted_type(const Rule& rule) {
  std::vector<std::string> names;
  const auto add = [&](std::string name) {
    if (std::find(names.begin(), names.end(), name) == names.end()) names.push_back(std::move(name));
  };
  for (const Rule* branch : rule.any_of) add(wanted_type(*branch));
  const bool any_number = rule.types.has(Kind::kNumber);
  for (const Kind kind : {Kind::kString, Kind::kInteger, Kind::kNumber, Kind::kBoolean, Kind::kArray, Kind::kObject}) {
    if (!rule.types.has(kind) || (kind == Kind::kInteger && any_number)) continue;
    add(kind == Kind::kArray ? list_type(rule) : std::string(article_and_name(kind)));
  }
  std::vector<std::string_view> views(names.begin(), names.end());
  return one_of(views);
}

namespace {

class Checker {
 public:
  Checker(const Schema& schema, const model::Placeholders& placeholders)
      : schema_(schema), placeholders_(placeholders) {}

  void value(const Rule& rule, Value at) {
    if (placeholders_.holds(at)) return;
    if (!rule.any_of.empty()) return branches(rule, at);
    if (!rule.types.any() && !rule.types.has(at.kind())) return type(rule, at);
    if (rule.empty != Empty::kFine && is_empty(at)) {
      report(Problem::kEmpty, rule, at);
      return;
    }
    switch (at.kind()) {
      case Kind::kObject:
        return object(rule, at);
      case Kind::kArray:
        return array(rule, at);
      case Kind::kString:
        return string(rule, at);
      case Kind::kInteger:
        return integer(rule, at);
      case Kind::kNumber:
        return number(rule, at);
      default:
        return;
    }
  }

  std::vector<ShapeFinding> take() && {
    std::stable_sort(found_.begin(), found_.end(),
                     [](const auto& a, const auto& b) { return a.node.index() < b.node.index(); });
    return std::move(found_);
  }

 private:
  ShapeFinding& report(Problem problem, const Rule& rule, Value at) {
    Value keyed = at;
    while (keyed.key().empty() && keyed.parent()) keyed = keyed.parent();
    return found_.emplace_back(ShapeFinding{.problem = problem, .node = at, .key = keyed.key(), .wanted = &rule});
  }

  /// The branch for a value is the first whose type it has and whose required members it has; its faults are reported.
  void branches(const Rule& rule, Value at) {
    const Rule* chosen = nullptr;
    for (const Rule* branch : rule.any_of) {
      if (!branch->types.any() && !branch->types.has(at.kind())) continue;
      if (chosen == nullptr) chosen = branch;
      const bool complete =
          std::all_of(branch->required.begin(), branch->required.end(), [&](auto key) { return at.find(key); });
      if (complete) {
        chosen = branch;
        break;
      }
    }
    if (chosen == nullptr) {
      type(rule, at);
    } else {
      value(*chosen, at);
    }
  }

  void type(const Rule& rule, Value at) { report(type_problem(rule, at), rule, at); }

  static Problem type_problem(const Rule& rule, Value at) {
    const Kind kind = at.kind();
    if (kind == Kind::kNull) return Problem::kNull;
    if (rule.types.has(Kind::kString) && is_scalar(at)) return Problem::kScalarForString;
    if (rule.types.has(Kind::kInteger) && kind == Kind::kNumber) return Problem::kFractionForInteger;
    if (rule.types.has(Kind::kInteger) && other_reading_of(at) == text::OtherReading::kInteger)
      return Problem::kPlainWord;
    if (rule.types.has(Kind::kInteger) && at.is_string() && to_integer(trim(at.text())))
      return Problem::kStringForInteger;
    if (rule.types.only(Kind::kArray)) return Problem::kNotAList;
    return Problem::kWrongType;
  }

  void object(const Rule& rule, Value at) {
    const auto first = static_cast<std::ptrdiff_t>(found_.size());
    path_.push_back({&rule, at.key()});
    for (const Value member : at.children()) this->member(rule, member);
    path_.pop_back();
    for (const auto key : rule.required) {
      if (!at.find(key) && !has_other_spelling(at, key, first)) report(Problem::kMissing, rule, at).key = key;
    }
  }

  void member(const Rule& rule, Value at) {
    if (const Member* known = rule.find(at.key())) return value(*known->rule, at);
    if (rule.others != nullptr) return value(*rule.others, at);
    if (!rule.closed || (placeholders_.find(at.key()) && !schema_.is_editor_note(at.key()))) return;
    auto& finding = report(Problem::kUnknownKey, rule, at);
    finding.key = at.key();
    finding.hint = key_hint(schema_, path_, at.key());
  }

  /// An unknown key was already reported as a misspelling of this member: that it is missing would be the same fault
  /// again. What was found in the object begins at `first`: a list may hold a hundred thousand like it.
  bool has_other_spelling(Value object, std::string_view key, std::ptrdiff_t first) const {
    return std::any_of(found_.begin() + first, found_.end(), [&](const ShapeFinding& one) {
      const auto kind = one.hint.kind;
      return one.problem == Problem::kUnknownKey && one.node.parent() == object && one.hint.member == key &&
             (kind == HintKind::kSpelling || kind == HintKind::kAlias || kind == HintKind::kNear);
    });
  }

  void array(const Rule& rule, Value at) {
    const auto size = static_cast<std::int64_t>(at.size());
    if (rule.min_items && size < *rule.min_items) report(Problem::kTooFewItems, rule, at);
    if (rule.max_items && size > *rule.max_items) report(Problem::kTooManyItems, rule, at);
    if (rule.elements == nullptr) return;
    for (const Value element : at.children()) {
      if (rule.elements->types.only(Kind::kObject) && is_scalar(element) && !element.is_null() &&
          !placeholders_.holds(element)) {
        report(Problem::kNotAList, rule, element);  // one telling is enough for a list of strings in place of objects
        return;
      }
      value(*rule.elements, element);
    }
  }

  void string(const Rule& rule, Value at) {
    const auto text = at.text();
    if (rule.types.only(Kind::kString) && rule.values.empty() && other_reading_of(at) != text::OtherReading::kNone)
      report(Problem::kPlainWord, rule, at);
    if (!rule.values.empty() && std::find(rule.values.begin(), rule.values.end(), text) == rule.values.end()) {
      auto& finding = report(Problem::kNotInEnum, rule, at);
      finding.nearest = nearest(trim(text), rule.values).value_or(std::string_view());
    }
    if (rule.pattern && !rule.pattern->get().matches_part(text)) report(Problem::kPattern, rule, at);
    if (!rule.min_length && !rule.max_length) return;
    const auto length = static_cast<std::int64_t>(code_points(text));
    if (rule.min_length && length < *rule.min_length) report(Problem::kTooShort, rule, at);
    if (rule.max_length && length > *rule.max_length) report(Problem::kTooLong, rule, at);
  }

  void integer(const Rule& rule, Value at) {
    const auto number = at.integer().value_or(0);
    if ((rule.minimum && number < *rule.minimum) || (rule.maximum && number > *rule.maximum))
      report(Problem::kOutOfRange, rule, at);
  }

  /// What no double holds, such as 1e999 or .inf in YAML, is in no range.
  void number(const Rule& rule, Value at) {
    if (!rule.minimum && !rule.maximum) return;
    const auto number = to_number(at.text());
    if (!number || (rule.minimum && *number < static_cast<double>(*rule.minimum)) ||
        (rule.maximum && *number > static_cast<double>(*rule.maximum)))
      report(Problem::kOutOfRange, rule, at);
  }

  const Schema& schema_;
  const model::Placeholders& placeholders_;
  std::vector<Step> path_;
  std::vector<ShapeFinding> found_;
};

}  // namespace

std::vector<ShapeFinding> check(const Schema& schema, const Rule& rule, Value value,
                                const model::Placeholders& placeholders) {
  Checker checker(schema, placeholders);
  checker.value(rule, value);
  return std::move(checker).take();
}

}  // namespace bayplan::shape
