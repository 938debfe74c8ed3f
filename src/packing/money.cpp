#include "packing/money.hpp"

#include <numeric>

namespace bayplan::packing {

MicroUsd price_step(const PackingProblem& problem) {
  MicroUsd step = 0;
  for (const BinType& type : problem.types) step = std::gcd(step, type.price);
  return step == 0 ? 1 : step;
}

MicroUsd round_up(NanoUsd amount, MicroUsd step) {
  const NanoUsd fine = step * kNanoUsdPerMicroUsd;
  return amount <= 0 ? 0 : (amount + fine - 1) / fine * step;
}

}  // namespace bayplan::packing
