#pragma once
#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "placement/model/instance_state.hpp"
#include "placement/model/scenario.hpp"
#include "study/whatif/variant.hpp"

namespace bayplan::study {

struct PlainFigures {
  std::int64_t desired = 0;
  std::int64_t placed = 0;
  std::int64_t held = 0;
  std::int64_t stays = 0;
  std::int64_t moves = 0;
  bool operator==(const PlainFigures&) const = default;
};

struct PlainResult {
  std::map<std::pair<std::string, bool>, PlainFigures> names;  ///< By name; whether it is a service.
  /// What is taken of each instance that is there, and the groups of its tasks; by id.
  std::map<std::string, placement::InstanceState> states;
  std::map<std::string, std::map<std::string, std::int64_t>> groups;
};

/// What events make of a placed scenario, by a copy: everything that stands runs before the first turn of a scenario
/// in which the events have happened, and what lacks is placed there by looking at every instance. Slow and plain to
/// read, which makes it the oracle of ClusterSimulation.
PlainResult plain_what_if(const placement::Scenario& scenario, const std::vector<placement::InstantEvent>& events);

/// The scenario once it has been placed, as a live cluster: some of what was placed runs before the first turn.
/// `is_frozen(i)`: the i-th placement does.
placement::Scenario as_live(placement::Scenario scenario, const std::vector<bool>& is_frozen);

}  // namespace bayplan::study
