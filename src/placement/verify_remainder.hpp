#pragma once
#include <string>
#include <vector>

#include "placement/ledger.hpp"
#include "placement/outcome.hpp"
#include "placement/scenario.hpp"

namespace bayplan::placement {

/// Instances of which what the result says is left is not what the ledger says after everything is booked.
std::vector<std::string> mistakes_in_remainder(const Scenario& scenario, const Outcome& outcome, const Ledger& ledger);

}  // namespace bayplan::placement
