#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/units.hpp"
#include "scenario/arguments.hpp"
#include "study/scenario_change.hpp"

namespace bayplan::study {

/// A change that was simulated and helps: what it costs, and what it achieves. What is to be achieved is said by who
/// looks for remedies.
struct Remedy {
  ScenarioChange change;
  /// Of AddInstances: each type and zone as the flag --add writes it. What was simulated is what the flag makes of it.
  std::vector<scenario::InstancesArgument> added = {};
  std::optional<MicroUsd> hourly_cost;  ///< Beyond what is paid without it. 0 = none; nothing when no price is known.

  // Of `why`, which wants one task placed and none left out that was placed before.
  /// The change is made at the attempt to place the task, on the cluster of that moment (see Snapshot), not before the
  /// first placement.
  bool at_its_turn = false;
  /// Where the task goes while those that run stay, else from the first placement; Scenario::instances.size() = the
  /// added instance.
  std::uint32_t instance = 0;
  std::int64_t holders = 0;         ///< ChangeSize: instances that then hold the task.
  std::int64_t still_unplaced = 0;  ///< Tasks of the whole scenario; of changes at its attempt not known.

  // Of a deployment that is to complete.
  placement::Seconds takes = 0;  ///< Time from the start of the deployment to its completion.
};

struct Remedies {
  std::vector<Remedy> list;  ///< Cheapest first, those without a price behind them.
  std::int64_t tried = 0;    ///< Changes simulated.
  bool exhausted = false;    ///< The counted effort ended before every idea was tried.
  /// What `verify` says of the placements that the list rests on: faults of the program, never of the input.
  std::vector<std::string> mistakes = {};
};

/// Returns the smallest number between 1 and `enough` that suffices. `enough` does, and so does every number above one
/// that does. Small numbers are tried first because they mostly suffice.
template <class Suffices>
std::int64_t smallest(std::int64_t enough, const Suffices& suffices) {
  std::int64_t too_few = 0;
  for (std::int64_t probe = 1; enough - too_few > 1; probe = too_few + (enough - too_few) / 2)
    (suffices(probe) ? enough : too_few) = probe;
  return enough;
}

/// Returns the amount for sorting: one that is not known comes last.
MicroUsd price_or_last(const std::optional<MicroUsd>& amount);

/// Keeps one of the profiles per instance type and zone, the cheapest first (then in file order), and at most eight.
std::vector<std::uint32_t> cheapest_profiles(const placement::Scenario& scenario, std::vector<std::uint32_t> profiles);

/// Returns the profile of a new instance like `profile`: ACTIVE, with its agent connected, and without IDs of its own.
placement::InstanceProfile new_instance_like(placement::InstanceProfile profile);

}  // namespace bayplan::study
