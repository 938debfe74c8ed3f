#include "packing/branch_and_price.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <memory>
#include <mutex>
#include <numeric>
#include <random>

#include "base/ordered_parallel_for.hpp"
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

/// The tree solves this many nodes at the same time, and takes those with the least bounds first.
constexpr std::size_t kNodesAtOnce = 4;

/// A number of bins so near to a whole one is one.
constexpr double kNearlyWhole = 1e-6;

/// What breaks the rules of a node costs this many times the best packing: more where limits, which only an LP can keep
/// in part, leave no packing at all.
constexpr MicroUsd kJoker = 4;
constexpr MicroUsd kJokerOfLimited = 64;

/// A node of the tree.
struct Node {
  std::vector<PatternRule> rules;
  std::vector<Pattern> patterns;
  std::vector<bool> left_out;
  Certificate certificate;
  MicroUsd bound = 0;
  std::size_t depth = 0;
};

/// A node whose LP is solved. Its effort is its own, so that others may be solved at the same time.
struct SolvedNode {
  std::unique_ptr<Node> node;
  MicroUsd bound_before = 0;
  std::unique_ptr<Effort> effort;
  std::unique_ptr<ColumnGeneration> generation;
  bool is_dear = false;      ///< Solved with a joker that makes sure.
  bool has_solution = true;  ///< False when the LP has none, which its joker rules out: the solver failed.
};

/// The tree keeps its open nodes, the best packing and the least bound of what it gave up.
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
    while (!open_.empty() && !effort_.is_exhausted() && !gives_up(open_.begin()->first.bound)) {
      for (SolvedNode& solved : solve_all(take_first())) {
        decide(solved);
        // What the node said when it was opened holds until all of it is done.
        if (effort_.is_exhausted()) left_over_ = std::min(left_over_, solved.bound_before);
      }
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

  /// Nothing that costs so much at least is worth a look.
  bool can_give_up(MicroUsd bound) const { return bound >= best_cost_ - slack_; }

  /// A node that is given up stays undecided at its bound, which limits what the tree proves.
  bool gives_up(MicroUsd bound) {
    if (!can_give_up(bound)) return false;
    left_over_ = std::min(left_over_, bound);
    return true;
  }

  void open(Node node) {
    const Key key{node.bound, kUnlimited - static_cast<std::int64_t>(node.depth), opened_++};
    if (!gives_up(node.bound)) open_.emplace(key, std::make_unique<Node>(std::move(node)));
  }

  std::vector<std::unique_ptr<Node>> take_first() {
    std::vector<std::unique_ptr<Node>> nodes;
    while (!open_.empty() && nodes.size() < kNodesAtOnce && !can_give_up(open_.begin()->first.bound)) {
      nodes.push_back(std::move(open_.begin()->second));
      open_.erase(open_.begin());
    }
    return nodes;
  }

  /// Each node may spend the effort left before the first one: what it finds does not depend on how many threads there
  /// are.
  std::vector<SolvedNode> solve_all(std::vector<std::unique_ptr<Node>> nodes) {
    const std::int64_t left = effort_.left();
    std::vector<SolvedNode> all;
    const auto solve_one = [&](std::size_t index) { return solve(std::move(nodes[index]), left, joker_ * best_cost_); };
    OrderedParallelFor<SolvedNode>(nodes.size(), solve_one, [&](SolvedNode solved) {
      all.push_back(std::move(solved));
    }).run(effort_.threads());
    for (const SolvedNode& solved : all) effort_.spend(solved.effort->spent());
    return all;
  }

  /// `joker`: what leaving all tasks out costs; a part of them costs as large a part of it.
  SolvedNode solve(std::unique_ptr<Node> node, std::int64_t left, MicroUsd joker) {
    SolvedNode solved{std::move(node), 0, std::make_unique<Effort>(left, [this] { return ask(); })};
    Node& of = *solved.node;
    solved.bound_before = of.bound;
    solved.generation = std::make_unique<ColumnGeneration>(problem_, *solved.effort, joker);
    ColumnGeneration& generation = *solved.generation;
    for (const Pattern& pattern : of.patterns) generation.add(pattern);
    for (const PatternRule& rule : of.rules) generation.add_rule(rule);
    if (of.certificate.bound > 0) generation.set_certificate(of.certificate);
    generation.leave_out(of.left_out);
    for (std::size_t width : kWidths) {
      solved.has_solution = generation.converge(width);
      if (!solved.has_solution) return solved;
      of.bound = std::max(of.bound, round_up(generation.certificate().bound, step_));
      if (can_give_up(of.bound)) return solved;
    }
    of.left_out = generation.useless_types(best_cost_, kWidths[0]);
    return solved;
  }

  bool ask() {
    const std::lock_guard lock(mutex_);
    return effort_.ask();
  }

  void decide(SolvedNode& solved) {
    Node& node = *solved.node;
    if (!solved.has_solution) {
      // A solver that fails proves nothing.
      left_over_ = std::min(left_over_, node.bound);
      return;
    }
    if (gives_up(node.bound)) return;
    const ColumnGeneration& generation = *solved.generation;
    if (visited_++ % kNodesADive == 0) look_for_better(generation);
    if (gives_up(node.bound)) return;
    const auto undecided = most_fractional(problem_, generation.master().patterns(), generation.master().bins());
    if (!undecided) return end(solved);
    // The LP may pay the joker to break a rule in part. Its value of the property is then fractional again, and the
    // same rule again would not change it, no matter how many nodes follow.
    if (has_rule_of(node, *undecided)) return solve_dear(solved);
    hand_on(generation, node);
    split(node, *undecided);
  }

  /// Takes what the LP says in whole bins.
  void end(SolvedNode& solved) {
    const bool is_complete = take_whole(solved.generation->master());
    look_for_better(*solved.generation);
    if (gives_up(solved.node->bound)) return;
    if (is_complete) {
      left_over_ = std::min(left_over_, solved.node->bound);
      return;
    }
    solve_dear(solved);
  }

  /// Solves a node again whose solution uses the joker, at a price of the joker that no packing reaches: one unpacked
  /// task costs as much as two of the best packings. If the solution still uses it, no packing keeps the rules.
  void solve_dear(SolvedNode& solved) {
    if (solved.is_dear) {
      left_over_ = std::min(left_over_, solved.node->bound);
      return;
    }
    const MicroUsd dear = 2 * tasks_of(problem_) * best_cost_;
    SolvedNode again = solve(std::move(solved.node), effort_.left(), dear);
    again.is_dear = true;
    effort_.spend(again.effort->spent());
    decide(again);
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

  /// Whether a rule of the node already implies one of the two rules that would split it at `undecided`.
  static bool has_rule_of(const Node& node, const FractionalProperty& undecided) {
    return std::any_of(node.rules.begin(), node.rules.end(), [&](const PatternRule& rule) {
      PatternRule same = undecided.rule;
      same.is_at_least = rule.is_at_least;
      same.limit = rule.limit;
      const auto limit = static_cast<double>(rule.limit);
      return rule == same && (rule.is_at_least ? limit > undecided.value : limit < undecided.value);
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
  std::mutex mutex_;
};

}  // namespace

bool can_branch_and_price(const PackingProblem& problem) {
  return tasks_of(problem) <= kMaxTasks;
}

void branch_and_price(const PackingProblem& problem, Effort& effort, Packing& best, MicroUsd& lower_bound) {
  if (best.empty() || !can_branch_and_price(problem)) return;
  Node root;
  root.bound = lower_bound;
  lower_bound = std::max(lower_bound, Tree(problem, effort, best).run(std::move(root)));
}

}  // namespace bayplan::packing
