#pragma once
#include <random>

#include "packing/effort.hpp"
#include "packing/packing_problem.hpp"

namespace bayplan::packing {

/// Takes some bins of a packing out at random, of at most this many tasks, and packs those tasks anew: `rounds` times.
/// Keeps what is cheaper; stops at a cost that is good enough.
struct PartLimits {
  int rounds = 0;
  std::int64_t tasks = 0;
  MicroUsd good_enough = 0;
};

void improve_parts(const PackingProblem& problem, const PartLimits& limits, std::mt19937_64& random, Effort& effort,
                   Packing& packing);

}  // namespace bayplan::packing
