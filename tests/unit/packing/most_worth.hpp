#pragma once
#include <algorithm>

#include "packing/certificate.hpp"

namespace bayplan::packing::test {

/// The most that the shapes from one on can be worth in a room, by trying every filling.
inline NanoUsd most_worth(const PackingProblem& problem, const Duals& duals, std::size_t type, std::size_t s,
                          Amounts room, std::uint64_t tokens) {
  if (s == problem.shapes.size()) return 0;
  const Shape& shape = problem.shapes[s];
  NanoUsd best = most_worth(problem, duals, type, s + 1, room, tokens);
  if (!is_allowed(shape, type) || (tokens & shape.tokens) != 0) return best;
  for (std::int64_t count = 1; count <= std::min(shape.count, shape.most_per_bin); ++count) {
    if (count > 1 && shape.tokens != 0) return best;
    for (std::size_t d = 0; d < problem.dimensions; ++d) {
      room[d] -= shape.size[d];
      if (room[d] < 0) return best;
    }
    const NanoUsd rest = most_worth(problem, duals, type, s + 1, room, tokens | shape.tokens);
    best = std::max(best, count * duals.worth[s] + rest);
  }
  return best;
}

/// The most that one bin of the type can be worth.
inline NanoUsd most_worth(const PackingProblem& problem, const Duals& duals, std::size_t type) {
  return most_worth(problem, duals, type, 0, problem.types[type].capacity, 0);
}

}  // namespace bayplan::packing::test
