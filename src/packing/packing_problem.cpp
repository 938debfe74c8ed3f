#include "packing/packing_problem.hpp"

#include <algorithm>

namespace bayplan::packing {

bool is_allowed(const Shape& shape, std::size_t type) {
  return shape.allowed.empty() || shape.allowed[type];
}

std::int64_t most_copies(const PackingProblem& problem, const Shape& shape, std::size_t type) {
  if (!is_allowed(shape, type)) return 0;
  std::int64_t most = std::min(shape.count, shape.most_per_bin);
  if (shape.tokens != 0) most = std::min<std::int64_t>(most, 1);
  for (std::size_t d = 0; d < problem.dimensions; ++d) {
    if (shape.size[d] > 0) most = std::min(most, problem.types[type].capacity[d] / shape.size[d]);
  }
  return most;
}

bool holds_all(const PackingProblem& problem, const std::vector<std::uint32_t>& types) {
  return std::all_of(problem.shapes.begin(), problem.shapes.end(), [&](const Shape& shape) {
    return shape.count == 0 || std::any_of(types.begin(), types.end(),
                                           [&](std::uint32_t type) { return most_copies(problem, shape, type) > 0; });
  });
}

bool is_limited(const PackingProblem& problem) {
  return !problem.budgets.empty() || std::any_of(problem.types.begin(), problem.types.end(),
                                                 [](const BinType& type) { return type.limit != kUnlimited; });
}

MicroUsd compute_cost(const PackingProblem& problem, const Packing& packing) {
  MicroUsd cost = 0;
  for (const FilledBins& filled : packing) cost += filled.bins * problem.types[filled.pattern.type].price;
  return cost;
}

std::int64_t bins_of(const Packing& packing) {
  std::int64_t bins = 0;
  for (const FilledBins& filled : packing) bins += filled.bins;
  return bins;
}

std::int64_t tasks_of(const PackingProblem& problem) {
  std::int64_t tasks = 0;
  for (const Shape& shape : problem.shapes) tasks += shape.count;
  return tasks;
}

std::int64_t tasks_of(const Pattern& pattern) {
  std::int64_t tasks = 0;
  for (const Copies& copies : pattern.copies) tasks += copies.count;
  return tasks;
}

void tidy(Packing& packing) {
  std::sort(packing.begin(), packing.end(),
            [](const FilledBins& a, const FilledBins& b) { return a.pattern < b.pattern; });
  Packing merged;
  for (FilledBins& filled : packing) {
    if (!merged.empty() && merged.back().pattern == filled.pattern) {
      merged.back().bins += filled.bins;
    } else if (filled.bins > 0) {
      merged.push_back(std::move(filled));
    }
  }
  packing = std::move(merged);
}

}  // namespace bayplan::packing
