#include <algorithm>
#include <functional>

#include "query/possible_tasks.hpp"
#include "query/query.hpp"
#include "query/values.hpp"
#include "query/vocabulary.hpp"

namespace bayplan::query {

namespace {

/// Gets the index of the predicate.
using PredicateTruth = std::function<Truth(std::uint32_t)>;

Truth truth_of(bool value) {
  return value ? Truth::kTrue : Truth::kFalse;
}

bool order_holds(Operator operation, int sign) {
  switch (operation) {
    case Operator::kEqual:
    case Operator::kIn:
      return sign == 0;
    case Operator::kNotEqual:
    case Operator::kNotIn:
      return sign != 0;
    case Operator::kGreater:
      return sign > 0;
    case Operator::kGreaterEqual:
      return sign >= 0;
    case Operator::kLess:
      return sign < 0;
    case Operator::kLessEqual:
      return sign <= 0;
    default:
      return false;
  }
}

/// `sign_against` compares the instance's value with one literal.
template <class SignAgainst>
bool any_or_all(const Predicate& predicate, SignAgainst sign_against) {
  const auto holds = [&](const Literal& literal) { return order_holds(predicate.operation, sign_against(literal)); };
  const auto& values = predicate.values;
  if (predicate.operation == Operator::kNotIn) return std::all_of(values.begin(), values.end(), holds);
  return std::any_of(values.begin(), values.end(), holds);
}

bool text_holds(const Predicate& predicate, std::string_view value) {
  switch (predicate.operation) {
    case Operator::kExists:
      return true;
    case Operator::kNotExists:
      return false;
    case Operator::kMatches:
      return predicate.pattern->matches_whole(value);
    case Operator::kNotMatches:
      return !predicate.pattern->matches_whole(value);
    default:
      break;
  }
  return any_or_all(predicate, [&](const Literal& literal) {
    return is_order(predicate.operation) ? compare_attribute_values(value, literal.text) : value.compare(literal.text);
  });
}

bool number_holds(const Predicate& predicate, std::int64_t value) {
  if (!takes_value(predicate.operation)) return predicate.operation == Operator::kExists;
  return any_or_all(predicate, [&](const Literal& literal) {
    return value < literal.number ? -1 : (value > literal.number ? 1 : 0);
  });
}

bool version_holds(const Predicate& predicate, std::string_view value) {
  if (takes_pattern(predicate.operation) || !takes_value(predicate.operation)) return text_holds(predicate, value);
  const auto version = parse_version(value);
  if (!version) return false;
  return any_or_all(predicate, [&](const Literal& literal) { return compare_versions(*version, literal.version); });
}

/// An absent value answers no comparison; only !exists holds.
bool absent_holds(const Predicate& predicate) {
  return predicate.operation == Operator::kNotExists;
}

bool group_holds(const Predicate& predicate, const std::vector<std::string_view>& groups) {
  if (groups.empty()) return absent_holds(predicate);
  return std::any_of(groups.begin(), groups.end(),
                     [&](std::string_view group) { return text_holds(predicate, group); });
}

bool predicate_holds(const Predicate& predicate, const InstanceView& instance) {
  switch (predicate.subject) {
    case Subject::kAttribute: {
      const auto value = instance.attribute(predicate.attribute);
      return value ? text_holds(predicate, *value) : absent_holds(predicate);
    }
    case Subject::kAgentConnected:
      return text_holds(predicate, instance.agent_connected() ? "true" : "false");
    case Subject::kAgentVersion: {
      const auto version = instance.agent_version();
      return version ? version_holds(predicate, *version) : absent_holds(predicate);
    }
    case Subject::kEc2InstanceId: {
      const auto id = instance.ec2_instance_id();
      return id ? text_holds(predicate, *id) : absent_holds(predicate);
    }
    case Subject::kRegisteredAt: {
      const auto time = instance.registered_at();
      return time ? number_holds(predicate, *time) : absent_holds(predicate);
    }
    case Subject::kRunningTasksCount:
      return number_holds(predicate, instance.running_tasks_count());
    case Subject::kTaskGroup:
      return group_holds(predicate, instance.task_groups());
  }
  return false;
}

bool looks_at_tasks(const Predicate& predicate) {
  return predicate.subject == Subject::kRunningTasksCount || predicate.subject == Subject::kTaskGroup;
}

/// Where there are tasks, how many of them and which ones are on the instance is not known.
Truth truth_with_tasks(const Predicate& predicate, const PossibleTasks& tasks) {
  const bool has_tasks = tasks.has_others || !tasks.groups.empty();
  if (predicate.subject == Subject::kRunningTasksCount)
    return has_tasks ? Truth::kUnknown : truth_of(number_holds(predicate, 0));
  if (predicate.subject != Subject::kTaskGroup || tasks.has_others) return Truth::kUnknown;
  if (tasks.groups.empty()) return truth_of(absent_holds(predicate));
  // Only `!exists` holds where there is no task.
  bool may_hold = absent_holds(predicate);
  if (predicate.operation == Operator::kEqual || predicate.operation == Operator::kIn) {
    may_hold = std::any_of(predicate.values.begin(), predicate.values.end(),
                           [&](const Literal& literal) { return tasks.groups.contains(literal.text); });
  } else if (!may_hold) {
    may_hold = std::any_of(tasks.groups.begin(), tasks.groups.end(),
                           [&](std::string_view group) { return text_holds(predicate, group); });
  }
  return may_hold ? Truth::kUnknown : Truth::kFalse;
}

Truth negated(Truth truth) {
  if (truth == Truth::kUnknown) return truth;
  return truth_of(truth == Truth::kFalse);
}

/// Operands precede their node, so one pass from the left settles the root.
std::vector<Truth> evaluate_nodes(const Expression& expression, const PredicateTruth& truth_of_predicate) {
  std::vector<Truth> truths;
  truths.reserve(expression.nodes().size());
  for (const Node& node : expression.nodes()) {
    const auto smaller = [&](std::uint32_t a, std::uint32_t b) { return truths[a] < truths[b]; };
    const auto& operands = node.operands;
    switch (node.kind) {
      case Node::Kind::kPredicate:
        truths.push_back(truth_of_predicate(node.predicate));
        break;
      case Node::Kind::kNot:
        truths.push_back(negated(truths[operands.front()]));
        break;
      case Node::Kind::kAnd:
        truths.push_back(truths[*std::min_element(operands.begin(), operands.end(), smaller)]);
        break;
      case Node::Kind::kOr:
        truths.push_back(truths[*std::max_element(operands.begin(), operands.end(), smaller)]);
        break;
    }
  }
  return truths;
}

}  // namespace

std::vector<Truth> Expression::truths_on(const InstanceView& instance) const {
  return evaluate_nodes(*this,
                        [&](std::uint32_t index) { return truth_of(predicate_holds(predicates_[index], instance)); });
}

bool Expression::holds(const InstanceView& instance) const {
  return truths_on(instance).back() == Truth::kTrue;
}

bool Expression::may_hold(const InstanceView& instance) const {
  return query::may_hold(*this, instance, std::vector<Truth>(predicates_.size(), Truth::kUnknown));
}

std::vector<Truth> predicates_with(const Expression& expression, const PossibleTasks& tasks) {
  std::vector<Truth> truths;
  for (const Predicate& predicate : expression.predicates()) truths.push_back(truth_with_tasks(predicate, tasks));
  return truths;
}

bool may_hold(const Expression& expression, const InstanceView& instance, const std::vector<Truth>& with_tasks) {
  const auto truths = evaluate_nodes(expression, [&](std::uint32_t index) {
    const Predicate& predicate = expression.predicates()[index];
    return looks_at_tasks(predicate) ? with_tasks[index] : truth_of(predicate_holds(predicate, instance));
  });
  return truths.back() != Truth::kFalse;
}

bool may_hold(const Expression& expression, const PossibleTasks& tasks) {
  const auto truths = evaluate_nodes(
      expression, [&](std::uint32_t index) { return truth_with_tasks(expression.predicates()[index], tasks); });
  return truths.back() != Truth::kFalse;
}

Truth Expression::evaluate(std::span<const KnownAttribute> known) const {
  return evaluate_nodes(*this,
                        [&](std::uint32_t index) {
                          const Predicate& predicate = predicates_[index];
                          if (predicate.subject != Subject::kAttribute) return Truth::kUnknown;
                          for (const auto& attribute : known) {
                            if (attribute.name == predicate.attribute)
                              return truth_of(text_holds(predicate, attribute.value));
                          }
                          return Truth::kUnknown;
                        })
      .back();
}

bool Expression::depends_on_tasks() const {
  return std::any_of(predicates_.begin(), predicates_.end(), looks_at_tasks);
}

}  // namespace bayplan::query
