#pragma once
#include <vector>

#include "fleet/fill.hpp"

namespace bayplan::fleet {

/// Fleets to begin a search at: the ideal one; one with tasks that want no GPU on instances without; the cheapest of
/// a single type, which any strategy fills; of a few types where more are not allowed.
std::vector<Purchases> start_fleets(const Market& market, const Question& question, const packing::Solution& ideal,
                                    const FillRequest& request);

}  // namespace bayplan::fleet
