#pragma once
#include "packing/certificate.hpp"
#include "packing/packing_problem.hpp"

namespace bayplan::packing {

/// Shapes that differ a little in size and in nothing else, taken as one: with the least of their sizes the bound holds
/// for them all, with the largest the packing does.
struct ShapeGroups {
  std::vector<std::vector<std::uint32_t>> members;  ///< Shapes, a list a group.
};

/// Makes at most `most` groups, unless more differ in what they allow.
ShapeGroups group_shapes(const PackingProblem& problem, std::size_t most);

/// What packs at no higher price than the problem.
PackingProblem rounded_down(const PackingProblem& problem, const ShapeGroups& groups);

/// What packs at no lower price than the problem.
PackingProblem rounded_up(const PackingProblem& problem, const ShapeGroups& groups);

/// What a certificate of the problem rounded down says of the problem.
Certificate expanded(const PackingProblem& problem, const ShapeGroups& groups, const Certificate& certificate);

/// A packing of the problem rounded up as one of the problem: of each group the largest tasks first.
Packing expanded(const PackingProblem& problem, const ShapeGroups& groups, const Packing& packing);

}  // namespace bayplan::packing
