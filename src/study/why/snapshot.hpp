#pragma once
#include <cstdint>
#include <optional>
#include <vector>

#include "placement/model/outcome.hpp"
#include "placement/model/scenario.hpp"

namespace bayplan::study {

/// A scenario stopped at one attempt: all that was placed before it runs, and of the rest there is only the task
/// whose turn it is, behind the daemons, which are first on every instance that comes up. Trying a change on it costs
/// little.
struct Snapshot {
  placement::Scenario scenario;
  std::uint32_t asked = 0;  ///< Workload of the task that is attempted.
  /// One entry per running task: the workload of the stopped scenario that placed it; nothing when it ran from the
  /// start.
  std::vector<std::optional<std::uint32_t>> placed_by;
};

Snapshot snapshot_before(const placement::Scenario& scenario, const placement::Outcome& outcome,
                         const placement::PlacementAttempt& attempt);

}  // namespace bayplan::study
