#pragma once
#include <optional>

#include "fleet/offers/purchase.hpp"
#include "fleet/recommended/fill_fleet.hpp"
#include "fleet/recommended/launch_trials.hpp"
#include "placement/model/scenario.hpp"
#include "study/fleet/plan_input.hpp"

namespace bayplan::study {

/// After a stop little effort is left, and none without grace: but the best fleet so far is of little use when no one
/// knows whether ECS fills it.
fleet::FillRequest fill_request(const FleetRequest& request, Watch& watch);

/// Whether fleets are filled by one policy in every launch order, as far as the effort of filling goes.
class FillCheck {
 public:
  FillCheck(const PlanInput& input, const fleet::Policy& policy, Watch& watch, FleetProgress::Phase phase);
  FillCheck(const FillCheck&) = delete;
  FillCheck& operator=(const FillCheck&) = delete;

  /// Nothing when the effort ends before.
  std::optional<bool> is_filled(const fleet::Purchases& purchases);

 private:
  fleet::FillRequest request_;
  fleet::FillEffort effort_;
  const placement::Scenario tasks_;
  fleet::LaunchTrials trials_;
};

/// The tasks on the fleet.
placement::Scenario on_fleet(const PlanInput& input, const fleet::FilledFleet& fleet);

}  // namespace bayplan::study
