// Packs the problem that stands on standard input, in numbers, and prints cost and bound in micro-USD and whether they
// are proven to meet:
//   DIMENSIONS TYPES SHAPES BUDGETS
//   a type:   PRICE LIMIT CAPACITY...          limit -1: none
//   a shape:  COUNT MOST_PER_BIN TOKENS SIZE... ALLOWED...   one 0 or 1 a type
//   a budget: LIMIT WEIGHT...
#include <iostream>

#include "packing/solve.hpp"
#include "packing/verify.hpp"

namespace {

using namespace bayplan::packing;

std::int64_t number() {
  std::int64_t value = 0;
  std::cin >> value;
  return value;
}

BinType read_type(std::size_t dimensions) {
  BinType type;
  type.price = number();
  const std::int64_t limit = number();
  if (limit >= 0) type.limit = limit;
  for (std::size_t d = 0; d < dimensions; ++d) type.capacity[d] = number();
  return type;
}

Shape read_shape(std::size_t dimensions, std::size_t types) {
  Shape shape;
  shape.count = number();
  shape.most_per_bin = number();
  shape.tokens = static_cast<std::uint64_t>(number());
  for (std::size_t d = 0; d < dimensions; ++d) shape.size[d] = number();
  for (std::size_t t = 0; t < types; ++t) shape.allowed.push_back(number() != 0);
  return shape;
}

PackingProblem read_problem() {
  PackingProblem problem;
  problem.dimensions = static_cast<std::size_t>(number());
  problem.types.resize(static_cast<std::size_t>(number()));
  problem.shapes.resize(static_cast<std::size_t>(number()));
  problem.budgets.resize(static_cast<std::size_t>(number()));
  for (BinType& type : problem.types) type = read_type(problem.dimensions);
  for (Shape& shape : problem.shapes) shape = read_shape(problem.dimensions, problem.types.size());
  for (Budget& budget : problem.budgets) {
    budget.limit = number();
    for (std::size_t t = 0; t < problem.types.size(); ++t) budget.weights.push_back(number());
  }
  return problem;
}

}  // namespace

int main() {
  const PackingProblem problem = read_problem();
  const Solution solution = solve(problem, {});
  const auto fault = fault_of(problem, solution.packing);
  const bool holds = check(problem, solution.certificate) == Verdict::kHolds;
  std::cout << solution.cost << ' ' << solution.lower_bound << ' ' << solution.optimal << ' ' << (holds && !fault)
            << '\n';
}
