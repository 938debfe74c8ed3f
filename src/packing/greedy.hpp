#pragma once
#include <span>

#include "packing/effort.hpp"
#include "packing/remaining_demand.hpp"

namespace bayplan::packing {

/// The criterion by which the next task of a bin is chosen.
enum class FillRule : std::uint8_t {
  kSum,         ///< First fit decreasing by the sum of the shares of the bin.
  kMax,         ///< ... by the largest share.
  kWorth,       ///< ... by what a task is worth against its size.
  kDotProduct,  ///< Most alike to the rest of the bin.
  kDistance,    ///< What leaves the least, in squares.
};

/// Bin after bin, each filled by a rule, of the type whose filling costs the least for what it is worth: the cheapest
/// of the rules, of equal ones the first. `worth`: what a task of each shape should cost, in any unit. Nothing when
/// limits leave tasks over.
Packing best_greedy(const PackingProblem& problem, const RemainingDemand& rest, std::span<const FillRule> rules,
                    std::span<const double> worth, Effort& effort);

inline constexpr FillRule kAllFillRules[] = {FillRule::kSum, FillRule::kMax, FillRule::kWorth, FillRule::kDotProduct,
                                             FillRule::kDistance};

/// What a task costs at least when it shares a bin perfectly: a worth to begin with.
std::vector<double> plain_worth(const PackingProblem& problem);

}  // namespace bayplan::packing
