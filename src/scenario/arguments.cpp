#include "scenario/arguments.hpp"

#include <algorithm>
#include <map>

#include <fmt/core.h>

#include "base/edit_distance.hpp"
#include "base/excerpt.hpp"
#include "base/strings.hpp"
#include "model/placement_strategy.hpp"
#include "placement/model/constraints.hpp"
#include "placement/model/totals.hpp"
#include "query/query.hpp"
#include "rules/named_rules.hpp"
#include "text/read.hpp"

namespace bayplan::scenario {

using namespace placement;  // NOLINT: what is loaded becomes the input of placement

namespace {

constexpr std::string_view kConstraintExample =
    "for example type=memberOf,expression=\"attribute:ecs.instance-type =~ p3.*\"";

std::string quoted(std::string_view text) {
  return "'" + std::string(text) + "'";
}

Error usage(std::string message, std::string help) {
  return Error{std::move(message), {}, 0, 0, std::move(help)};
}

/// Whether the text is a number of any length.
bool is_number(std::string_view text) {
  return !text.empty() && text.find_first_not_of("0123456789") == std::string_view::npos;
}

using Pairs = std::map<std::string, std::string, std::less<>>;

/// AWS CLI shorthand: key=value,key=value. A value may be quoted; `last` takes the rest of the text, commas and
/// all.
Result<Pairs> parse_shorthand(std::string_view text, std::string_view last) {
  Pairs pairs;
  while (!text.empty()) {
    const std::size_t equals = text.find('=');
    if (equals == std::string_view::npos) return Error{quoted(text) + " is not key=value"};
    const std::string key(trim(text.substr(0, equals)));
    text = trim(text.substr(equals + 1));
    std::string_view value;
    const bool is_quoted = !text.empty() && (text.front() == '"' || text.front() == '\'');
    const std::size_t closing = is_quoted ? text.find(text.front(), 1) : std::string_view::npos;
    // Quotes around the whole value, not those of a list inside an expression.
    if (closing != std::string_view::npos && (closing + 1 == text.size() || text[closing + 1] == ',')) {
      value = text.substr(1, closing - 1);
      text.remove_prefix(std::min(closing + 2, text.size()));
    } else {
      const std::size_t end = key == last ? text.size() : std::min(text.find(','), text.size());
      value = text.substr(0, end);
      text.remove_prefix(std::min(end + 1, text.size()));
    }
    if (!pairs.emplace(key, value).second) return Error{"duplicate key " + quoted(key)};
  }
  return pairs;
}

bool is_json(std::string_view text) {
  const std::string_view trimmed = trim(text);
  return trimmed.starts_with('[') || trimmed.starts_with('{');
}

/// The AWS CLI's other form: an object, or a list of them.
Result<std::vector<Pairs>> parse_json_argument(std::string_view text) {
  const auto document = text::read_document(std::string(text), {.format = text::Format::kJson});
  if (!document->faults().empty()) return Error{quoted(text) + ": " + document->faults().front().message};
  std::vector<text::Value> items{document->root()};
  if (document->root().is_array()) items.assign(document->root().children().begin(), document->root().children().end());
  std::vector<Pairs> objects;
  for (const auto item : items) {
    if (!item.is_object()) return Error{quoted(text) + " is not a list of objects"};
    Pairs& pairs = objects.emplace_back();
    for (const auto member : item.children()) pairs.emplace(member.key(), member.text());
  }
  return objects;
}

std::optional<std::string_view> value_of(const Pairs& pairs, std::string_view key) {
  const auto found = pairs.find(key);
  return found == pairs.end() ? std::nullopt : std::optional<std::string_view>(found->second);
}

std::optional<Error> unknown_key(const Pairs& pairs, const std::vector<std::string_view>& known) {
  for (const auto& [key, value] : pairs) {
    if (std::find(known.begin(), known.end(), key) != known.end()) continue;
    const auto near = nearest(key, known);
    return usage("unknown key " + quoted(key),
                 near ? "did you mean " + std::string(*near) + "?" : "keys are " + one_of(known, "and"));
  }
  return std::nullopt;
}

/// Blanks separate the items of a list; those inside quotes do not.
std::vector<std::string_view> split_items(std::string_view text) {
  std::vector<std::string_view> items;
  for (const auto item : split(text, ' ')) {
    if (!item.empty()) items.push_back(item);
  }
  return items;
}

/// A scenario's strategy is held against the rules of lint; here nothing else would say so.
Result<Strategy> stated_strategy(std::string_view type, std::optional<std::string_view> field) {
  if (type == "random" && field)
    return usage("random does not support a field (BAY1102)", "write random; binpack and spread take one");
  return make_strategy(type, field);
}

Result<Strategy> strategy_of(const Pairs& pairs) {
  if (auto error = unknown_key(pairs, {"type", "field"})) return *error;
  const auto type = value_of(pairs, "type");
  if (!type) return usage("a placement strategy needs a type", "for example type=binpack,field=memory");
  return stated_strategy(*type, value_of(pairs, "field"));
}

Result<Strategy> parse_strategy(std::string_view text) {
  const std::size_t equals = text.find('=');
  if (equals == std::string_view::npos) {
    const std::size_t colon = text.find(':');
    return stated_strategy(text.substr(0, colon), colon == std::string_view::npos
                                                      ? std::nullopt
                                                      : std::optional<std::string_view>(text.substr(colon + 1)));
  }
  const auto pairs = parse_shorthand(text, "");
  return pairs ? strategy_of(*pairs) : pairs.error();
}

Error in_strategy(std::string_view text, Error error) {
  error.message = "strategy " + quoted(text) + ": " + error.message;
  return error;
}

Result<std::vector<Strategy>> parse_json_strategies(std::string_view text) {
  const auto objects = parse_json_argument(text);
  if (!objects) return objects.error();
  std::vector<Strategy> strategies;
  for (const auto& pairs : *objects) {
    auto strategy = strategy_of(pairs);
    if (!strategy) return in_strategy(text, strategy.error());
    strategies.push_back(std::move(*strategy));
  }
  return strategies;
}

Result<Constraint> constraint_of(const Pairs& pairs, const std::string& what) {
  if (auto error = unknown_key(pairs, {"type", "expression"})) return usage(what + error->message, error->help);
  const std::string_view type = value_of(pairs, "type").value_or("");
  const auto expression = value_of(pairs, "expression");
  if (type == "distinctInstance") {
    if (expression)
      return usage(what + "distinctInstance does not support an expression (BAY1106)", "write distinctInstance");
    return Constraint{};
  }
  if (type != "memberOf") {
    const auto near = nearest(type, {"memberOf", "distinctInstance"});
    return usage(what + (type.empty() ? "a type is missing" : "unknown type " + quoted(type)),
                 near ? "did you mean " + std::string(*near) + "?" : "types are memberOf and distinctInstance");
  }
  if (!expression) return usage(what + "memberOf needs an expression", std::string(kConstraintExample));
  if (const auto fault = find_length_fault(*expression))
    return usage("--placement-constraints: " + fault->message, fault->help);
  auto parsed = query::parse(*expression);
  if (!parsed) {
    return usage("expression " + quoted_around(*expression, parsed.fault->span.begin) + ", character " +
                     std::to_string(parsed.fault->span.begin + 1) + ": " + parsed.fault->message,
                 parsed.fault->help);
  }
  return Constraint{ConstraintType::kMemberOf, std::string(*expression),
                    std::make_shared<const query::Expression>(std::move(*parsed.expression))};
}

}  // namespace

Result<Strategy> make_strategy(std::string_view type, std::optional<std::string_view> field) {
  if (const auto fault = model::find_strategy_fault(type, field)) {
    const auto rule = type == "binpack" ? rules::kStrategyBinpackField : rules::kStrategySpreadField;
    return usage(fmt::format("{} ({})", fault->message, rule), fault->help);
  }
  if (type == "binpack") return Strategy{StrategyType::kBinpack, lower(*field)};
  if (type == "spread") {
    const bool is_attribute = field->starts_with("attribute:");
    return Strategy{StrategyType::kSpread, is_attribute ? std::string(*field) : "instanceId"};
  }
  // ECS refuses a field here (BAY1102), which lint says; the ranking is clear all the same.
  if (type == "random") return Strategy{StrategyType::kRandom, {}};
  if (parse_policy(type)) {
    return usage(
        "unknown placement strategy " + quoted(type),
        fmt::format("{0} is a policy of the literature, which ECS does not offer: bayplan place --policy {0}, or "
                    "policy: {0} in a grid",
                    type));
  }
  const auto near = nearest(type, {"binpack", "spread", "random"});
  return usage("unknown placement strategy " + quoted(type),
               near ? "did you mean " + std::string(*near) + "?" : "strategies are binpack, spread and random");
}

Result<std::vector<Strategy>> parse_strategy_argument(std::string_view text) {
  if (is_json(text)) return parse_json_strategies(text);
  std::vector<Strategy> strategies;
  for (const auto item : split_items(text)) {
    auto strategy = parse_strategy(item);
    if (!strategy) return in_strategy(item, strategy.error());
    strategies.push_back(std::move(*strategy));
  }
  if (strategies.empty())
    return in_strategy(text, usage("a placement strategy is missing", "for example binpack:memory"));
  return strategies;
}

Result<std::vector<Constraint>> parse_constraint_argument(std::string_view text) {
  const std::string what = "placement constraint " + quoted(text) + ": ";
  std::vector<Pairs> objects;
  if (is_json(text)) {
    auto parsed = parse_json_argument(text);
    if (!parsed) return parsed.error();
    objects = std::move(*parsed);
  } else {
    const bool is_bare = text.find('=') == std::string_view::npos;
    auto pairs = parse_shorthand(is_bare ? "type=" + std::string(text) : std::string(text), "expression");
    if (!pairs) return usage(what + pairs.error().message, std::string(kConstraintExample));
    objects.push_back(std::move(*pairs));
  }
  std::vector<Constraint> constraints;
  for (const auto& pairs : objects) {
    auto constraint = constraint_of(pairs, what);
    if (!constraint) return constraint.error();
    constraints.push_back(std::move(*constraint));
  }
  return constraints;
}

namespace {

constexpr std::string_view kProviderKey = "capacityProviderName";

}  // namespace

Result<InstancesArgument> parse_instances_argument(std::string_view text, std::string_view flag) {
  const auto refuse = [&](std::string why) {
    return usage(std::string(flag) + " " + quoted(text) + ": " + why,
                 "write TYPE=COUNT@ZONE,ZONE, for example p3.2xlarge=4@us-east-2a,us-east-2b; attributes follow the "
                 "zones: p3.2xlarge=4@us-east-2a,pool=gpu");
  };
  InstancesArgument argument;
  const std::size_t at = text.find('@');
  const std::string_view head = text.substr(0, at);
  const std::size_t equals = head.find('=');
  argument.instance_type = head.substr(0, equals);
  if (argument.instance_type.empty()) return refuse("the instance type is missing");
  if (equals != std::string_view::npos) {
    const std::string_view written = head.substr(equals + 1);
    const auto count = to_integer(written);
    if (!count && !is_number(written)) return refuse(quoted(written) + " is not a number");
    if (!count || *count < 1 || *count > kMaxInstances)
      return refuse(fmt::format("the count must be between 1 and {}", kMaxInstances));
    argument.count = *count;
  }
  if (at == std::string_view::npos) return argument;
  for (const auto part : split(text.substr(at + 1), ',')) {
    const std::size_t sign = part.find('=');
    if (part.empty()) return refuse("an availability zone is missing");
    if (sign == std::string_view::npos) {
      argument.availability_zones.emplace_back(part);
      continue;
    }
    const std::string_view name = part.substr(0, sign), value = part.substr(sign + 1);
    if (name.empty()) return refuse("the name of an attribute is missing before " + quoted(part));
    if (name == kProviderKey) {
      if (value.empty()) return refuse(std::string(kProviderKey) + " is empty");
      argument.capacity_provider = value;
    } else if (name.starts_with("ecs.")) {
      return refuse(quoted(name) + " is not an attribute of one's own: its type and zone decide it");
    } else if (!argument.attributes.emplace(name, value).second) {
      return refuse("attribute " + quoted(name) + " appears twice");
    }
  }
  return argument;
}

std::string text_of(const InstancesArgument& argument) {
  std::vector<std::string> parts = argument.availability_zones;
  for (const auto& [name, value] : argument.attributes) parts.push_back(name + "=" + value);
  if (!argument.capacity_provider.empty())
    parts.push_back(std::string(kProviderKey) + "=" + argument.capacity_provider);
  return fmt::format("{}={}{}{}", argument.instance_type, argument.count, parts.empty() ? "" : "@", join(parts, ","));
}

void use_argument(const InstancesArgument& argument, InstanceProfile& profile) {
  for (const auto& [name, value] : argument.attributes) profile.attributes.insert_or_assign(name, value);
  if (!argument.capacity_provider.empty()) profile.capacity_provider_name = argument.capacity_provider;
}

Result<TaskArgument> parse_task_argument(std::string_view text) {
  const auto refuse = [&](std::string why) {
    return usage("--task " + quoted(text) + ": " + why, "write TASKDEF=COUNT or TASKDEF=max, for example train.json=3");
  };
  // The last sign: a path may hold others.
  const std::size_t equals = text.rfind('=');
  TaskArgument argument{std::string(text.substr(0, equals)), 1};
  if (argument.task_definition.empty()) return refuse("the task definition is missing");
  if (equals == std::string_view::npos) return argument;
  const std::string_view written = text.substr(equals + 1);
  // A sign inside the key of a resource is not that of a count: plan.json#aws_ecs_task_definition.web["a=b"].
  if (written.ends_with(']')) return TaskArgument{std::string(text), 1};
  argument.count = to_integer(written);
  if (written == "max") return argument;
  if (!argument.count && !is_number(written)) return refuse(quoted(written) + " is not a number");
  if (!argument.count || *argument.count < 1 || *argument.count > kMaxTasks)
    return refuse(fmt::format("the count must be between 1 and {}", kMaxTasks));
  return argument;
}

}  // namespace bayplan::scenario
