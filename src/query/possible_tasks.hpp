#pragma once
#include <functional>
#include <set>
#include <string>
#include <vector>

#include "query/query.hpp"

/// What an expression gives on an instance whose tasks are not known, as on one to buy.
namespace bayplan::query {

/// The tasks that can ever be on an instance.
struct PossibleTasks {
  std::set<std::string, std::less<>> groups;  ///< Their groups.
  bool has_others = false;                    ///< Some of them may be of groups that are not known.
};

/// What each predicate gives on an instance that has some of these tasks, or none; unknown where it looks at something
/// else.
std::vector<Truth> predicates_with(const Expression& expression, const PossibleTasks& tasks);

/// Whether the expression holds on the instance with some tasks on it, by Kleene's three-valued logic: never false
/// where it could hold. `with_tasks`: what `predicates_with` gives.
bool may_hold(const Expression& expression, const InstanceView& instance, const std::vector<Truth>& with_tasks);

/// Whether the expression holds with some of these tasks on the instance, whatever else the instance is.
bool may_hold(const Expression& expression, const PossibleTasks& tasks);

}  // namespace bayplan::query
