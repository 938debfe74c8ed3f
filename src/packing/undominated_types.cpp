#include "packing/undominated_types.hpp"

#include <algorithm>
#include <map>
#include <numeric>
#include <utility>

namespace bayplan::packing {
namespace {

bool offers_as_much(const PackingProblem& problem, std::size_t a, std::size_t b) {
  for (std::size_t d = 0; d < problem.dimensions; ++d) {
    if (problem.types[a].capacity[d] < problem.types[b].capacity[d]) return false;
  }
  return std::all_of(problem.shapes.begin(), problem.shapes.end(),
                     [&](const Shape& shape) { return is_allowed(shape, a) || !is_allowed(shape, b); });
}

}  // namespace

bool is_no_worse(const PackingProblem& problem, std::size_t a, std::size_t b) {
  return problem.types[a].limit == kUnlimited && problem.types[a].price <= problem.types[b].price &&
         std::all_of(problem.budgets.begin(), problem.budgets.end(),
                     [&](const Budget& budget) { return budget.weights[a] <= budget.weights[b]; }) &&
         offers_as_much(problem, a, b);
}

bool is_of_use(const PackingProblem& problem, std::size_t type) {
  return std::any_of(problem.shapes.begin(), problem.shapes.end(),
                     [&](const Shape& shape) { return shape.count > 0 && most_copies(problem, shape, type) > 0; });
}

namespace {

bool dominates(const PackingProblem& problem, std::size_t a, std::size_t b) {
  return a != b && is_no_worse(problem, a, b) && (a < b || !is_no_worse(problem, b, a));
}

}  // namespace

std::vector<std::uint32_t> undominated_types(const PackingProblem& problem) {
  std::vector<std::uint32_t> kept;
  for (std::uint32_t b = 0; b < problem.types.size(); ++b) {
    bool dominated = !is_of_use(problem, b);
    for (std::size_t a = 0; a < problem.types.size() && !dominated; ++a) dominated = dominates(problem, a, b);
    if (!dominated) kept.push_back(b);
  }
  return kept;
}

PackingProblem with_types(const PackingProblem& problem, const std::vector<std::uint32_t>& types) {
  PackingProblem reduced{problem.dimensions, {}, problem.shapes, problem.budgets};
  for (std::uint32_t type : types) reduced.types.push_back(problem.types[type]);
  for (std::size_t b = 0; b < reduced.budgets.size(); ++b) {
    reduced.budgets[b].weights.clear();
    for (std::uint32_t type : types) reduced.budgets[b].weights.push_back(problem.budgets[b].weights[type]);
  }
  for (Shape& shape : reduced.shapes) {
    if (shape.allowed.empty()) continue;
    std::vector<bool> allowed;
    for (std::uint32_t type : types) allowed.push_back(shape.allowed[type]);
    shape.allowed = std::move(allowed);
  }
  return reduced;
}

Packing SubProblem::in_whole(const SubPacking& own) const {
  Packing whole;
  for (const FilledBins& filled : own.packing) {
    std::map<std::uint32_t, std::int64_t> counts;
    for (const Copies& copies : filled.pattern.copies) counts[shapes.at(copies.shape)] += copies.count;
    Pattern pattern{types.at(filled.pattern.type), {}};
    for (const auto& [shape, count] : counts) pattern.copies.push_back({shape, count});
    whole.push_back({std::move(pattern), filled.bins});
  }
  return whole;
}

SubProblem sub_problem(const PackingProblem& whole, std::vector<std::uint32_t> types) {
  SubProblem sub{with_types(whole, types), std::move(types), std::vector<std::uint32_t>(whole.shapes.size())};
  std::iota(sub.shapes.begin(), sub.shapes.end(), 0);
  return sub;
}

}  // namespace bayplan::packing
