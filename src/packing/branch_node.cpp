#include "packing/branch_node.hpp"

#include <algorithm>
#include <cmath>
#include <map>

namespace bayplan::packing {
namespace {

constexpr double kDecided = 1e-6;

std::uint64_t used_tokens(const PackingProblem& problem) {
  std::uint64_t used = 0;
  for (const Shape& shape : problem.shapes) used |= shape.tokens;
  return used;
}

/// A bit that is not used; 0 when all are.
std::uint64_t free_token(std::uint64_t used) {
  return ~used & (used + 1);
}

bool holds(const Pattern& pattern, std::uint32_t shape) {
  return std::any_of(pattern.copies.begin(), pattern.copies.end(),
                     [&](const Copies& copies) { return copies.shape == shape; });
}

bool fits_some_type(const PackingProblem& problem, const Shape& shape) {
  for (std::size_t t = 0; t < problem.types.size(); ++t) {
    if (most_copies(problem, shape, t) > 0) return true;
  }
  return false;
}

Shape merged(const PackingProblem& problem, const Shape& a, const Shape& b) {
  Shape both = a;
  both.tokens |= b.tokens;
  for (std::size_t d = 0; d < problem.dimensions; ++d) both.size[d] += b.size[d];
  both.allowed.clear();
  for (std::size_t t = 0; t < problem.types.size(); ++t) both.allowed.push_back(is_allowed(a, t) && is_allowed(b, t));
  return both;
}

MicroUsd refuge_price(const PackingProblem& problem, const Shape& shape) {
  for (std::size_t t = 0; t < problem.types.size(); ++t) {
    if (problem.types[t].is_refuge && is_allowed(shape, t)) return problem.types[t].price;
  }
  return 0;
}

/// Where tasks may be left over one by one, so may the two together: without that a node might have no packing at all.
void allow_left_over(PackingProblem& problem, std::uint32_t both, MicroUsd price) {
  if (price == 0) return;
  problem.types.push_back(BinType{problem.shapes[both].size, price, kUnlimited, true});
  for (Shape& shape : problem.shapes) shape.allowed.resize(problem.types.size());
  problem.shapes[both].allowed.back() = true;
  for (Budget& budget : problem.budgets) budget.weights.push_back(0);
}

std::uint32_t refuge_of(const PackingProblem& problem, std::uint32_t shape) {
  std::uint32_t type = 0;
  while (!problem.types[type].is_refuge || !is_allowed(problem.shapes[shape], type)) ++type;
  return type;
}

}  // namespace

std::optional<BranchNode> root_node(const PackingProblem& problem, std::int64_t most_tasks) {
  std::int64_t tasks = 0;
  for (const Shape& shape : problem.shapes) tasks += shape.count;
  if (tasks > most_tasks) return std::nullopt;
  BranchNode node;
  node.problem = {problem.dimensions, problem.types, {}, problem.budgets};
  for (std::uint32_t s = 0; s < problem.shapes.size(); ++s) {
    Shape shape = problem.shapes[s];
    if (shape.most_per_bin < shape.count && shape.tokens == 0) {
      const std::uint64_t token = free_token(used_tokens(problem) | used_tokens(node.problem));
      if (shape.most_per_bin > 1 || token == 0) return std::nullopt;
      shape.tokens |= token;
    }
    shape.count = 1;
    for (std::int64_t copy = 0; copy < problem.shapes[s].count; ++copy) {
      node.problem.shapes.push_back(shape);
      node.members.push_back({s});
    }
  }
  return node;
}

std::optional<BranchNode> together(const BranchNode& node, std::uint32_t i, std::uint32_t j) {
  if (i > j) std::swap(i, j);
  BranchNode child = node;
  Shape& kept = child.problem.shapes[i];
  kept = merged(node.problem, kept, node.problem.shapes[j]);
  if (!fits_some_type(node.problem, kept)) return std::nullopt;
  allow_left_over(
      child.problem, i,
      refuge_price(node.problem, node.problem.shapes[i]) + refuge_price(node.problem, node.problem.shapes[j]));
  child.problem.shapes.erase(child.problem.shapes.begin() + j);
  child.members[i].insert(child.members[i].end(), node.members[j].begin(), node.members[j].end());
  child.members.erase(child.members.begin() + j);
  std::erase_if(child.patterns, [&](const Pattern& pattern) { return holds(pattern, i) != holds(pattern, j); });
  for (Pattern& pattern : child.patterns) {
    std::erase_if(pattern.copies, [&](const Copies& copies) { return copies.shape == j; });
    for (Copies& copies : pattern.copies) copies.shape -= copies.shape > j ? 1 : 0;
  }
  ++child.depth;
  return child;
}

std::optional<BranchNode> apart(const BranchNode& node, std::uint32_t i, std::uint32_t j) {
  const std::uint64_t token = free_token(used_tokens(node.problem));
  if (token == 0) return std::nullopt;
  BranchNode child = node;
  child.problem.shapes[i].tokens |= token;
  child.problem.shapes[j].tokens |= token;
  std::erase_if(child.patterns, [&](const Pattern& pattern) { return holds(pattern, i) && holds(pattern, j); });
  ++child.depth;
  return child;
}

Packing translated(const PackingProblem& problem, const BranchNode& node, const Packing& packing) {
  Packing first;
  for (const FilledBins& filled : packing) {
    std::map<std::uint32_t, std::int64_t> counts;
    for (const Copies& copies : filled.pattern.copies) {
      for (std::uint32_t shape : node.members[copies.shape]) ++counts[shape];
    }
    if (node.problem.types[filled.pattern.type].is_refuge) {
      for (const auto& [shape, count] : counts) first.push_back({{refuge_of(problem, shape), {{shape, 1}}}, count});
      continue;
    }
    FilledBins bins{{filled.pattern.type, {}}, filled.bins};
    for (const auto& [shape, count] : counts) bins.pattern.copies.push_back({shape, count});
    first.push_back(std::move(bins));
  }
  tidy(first);
  return first;
}

std::optional<std::pair<std::uint32_t, std::uint32_t>> undecided_pair(const std::vector<Pattern>& patterns,
                                                                      const std::vector<double>& bins) {
  std::map<std::pair<std::uint32_t, std::uint32_t>, double> shares;
  for (std::size_t p = 0; p < patterns.size(); ++p) {
    if (bins[p] < kDecided) continue;
    const std::vector<Copies>& copies = patterns[p].copies;
    for (std::size_t a = 0; a < copies.size(); ++a) {
      for (std::size_t b = a + 1; b < copies.size(); ++b) shares[{copies[a].shape, copies[b].shape}] += bins[p];
    }
  }
  std::optional<std::pair<std::uint32_t, std::uint32_t>> best;
  double nearest = 0.5 - kDecided;
  for (const auto& [pair, share] : shares) {
    if (std::abs(share - 0.5) >= nearest) continue;
    nearest = std::abs(share - 0.5);
    best = pair;
  }
  return best;
}

}  // namespace bayplan::packing
