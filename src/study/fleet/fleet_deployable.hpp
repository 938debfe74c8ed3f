#pragma once
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "placement/model/scenario.hpp"

/// Whether each service can roll on a fleet that it fills: a deployment of the definition that it has
/// (forceNewDeployment), all other services standing.
namespace bayplan::study {

/// Whether there is anything to roll: a service, a DAEMON not.
bool has_services(const placement::Scenario& scenario);

/// Instances of one type that let a service roll, in addition to those that are there.
struct MissingInstances {
  std::string instance_type;
  std::int64_t count = 0;
};

struct RolledService {
  std::string service_name;
  bool ok = false;
  bool is_tried = true;  ///< False: the effort ended before; `ok` says nothing.
  /// The cheapest addition of one type of the fleet with which it rolls; empty when it does without, and where none was
  /// found.
  std::vector<MissingInstances> needs;
  bool runs_both = false;  ///< Its deployment starts all new tasks next to the old ones.
  std::string why;         ///< Why it does not roll: "there is no room for another (RESOURCE:GPU)".
};

struct RolloutRequest {
  std::int64_t effort = 400'000;  ///< Tasks replaced in simulation, all services together.
  std::int64_t most_more = 20;    ///< Instances to add at most for one service.
};

struct Rollouts {
  std::vector<RolledService> services;  ///< Services that are not DAEMON, in the order of the scenario.
  bool exhausted = false;               ///< The effort ended before every service, or every addition, was tried.

  bool all_roll() const;
};

/// `scenario`: at time 0, with the instances of the fleet; each workload has a count. Profiles of instances are what is
/// added, priced ones the cheapest first. Every service is where the engine places it; each rolls alone, within its
/// minimumHealthyPercent and maximumPercent, or with all new tasks next to old ones (DeploymentSettings::runs_both).
/// A service that has a task without a place beforehand does not roll.
Rollouts roll_each(const placement::Scenario& scenario, const RolloutRequest& request = {});

/// Every service of the scenario, none of them tried.
Rollouts not_rolled(const placement::Scenario& scenario);

}  // namespace bayplan::study
