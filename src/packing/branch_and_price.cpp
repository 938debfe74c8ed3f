#include "packing/branch_and_price.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <memory>
#include <numeric>
#include <random>

#include "packing/column_generation.hpp"
#include "packing/diving.hpp"
#include "packing/overflow_bins.hpp"
#include "packing/parts.hpp"

namespace bayplan::packing {
namespace {

constexpr std::int64_t kMaxTasks = 120;
constexpr std::size_t kWidths[] = {512, 8192};
constexpr std::size_t kDiveWidth = 128;
constexpr int kDiveNodes = 8;
constexpr std::size_t kDiveBranches = 2;
constexpr std::size_t kNodesADive = 16;
constexpr int kPartRounds = 4;
constexpr std::int64_t kPartTasks = 24;

/// A number of bins so near to a whole one is one.
constexpr double kNearlyWhole = 1e-6;

/// What breaks the rules of a node costs so many times the best packing: dear where limits, which only an LP can keep
/// in part, leave no packing at all.
constexpr MicroUsd kJoker = 4;
constexpr MicroUsd kJokerOfLimited = 64;

/// Where branching stands.
struct Node {
  std::vector<PatternRule> rules;
  std::vector<Pattern> patterns;
  std::vector<bool> left_out;
  Certificate certificate;
  MicroUsd bound = 0;
  std::size_t depth = 0;
};

class Tree {
 public:
  Tree(const PackingProblem& problem, Effort& effort, Packing& best)
      : problem_(problem),
        effort_(effort),
        best_(best),
        best_cost_(compute_cost(problem, best)),
        slack_(compute_slack(problem, best)),
        step_(price_step(problem)),
        joker_(is_limited(problem) ? kJokerOfLimited : kJoker),
        plain_(problem, effort) {}

