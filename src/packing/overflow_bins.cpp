#include "packing/overflow_bins.hpp"

#include <algorithm>

#include "packing/money.hpp"

namespace bayplan::packing {
namespace {

/// A task left over costs as much as this many of the most expensive bins.
constexpr std::int64_t kDear = 200;

/// The sum of all tasks stays below this.
constexpr MicroUsd kMaxInAll = 1'000'000'000'000'000;

MicroUsd refuge_price(const PackingProblem& problem) {
  MicroUsd dearest = 1;
  for (const BinType& type : problem.types) dearest = std::max(dearest, type.price);
  const std::int64_t tasks = 1 + tasks_of(problem);
  const MicroUsd step = price_step(problem);
  const MicroUsd price = std::max(dearest * 2, std::min(dearest * kDear, kMaxInAll / tasks));
  return (price / step + 1) * step;
}

/// The programs behind the bound are right to about a part in a billion.
constexpr std::int64_t kFinestPart = 50'000'000;

bool fits_unlimited(const PackingProblem& problem, const Shape& shape) {
  for (std::size_t t = 0; t < problem.types.size(); ++t) {
    const bool weightless = std::all_of(problem.budgets.begin(), problem.budgets.end(),
                                        [&](const Budget& budget) { return budget.weights[t] == 0; });
    if (weightless && problem.types[t].limit == kUnlimited && most_copies(problem, shape, t) > 0) return true;
  }
  return false;
}

}  // namespace

void add_overflow_bins(PackingProblem& problem) {
  const MicroUsd price = refuge_price(problem);
  const std::size_t real = problem.types.size();
  if (std::all_of(problem.shapes.begin(), problem.shapes.end(),
                  [&](const Shape& shape) { return fits_unlimited(problem, shape); })) {
    return;
  }
  for (const Shape& shape : problem.shapes) problem.types.push_back(BinType{shape.size, price, kUnlimited, true});
  for (std::size_t s = 0; s < problem.shapes.size(); ++s) {
    std::vector<bool>& allowed = problem.shapes[s].allowed;
    if (allowed.empty()) allowed.assign(real, true);
    allowed.resize(problem.types.size());
    allowed[real + s] = true;
  }
  for (Budget& budget : problem.budgets) budget.weights.resize(problem.types.size());
}

MicroUsd compute_slack(const PackingProblem& problem, const Packing& packing) {
  const bool has_refuge = std::any_of(packing.begin(), packing.end(), [&](const FilledBins& filled) {
    return problem.types[filled.pattern.type].is_refuge;
  });
  return has_refuge ? compute_cost(problem, packing) / kFinestPart + 1 : 0;
}

std::vector<std::int64_t> take_left_over(const PackingProblem& problem, Packing& packing) {
  std::vector<std::int64_t> left_over(problem.shapes.size());
  for (const FilledBins& filled : packing) {
    if (!problem.types[filled.pattern.type].is_refuge) continue;
    for (const Copies& copies : filled.pattern.copies) left_over[copies.shape] += filled.bins * copies.count;
  }
  std::erase_if(packing, [&](const FilledBins& filled) { return problem.types[filled.pattern.type].is_refuge; });
  return left_over;
}

}  // namespace bayplan::packing
