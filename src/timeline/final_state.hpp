#pragma once
#include <cstdint>
#include <vector>

#include "placement/model/outcome.hpp"
#include "placement/model/scenario.hpp"
#include "timeline/history.hpp"

namespace bayplan::timeline {

/// The cluster when the run ends, as reports of a placing at time 0 show one.
struct FinalState {
  /// Instances that are there at the end (not those that boot), with what ran before the start and still runs. No
  /// calls.
  placement::Scenario scenario;
  /// Tasks that were placed in the run and hold their resources; no failures. `instances` in the order of `scenario`.
  placement::Outcome outcome;
  std::int64_t booting = 0;  ///< Instances that are launched and not there yet.
};

/// `scenario` must outlive it.
FinalState final_state(const placement::Scenario& scenario, const History& history);

/// The scenario with every instance that there ever was, numbered as History::instances: for the words of failures and
/// GPU ids. No calls, nothing in use.
placement::Scenario with_all_instances(const placement::Scenario& scenario, const History& history);

}  // namespace bayplan::timeline
