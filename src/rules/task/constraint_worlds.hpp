#pragma once
#include <string>
#include <string_view>
#include <vector>

#include "query/query.hpp"
#include "rules/context.hpp"
#include "rules/emitter.hpp"

namespace bayplan::rules {

/// Whether the definition is meant for container instances, which have attributes: EC2, EXTERNAL, MANAGED_INSTANCES.
bool runs_on_instances(const Context& ctx);

/// A memberOf constraint that can be read.
struct ReadConstraint {
  query::Expression expression;
  text::Value node;  ///< The expression as written.
};

/// Reads the constraints whose expression is known and parses.
std::vector<ReadConstraint> read_constraints(const Context& ctx, Emitter& emit);

/// What an instance says of itself: the attributes that ECS registers and that hang together. Empty: any value.
struct World {
  std::string_view instance_type;
  std::string_view os_type;
  std::string_view os_family;
  std::string_view architecture;
};

/// Whether every world can be held against every value in a moment. Of one expression that ECS takes (2000 characters)
/// it can; thousands of families times all types times as many values are not looked at.
bool are_few_worlds(const Context& ctx, const std::vector<ReadConstraint>& constraints);

/// Every combination of system and processor, on instances of whatever type.
std::vector<World> worlds_of_any_type(const std::vector<ReadConstraint>& constraints);

/// Every combination that an instance can have, given the types of the catalog when some expression names types.
std::vector<World> possible_worlds(const Context& ctx, const std::vector<ReadConstraint>& constraints);

/// Whether the expression may hold on such an instance, whatever its other attributes are.
bool may_hold(const query::Expression& expression, const World& world);

}  // namespace bayplan::rules
