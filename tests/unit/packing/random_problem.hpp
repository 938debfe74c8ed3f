#pragma once
#include <random>

#include "packing/packing_problem.hpp"

namespace bayplan::packing::test {

/// So few and so small tasks that every way to pack them can be tried.
class TinyProblems {
 public:
  explicit TinyProblems(std::mt19937_64 random) : random_(random) {}
  TinyProblems(const TinyProblems&) = default;
  virtual ~TinyProblems() = default;

  /// All that is drawn; a fuzzer says it by its bytes.
  virtual std::int64_t draw(std::int64_t least, std::int64_t most) {
    return least + static_cast<std::int64_t>(random_() % static_cast<std::uint64_t>(most - least + 1));
  }

  BinType type(std::size_t dimensions) {
    BinType type;
    for (std::size_t d = 0; d < dimensions; ++d) type.capacity[d] = draw(6, 20);
    type.price = draw(1, 9) * 10'000;
    return type;
  }

  Shape shape(const PackingProblem& problem) {
    Shape shape;
    for (std::size_t d = 0; d < problem.dimensions; ++d) shape.size[d] = draw(0, 6);
    shape.count = draw(1, 3);
    if (draw(0, 4) == 0) shape.most_per_bin = draw(1, 2);
    if (draw(0, 4) == 0) shape.tokens = static_cast<std::uint64_t>(draw(1, 3));
    if (draw(0, 3) == 0) {
      for (std::size_t t = 0; t < problem.types.size(); ++t) shape.allowed.push_back(t == 0 || draw(0, 1) == 0);
    }
    return shape;
  }

  PackingProblem next() {
    PackingProblem problem;
    problem.dimensions = static_cast<std::size_t>(draw(1, 4));
    const std::int64_t types = draw(1, 3);
    for (std::int64_t t = 0; t < types; ++t) problem.types.push_back(type(problem.dimensions));
    const std::int64_t shapes = draw(1, 4);
    for (std::int64_t s = 0; s < shapes; ++s) problem.shapes.push_back(shape(problem));
    return problem;
  }

  /// With limits, budgets and bins that cost nothing; often there is no bin for every task.
  PackingProblem next_limited() {
    PackingProblem problem = next();
    for (BinType& type : problem.types) {
      if (draw(0, 1) == 0) type.limit = draw(0, 3);
      if (type.limit != kUnlimited && draw(0, 2) == 0) type.price = 0;
    }
    const std::int64_t budgets = draw(0, 2);
    for (std::int64_t b = 0; b < budgets; ++b) {
      Budget& budget = problem.budgets.emplace_back();
      for (std::size_t t = 0; t < problem.types.size(); ++t) budget.weights.push_back(draw(0, 3));
      budget.limit = draw(2, 9);
    }
    return problem;
  }

 private:
  std::mt19937_64 random_;
};

}  // namespace bayplan::packing::test
