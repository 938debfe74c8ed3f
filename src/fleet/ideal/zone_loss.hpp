#pragma once
#include <optional>
#include <string>
#include <vector>

#include "base/units.hpp"
#include "fleet/ideal/packing_question.hpp"
#include "fleet/offers/market.hpp"
#include "placement/model/outcome.hpp"
#include "placement/model/scenario.hpp"

namespace bayplan::fleet {

/// No fleet in this many zones that still holds every task when any one of them is lost costs less, where no fleet that
/// holds every task costs less than `bound`. Each loss leaves instances for `bound` or more, and each instance is lost
/// with one zone: all losses together leave the cost of the fleet `zones` - 1 times, so (zones - 1) * cost >= zones *
/// bound. Nothing for one zone: what is lost with it has no place.
std::optional<MicroUsd> zone_loss_bound(MicroUsd bound, std::size_t zones);

/// The lower bound of fleets that hold every task after the loss of any one zone, rounded up to a sum of prices;
/// `bound` is that of fleets that hold every task without a loss. Returns `bound` itself in two cases: if an instance
/// with a price can be outside the zones, because no loss removes it; and if instances have surplus CPU credits,
/// because after a loss the remaining instances cost more credits than before.
MicroUsd bound_with_zone_loss(MicroUsd bound, const Question& question, const Market& market,
                              const std::vector<std::string>& zones);

/// The scenario just after the zone is lost: the tasks on other instances run as `outcome` placed them, those that ran
/// in the zone are launched anew, in the order in which they had been placed. The zone's instances stay in the list,
/// and take no tasks. `tasks` of `LostZone` says where the first attempts go.
struct LostZone {
  placement::Scenario scenario;
  std::vector<std::uint32_t> standing;  ///< Instance of each of the first attempts that are not a daemon's.
};
LostZone lose_zone(const placement::Scenario& scenario, const placement::Outcome& outcome, const std::string& zone);

}  // namespace bayplan::fleet
