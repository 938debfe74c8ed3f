#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/result.hpp"
#include "placement/model/scenario.hpp"
#include "study/fleet/fleet_plan.hpp"

/// What a plan can be asked for.
namespace bayplan::study {

inline constexpr std::int64_t kMostZones = 6;  ///< us-east-1 has six, no region more.

/// Whether nothing takes time but tasks that start and end: a load curve (curve_over_time).
bool has_only_task_times(const placement::Scenario& scenario);

/// What of the scenario cannot be planned for, every place of it.
std::vector<Error> not_plannable(const placement::Scenario& scenario);

/// Zones that the scenario names, sorted.
std::vector<std::string> list_zones(const placement::Scenario& scenario);

/// Lists `count` zones, 1 to kMostZones: those of the scenario, then those that the region's letters name, which goes
/// to the scenario's assumptions.
std::vector<std::string> first_zones(std::int64_t count, placement::Scenario& scenario);

/// Why the request cannot be answered, in terms of the command line's flags.
std::optional<Error> refuse_request(const FleetRequest& request);

}  // namespace bayplan::study
