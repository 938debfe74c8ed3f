#include "lint/config/house_rules.hpp"

#include <algorithm>
#include <set>
#include <sstream>
#include <utility>

#include <fmt/core.h>

#include "base/edit_distance.hpp"
#include "base/json_writer.hpp"
#include "base/strings.hpp"
#include "lint/config/contradictions.hpp"
#include "text/location.hpp"
#include "text/write_value.hpp"

namespace bayplan::lint {
namespace {

using rules::HouseRule;
using rules::HouseScope;
using rules::PathStep;
using rules::scalar_text;
using rules::ValuePath;
using rules::ValueTest;
using text::Kind;
using text::Value;

constexpr std::pair<std::string_view, HouseScope> kScopes[] = {{"task-definition", HouseScope::kTaskDefinition},
                                                               {"service", HouseScope::kService},
                                                               {"run-task", HouseScope::kRunTask},
                                                               {"cluster", HouseScope::kCluster},
                                                               {"capacity-provider", HouseScope::kCapacityProvider},
                                                               {"task-set", HouseScope::kTaskSet}};

const shape::Schema& schema_of(HouseScope scope, const shape::RequestSchemas& schemas) {
  switch (scope) {
    case HouseScope::kService:
      return schemas.service.get();
    case HouseScope::kRunTask:
      return schemas.run_task.get();
    case HouseScope::kCluster:
      return schemas.cluster.get();
    case HouseScope::kCapacityProvider:
      return schemas.capacity_provider.get();
    case HouseScope::kTaskSet:
      return schemas.task_set.get();
    case HouseScope::kTaskDefinition:
      break;
  }
  return schemas.task_definition.get();
}

bool takes(const shape::Rule& rule, Kind kind) {
  return rule.types.any() || rule.types.has(kind);
}

/// Follows a path through the schema, so that a key which ECS does not have is an error and not a rule that never
/// finds anything.
Target follow(const ValuePath& path, std::size_t from, const shape::Rule* at, Value place, shape::Sources& sources) {
  std::string before;
  const auto fail = [&](std::string message, std::string help) {
    sources.fail(place, fmt::format("path '{}': {}", path.text, message), std::move(help));
    return Target{nullptr, true};
  };
  for (std::size_t i = from; i < path.steps.size(); ++i) {
    const PathStep& step = path.steps[i];
    if (at == nullptr || !at->any_of.empty()) return {};
    const bool is_list = at->elements != nullptr;
    const bool is_map = at->others != nullptr;
    if (step.kind == PathStep::Kind::kEachOne) {
      if (!is_list && !is_map)
        return fail(fmt::format("{} is not a list", before.empty() ? "it" : before), "remove [*]");
      at = is_list ? at->elements : at->others;
    } else if (is_list) {
      if (step.kind == PathStep::Kind::kMember)
        return fail(fmt::format("{} is a list", before), fmt::format("use {}[*].{}", before, step.name));
      at = at->elements;
    } else if (const auto* member = at->find(step.name)) {
      at = member->rule;
    } else if (is_map) {
      at = at->others;
    } else if (at->members.empty() && !at->closed) {
      if (!takes(*at, Kind::kObject)) return fail(fmt::format("{} has no keys", before), "end the path there");
      return {};
    } else {
      std::vector<std::string_view> names;
      for (const auto& one : at->members) names.push_back(one.name);
      const auto near = nearest(step.name, names);
      return fail(fmt::format("unknown key \"{}\"{}", step.name, before.empty() ? "" : " in " + before),
                  near ? fmt::format("did you mean \"{}\"?", *near) : "");
    }
    before += step.kind == PathStep::Kind::kMember    ? (before.empty() ? "" : ".") + step.name
              : step.kind == PathStep::Kind::kEachOne ? "[*]"
                                                      : "[" + step.name + "]";
  }
  return {at};
}

std::vector<std::string> texts_of(Value list) {
  std::vector<std::string> texts;
  if (!list.is_array()) return {scalar_text(list)};
  for (const Value item : list.children()) texts.push_back(scalar_text(item));
  return texts;
}

std::optional<rules::HousePattern> bind_pattern(Value value, shape::Sources& sources) {
  if (!value) return std::nullopt;
  auto pattern = Pattern::compile(value.text());
  if (!pattern) {
    sources.fail(value, pattern.error().message,
                 "patterns are of RE2: no look-around, no back-references, no repetition above 1000");
    return std::nullopt;
  }
  return rules::HousePattern{std::string(value.text()), std::move(*pattern)};
}

ValueTest bind_test(Value object, Target target, shape::Sources& sources) {
  const auto errors = sources.error_count();
  ValueTest test;
  const auto flag = [&](std::string_view key) {
    return object.find(key) && object.find(key).boolean().value_or(false);
  };
  const auto number = [&](std::string_view key) {
    const Value value = object.find(key);
    return value ? value.integer() : std::nullopt;
  };
  for (const std::string_view key : {"present", "absent", "orAbsent"}) {
    if (object.find(key) && !flag(key))
      sources.fail(object.find(key), fmt::format("{} can only be true", key),
                   key == "present"  ? "use absent: true"
                   : key == "absent" ? "use present: true"
                                     : "remove it");
  }
  if (flag("present")) test.is_present = true;
  if (flag("absent")) test.is_present = false;
  test.or_absent = flag("orAbsent");
  if (const Value value = object.find("equals")) test.in = texts_of(value);
  if (const Value list = object.find("in")) test.in = texts_of(list);
  if (const Value value = object.find("notEquals")) test.not_in = texts_of(value);
  if (const Value list = object.find("notIn")) {
    for (auto& text : texts_of(list)) test.not_in.push_back(std::move(text));
  }
  test.matches = bind_pattern(object.find("matches"), sources);
  test.not_matches = bind_pattern(object.find("notMatches"), sources);
  test.min = number("min");
  test.max = number("max");
  test.min_count = number("minCount");
  test.max_count = number("maxCount");
  if (sources.error_count() == errors) check_test(test, object, target, sources);
  return test;
}

std::string as_json(Value value, JsonWriter::Layout layout = JsonWriter::Layout::kBlock) {
  std::ostringstream out;
  {
    JsonWriter json(out);
    text::write_value(json, value, layout);
  }
  return out.str();
}

/// One definition, or a list of them.
std::vector<Value> examples_in(Value value) {
  if (!value) return {};
  if (!value.is_array()) return {value};
  const auto children = value.children();
  return {children.begin(), children.end()};
}

/// The step at which the paths of conditions begin: behind the last list element of the path that is not its end.
std::size_t base_of(const ValuePath& path) {
  for (std::size_t i = path.steps.size(); i-- > 1;) {
    if (path.steps[i - 1].kind != PathStep::Kind::kMember) return i;
  }
  return 0;
}

void bind_condition(Value entry, HouseRule& rule, const shape::Rule& root, shape::Sources& sources) {
  auto path = rules::parse_value_path(entry.key());
  if (!path) return sources.fail_at(entry.key_span(), entry, path.error().message, path.error().help);
  // The schema at the base of the condition is that of the first steps of the rule's own path.
  ValuePath whole = *path;
  if (!path->is_from_root) {
    const auto base = rule.path.steps.begin() + static_cast<std::ptrdiff_t>(base_of(rule.path));
    whole.steps.insert(whole.steps.begin(), rule.path.steps.begin(), base);
  }
  const Target target = follow(whole, 0, &root, entry, sources);
  if (target.is_wrong) return;
  const auto errors = sources.error_count();
  rule.when.emplace_back(std::move(*path), bind_test(entry, target, sources));
  if (sources.error_count() > errors) return;
  if (const auto why = never_holds(rule))
    sources.fail_at(entry.key_span(), entry, fmt::format("when can never hold: {}", *why),
                    "remove one of the conditions");
}

std::shared_ptr<const HouseRule> bind_rule(Value object, shape::Sources& sources,
                                           const shape::RequestSchemas& schemas) {
  const auto text_of = [&](std::string_view key) {
    const Value value = object.find(key);
    return value ? std::string(value.text()) : std::string();
  };
  HouseRule rule{.id = text_of("id"), .place = sources.place_of(object.find("id"))};
  for (const auto& [name, scope] : kScopes) {
    if (object.find("kind") && object.find("kind").text() == name) rule.scope = scope;
  }
  const Value path = object.find("path");
  auto parsed = rules::parse_value_path(path.text());
  if (!parsed) {
    sources.fail(path, parsed.error().message, parsed.error().help);
    return nullptr;
  }
  if (parsed->is_from_root) {
    sources.fail(path, fmt::format("path '{}': $ is for conditions", parsed->text), "remove '$.'");
    return nullptr;
  }
  rule.path = std::move(*parsed);
  const shape::Rule& root = schema_of(rule.scope, schemas).root();
  const Target target = follow(rule.path, 0, &root, path, sources);
  if (target.is_wrong) return nullptr;
  rule.require = bind_test(object.find("require"), target, sources);
  if (const Value when = object.find("when")) {
    for (const Value entry : when.children()) bind_condition(entry, rule, root, sources);
  }
  const std::string wanted = rule.path.text + " " + rule.require.in_words();
  rule.message = object.find("message") ? text_of("message") : wanted + "; it is {value}";
  rule.title = rule.message;
  if (const auto slot = rule.title.find("{value}"); slot != std::string::npos)
    rule.title.resize(std::min(rule.title.find_last_of(";,", slot), slot));
  while (rule.title.ends_with(' ')) rule.title.pop_back();
  if (rule.title.empty()) rule.title = wanted;
  const Value fix = object.find("fix");
  rule.help = fix && fix.is_string() ? std::string(fix.text()) : wanted;
  rule.why = object.find("why") ? text_of("why") : wanted;
  rule.applies_to = rules::applies_to_in_words(rule);
  rule.docs = text_of("docs");
  rule.severity = severity_named(text_of("severity")).value_or(Severity::kWarning);
  if (fix && fix.is_object()) {
    const Value set = fix.find("set");
    const Value remove = fix.find("remove");
    const bool is_safe = fix.find("safe") && fix.find("safe").boolean().value_or(false);
    if (static_cast<bool>(set) == (remove && remove.boolean().value_or(false))) {
      sources.fail(fix, set ? "set and remove contradict each other" : "empty fix", "use set: VALUE or remove: true");
    } else {
      rule.fix = rules::HouseFix{set ? std::optional(set) : std::nullopt, is_safe};
      rule.help = set ? "use " + std::string(trim(as_json(set))) : "delete it";
      check_fix(rule, fix, target, sources);
    }
    if (const Value help = fix.find("help")) rule.help = std::string(help.text());
  }
  rule.written = trim(as_json(object, JsonWriter::Layout::kLine));
  rule.good = examples_in(object.find("good"));
  rule.bad = examples_in(object.find("bad"));
  if (!rule.good.empty()) rule.good_text = as_json(rule.good.front());
  if (!rule.bad.empty()) rule.bad_text = as_json(rule.bad.front());
  rule.origin = fmt::format("{}:{}", rule.place.file, rule.place.line);
  rule.documents = std::make_shared<const std::vector<std::shared_ptr<const text::Document>>>(sources.documents());
  return std::make_shared<const HouseRule>(std::move(rule));
}

}  // namespace

void bind_house_rules(Value list, shape::Sources& sources, const shape::RequestSchemas& schemas, HouseRules& rules) {
  std::set<std::string_view> ids;
  for (const Value object : list.children()) {
    const Value id = object.find("id");
    if (!ids.insert(id.text()).second) {
      sources.fail(id, fmt::format("duplicate rule '{}'", id.text()), "rename or remove one of them");
      continue;
    }
    auto rule = bind_rule(object, sources, schemas);
    if (!rule) continue;
    const auto same = std::find_if(rules.begin(), rules.end(), [&](const auto& one) { return one->id == rule->id; });
    if (same != rules.end()) {
      *same = std::move(rule);
    } else {
      rules.push_back(std::move(rule));
    }
  }
}

ExampleTest check_examples(const HouseRule& rule, const Lazy<rules::RuleData>& data,
                           const model::Placeholders& placeholders) {
  ExampleTest result{.good = rule.good.size(), .bad = rule.bad.size(), .failures = {}};
  const auto fail_at = [&](Value example, std::string message, std::string help) {
    Error error = rule.place;
    if (example) {
      const auto at = text::LineIndex(example.document().source()).location(example.span().begin);
      error.line = at.line;
      error.column = at.column;
    }
    error.message = std::move(message);
    error.help = std::move(help);
    result.failures.push_back(std::move(error));
  };
  const auto found_in = [&](Value example) {
    rules::Findings found;
    rules::Emitter emit(rule.id, found, data, placeholders);
    rules::check_house_rule(rule, example, true, rules::DeployClient::kAny, emit);
    return found;
  };
  for (const Value example : rule.good) {
    const auto found = found_in(example);
    if (!found.items.empty())
      fail_at(example, fmt::format("{} reports a good example: {}", rule.id, found.items.front().message),
              "change the example or the rule");
  }
  for (const Value example : rule.bad) {
    const auto found = found_in(example);
    if (found.items.empty())
      fail_at(example, fmt::format("{} reports nothing in a bad example", rule.id),
              found.skipped.empty() ? "change the example or the rule"
                                    : "replace the placeholder in the example by a value");
  }
  if (rule.good.empty())
    fail_at({}, fmt::format("{} has no good example", rule.id), "add good: a definition that passes");
  if (rule.bad.empty())
    fail_at({}, fmt::format("{} has no bad example", rule.id), "add bad: a definition that the rule reports");
  return result;
}

}  // namespace bayplan::lint
