#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/units.hpp"
#include "catalog/catalog.hpp"
#include "study/change.hpp"
#include "study/inquiry.hpp"
#include "study/snapshot.hpp"

namespace bayplan::study {

/// A change that was simulated and places the task, with nothing else left out that was placed before.
struct Remedy {
  Change change;  ///< Of a change at its turn the workload is Snapshot::asked.
  /// Made when the task has its turn, on what stands there then (see Snapshot), not before the first turn.
  bool at_its_turn = false;
  /// Where the task goes beside those that stand there, else from the first turn; Scenario::instances.size() = the
  /// added instance.
  std::uint32_t instance = 0;
  std::optional<MicroUsd> hourly_cost;  ///< 0 = none; nothing when no price is known.
  std::int64_t holders = 0;             ///< ChangeSize: instances that then hold the task.
  std::int64_t still_unplaced = 0;      ///< Tasks of the whole scenario; of changes at its turn not known.
};

struct Remedies {
  std::vector<Remedy> list;  ///< Cheapest first; those that cost nothing in the order of how little they disturb.
  std::int64_t tried = 0;    ///< Changes simulated.
  bool exhausted = false;    ///< The effort ended before every idea was tried.
  /// What `verify` says of the placements that the list rests on: faults of the program, never of the input.
  std::vector<std::string> mistakes;
};

/// For a task that was not placed. `snapshot`: of its turn. `catalog` may be null: no type that the cluster lacks then.
Remedies find_remedies(const Inquiry& inquiry, const Snapshot& snapshot, const catalog::Catalog* catalog);

/// The scenario that a remedy changes: the inquiry's, or its snapshot.
const placement::Scenario& base_of(const Remedy& remedy, const Inquiry& inquiry, const Snapshot& snapshot);

}  // namespace bayplan::study
