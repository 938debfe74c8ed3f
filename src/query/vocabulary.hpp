#pragma once
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "query/query.hpp"

namespace bayplan::query {

/// How a subject's values compare.
enum class Comparison : std::uint8_t { kBoolean, kVersion, kText, kTime, kCount };

struct SubjectRow {
  Subject subject;
  std::string_view name;
  Comparison comparison;
};

/// Every subject but attributes, in the order of the developer guide.
std::span<const SubjectRow> subjects();
std::optional<Subject> subject_named(std::string_view name);
Comparison comparison_of(Subject subject);

std::optional<Operator> operator_spelled(std::string_view spelling);  ///< Words and symbols alike.
std::vector<std::string_view> operator_words();                       ///< "equals", "not_equals" ... for a hint.
/// The operation that holds exactly where the other fails, given that the subject has a value.
Operator complement_of(Operator operation);

/// What the guide says of a subject and an operator.
enum class Support : std::uint8_t { kDocumented, kUndocumented, kMeaningless };
Support find_support(Subject subject, Operator operation);

/// Attributes that ECS and its agent give to instances, but for the many under ecs.capability (ECS developer guide,
/// task-placement-constraints, 2026-08).
const std::vector<std::string_view>& built_in_attributes();
bool is_built_in_attribute(std::string_view name);

bool is_order(Operator operation);       ///< > >= < <=
bool takes_list(Operator operation);     ///< in, not_in
bool takes_pattern(Operator operation);  ///< =~, !~
bool takes_value(Operator operation);    ///< All but exists and !exists.

}  // namespace bayplan::query
