#pragma once
#include <functional>
#include <vector>

#include "base/units.hpp"
#include "fleet/ideal/packing_question.hpp"
#include "fleet/offers/market.hpp"
#include "packing/packing_problem.hpp"

/// Surplus CPU credits in a packing problem. What a burstable instance costs depends on the CPU that its tasks reserve:
/// nothing more up to the baseline, then a price for each unit. The packing search knows bins of one price, so such an
/// instance is several bin types: each has the CPU up to some amount, at what the least use above the step below it
/// costs. All sums of task sizes are multiples of their greatest common divisor: with a step for each multiple every
/// bin costs just what its instance does, and a bound of the problem is a bound of fleets with their credits. With
/// fewer, larger steps a bin costs at most what its instance does: the bound stays one, and may be a little lower.
namespace bayplan::fleet {

struct CreditStep {
  CpuUnits cpu = 0;      ///< The tasks reserve so much at most.
  MicroUsd credits = 0;  ///< No bin that needs this step costs less beyond the price of the instance.
};

/// The most steps above the baseline.
inline constexpr std::int64_t kMostCreditSteps = 32;

/// `room`: CPU that the instance has for tasks. `most`: all that they can reserve there. `unit`: every sum of what they
/// reserve is a multiple of it; 0 when they reserve nothing. `credits` of what they reserve: does not fall.
std::vector<CreditStep> credit_steps(CpuUnits room, CpuUnits most, CpuUnits unit,
                                     const std::function<MicroUsd(CpuUnits)>& credits);

/// What surplus credits of the bins cost, by what their tasks and daemons reserve.
MicroUsd credits_of(const Market& market, const Question& question, const packing::Packing& packing);

/// What the packing costs with its credits.
MicroUsd cost_of(const Market& market, const Question& question, const packing::Packing& packing);

/// The same bins, each of the cheapest step that holds its tasks. `packing` may fill a step with more CPU than it has.
packing::Packing in_cheapest_steps(const Question& question, packing::Packing packing);

}  // namespace bayplan::fleet
