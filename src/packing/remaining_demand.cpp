#include "packing/remaining_demand.hpp"

#include <algorithm>
#include <numeric>

namespace bayplan::packing {

RemainingDemand all_of(const PackingProblem& problem) {
  RemainingDemand rest;
  for (const Shape& shape : problem.shapes) rest.counts.push_back(shape.count);
  for (const BinType& type : problem.types) rest.limits.push_back(type.limit);
  for (const Budget& budget : problem.budgets) rest.budgets.push_back(budget.limit);
  return rest;
}

std::int64_t tasks_of(const RemainingDemand& rest) {
  return std::accumulate(rest.counts.begin(), rest.counts.end(), std::int64_t{0});
}

bool is_packed(const RemainingDemand& rest) {
  return std::all_of(rest.counts.begin(), rest.counts.end(), [](std::int64_t count) { return count == 0; });
}

std::int64_t bins_left(const PackingProblem& problem, const RemainingDemand& rest, std::size_t type) {
  std::int64_t bins = rest.limits[type];
  for (std::size_t b = 0; b < rest.budgets.size(); ++b) {
    const std::int64_t weight = problem.budgets[b].weights[type];
    if (weight > 0) bins = std::min(bins, rest.budgets[b] / weight);
  }
  return bins;
}

std::int64_t repeats(const PackingProblem& problem, const RemainingDemand& rest, const Pattern& pattern) {
  std::int64_t bins = bins_left(problem, rest, pattern.type);
  for (const Copies& copies : pattern.copies) bins = std::min(bins, rest.counts[copies.shape] / copies.count);
  return bins;
}

void pack(const PackingProblem& problem, const Pattern& pattern, std::int64_t bins, RemainingDemand& rest) {
  for (const Copies& copies : pattern.copies) rest.counts[copies.shape] -= bins * copies.count;
  if (rest.limits[pattern.type] != kUnlimited) rest.limits[pattern.type] -= bins;
  for (std::size_t b = 0; b < rest.budgets.size(); ++b) {
    rest.budgets[b] -= bins * problem.budgets[b].weights[pattern.type];
  }
}

}  // namespace bayplan::packing
