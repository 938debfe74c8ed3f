#pragma once
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/result.hpp"
#include "placement/model/scenario.hpp"
#include "study/whatif/rollout.hpp"
#include "study/whatif/variant.hpp"
#include "study/whatif/what_if_deploy.hpp"
#include "timeline/history.hpp"

/// Variants of a scenario over time: each is simulated, as the scenario itself is.
namespace bayplan::study {

/// One run; moves with what refers to it.
struct RunOverTime {
  std::unique_ptr<const placement::Scenario> scenario;
  timeline::History history;  ///< Has errors if the variant contradicts what happens.
  std::vector<DeploymentResult> deployments;
  std::vector<BlockedDeployment> held;
  std::vector<std::string> mistakes;  ///< Internal errors.
};

/// The scenario with the variant made: what is planned, added, removed and scaled holds from the start, the timed
/// events and the deployments happen at `at`.
placement::Scenario with_variant(const placement::Scenario& scenario, const Variant& variant, placement::Seconds at);

RunOverTime run_over_time(const placement::Scenario& scenario, const Variant& variant, placement::Seconds at);

}  // namespace bayplan::study
