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

Load load_of(const PackingProblem& problem, const FilledBins& filled) {
  Load load{filled.pattern, {}, 0, filled.bins};
  for (const Copies& copies : filled.pattern.copies) {
    const Shape& shape = problem.shapes[copies.shape];
    for (std::size_t d = 0; d < problem.dimensions; ++d) load.used[d] += copies.count * shape.size[d];
    load.tokens |= shape.tokens;
  }
  return load;
}

bool holds(const PackingProblem& problem, std::uint32_t type, const Load& load) {
  for (std::size_t d = 0; d < problem.dimensions; ++d) {
    if (problem.types[type].capacity[d] < load.used[d]) return false;
  }
  return std::all_of(load.pattern.copies.begin(), load.pattern.copies.end(),
                     [&](const Copies& copies) { return is_allowed(problem.shapes[copies.shape], type); });
}

/// Both loads in one bin; nothing when no bin may hold both.
std::optional<Load> united(const PackingProblem& problem, const Load& a, const Load& b) {
  if ((a.tokens & b.tokens) != 0) return std::nullopt;
  Load both = a;
  both.tokens |= b.tokens;
  for (std::size_t d = 0; d < problem.dimensions; ++d) both.used[d] += b.used[d];
  for (const Copies& copies : b.pattern.copies) {
    const auto known = std::find_if(both.pattern.copies.begin(), both.pattern.copies.end(),
                                    [&](const Copies& other) { return other.shape == copies.shape; });
    if (known == both.pattern.copies.end()) {
      both.pattern.copies.push_back(copies);
    } else {
      known->count += copies.count;
      if (known->count > problem.shapes[copies.shape].most_per_bin) return std::nullopt;
    }
  }
  std::sort(both.pattern.copies.begin(), both.pattern.copies.end());
  return both;
}

}  // namespace

void consolidate(const PackingProblem& problem, Packing& packing, Effort& effort) {
  RemainingDemand rest = all_of(problem);
  std::vector<Load> loads;
  for (const FilledBins& filled : packing) {
    pack(problem, filled.pattern, filled.bins, rest);
    loads.push_back(load_of(problem, filled));
  }
  std::vector<std::uint32_t> by_price(problem.types.size());
  std::iota(by_price.begin(), by_price.end(), 0U);
  std::stable_sort(by_price.begin(), by_price.end(),
                   [&](std::uint32_t a, std::uint32_t b) { return problem.types[a].price < problem.types[b].price; });
  const auto type_of = [&](const Load& load) -> const BinType& { return problem.types[load.pattern.type]; };
  // The cheapest type that holds the load, at no more than the price; tasks left over stay left over.
  const auto type_for = [&](const Load& load, MicroUsd most) -> std::optional<std::uint32_t> {
    effort.spend(1);
    for (const std::uint32_t type : by_price) {
      if (problem.types[type].price > most) break;
      if (problem.types[type].is_refuge || !holds(problem, type, load)) continue;
      if (bins_left(problem, rest, type) >= load.bins) return type;
    }
    return std::nullopt;
  };

  // Each bin gets the cheapest type that holds its tasks.
  for (Load& load : loads) {
    if (type_of(load).is_refuge) continue;
    pack(problem, load.pattern, -load.bins, rest);
    if (const auto type = type_for(load, type_of(load).price)) load.pattern.type = *type;
    pack(problem, load.pattern, load.bins, rest);
  }
  // Two bins become one, as often as both exist, where some type holds the tasks of both for no more money. Merged bins
  // are appended, so they are merged further.
  for (std::size_t i = 0; i < loads.size() && i < kMaxMerged; ++i) {
    for (std::size_t j = 0; j <= i && !effort.is_exhausted(); ++j) {
      const std::int64_t bins = i == j ? loads[i].bins / 2 : std::min(loads[i].bins, loads[j].bins);
      if (bins == 0 || type_of(loads[j]).is_refuge) continue;
      auto both = united(problem, loads[j], loads[i]);
      if (!both) continue;
      both->bins = bins;
      pack(problem, loads[j].pattern, -bins, rest);
      pack(problem, loads[i].pattern, -bins, rest);
      if (const auto type = type_for(*both, type_of(loads[j]).price + type_of(loads[i]).price)) {
        both->pattern.type = *type;
        pack(problem, both->pattern, bins, rest);
        loads[j].bins -= bins;
        loads[i].bins -= bins;
        loads.push_back(std::move(*both));
      } else {
        pack(problem, loads[j].pattern, bins, rest);
        pack(problem, loads[i].pattern, bins, rest);
      }
    }
  }
  packing.clear();
  for (Load& load : loads) {
    if (load.bins > 0) packing.push_back({std::move(load.pattern), load.bins});
  }
  tidy(packing);
}

}  // namespace bayplan::packing
