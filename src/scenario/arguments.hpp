#pragma once
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.hpp"
#include "placement/model/scenario.hpp"

namespace bayplan::scenario {

using namespace placement;  // NOLINT: what is loaded becomes the input of placement

/// "p3.2xlarge=4@us-east-2a,us-east-2b,pool=gpu": 4 in all, dealt to the zones in turn, with the attribute pool.
struct InstancesArgument {
  std::string instance_type;
  std::int64_t count = 1;
  std::vector<std::string> availability_zones;                 ///< Empty when none is given.
  std::map<std::string, std::string, std::less<>> attributes;  ///< Their own, in addition to those of their type.
  std::string capacity_provider;                               ///< `capacityProviderName=NAME`; empty when not given.
};

/// The argument as `parse_instances_argument` reads it.
std::string text_of(const InstancesArgument& argument);

/// The profile with the attributes and the capacity provider of the argument.
void use_argument(const InstancesArgument& argument, InstanceProfile& profile);

/// "train=3", "defs/train.json=max"
struct TaskArgument {
  std::string task_definition;
  std::optional<std::int64_t> count;  ///< Nothing = max.
};

/// `flag`: as the message names it.
Result<InstancesArgument> parse_instances_argument(std::string_view text, std::string_view flag = "--instances");
Result<TaskArgument> parse_task_argument(std::string_view text);

/// `binpack:memory`, `spread:attribute:ecs.availability-zone`, `random`, or as the AWS CLI takes it:
/// `type=spread,field=attribute:ecs.availability-zone`, several separated by blanks; or the same as JSON.
Result<std::vector<Strategy>> parse_strategy_argument(std::string_view text);

/// `distinctInstance`, or as the AWS CLI takes it: `type=memberOf,expression="attribute:stack == prod"`, or the same as
/// JSON.
Result<std::vector<Constraint>> parse_constraint_argument(std::string_view text);

/// The strategy that `type` and `field` mean, as written in a file or on the command line; an error without a place
/// when it cannot be ranked (ECS knows no such type or field).
Result<Strategy> make_strategy(std::string_view type, std::optional<std::string_view> field);

}  // namespace bayplan::scenario
