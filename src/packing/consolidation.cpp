#include "packing/consolidation.hpp"

#include <algorithm>
#include <numeric>
#include <optional>

#include "packing/remaining_demand.hpp"

namespace bayplan::packing {
namespace {

/// Limit on the number of different bins that are merged, because the time grows with the square.
constexpr std::size_t kMaxMerged = 600;

/// What one bin holds, as far as another type must hold it.
struct Load {
  Pattern pattern;
  Amounts used{};
  std::uint64_t tokens = 0;
  std::int64_t bins = 0;
};

class Consolidation {
 public:
  Consolidation(const PackingProblem& problem, const Packing& packing, Effort& effort)
      : problem_(problem), effort_(effort), rest_(all_of(problem)), by_price_(problem.types.size()) {
    for (const FilledBins& filled : packing) {
      pack(problem, filled.pattern, filled.bins, rest_);
      loads_.push_back(compute_load(filled));
    }
    std::iota(by_price_.begin(), by_price_.end(), 0U);
    std::stable_sort(by_price_.begin(), by_price_.end(),
                     [&](std::uint32_t a, std::uint32_t b) { return problem.types[a].price < problem.types[b].price; });
  }

  Packing run() {
    for (Load& load : loads_) retype(load);
    for (std::size_t i = 0; i < loads_.size() && i < kMaxMerged; ++i) {
      for (std::size_t j = 0; j <= i && !effort_.is_exhausted(); ++j) merge(j, i);
    }
    Packing packing;
    for (Load& load : loads_) {
      if (load.bins > 0) packing.push_back({std::move(load.pattern), load.bins});
    }
    tidy(packing);
    return packing;
  }

 private:
  Load compute_load(const FilledBins& filled) const {
    Load load{filled.pattern, {}, 0, filled.bins};
    for (const Copies& copies : filled.pattern.copies) {
      const Shape& shape = problem_.shapes[copies.shape];
      for (std::size_t d = 0; d < problem_.dimensions; ++d) load.used[d] += copies.count * shape.size[d];
      load.tokens |= shape.tokens;
    }
    return load;
  }

  MicroUsd compute_price(const Load& load) const { return problem_.types[load.pattern.type].price; }

  bool holds(std::uint32_t type, const Load& load) const {
    for (std::size_t d = 0; d < problem_.dimensions; ++d) {
      if (problem_.types[type].capacity[d] < load.used[d]) return false;
    }
    return std::all_of(load.pattern.copies.begin(), load.pattern.copies.end(),
                       [&](const Copies& copies) { return is_allowed(problem_.shapes[copies.shape], type); });
  }

  /// The cheapest type that holds the load, at no more than the price; what is left over stays over.
  std::optional<std::uint32_t> type_for(const Load& load, MicroUsd most) {
    effort_.spend(1);
    for (std::uint32_t type : by_price_) {
      if (problem_.types[type].price > most) break;
      if (problem_.types[type].is_refuge || !holds(type, load)) continue;
      if (bins_left(problem_, rest_, type) >= load.bins) return type;
    }
    return std::nullopt;
  }

  void retype(Load& load) {
    if (problem_.types[load.pattern.type].is_refuge) return;
    pack(problem_, load.pattern, -load.bins, rest_);
    if (const auto type = type_for(load, compute_price(load))) load.pattern.type = *type;
    pack(problem_, load.pattern, load.bins, rest_);
  }

  void merge(std::size_t i, std::size_t j) {
    const std::int64_t bins = i == j ? loads_[i].bins / 2 : std::min(loads_[i].bins, loads_[j].bins);
    if (bins == 0 || problem_.types[loads_[i].pattern.type].is_refuge) return;
    auto both = united(loads_[i], loads_[j]);
    if (!both) return;
    both->bins = bins;
    pack(problem_, loads_[i].pattern, -bins, rest_);
    pack(problem_, loads_[j].pattern, -bins, rest_);
    const auto type = type_for(*both, compute_price(loads_[i]) + compute_price(loads_[j]));
    if (type) {
      both->pattern.type = *type;
      pack(problem_, both->pattern, bins, rest_);
      loads_[i].bins -= bins;
      loads_[j].bins -= bins;
      loads_.push_back(std::move(*both));
    } else {
      pack(problem_, loads_[i].pattern, bins, rest_);
      pack(problem_, loads_[j].pattern, bins, rest_);
    }
  }

  /// Nothing when no bin may hold both.
  std::optional<Load> united(const Load& a, const Load& b) const {
    if ((a.tokens & b.tokens) != 0) return std::nullopt;
    Load both = a;
    both.tokens |= b.tokens;
    for (std::size_t d = 0; d < problem_.dimensions; ++d) both.used[d] += b.used[d];
    for (const Copies& copies : b.pattern.copies) {
      const auto known = std::find_if(both.pattern.copies.begin(), both.pattern.copies.end(),
                                      [&](const Copies& other) { return other.shape == copies.shape; });
      if (known == both.pattern.copies.end()) {
        both.pattern.copies.push_back(copies);
      } else {
        known->count += copies.count;
        if (known->count > problem_.shapes[copies.shape].most_per_bin) return std::nullopt;
      }
    }
    std::sort(both.pattern.copies.begin(), both.pattern.copies.end());
    return both;
  }

  const PackingProblem& problem_;
  Effort& effort_;
  RemainingDemand rest_;
  std::vector<std::uint32_t> by_price_;
  std::vector<Load> loads_;
};

}  // namespace

void consolidate(const PackingProblem& problem, Packing& packing, Effort& effort) {
  packing = Consolidation(problem, packing, effort).run();
}

}  // namespace bayplan::packing
