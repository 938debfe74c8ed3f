#pragma once
#include <optional>
#include <string>

#include "base/units.hpp"
#include "placement/outcome.hpp"
#include "placement/scenario.hpp"

namespace bayplan::placement {

/// A change of the cluster that was simulated and places everything.
struct Remedy {
  std::string instance_type;
  std::string availability_zone;  ///< May be empty.
  std::optional<MicroUsd> hourly_price;
};

/// The cheapest single instance, of a kind that the cluster has, with which every task is placed. Nothing when none is
/// enough, when nothing failed, or when trying would take too long.
std::optional<Remedy> one_more_instance(const Scenario& scenario, const Outcome& outcome);

}  // namespace bayplan::placement
