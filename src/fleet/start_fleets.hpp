#pragma once
#include <vector>

#include "fleet/fill.hpp"

namespace bayplan::fleet {

/// Fleets to begin a search at: the ideal one, the cheapest of a single type (which ECS's strategies fill easily), a
/// first-fit one of every type.
std::vector<Purchases> start_fleets(const Market& market, const Question& question, const packing::Solution& ideal,
                                    const FillRequest& request);

}  // namespace bayplan::fleet
