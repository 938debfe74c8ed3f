#pragma once
#include "packing/certificate.hpp"
#include "packing/packing_problem.hpp"

namespace bayplan::packing {

/// What tasks would cost if they could be cut to fill every bin: the price of each resource times their size. Shapes
/// with other bin types have other prices. A start for the search; no bound until it is priced.
Duals volume_duals(const PackingProblem& problem);

}  // namespace bayplan::packing
