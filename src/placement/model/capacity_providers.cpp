#include "placement/model/capacity_providers.hpp"

#include <algorithm>

namespace bayplan::placement {

std::string_view provider_name(const Workload& workload, OptionalIndex position) {
  const auto& providers = workload.capacity_providers;
  return position && *position < providers.size() ? std::string_view(providers[*position].capacity_provider)
                                                  : std::string_view();
}

ProviderDistributor::ProviderDistributor(const std::vector<ProviderShare>& shares,
                                         const std::vector<std::int64_t>& running)
    : shares_(shares) {
  for (std::size_t i = 0; i < shares.size(); ++i) {
    const std::int64_t has = running.empty() ? 0 : running[i];
    const std::int64_t of_base = std::min(has, shares[i].base);
    base_left_.push_back(shares[i].base - of_base);
    above_base_.push_back(has - of_base);
  }
}

std::size_t ProviderDistributor::next() {
  for (std::size_t i = 0; i < base_left_.size(); ++i) {
    if (base_left_[i] == 0) continue;
    --base_left_[i];
    return i;
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
