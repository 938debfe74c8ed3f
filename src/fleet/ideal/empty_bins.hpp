#pragma once
#include <string>
#include <vector>

#include "fleet/ideal/packing_question.hpp"
#include "fleet/offers/market.hpp"
#include "placement/model/groups.hpp"
#include "placement/model/instance_state.hpp"
#include "placement/model/scenario.hpp"
#include "query/possible_tasks.hpp"

namespace bayplan::fleet {

/// One instance of each kind of bin, with its daemons on it, or what runs there already: what placement says of it
/// holds for all bins of the kind.
struct EmptyBins {
  std::vector<BinOrigin> origins;
  /// A profile and an instance for each origin, and the workloads. Without the memberOf of theirs that look at tasks,
  /// but for daemons.
  placement::Scenario scenario;
  placement::Groups groups;
  std::vector<placement::InstanceState> states;
  std::vector<LeftOut> left_out;  ///< A daemon wants them and has no room there.
  query::PossibleTasks tasks;     ///< That run, or that can start on some fleet.
};

/// The bins on which the memberOf can hold with some of the tasks that there can be.
std::vector<bool> bins_that_may_meet(const EmptyBins& bins, const query::Expression& expression);

/// Empty bins of every offer, in every zone unless zones do not matter.
EmptyBins empty_bins(const placement::Scenario& scenario, const Market& market, const std::vector<std::string>& zones);

/// Empty bins of these origins, each of which has room for its daemons.
EmptyBins empty_bins(const placement::Scenario& scenario, const Market& market, const std::vector<BinOrigin>& origins);

}  // namespace bayplan::fleet
