#include "lint/config/contradictions.hpp"

#include <algorithm>
#include <vector>

#include <fmt/core.h>

#include "base/ascii.hpp"
#include "base/strings.hpp"

namespace bayplan::lint {
namespace {

using rules::HouseRule;
using rules::PathStep;
using rules::ValuePath;
using rules::ValueTest;
using text::Kind;
using text::Value;

bool is_each_one(const PathStep& step) {
  return step.kind == PathStep::Kind::kEachOne;
}

bool is_member(const PathStep& step) {
  return step.kind == PathStep::Kind::kMember;
}

bool requires_absence(const ValueTest& test) {
  return test.is_present == false;
}

bool allows_absence(const ValueTest& test) {
  if (test.is_present) return !*test.is_present;
  return test.or_absent || (!test.needs_value() && test.min_count.value_or(0) <= 0);
}

/// Whether a value may pass that has this text. Sizes may have a unit: `1 vCPU` is a number.
bool may_pass(const ValueTest& test, const std::string& text) {
  if (test.in && std::find(test.in->begin(), test.in->end(), text) == test.in->end()) return false;
  if (std::find(test.not_in.begin(), test.not_in.end(), text) != test.not_in.end()) return false;
  if (test.matches && !test.matches->pattern.matches_part(text)) return false;
  if (test.not_matches && test.not_matches->pattern.matches_part(text)) return false;
  const bool is_size = !text.empty() && is_digit(text.front());
  const auto number = to_integer(text);
  if (!number) return is_size || (!test.min && !test.max);
  return (!test.min || *number >= *test.min) && (!test.max || *number <= *test.max);
}

template <class T>
std::optional<T> larger(const std::optional<T>& a, const std::optional<T>& b) {
  return a && b ? std::max(a, b) : a ? a : b;
}

template <class T>
std::optional<T> smaller(const std::optional<T>& a, const std::optional<T>& b) {
  return a && b ? std::min(a, b) : a ? a : b;
}

/// Why no value passes both tests; empty if some value may. Two different patterns are not compared: a text may match
/// both.
std::optional<std::string> find_clash(const ValueTest& a, const ValueTest& b) {
  if (allows_absence(a) && allows_absence(b)) return std::nullopt;
  if (requires_absence(a) || requires_absence(b)) return "one requires a value and the other one none";
  for (const auto* in : {&a.in, &b.in}) {
    if (!*in) continue;
    const auto passes_both = [&](const std::string& text) { return may_pass(a, text) && may_pass(b, text); };
    if (std::none_of((*in)->begin(), (*in)->end(), passes_both))
      return fmt::format("'{}' passes only one of them", join(**in, "' or '"));
  }
  const auto least = larger(a.min, b.min);
  const auto most = smaller(a.max, b.max);
  if (least && most && *least > *most) return fmt::format("no value is at least {} and at most {}", *least, *most);
  const auto fewest = larger(a.min_count, b.min_count);
  const auto most_entries = smaller(a.max_count, b.max_count);
  if (fewest && most_entries && *fewest > *most_entries)
    return fmt::format("no list has at least {} and at most {} entries", *fewest, *most_entries);
  const auto excludes = [](const ValueTest& one, const ValueTest& other) {
    return one.matches && other.not_matches && one.matches->text == other.not_matches->text;
  };
  if (excludes(a, b) || excludes(b, a)) return "one requires the pattern that the other one forbids";
  return std::nullopt;
}

/// Whether two steps can lead to one value: `[*]` meets `[web]`, and `.key` is `["key"]`.
bool meet(const PathStep& a, const PathStep& b) {
  if (is_each_one(a)) return b.kind != PathStep::Kind::kMember;
  if (is_each_one(b)) return a.kind != PathStep::Kind::kMember;
  return a.name == b.name;
}

/// Whether the first path leads to the value of the second, or to one around it.
bool leads_to(const ValuePath& a, const ValuePath& b) {
  return a.steps.size() <= b.steps.size() && std::equal(a.steps.begin(), a.steps.end(), b.steps.begin(), meet);
}

bool has_each_one(const ValuePath& path, std::size_t from) {
  return std::any_of(path.steps.begin() + static_cast<std::ptrdiff_t>(from), path.steps.end(), is_each_one);
}

/// Why no definition passes both rules, where they read the same value.
std::optional<std::string> find_clash(const HouseRule& a, const HouseRule& b) {
  if (!leads_to(a.path, b.path)) return std::nullopt;
  if (a.path.steps.size() == b.path.steps.size()) return find_clash(a.require, b.require);
  // A list that is absent has no element to check.
  const bool needs_it = !has_each_one(b.path, a.path.steps.size()) && !allows_absence(b.require);
  if (!needs_it || !requires_absence(a.require)) return std::nullopt;
  return fmt::format("without {} there is no {}", a.path.text, b.path.text);
}

/// ECS rejects other spellings of a value, so they never occur.
void check_values(const std::vector<std::string>& texts, Value written, const shape::Rule& rule,
                  shape::Sources& sources) {
  for (std::size_t i = 0; i < texts.size(); ++i) {
    const std::string& text = texts[i];
    const auto is_same = [&](std::string_view one) { return equal_ignoring_case(one, text); };
    const auto same = std::find_if(rule.values.begin(), rule.values.end(), is_same);
    const bool is_known = std::find(rule.values.begin(), rule.values.end(), text) != rule.values.end();
    const bool is_word = std::all_of(text.begin(), text.end(),
                                     [](char c) { return is_letter(c) || is_digit(c) || c == '_' || c == '-'; });
    if (is_known || (same == rule.values.end() && !(rule.fixed && is_word))) continue;
    sources.fail(written.is_array() ? written.at(i) : written, fmt::format("ECS has no value '{}' here", text),
                 same != rule.values.end() ? fmt::format("use {}", *same) : "must be " + one_of(rule.values));
  }
}

/// What no value of the schema can be. Of ranges of numbers only rules know: in the API model they are those of any
/// integer.
void check_target(const ValueTest& test, Value object, const shape::Rule& rule, shape::Sources& sources) {
  const auto& types = rule.types;
  const bool is_collection = types.has(Kind::kArray) || types.has(Kind::kObject);
  const bool is_scalar =
      types.has(Kind::kString) || types.has(Kind::kInteger) || types.has(Kind::kNumber) || types.has(Kind::kBoolean);
  const bool compares_text = test.needs_value() || !test.not_in.empty() || test.not_matches;
  if (compares_text && is_collection && !is_scalar)
    return sources.fail(object,
                        types.has(Kind::kArray) ? "the path ends at a list, which has no text to compare"
                                                : "the path ends at an object, which has no text to compare",
                        types.has(Kind::kArray) ? "add [*] to the path for every element, or use minCount and maxCount"
                                                : "name one of its keys");
  if (test.counts() && !is_collection)
    return sources.fail(object, "the path ends at a single value, which has no entries to count",
                        "use min and max for its size");
  if ((test.min || test.max) && types.only(Kind::kBoolean))
    return sources.fail(object, "true and false have no size", "use equals");
  if (types.only(Kind::kBoolean) && test.in) {
    const bool is_bool =
        std::all_of(test.in->begin(), test.in->end(), [](const auto& one) { return one == "true" || one == "false"; });
    if (!is_bool) return sources.fail(object, "the value is true or false", "use equals: true");
  }
  if (test.min_count && rule.max_items && *test.min_count > *rule.max_items)
    return sources.fail(object.find("minCount"), fmt::format("ECS allows at most {} entries here", *rule.max_items));
  if (!rule.values.empty()) {
    if (test.in) check_values(*test.in, object.find("in") ? object.find("in") : object.find("equals"), rule, sources);
    // In the order of bind_test: notEquals, then notIn.
    if (const Value other = object.find("notEquals")) check_values({test.not_in.front()}, other, rule, sources);
    if (const Value list = object.find("notIn"))
      check_values({test.not_in.begin() + (object.find("notEquals") ? 1 : 0), test.not_in.end()}, list, rule, sources);
  }
}

}  // namespace

void check_test(const ValueTest& test, Value object, Target target, shape::Sources& sources) {
  const auto fail = [&](Value at, std::string message, std::string help = {}) {
    sources.fail(at, std::move(message), std::move(help));
  };
  const bool compares = test.needs_value() || test.counts() || !test.not_in.empty() || test.not_matches;
  if (object.find("present") && object.find("absent"))
    return fail(object.find("absent"), "present and absent contradict each other", "remove one of them");
  if (!test.is_present && !compares)
    return fail(object, "empty test", "add one of present, absent, equals, in, matches, min, max, minCount");
  if (requires_absence(test) && compares)
    return fail(object.find("absent"), "an absent value has nothing to compare", "remove absent or the rest");
  if (requires_absence(test) && test.or_absent)
    return fail(object.find("orAbsent"), "absent and orAbsent say the same", "remove one of them");
  if (test.is_present == true && test.or_absent)
    return fail(object.find("orAbsent"), "present and orAbsent contradict each other", "remove one of them");
  if (object.find("equals") && object.find("in"))
    return fail(object.find("in"), "equals and in say the same", "remove one of them");
  if (test.counts() && test.needs_value())
    return fail(object, "a value with entries has no text to compare", "make two rules of it");
  if (test.min && test.max && *test.min > *test.max)
    return fail(object.find("min"), fmt::format("no value is at least {} and at most {}", *test.min, *test.max));
  if (test.min_count && test.max_count && *test.min_count > *test.max_count)
    return fail(object.find("minCount"),
                fmt::format("no list has at least {} and at most {} entries", *test.min_count, *test.max_count));
  if (test.in && std::none_of(test.in->begin(), test.in->end(), [&](const auto& one) { return may_pass(test, one); }))
    return fail(object.find("in") ? object.find("in") : object.find("equals"),
                "none of the values passes the rest of the test");
  if (test.matches && test.not_matches && test.matches->text == test.not_matches->text)
    return fail(object.find("notMatches"), "matches and notMatches contradict each other");
  if (target.rule == nullptr || !target.rule->any_of.empty() || target.rule->types.any()) return;
  check_target(test, object, *target.rule, sources);
}

void check_fix(const HouseRule& rule, Value fix, Target target, shape::Sources& sources) {
  const ValueTest& test = rule.require;
  const std::string wanted = fmt::format("require says: {} {}", rule.path.text, test.in_words());
  const Value set = fix.find("set");
  if (!set) {
    // Of a list without the element nothing is left to check.
    if (is_each_one(rule.path.steps.back()) || allows_absence(test)) return;
    return sources.fail(fix.find("remove"), "a value that is removed does not pass the rule", wanted);
  }
  const std::string text = rules::scalar_text(set);
  if (requires_absence(test) || test.counts() || !may_pass(test, text))
    return sources.fail(set, fmt::format("'{}' does not pass the rule", text), wanted);
  if (target.rule != nullptr && !target.rule->values.empty()) check_values({text}, set, *target.rule, sources);
}

std::optional<std::string> never_holds(const HouseRule& rule) {
  const auto& [path, test] = rule.when.back();
  // One element of a list that passes is enough, so conditions on lists may hold with different ones.
  if (has_each_one(path, 0)) return std::nullopt;
  const auto& steps = rule.path.steps;
  const bool base_is_root = std::all_of(steps.begin(), steps.end() - 1, is_member);
  const auto is_of_root = [&](const ValuePath& one) { return one.is_from_root || base_is_root; };
  const bool is_around = is_of_root(path) && path.steps.size() < steps.size() && leads_to(path, rule.path);
  const bool is_empty = requires_absence(test) || test.max_count == 0;
  if (is_around && is_empty && has_each_one(rule.path, path.steps.size()))
    return fmt::format("{} has elements where the rule finds any", path.text);
  for (std::size_t i = 0; i + 1 < rule.when.size(); ++i) {
    const auto& [other, other_test] = rule.when[i];
    if (other.steps.size() != path.steps.size() || !leads_to(other, path) || has_each_one(other, 0)) continue;
    if (is_of_root(other) != is_of_root(path)) continue;
    if (const auto why = find_clash(other_test, test)) return fmt::format("{} and {}: {}", other.text, path.text, *why);
  }
  return std::nullopt;
}

void check_rules_agree(const HouseRules& rules, const std::function<bool(const HouseRule&)>& is_ignored,
                       shape::Sources& sources) {
  for (auto later = rules.begin(); later != rules.end(); ++later) {
    for (auto earlier = rules.begin(); earlier != later; ++earlier) {
      const HouseRule& a = **earlier;
      const HouseRule& b = **later;
      const bool is_for_same = a.scope == b.scope && (a.when.empty() || b.when.empty() || a.applies_to == b.applies_to);
      if (!is_for_same || is_ignored(a) || is_ignored(b)) continue;
      const auto clash = find_clash(a, b);
      const auto why = clash ? clash : find_clash(b, a);
      if (!why) continue;
      Error error = b.place;
      error.message = fmt::format("{} contradicts {} ({}): {}", b.id, a.id, a.origin, *why);
      error.help = "change one of them, give them different conditions, or ignore one";
      sources.fail(std::move(error));
    }
  }
}

}  // namespace bayplan::lint
