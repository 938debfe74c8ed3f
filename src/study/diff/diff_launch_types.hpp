#pragma once
#include <optional>
#include <string>
#include <vector>

#include "capacity/fit.hpp"
#include "fleet/offers/fargate_cost.hpp"
#include "lint/lint.hpp"
#include "study/diff/diff_side.hpp"
#include "study/launch_types/launch_type_check.hpp"

/// What one task of a definition costs on each launch type.
namespace bayplan::study {

struct TaskOnLaunchType {
  /// An hour; nothing when it cannot run there, or a price is not known.
  std::optional<MicroUsd> hourly;
  LaunchTypeCheck check;
  std::string instance_type;  ///< EC2 and Managed Instances: where a copy is cheapest, when full of copies.
  std::vector<std::string> missing_prices;
  std::vector<fleet::UsedRate> rates;
  bool is_spot_estimate = false;
};

struct LaunchTypeChange {
  LaunchType launch_type = LaunchType::kEc2;
  std::optional<TaskOnLaunchType> before;  ///< Nothing where there is no such definition.
  std::optional<TaskOnLaunchType> after;

  bool changes() const;  ///< The price, or whether it can run there.
};

/// By kLaunchTypes. `types` and `fit`: the instances that a copy may be on; a side may be null, not both.
std::vector<LaunchTypeChange> price_on_launch_types(const SideDefinition* before, const SideDefinition* after,
                                                    const std::vector<const catalog::InstanceType*>& types,
                                                    const capacity::FitOptions& fit, const lint::Tools& tools);

}  // namespace bayplan::study
