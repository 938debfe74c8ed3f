#pragma once
#include <optional>

#include "fleet/fill.hpp"
#include "fleet/top_up.hpp"

namespace bayplan::fleet {

/// A cheap fleet of at most `most` instance types that holds every task by packing: type after type is taken that
/// makes the fleet cheapest, then each is exchanged for a better one. Among types of the ideal fleet and those that
/// hold some task at the least price.
std::optional<Purchases> fleet_of_few_types(const Market& market, const Question& question, const Purchases& ideal,
                                            const TopUp& packer, std::int64_t most);

}  // namespace bayplan::fleet