  /// The bound proven.
  MicroUsd run(Node root) {
    open(std::move(root));
    while (!open_.empty() && !effort_.is_exhausted()) {
      const auto first = open_.begin();
      if (gives_up(first->first.bound)) break;
      const std::unique_ptr<Node> node = std::move(first->second);
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
    std::int64_t height = 0;  ///< Deeper nodes first.
    std::size_t number = 0;
    // NOLINTNEXTLINE(modernize-use-nullptr): clang-tidy 14 reads the 0 that it makes
    auto operator<=>(const Key&) const = default;
  };

  /// Nothing that costs so much at least is worth a look. What only the slack gives up counts as undecided.
  bool gives_up(MicroUsd bound) {
    if (bound < best_cost_ - slack_) return false;
    left_over_ = std::min(left_over_, bound);
    return true;
  }

  void open(Node node) {
    const Key key{node.bound, kUnlimited - static_cast<std::int64_t>(node.depth), opened_++};
    if (!gives_up(node.bound)) open_.emplace(key, std::make_unique<Node>(std::move(node)));
  }

  void visit(Node& node) { visit(node, joker_ * best_cost_); }

  /// `joker`: what leaving all tasks out costs; a part of them costs as large a part of it.
  void visit(Node& node, MicroUsd joker) {
    ColumnGeneration generation(problem_, effort_, joker);
    for (const Pattern& pattern : node.patterns) generation.add(pattern);
    for (const PatternRule& rule : node.rules) generation.add_rule(rule);
    if (node.certificate.bound > 0) generation.set_certificate(node.certificate);
    generation.leave_out(node.left_out);
    if (!converge(node, generation)) return;
    if (visited_++ % kNodesADive == 0) look_for_better(generation);
    if (gives_up(node.bound)) return;
    node.left_out = generation.useless_types(best_cost_, kWidths[0]);
    const auto undecided = most_fractional(problem_, generation.master().patterns(), generation.master().bins());
    if (!undecided) {
      const bool is_complete = take_whole(generation.master());
      look_for_better(generation);
      if (gives_up(node.bound)) return;
      // Rules that no packing keeps leave a task out, at a price that says nothing. One task out at the price of two
      // packings says that nothing cheaper is here.
      const MicroUsd dear = 2 * tasks_of(problem_) * best_cost_;
      if (!is_complete && joker < dear) return visit(node, dear);
      left_over_ = std::min(left_over_, node.bound);
      return;
    }
    hand_on(generation, node);
    split(node, *undecided);
  }

  /// False when nothing below the node can be better, or when nobody can tell.
  bool converge(Node& node, ColumnGeneration& generation) {
    for (std::size_t width : kWidths) {
      if (!generation.converge(width)) {
        // With its joker the LP always has a solution: the solver failed, and that proves nothing.
        left_over_ = std::min(left_over_, node.bound);
        return false;
      }
      node.bound = std::max(node.bound, round_up(generation.certificate().bound, step_));
      if (gives_up(node.bound)) return false;
    }
    return true;
  }

  void hand_on(const ColumnGeneration& generation, Node& node) const {
    const Duals duals = generation.master().duals();
    const std::vector<Pattern>& patterns = generation.master().patterns();
    const auto gap = static_cast<double>(best_cost_ - node.bound) * static_cast<double>(kNanoUsdPerMicroUsd);
    node.patterns.clear();
    for (const Pattern& pattern : patterns) {
      auto excess = static_cast<double>(charged_price(problem_, duals, pattern.type));
      for (const Copies& copies : pattern.copies) {
        excess -= static_cast<double>(copies.count) * static_cast<double>(duals.worth[copies.shape]);
      }
      if (excess <= gap) node.patterns.push_back(pattern);
    }
    node.certificate = generation.certificate();
  }

  /// Whether limits and budgets allow as many bins of each type as the rules want: no LP says so, which may break a
  /// rule in part.
  bool is_possible(const Node& node) const {
    std::vector<std::int64_t> least(problem_.types.size());
    for (const PatternRule& rule : node.rules) {
      if (rule.is_at_least && rule.property == PatternRule::Property::kType)
        least[rule.type] = std::max(least[rule.type], rule.limit);
    }
    for (std::size_t type = 0; type < least.size(); ++type) {
      if (least[type] > problem_.types[type].limit) return false;
    }
    return std::all_of(problem_.budgets.begin(), problem_.budgets.end(), [&](const Budget& budget) {
      return std::inner_product(least.begin(), least.end(), budget.weights.begin(), std::int64_t{0}) <= budget.limit;
    });
  }

  void split(Node& node, const FractionalProperty& undecided) {
    Node low = node;
    low.rules.push_back(undecided.rule);
    low.rules.back().limit = static_cast<std::int64_t>(std::floor(undecided.value));
    ++low.depth;
    open(std::move(low));
    Node high = std::move(node);
    high.rules.push_back(undecided.rule);
    high.rules.back().limit = static_cast<std::int64_t>(std::ceil(undecided.value));
    high.rules.back().is_at_least = true;
    ++high.depth;
    if (is_possible(high)) open(std::move(high));
  }

  /// The LP's own solution, where it has whole bins alone: dives of the plain problem may never come to it. False when
  /// it leaves tasks out.
  bool take_whole(const RestrictedMaster& master) {
    const std::vector<double> bins = master.bins();
    std::vector<std::int64_t> left;
    for (const Shape& shape : problem_.shapes) left.push_back(shape.count);
    Packing packing;
    for (std::size_t p = 0; p < bins.size(); ++p) {
      if (std::abs(bins[p] - std::round(bins[p])) > kNearlyWhole) return true;
      for (auto n = std::llround(bins[p]); n > 0; --n) {
        Pattern pattern = without_surplus(master.patterns()[p], left);
        if (!pattern.copies.empty()) packing.push_back({std::move(pattern), 1});
      }
    }
    const bool is_complete = std::all_of(left.begin(), left.end(), [](std::int64_t count) { return count == 0; });
    if (!is_complete || compute_cost(problem_, packing) >= best_cost_) return is_complete;
    tidy(packing);
    best_ = std::move(packing);
    best_cost_ = compute_cost(problem_, best_);
    return true;
  }

  /// What is still left to pack of a pattern, taken off.
  static Pattern without_surplus(const Pattern& pattern, std::vector<std::int64_t>& left) {
    Pattern less{pattern.type, {}};
    for (const Copies& copies : pattern.copies) {
      const std::int64_t count = std::min(copies.count, left[copies.shape]);
      if (count > 0) less.copies.push_back({copies.shape, count});
      left[copies.shape] -= count;
    }
    return less;
  }

  /// Dives from the patterns that the node uses.
  void look_for_better(const ColumnGeneration& generation) {
    const std::vector<double> bins = generation.master().bins();
    for (std::size_t p = 0; p < bins.size(); ++p) {
      if (bins[p] > 0) plain_.add(generation.master().patterns()[p]);
    }
    dive(problem_, plain_, {kDiveWidth, kDiveNodes, kDiveBranches, random_(), 0}, effort_, best_);
    improve_parts(problem_, {kPartRounds, kPartTasks, 0}, random_, effort_, best_);
    best_cost_ = std::min(best_cost_, compute_cost(problem_, best_));
    slack_ = compute_slack(problem_, best_);
  }

  const PackingProblem& problem_;
  Effort& effort_;
  Packing& best_;
  MicroUsd best_cost_;
  MicroUsd slack_;
  MicroUsd step_;
  MicroUsd joker_;
  ColumnGeneration plain_;
  MicroUsd left_over_ = kUnlimited;  ///< The least bound of what could not be decided.
  std::size_t opened_ = 0;
  std::size_t visited_ = 0;
  std::mt19937_64 random_;
  std::map<Key, std::unique_ptr<Node>> open_;
};

}  // namespace

void branch_and_price(const PackingProblem& problem, Effort& effort, Packing& best, MicroUsd& lower_bound) {
  if (best.empty() || tasks_of(problem) > kMaxTasks) return;
  Node root;
  root.bound = lower_bound;
  lower_bound = std::max(lower_bound, Tree(problem, effort, best).run(std::move(root)));
}

}  // namespace bayplan::packing
