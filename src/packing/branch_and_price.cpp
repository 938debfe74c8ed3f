#include "packing/branch_and_price.hpp"

#include <algorithm>
#include <map>
#include <memory>

#include "packing/branch_node.hpp"
#include "packing/column_generation.hpp"
#include "packing/diving.hpp"

namespace bayplan::packing {
namespace {

constexpr std::int64_t kMostTasks = 120;
constexpr std::size_t kWidths[] = {512, 8192};
constexpr std::size_t kDiveWidth = 128;
constexpr std::size_t kNodesADive = 8;

class Tree {
 public:
  Tree(const PackingProblem& problem, Effort& effort, Packing& best)
      : problem_(problem),
        effort_(effort),
        best_(best),
        best_cost_(cost_of(problem, best)),
        step_(price_step(problem)) {}

  /// The bound proven.
  MicroUsd run(BranchNode root) {
    open(std::move(root));
    while (!open_.empty() && !effort_.is_exhausted()) {
      const auto first = open_.begin();
      if (first->first.bound >= best_cost_) break;
      const std::unique_ptr<BranchNode> node = std::move(first->second);
      const MicroUsd bound = node->bound;
      open_.erase(first);
      visit(*node);
      // What the node said when it was opened holds until all of it is done.
      if (effort_.is_exhausted()) left_over_ = std::min(left_over_, bound);
    }
    const MicroUsd least = open_.empty() ? kUnlimited : open_.begin()->first.bound;
    return std::min({least, left_over_, best_cost_});
  }

 private:
  struct Key {
    MicroUsd bound = 0;
    std::size_t height = 0;  ///< Deeper nodes first.
    std::size_t number = 0;
    auto operator<=>(const Key&) const = default;
  };

  void open(BranchNode node) {
    const Key key{node.bound, kUnlimited - node.depth, opened_++};
    if (node.bound < best_cost_) open_.emplace(key, std::make_unique<BranchNode>(std::move(node)));
  }

  void visit(BranchNode& node) {
    ColumnGeneration generation(node.problem, effort_);
    for (const Pattern& pattern : node.patterns) generation.add(pattern);
    for (std::size_t width : kWidths) {
      if (!generation.converge(width)) return;
      node.bound = std::max(node.bound, round_up(generation.certificate().bound, step_));
      if (node.bound >= best_cost_) return;
    }
    const std::vector<double> bins = generation.master().bins();
    node.patterns = generation.master().patterns();
    if (visited_++ % kNodesADive == 0) look_for_better(node, generation);
    if (node.bound >= best_cost_) return;
    const auto pair = undecided_pair(node.patterns, bins);
    if (!pair) return settle(node, generation);
    if (auto child = together(node, pair->first, pair->second)) open(std::move(*child));
    if (auto child = apart(node, pair->first, pair->second)) {
      open(std::move(*child));
    } else {
      left_over_ = std::min(left_over_, node.bound);
    }
  }

  /// All pairs are decided: the dive has nothing left to choose but equal types.
  void settle(const BranchNode& node, ColumnGeneration& generation) {
    look_for_better(node, generation);
    if (node.bound < best_cost_) left_over_ = std::min(left_over_, node.bound);
  }

  void look_for_better(const BranchNode& node, ColumnGeneration& generation) {
    Packing packing;
    if (!dive(node.problem, generation, {kDiveWidth, 1, 1, 0, node.bound}, effort_, packing)) return;
    const MicroUsd cost = cost_of(node.problem, packing);
    if (cost >= best_cost_) return;
    best_cost_ = cost;
    best_ = translated(problem_, node, packing);
  }

  const PackingProblem& problem_;
  Effort& effort_;
  Packing& best_;
  MicroUsd best_cost_;
  MicroUsd step_;
  MicroUsd left_over_ = kUnlimited;  ///< The least bound of what could not be decided.
  std::size_t opened_ = 0;
  std::size_t visited_ = 0;
  std::map<Key, std::unique_ptr<BranchNode>> open_;
};

}  // namespace

void branch_and_price(const PackingProblem& problem, Effort& effort, Packing& best, MicroUsd& lower_bound) {
  if (best.empty()) return;
  auto root = root_node(problem, kMostTasks);
  if (!root) return;
  root->bound = lower_bound;
  lower_bound = std::max(lower_bound, Tree(problem, effort, best).run(std::move(*root)));
}

}  // namespace bayplan::packing
