#include "query/vocabulary.hpp"

#include <algorithm>
#include <array>

namespace bayplan::query {

namespace {

struct OperatorRow {
  Operator operation;
  std::string_view symbol;
  std::string_view word;
  Operator complement;
};

constexpr std::array<OperatorRow, 12> kOperators{{
    {Operator::kEqual, "==", "equals", Operator::kNotEqual},
    {Operator::kNotEqual, "!=", "not_equals", Operator::kEqual},
    {Operator::kGreater, ">", "greater_than", Operator::kLessEqual},
    {Operator::kGreaterEqual, ">=", "greater_than_equal", Operator::kLess},
    {Operator::kLess, "<", "less_than", Operator::kGreaterEqual},
    {Operator::kLessEqual, "<=", "less_than_equal", Operator::kGreater},
    {Operator::kMatches, "=~", "matches", Operator::kNotMatches},
    {Operator::kNotMatches, "!~", "not_matches", Operator::kMatches},
    {Operator::kIn, "in", "in", Operator::kNotIn},
    {Operator::kNotIn, "!in", "not_in", Operator::kIn},
    {Operator::kExists, "exists", "exists", Operator::kNotExists},
    {Operator::kNotExists, "!exists", "not_exists", Operator::kExists},
}};

constexpr std::array<SubjectRow, 6> kSubjects{{
    {Subject::kAgentConnected, "agentConnected", Comparison::kBoolean},
    {Subject::kAgentVersion, "agentVersion", Comparison::kVersion},
    {Subject::kEc2InstanceId, "ec2InstanceId", Comparison::kText},
    {Subject::kRegisteredAt, "registeredAt", Comparison::kTime},
    {Subject::kRunningTasksCount, "runningTasksCount", Comparison::kCount},
    {Subject::kTaskGroup, "task:group", Comparison::kText},
}};

const OperatorRow& row_of(Operator operation) {
  return kOperators[static_cast<std::size_t>(operation)];
}

bool is_equality(Operator operation) {
  return operation == Operator::kEqual || operation == Operator::kNotEqual;
}

}  // namespace

std::span<const SubjectRow> subjects() {
  return kSubjects;
}

std::optional<Subject> subject_named(std::string_view name) {
  for (const auto& row : subjects()) {
    if (row.name == name) return row.subject;
  }
  return std::nullopt;
}

Comparison comparison_of(Subject subject) {
  for (const auto& row : subjects()) {
    if (row.subject == subject) return row.comparison;
  }
  return Comparison::kText;
}

std::string name_of(Subject subject, std::string_view attribute) {
  for (const auto& row : subjects()) {
    if (row.subject == subject) return std::string(row.name);
  }
  return "attribute:" + std::string(attribute);
}

std::optional<Operator> operator_spelled(std::string_view spelling) {
  for (const auto& row : kOperators) {
    if (row.symbol == spelling || row.word == spelling) return row.operation;
  }
  return std::nullopt;
}

std::vector<std::string_view> operator_words() {
  std::vector<std::string_view> words;
  for (const auto& row : kOperators) words.push_back(row.word);
  return words;
}

std::string_view symbol_of(Operator operation) {
  return row_of(operation).symbol;
}

Operator complement_of(Operator operation) {
  return row_of(operation).complement;
}

bool is_order(Operator operation) {
  return operation >= Operator::kGreater && operation <= Operator::kLessEqual;
}

bool takes_list(Operator operation) {
  return operation == Operator::kIn || operation == Operator::kNotIn;
}

bool takes_pattern(Operator operation) {
  return operation == Operator::kMatches || operation == Operator::kNotMatches;
}

bool takes_value(Operator operation) {
  return operation != Operator::kExists && operation != Operator::kNotExists;
}

// The guide's table of subjects and operators (cluster-query-language.html). What it leaves out but has an obvious
// meaning is evaluated with a doubt; an order of things that have none is refused.
Support find_support(Subject subject, Operator operation) {
  switch (subject) {
    case Subject::kAttribute:
      return Support::kDocumented;
    case Subject::kAgentConnected:
    case Subject::kEc2InstanceId:
      if (is_order(operation)) return Support::kMeaningless;
      return takes_value(operation) ? Support::kDocumented : Support::kUndocumented;
    case Subject::kAgentVersion:
    case Subject::kRegisteredAt:
    case Subject::kRunningTasksCount:
      if (is_order(operation) || is_equality(operation)) return Support::kDocumented;
      // A date and a number have many spellings: what would a pattern match?
      if (takes_pattern(operation) && subject != Subject::kAgentVersion) return Support::kMeaningless;
      return Support::kUndocumented;
    case Subject::kTaskGroup:
      if (is_order(operation)) return Support::kMeaningless;
      return operation == Operator::kEqual || operation == Operator::kIn ? Support::kDocumented
                                                                         : Support::kUndocumented;
  }
  return Support::kDocumented;
}

const std::vector<std::string_view>& built_in_attributes() {
  static const std::vector<std::string_view> names{"ecs.ami-id",      "ecs.availability-zone", "ecs.instance-type",
                                                   "ecs.os-type",     "ecs.os-family",         "ecs.cpu-architecture",
                                                   "ecs.vpc-id",      "ecs.subnet-id",         "ecs.awsvpc-trunk-id",
                                                   "ecs.outpost-arn", "ecs.os-type-detailed"};
  return names;
}

bool is_built_in_attribute(std::string_view name) {
  const auto& names = built_in_attributes();
  return std::find(names.begin(), names.end(), name) != names.end();
}

}  // namespace bayplan::query
