#pragma once
#include <optional>
#include <string>
#include <vector>

#include "fleet/offers/market.hpp"
#include "fleet/offers/purchase.hpp"
#include "placement/model/scenario.hpp"
#include "placement/policy/policy.hpp"
#include "study/fleet/fleet_plan.hpp"

namespace bayplan::study {

/// A fleet on which StartTask starts the standalone tasks where a policy of the literature has them, after the
/// services, which keep their strategies.
struct FleetByStartTask {
  placement::Policy policy = placement::Policy::kBestFit;
  placement::TaskOrder order = placement::TaskOrder::kGiven;  ///< In which the tasks are started.
  fleet::Purchases purchases;
  MicroUsd hourly_cost = 0;
  std::vector<std::string> mistakes;  ///< What `verify` says of the outcome: faults of the program.
};

/// The cheapest of the fleets of the plan on which a policy places every task that way, and that costs less than the
/// recommended one. Nothing when none is, when there are no standalone tasks, or only standalone tasks: then StartTask
/// fills the ideal fleet. Each fleet is filled in one launch order: what calls StartTask decides it.
std::optional<FleetByStartTask> find_fleet_by_start_task(const placement::Scenario& scenario,
                                                         const fleet::Market& market, const FleetRequest& request,
                                                         const FleetPlan& plan);

}  // namespace bayplan::study
