#pragma once
#include "packing/column_generation.hpp"

namespace bayplan::packing {

struct DivingLimits {
  std::size_t width = 0;     ///< Beam width of the search for patterns.
  int nodes = 0;             ///< LPs to solve at most, past the first way down.
  std::size_t branches = 1;  ///< Patterns tried at each turn; 1: straight down.
  std::uint64_t seed = 0;    ///< 0: the LP's own order; else the choice among its patterns is shaken.
  MicroUsd good_enough = 0;  ///< Stops at a packing that costs no more.
};

/// Fixes the patterns that the LP uses most, one after the other, and solves the LP for the rest each time. Betters
/// `best`, a packing of all tasks, or empty as long as there is none; true when it did.
bool dive(const PackingProblem& problem, ColumnGeneration& generation, const DivingLimits& limits, Effort& effort,
          Packing& best);

}  // namespace bayplan::packing
