#pragma once
#include "packing/certificate.hpp"
#include "packing/pattern_rule.hpp"

namespace bayplan::packing {

/// Makes a certificate of any duals and the most that a bin of each type can be worth at them: what is worth too much
/// for its type is scaled down, or charged for where the type is limited, whichever leaves the higher bound. With rules
/// the bound is one of the packings that keep them.
Certificate best_certificate(const PackingProblem& problem, const Duals& duals,
                             const std::vector<NanoUsd>& upper_bounds, const std::vector<PatternRule>& rules = {});

}  // namespace bayplan::packing
