#pragma once
#include "packing/packing_problem.hpp"

namespace bayplan::packing {

/// Duals are as fine as that: rounding them to micro-USD would cost 100,000 cheap tasks a tenth of a percent.
using bayplan::kNanoUsdPerMicroUsd;
using bayplan::kNanoUsdPerUsd;
using bayplan::NanoUsd;

/// What every sum of prices is a multiple of; 1 when all prices are 0.
MicroUsd price_step(const PackingProblem& problem);

/// The least sum of prices that is no less than the amount.
MicroUsd round_up(NanoUsd amount, MicroUsd step);

}  // namespace bayplan::packing
