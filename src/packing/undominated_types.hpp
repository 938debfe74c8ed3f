#pragma once
#include <cstdint>
#include <vector>

#include "packing/packing_problem.hpp"

namespace bayplan::packing {

/// Whether every bin of type `b` may be one of type `a` instead, at no higher price.
bool is_no_worse(const PackingProblem& problem, std::size_t a, std::size_t b);

/// Some task fits a bin of the type.
bool is_of_use(const PackingProblem& problem, std::size_t type);

/// The bin types for which no other offers as much of everything, to the same shapes, at no higher price and on no
/// greater part of a budget, in any number. Of equal ones the first. Types that hold no task are left out: their prices
/// would only blur the bound.
std::vector<std::uint32_t> undominated_types(const PackingProblem& problem);

/// The problem with these types alone.
PackingProblem with_types(const PackingProblem& problem, const std::vector<std::uint32_t>& types);

/// A packing in the numbers of a sub-problem. The whole problem has other types and shapes under these numbers, so it
/// takes none: `SubProblem::in_whole` says what was packed in its own.
struct SubPacking {
  Packing packing;
};

/// A problem that is made of types and shapes of another, the whole.
struct SubProblem {
  PackingProblem problem;
  std::vector<std::uint32_t> types;   ///< By type of `problem`: the type of the whole.
  std::vector<std::uint32_t> shapes;  ///< By shape of `problem`: the shape of the whole. Several may have the same.

  Packing in_whole(const SubPacking& own) const;
};

/// The problem with these types alone, and all shapes.
SubProblem sub_problem(const PackingProblem& whole, std::vector<std::uint32_t> types);

}  // namespace bayplan::packing
