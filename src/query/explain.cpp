// Says why an expression does not hold: for every comparison at fault what the instance has and what was wanted.
#include <algorithm>

#include "base/date_time.hpp"
#include "base/strings.hpp"
#include "query/query.hpp"
#include "query/vocabulary.hpp"

namespace bayplan::query {

namespace {

/// `truths`: of every node, on that instance.

std::string explain_group(const Predicate& predicate, bool wanted) {
  std::vector<std::string> values;
  for (const auto& literal : predicate.values) values.push_back(literal.text);
  const std::string listed = join(values, " or ");
  if (predicate.operation == Operator::kEqual || predicate.operation == Operator::kIn) {
    return wanted ? "no task of group " + listed + " runs there" : "a task of group " + listed + " runs there";
  }
  return std::string(wanted ? "no task" : "a task") + " there has a group that satisfies task:group " +
         std::string(symbol_of(predicate.operation)) + (listed.empty() ? "" : " " + listed);
}

/// What follows "must".
std::string requirement(const Predicate& predicate, Operator operation) {
  std::vector<std::string_view> values;
  for (const auto& literal : predicate.values) values.push_back(literal.text);
  const std::string listed = one_of(values);
  switch (operation) {
    case Operator::kEqual:
    case Operator::kIn:
      return "be " + listed;
    case Operator::kNotEqual:
    case Operator::kNotIn:
      return "not be " + listed;
    case Operator::kMatches:
      return "match " + listed;
    case Operator::kNotMatches:
      return "not match " + listed;
    case Operator::kExists:
      return "be set";
    case Operator::kNotExists:
      return "not be set";
    default:
      return "be " + std::string(symbol_of(operation)) + " " + listed;
  }
}

std::optional<std::string> to_string(std::optional<std::string_view> text) {
  return text ? std::optional<std::string>(*text) : std::nullopt;
}

std::optional<std::string> value_of(const InstanceView& instance, const Predicate& predicate) {
  switch (predicate.subject) {
    case Subject::kAttribute:
      return to_string(instance.attribute(predicate.attribute));
    case Subject::kAgentConnected:
      return instance.agent_connected() ? "true" : "false";
    case Subject::kAgentVersion:
      return to_string(instance.agent_version());
    case Subject::kEc2InstanceId:
      return to_string(instance.ec2_instance_id());
    case Subject::kRegisteredAt:
      if (const auto time = instance.registered_at()) return format_date_time(*time);
      return std::nullopt;
    case Subject::kRunningTasksCount:
      return std::to_string(instance.running_tasks_count());
    case Subject::kTaskGroup:
      break;
  }
  return std::nullopt;
}

std::string explain_predicate(const InstanceView& instance, const Predicate& predicate, bool wanted) {
  if (predicate.subject == Subject::kTaskGroup) return explain_group(predicate, wanted);
  const std::string subject =
      predicate.subject == Subject::kAttribute ? "attribute " + predicate.attribute : name_of(predicate.subject);
  const auto value = value_of(instance, predicate);
  const Operator operation = wanted ? predicate.operation : complement_of(predicate.operation);
  if (operation == Operator::kNotExists && value)
    return subject + " is set" + (value->empty() ? "" : " to " + *value) + ", must not be set";
  if (!value) {
    return subject + " is not set" + (takes_value(operation) ? ", must " + requirement(predicate, operation) : "");
  }
  return subject + " is " + (value->empty() ? "empty" : *value) + ", must " + requirement(predicate, operation);
}

/// Why the node is not `wanted`.
std::string explain(const Expression& expression, const InstanceView& instance, const std::vector<Truth>& truths,
                    std::uint32_t index, bool wanted) {
  const Node& node = expression.nodes()[index];
  switch (node.kind) {
    case Node::Kind::kPredicate:
      return explain_predicate(instance, expression.predicates()[node.predicate], wanted);
    case Node::Kind::kNot:
      return explain(expression, instance, truths, node.operands.front(), !wanted);
    default:
      break;
  }
  std::vector<std::string> parts;
  for (const auto operand : node.operands) {
    if ((truths[operand] == Truth::kTrue) == wanted) continue;
    std::string part = explain(expression, instance, truths, operand, wanted);
    if (std::find(parts.begin(), parts.end(), part) == parts.end()) parts.push_back(std::move(part));
  }
  return join(parts, "; ");
}

}  // namespace

std::string Expression::explain(const InstanceView& instance) const {
  const std::vector<Truth> truths = truths_on(instance);
  if (truths.back() == Truth::kTrue) return {};
  return bayplan::query::explain(*this, instance, truths, static_cast<std::uint32_t>(nodes_.size() - 1), true);
}

}  // namespace bayplan::query
