#pragma once
#include <cstdint>
#include <string>
#include <vector>

#include "fleet/ideal/few_types.hpp"
#include "fleet/ideal/packing_question.hpp"
#include "study/fleet/fleet_plan.hpp"
#include "study/fleet/plan_input.hpp"

/// The ideal fleet of a plan, its bound, and the checks of both.
namespace bayplan::study {

/// The cheapest packing found of any instance types, or of as many as the request allows, with its bound.
fleet::BoundedPacking solve(const PlanInput& input, Watch& watch);

/// "no single type holds both web and train"; empty without shapes.
std::string contradiction_of(const PlanInput& input, const std::vector<std::uint32_t>& shapes);

/// The question says less than placement does: its packing is changed until each instance takes its tasks one by one.
/// Where that fails, the fleet is the one of the packing as it is.
IdealFleet ideal_fleet(const PlanInput& input, const fleet::BoundedPacking& bounded);

/// Independent verification of the ideal fleet. Each fault is an internal error.
std::vector<std::string> faults_of(const PlanInput& input, const IdealFleet& ideal);

/// Result of the independent verification of the bound.
struct BoundCheck {
  Proof proof = Proof::kChecked;
  std::vector<std::string> refuted;  ///< Why the bound does not hold: an internal error.
};

BoundCheck check_bound(const fleet::Question& question, const fleet::BoundedPacking& bounded);

}  // namespace bayplan::study
