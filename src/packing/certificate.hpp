#pragma once
#include <vector>

#include "packing/money.hpp"

namespace bayplan::packing {

/// What a task may cost, one value a shape, and what one more bin of a limited type would save, one a type.
struct Duals {
  std::vector<NanoUsd> worth;
  std::vector<NanoUsd> charge;
};

/// A proof that no packing costs less: no bin type holds tasks worth more than its price and charge.
struct Certificate {
  Duals duals;
  NanoUsd bound = 0;  ///< What all tasks are worth, less the charges of all limited bins; not rounded up.
};

}  // namespace bayplan::packing
