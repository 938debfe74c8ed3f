#include "placement/capacity_providers.hpp"

namespace bayplan::placement {

std::size_t ProviderDeal::next() {
  const std::int64_t task = given_++;
  std::int64_t bases = 0;
  for (std::size_t i = 0; i < shares_.size(); ++i) {
    bases += shares_[i].base;
    if (task < bases) return i;
  }
  std::size_t best = 0;
  std::int64_t best_weight = 0;
  for (std::size_t i = 0; i < shares_.size(); ++i) {
    const std::int64_t weight = shares_[i].weight;
    if (weight <= 0) continue;
    if (best_weight == 0 || (above_base_[i] + 1) * best_weight < (above_base_[best] + 1) * weight) {
      best = i;
      best_weight = weight;
    }
  }
  ++above_base_[best];
  return best;
}

}  // namespace bayplan::placement
