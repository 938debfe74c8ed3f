#pragma once
#include <optional>
#include <string>
#include <string_view>

namespace bayplan::model {

/// Why ECS cannot rank instances by a placement strategy: the words of a lint finding and of a refused scenario alike.
struct StrategyFault {
  std::string message;
  std::string help;
};

/// What is wrong with a strategy of the types binpack and spread; `field` is nothing when it is absent. Fields are
/// compared without case: ECS answers "MEMORY" where "memory" was sent
/// (https://github.com/hashicorp/terraform/pull/12998).
std::optional<StrategyFault> find_strategy_fault(std::string_view type, std::optional<std::string_view> field);

}  // namespace bayplan::model
