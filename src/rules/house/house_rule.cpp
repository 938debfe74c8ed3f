#include "rules/house/house_rule.hpp"

#include <algorithm>
#include <functional>
#include <span>

#include <fmt/core.h>

#include "base/excerpt.hpp"
#include "base/json_writer.hpp"
#include "base/strings.hpp"
#include "model/task_definition.hpp"
#include "rules/file/shape_findings.hpp"
#include "rules/service/service_input.hpp"

namespace bayplan::rules {
namespace {

using text::Kind;
using text::Value;

bool exists(Value value) {
  return value && !value.is_null();
}

bool is_collection(Value value) {
  return value.is_object() || value.is_array();
}

/// Sizes of a task may be written with a unit.
std::optional<std::int64_t> number_in(Value value) {
  if (const auto number = value.integer()) return number;
  if (const auto number = to_integer(value.text())) return number;
  if (value.key() == "cpu") return model::parse_task_cpu(value.text());
  if (value.key() == "memory") return model::parse_task_memory(value.text());
  return std::nullopt;
}

/// Elements of lists go by the key that the API gives them for a name, as the path of a finding does.
bool has_name(Value element, std::string_view name) {
  if (!element.is_object()) return scalar_text(element) == name;
  for (const std::string_view key : {"name", "containerPort", "containerName", "sourceVolume", "type", "key"}) {
    const Value own = element.find(key);
    if (exists(own) && !is_collection(own)) return scalar_text(own) == name;
  }
  return false;
}

/// A place that a path leads to.
struct Selected {
  Value value;             ///< Absent if the path leads to no value.
  Value around;            ///< The innermost object or list on the way that exists.
  std::string_view key;    ///< The first key that is missing in `around`.
  bool is_direct = false;  ///< That key is the last one of the path.
  Value base;              ///< The list element around the value, else the root: paths of conditions begin there.
  Value unknown;           ///< A placeholder on the way.
};

using Visit = std::function<void(const Selected&)>;

void walk(Value at, std::span<const PathStep> steps, Value base, const model::Placeholders& placeholders,
          const Visit& visit) {
  if (placeholders.holds(at)) return visit({.base = base, .unknown = at});
  if (steps.empty()) return visit({.value = at, .around = at.parent(), .base = base});
  const PathStep& step = steps.front();
  const auto rest = steps.subspan(1);
  const auto miss = [&](std::string_view key) {
    const auto is_each = [](const PathStep& one) { return one.kind == PathStep::Kind::kEachOne; };
    if (std::any_of(rest.begin(), rest.end(), is_each)) return;  // no list, no elements to look at
    visit({.around = at, .key = key, .is_direct = rest.empty() && at.is_object(), .base = base});
  };
  if (!is_collection(at)) return;  // BAY020 reports a value of the wrong type
  if (step.kind == PathStep::Kind::kEachOne) {
    for (const Value child : at.children()) walk(child, rest, rest.empty() ? base : child, placeholders, visit);
    return;
  }
  if (at.is_object()) {
    const Value child = at.find(step.name);
    return exists(child) ? walk(child, rest, base, placeholders, visit) : miss(step.name);
  }
  if (step.kind == PathStep::Kind::kMember) return;
  bool is_found = false;
  for (const Value child : at.children()) {
    if (placeholders.holds(child)) {
      visit({.base = base, .unknown = child});
      is_found = true;
    } else if (has_name(child, step.name)) {
      walk(child, rest, rest.empty() ? base : child, placeholders, visit);
      is_found = true;
    }
  }
  if (!is_found) miss(step.name);
}

bool is_in(const std::vector<std::string>& list, const std::string& text) {
  return std::find(list.begin(), list.end(), text) != list.end();
}

/// Whether a value, or its absence, passes.
bool passes(const ValueTest& test, Value value) {
  const auto count = static_cast<std::int64_t>(value ? value.size() : 0);
  if (test.is_present && *test.is_present != exists(value)) return false;
  if (test.min_count && count < *test.min_count && !(test.or_absent && !value)) return false;
  if (test.max_count && count > *test.max_count) return false;
  if (!exists(value)) return test.or_absent || !test.needs_value();
  if (is_collection(value)) return !test.needs_value();
  const std::string text = scalar_text(value);
  if (test.in && !is_in(*test.in, text)) return false;
  if (is_in(test.not_in, text)) return false;
  if (test.matches && !test.matches->pattern.matches_part(text)) return false;
  if (test.not_matches && test.not_matches->pattern.matches_part(text)) return false;
  if (!test.min && !test.max) return true;
  const auto number = number_in(value);
  return number && (!test.min || *number >= *test.min) && (!test.max || *number <= *test.max);
}

/// Whether the conditions hold. Where that depends on a value that is not known yet, they do, and it is in `unknown`.
bool applies(const HouseRule& rule, Value base, Value root, const model::Placeholders& placeholders, Value& unknown) {
  for (const auto& condition : rule.when) {
    const ValuePath& path = condition.first;
    const ValueTest& test = condition.second;
    const Value start = path.is_from_root ? root : base;
    if (!start) return false;
    bool holds = false;
    bool is_seen = false;
    Value not_known;
    walk(start, path.steps, start, placeholders, [&](const Selected& selected) {
      is_seen = true;
      if (selected.unknown) {
        not_known = selected.unknown;
      } else {
        holds = holds || passes(test, selected.value);
      }
    });
    if (!is_seen) holds = passes(test, Value());
    if (holds) continue;
    if (!not_known) return false;
    unknown = not_known;
  }
  return true;
}

std::string seen(Value value) {
  if (!exists(value)) return "absent";
  if (is_collection(value))
    return count_of(static_cast<std::int64_t>(value.size()), value.is_array() ? "element" : "key");
  constexpr std::size_t kShown = 80;
  return "'" + shortened_to(scalar_text(value), kShown) + "'";
}

/// As all formats take it: a quoted text of JSON is one of YAML and HCL, too.
std::string written(Value value) {
  return value.is_string() ? json_quoted(value.text()) : scalar_text(value);
}

/// Text that adds a member at the beginning of an object, in the layout of its first member.
struct Insertion {
  Span at;
  std::string text;
};

std::optional<Insertion> insertion(Value object, std::string_view key, Value value) {
  const auto format = object.document().format();
  if (format == text::Format::kHcl || object.size() == 0) return std::nullopt;
  const std::string_view source = object.document().source();
  const Value first = *object.children().begin();
  const auto begin = first.key_span().begin;
  if (first.key_span().length() == 0 || begin < object.span().begin) return std::nullopt;
  const bool is_flow = source[object.span().begin] == '{';
  const std::string member =
      (is_flow && format == text::Format::kJson ? json_quoted(key) : std::string(key)) + ": " + written(value);
  const auto line = source.rfind('\n', begin);
  const std::string_view before = source.substr(line == std::string_view::npos ? 0 : line + 1,
                                                begin - (line == std::string_view::npos ? 0 : line + 1));
  if (is_flow) {
    const bool is_own_line = before.find_first_not_of(" \t") == std::string_view::npos;
    return Insertion{{begin, begin}, member + "," + (is_own_line ? "\n" + std::string(before) : " ")};
  }
  if (before.find_first_not_of(" \t-") != std::string_view::npos) return std::nullopt;
  return Insertion{{begin, begin}, member + "\n" + std::string(before.size(), ' ')};
}

void offer_fix(const HouseFix& fix, const Selected& selected, DeployClient client, Report& report) {
  const Value value = selected.value;
  if (!fix.set) {
    if (value) report.remove(value, fix.is_safe);
    return;
  }
  if (value) {
    if (!is_collection(value) && value.style() != text::Style::kBlock)
      report.fix(value.span(), written(*fix.set), fix.is_safe);
    return;
  }
  // A template has its own spelling of the key.
  if (!selected.is_direct || client == DeployClient::kCloudFormation || client == DeployClient::kTerraform) return;
  if (auto added = insertion(selected.around, selected.key, *fix.set))
    report.fix(added->at, std::move(added->text), fix.is_safe);
}

std::string filled_in(std::string message, std::string_view seen_value) {
  constexpr std::string_view kSlot = "{value}";
  for (auto at = message.find(kSlot); at != std::string::npos; at = message.find(kSlot, at + seen_value.size()))
    message.replace(at, kSlot.size(), seen_value);
  return message;
}

/// Reports what a path selects below `start` and what does not meet the rule.
void check_below(const HouseRule& rule, Value start, std::span<const PathStep> steps, Value base, Value root,
                 bool is_whole, DeployClient client, Emitter& emit) {
  walk(start, steps, base, emit.placeholders(), [&](const Selected& selected) {
    if (selected.unknown) {
      // Present is present, whatever it will be.
      const auto& test = rule.require;
      const bool is_settled = test.is_present.value_or(false) && !test.needs_value() && !test.counts() &&
                              test.not_in.empty() && !test.not_matches;
      Value condition;
      if (!is_settled && applies(rule, selected.base, root, emit.placeholders(), condition))
        emit.skip(selected.unknown);
      return;
    }
    if (passes(rule.require, selected.value) || (!selected.value && !is_whole)) return;
    Value unknown;
    if (!applies(rule, selected.base, root, emit.placeholders(), unknown)) return;
    if (unknown) return emit.skip(unknown);
    Report report = selected.value                ? emit.at(selected.value)
                    : selected.around.is_object() ? emit.missing(selected.around, selected.key)
                                                  : emit.at(selected.around.opening(), selected.around);
    report.says("{}", filled_in(rule.message, seen(selected.value))).help("{}", rule.help);
    if (rule.fix) offer_fix(*rule.fix, selected, client, report);
  });
}

}  // namespace

std::string scalar_text(Value value) {
  if (const auto truth = value.boolean()) return *truth ? "true" : "false";
  return std::string(value.text());
}

std::string ValueTest::in_words(std::string_view verb) const {
  std::vector<std::string> parts;
  const auto quoted = [](const std::vector<std::string>& texts) {
    std::vector<std::string> all;
    for (const auto& text : texts) all.push_back("'" + text + "'");
    return join(all, " or ");
  };
  if (is_present) parts.emplace_back(*is_present ? "present" : "absent");
  if (in) parts.push_back(quoted(*in));
  if (!not_in.empty()) parts.push_back("not " + quoted(not_in));
  if (matches) parts.push_back("text that matches '" + matches->text + "'");
  if (not_matches) parts.push_back("text that does not match '" + not_matches->text + "'");
  if (min) parts.push_back(fmt::format("at least {}", *min));
  if (max) parts.push_back(fmt::format("at most {}", *max));
  const auto entries = [](std::int64_t count) { return fmt::format("{} {}", count, count == 1 ? "entry" : "entries"); };
  if (min_count) parts.push_back("of at least " + entries(*min_count));
  if (max_count) parts.push_back("of at most " + entries(*max_count));
  std::string words = std::string(verb) + " " + join(parts, " and ") + (or_absent ? ", or absent" : "");
  constexpr std::string_view kMustBeNot = "must be not ";
  if (words.starts_with(kMustBeNot)) words.replace(0, kMustBeNot.size(), "must not be ");
  return words;
}

std::string applies_to_in_words(const HouseRule& rule) {
  constexpr std::string_view kScopes[] = {"task definitions", "services",           "RunTask calls",
                                          "clusters",         "capacity providers", "task sets"};
  std::vector<std::string> conditions;
  for (const auto& [path, test] : rule.when) conditions.push_back(path.text + " " + test.in_words("is"));
  const std::string scope(kScopes[static_cast<std::size_t>(rule.scope)]);
  return conditions.empty() ? scope : scope + ", if " + join(conditions, " and ");
}

RuleRow house_row(const HouseRule& rule) {
  return {.code = rule.id,
          .id = rule.id,
          .severity = rule.severity,
          .group = "house",
          .evidence = "house",
          .applies_to = rule.applies_to,
          .summary = rule.title,
          .why = rule.why,
          .bad = {.files = {{"bad.json", rule.bad_text}}, .arguments = {}},
          .good = {.files = {{"good.json", rule.good_text}}, .arguments = {}},
          .fix = rule.help,
          .source = rule.docs.empty() ? rule.origin : rule.docs,
          .implemented = true};
}

void check_house_rule(const HouseRule& rule, Value root, bool is_whole, DeployClient client, Emitter& emit) {
  check_below(rule, root, rule.path.steps, root, root, is_whole, client, emit);
}

void check_house_rules(const Context& ctx, const Lazy<RuleData>& data, Findings& findings) {
  if (!ctx.root) return;
  const auto scope = [&]() -> std::optional<HouseScope> {
    if (ctx.is_definition()) return HouseScope::kTaskDefinition;
    if (ctx.kind == FileKind::kService) return HouseScope::kService;
    if (ctx.kind == FileKind::kRunTask) return HouseScope::kRunTask;
    if (ctx.kind == FileKind::kTaskSet) return HouseScope::kTaskSet;
    if (ctx.kind == FileKind::kCluster) return HouseScope::kCluster;
    if (ctx.kind == FileKind::kCapacityProvider) return HouseScope::kCapacityProvider;
    return std::nullopt;
  }();
  for (const auto& rule : ctx.options.house_rules) {
    if (rule->scope != scope) continue;
    Emitter emit(rule->id, findings, data, ctx.placeholders);
    if (ctx.kind == FileKind::kContainerDefinitions) {
      // Containers alone: of the task around them nothing is known, so conditions on it do not hold.
      const std::span<const PathStep> steps = rule->path.steps;
      if (steps.size() < 2 || steps.front().name != "containerDefinitions") continue;
      for (const Value container : lone_containers(ctx.root)) {
        if (steps[1].kind == PathStep::Kind::kNamed && !has_name(container, steps[1].name)) continue;
        check_below(*rule, container, steps.subspan(2), container, Value(), ctx.is_whole, ctx.client, emit);
      }
    } else if (ctx.kind == FileKind::kService) {
      for (const Value service : services_in(ctx.root))
        check_house_rule(*rule, service, ctx.is_whole, ctx.client, emit);
    } else {
      check_house_rule(*rule, ctx.root, ctx.is_whole, ctx.client, emit);
    }
  }
}

}  // namespace bayplan::rules
