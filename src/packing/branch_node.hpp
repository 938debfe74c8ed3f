#pragma once
#include <optional>
#include <utility>
#include <vector>

#include "packing/packing_problem.hpp"

namespace bayplan::packing {

/// A problem of single tasks, some of them bound together or kept apart: where branching stands.
struct BranchNode {
  PackingProblem problem;                           ///< Every count is 1.
  std::vector<std::vector<std::uint32_t>> members;  ///< A list a shape: the shapes of the first problem it stands for.
  std::vector<Pattern> patterns;                    ///< Those of the parent that still hold.
  MicroUsd bound = 0;                               ///< At first the parent's.
  std::size_t depth = 0;
};

/// Each task by itself; nothing when there are more than `most_tasks` or when a limit a bin between one and all copies
/// stands in the way.
std::optional<BranchNode> root_node(const PackingProblem& problem, std::int64_t most_tasks);

/// The tasks i and j in one bin; nothing when none can hold both.
std::optional<BranchNode> together(const BranchNode& node, std::uint32_t i, std::uint32_t j);

/// The tasks i and j in different bins; nothing when no token is left to say so.
std::optional<BranchNode> apart(const BranchNode& node, std::uint32_t i, std::uint32_t j);

/// A packing of the node in the words of the first problem.
Packing translated(const PackingProblem& problem, const BranchNode& node, const Packing& packing);

/// The pair of tasks that the LP puts together the most undecidedly; `bins` has one value a pattern.
std::optional<std::pair<std::uint32_t, std::uint32_t>> undecided_pair(const std::vector<Pattern>& patterns,
                                                                      const std::vector<double>& bins);

}  // namespace bayplan::packing
