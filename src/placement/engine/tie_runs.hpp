#pragma once
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "placement/engine/histogram.hpp"
#include "placement/model/outcome.hpp"
#include "placement/model/scenario.hpp"

/// One placement rests on one order of ties, of which ECS does not say which it takes. Here the same scenario is placed
/// many times, each time with every tie, and every `random` strategy, drawn anew.
namespace bayplan::placement {

/// A service or the tasks of one family over all runs.
struct NameRuns {
  std::string name;
  Distribution unplaced;
  std::optional<Distribution> fit;  ///< Tasks placed where no count was given.
  bool operator==(const NameRuns&) const = default;
};

struct TieRuns {
  std::int64_t runs = 0;
  std::int64_t placed_all = 0;   ///< Runs that left no task without a place.
  std::uint64_t first_seed = 0;  ///< The others follow it one by one.
  std::uint64_t worst_seed = 0;  ///< Seed of the run with most unplaced tasks; among equals the one that placed fewest.
  Distribution unplaced;
  std::vector<NameRuns> names;  ///< The names in the order of their first placement.
  bool operator==(const TieRuns&) const = default;
};

/// Places the scenario `runs` times with drawn ties and the seeds from its own on, side by side. Keeps figures only;
/// `scenario` with drawn ties and `worst_seed` repeats the worst run. Calls `on_run` after each run, in order.
TieRuns place_in_tie_orders(const Scenario& scenario, std::int64_t runs,
                            const std::function<void(std::int64_t done)>& on_run = {});

/// The tie orders that a report rests on.
struct TieOrders {
  std::int64_t tried = 1;
  std::int64_t fit = 0;           ///< Number of runs that place every task.
  std::optional<TieRuns> others;  ///< Set if other orders place more or fewer tasks than the report's own.
  bool untried = false;           ///< Fewer than twenty others were tried, as each takes long: others may differ.
  bool all_fit() const { return fit == tried; }
  bool operator==(const TieOrders&) const = default;
};

/// The order of `outcome` alone.
TieOrders one_tie_order(const Outcome& outcome);

/// The order of `outcome` and twenty others where a place was tied or drawn; fewer where a million tasks and instances
/// would be looked at all in all.
TieOrders try_tie_orders(const Scenario& scenario, const Outcome& outcome);

}  // namespace bayplan::placement
