#include "packing/solve.hpp"

#include <algorithm>
#include <memory>
#include <mutex>
#include <random>
#include <vector>

#include "base/ordered_parallel_for.hpp"
#include "packing/branch_and_price.hpp"
#include "packing/column_generation.hpp"
#include "packing/consolidation.hpp"
#include "packing/diving.hpp"
#include "packing/greedy.hpp"
#include "packing/overflow_bins.hpp"
#include "packing/parts.hpp"
#include "packing/shape_groups.hpp"
#include "packing/undominated_types.hpp"

namespace bayplan::packing {
namespace {

constexpr std::size_t kProofWidths[] = {64, 512, 4096, 32768};
constexpr std::size_t kDiveWidth = 256;
constexpr std::size_t kGroups[] = {60, 120, 240};
constexpr std::size_t kGroupWidth = 64;
constexpr std::size_t kGroupProofWidth = 16384;
constexpr NanoUsd kGroupPrecision = 300;
constexpr std::size_t kManyShapes = 300;
constexpr int kNodesPerDive = 200;
constexpr std::size_t kBranches = 3;
constexpr int kPartRounds = 20;
constexpr std::int64_t kPartTasks = 24;
constexpr std::int64_t kLastEffort = 2'000'000;
constexpr std::size_t kFirstDiveAfter = 512;

/// How many dives go on at the same time, each in its own thread where the search may use as many.
constexpr std::size_t kDivers = 2;

/// A bound as good as the LP's own value, but for rounding: nothing is left to prove about the LP.
constexpr double kConverged = 1 - 1e-7;

/// Dives at the same time as others: its patterns, random numbers and effort are its own.
struct Diver {
  Effort effort;
  ColumnGeneration generation;
  std::mt19937_64 random;
  std::uint64_t seed;
  Packing packing;

  Diver(const PackingProblem& problem, const ColumnGeneration& from, std::uint64_t first_seed,
        std::function<bool()> go_on)
      : effort(0, std::move(go_on)), generation(problem, effort), random(first_seed), seed(first_seed) {
    for (const Pattern& pattern : from.master().patterns()) generation.add(pattern);
    generation.set_certificate(from.certificate());
  }
};

/// A search keeps its best solution, its patterns and its effort from step to step.
class Search {
 public:
  Search(const PackingProblem& problem, const SolveLimits& limits)
      : problem_(problem),
        gap_(limits.gap),
        effort_(
            limits.effort, [this, &limits] { return limits.go_on(progress()); }, limits.threads),
        generation_(problem, effort_) {
    solution_.certificate = no_certificate(problem);
  }

  Solution run() {
    generation_.begin();
    accept(generation_.certificate());
    solution_.packing = best_greedy(problem_, all_of(problem_), rules(), plain_worth(problem_), effort_);
    consolidate(problem_, solution_.packing, effort_);
    for (std::size_t groups : kGroups) {
      if (problem_.shapes.size() > 2 * groups && !is_over()) solve_in_groups(groups);
    }
    for (const FilledBins& filled : solution_.packing) generation_.add(filled.pattern);
    for (std::size_t width : kProofWidths) {
      if (is_over() || prove(width)) break;
      if (width == kFirstDiveAfter)
        dive(problem_, generation_, {kDiveWidth, kNodesPerDive, 1, 0, good_enough()}, effort_, solution_.packing);
    }
    dive_together();
    if (!is_over()) branch();
    while (!is_over()) dive_together();
    return finish();
  }

 private:
  /// The last two rules look at each shape for each task.
  std::span<const FillRule> rules() const {
    return std::span(kAllFillRules).first(problem_.shapes.size() > kManyShapes ? 3 : 5);
  }

  bool is_optimal() const {
    return compute_cost(problem_, solution_.packing) <=
           solution_.lower_bound + compute_slack(problem_, solution_.packing);
  }

  /// The cost at which the search ends: the bound, or near to it where no tree can prove more.
  MicroUsd good_enough() const {
    const double gap = can_branch_and_price(problem_) ? 0 : gap_;
    return solution_.lower_bound + static_cast<MicroUsd>(gap * static_cast<double>(solution_.lower_bound));
  }

  bool is_over() const {
    return is_optimal() || compute_cost(problem_, solution_.packing) <= good_enough() || effort_.is_exhausted();
  }

  Progress progress() const {
    return {compute_cost(problem_, solution_.packing), solution_.lower_bound, effort_.spent()};
  }

  /// Alike shapes as one: a bound that holds for each of them, and a packing to begin with.
  void solve_in_groups(std::size_t most) {
    const ShapeGroups groups = group_shapes(problem_, most);
    const PackingProblem down = rounded_down(problem_, groups);
    ColumnGeneration below(down, effort_);
    below.converge(kGroupWidth);
    below.converge(kGroupProofWidth, kGroupPrecision);
    const Certificate certificate = expanded(problem_, groups, below.certificate());
    if (certificate.bound > solution_.certificate.bound) accept(certificate);
    const PackingProblem up = rounded_up(problem_, groups);
    ColumnGeneration above(up, effort_);
    Packing packing;
    above.converge(kGroupWidth);
    dive(up, above, {kGroupWidth, 1, 1, 0, 0}, effort_, packing);
    if (packing.empty()) return;
    packing = expanded(problem_, groups, packing);
    consolidate(problem_, packing, effort_);
    if (compute_cost(problem_, packing) < compute_cost(problem_, solution_.packing))
      solution_.packing = std::move(packing);
    generation_.set_certificate(solution_.certificate);
  }

  void accept(const Certificate& certificate) {
    solution_.certificate = certificate;
    solution_.lower_bound = round_up(certificate.bound, price_step(problem_));
  }

  /// True when a wider search could not raise the bound.
  bool prove(std::size_t width) {
    generation_.set_rest(all_of(problem_));
    if (!generation_.converge(width)) return true;
    accept(generation_.certificate());
    return static_cast<double>(solution_.certificate.bound) >=
           generation_.cost() * static_cast<double>(kNanoUsdPerUsd) * kConverged;
  }

  /// Betters the best packing by a dive of each diver. Each diver may spend an equal part of the rest, so that what
  /// it finds depends neither on the others nor on how many threads there are.
  void dive_together() {
    if (is_over()) return;
    while (divers_.size() < kDivers) {
      divers_.push_back(std::make_unique<Diver>(problem_, generation_, divers_.size(), [this] { return ask(); }));
    }
    const std::int64_t part = effort_.left() / static_cast<std::int64_t>(kDivers) + 1;
    const auto work = [&](std::size_t index) {
      Diver& diver = *divers_[index];
      const std::int64_t before = diver.effort.spent();
      diver.effort.allow(part);
      diver.packing = solution_.packing;
      dive(problem_, diver.generation, {kDiveWidth, kNodesPerDive, kBranches, diver.seed, good_enough()}, diver.effort,
           diver.packing);
      diver.seed += kDivers;
      improve_parts(problem_, {kPartRounds, kPartTasks, good_enough()}, diver.random, diver.effort, diver.packing);
      return diver.effort.spent() - before;
    };
    std::int64_t spent = 0;
    OrderedParallelFor<std::int64_t>(kDivers, work, [&](std::int64_t effort) {
      spent += effort;
    }).run(effort_.threads());
    effort_.spend(spent);
    for (const auto& diver : divers_) {
      if (compute_cost(problem_, diver->packing) < compute_cost(problem_, solution_.packing))
        solution_.packing = diver->packing;
    }
  }

  bool ask() {
    const std::lock_guard lock(mutex_);
    return effort_.ask();
  }

  void branch() {
    const MicroUsd of_lp = solution_.lower_bound;
    branch_and_price(problem_, effort_, solution_.packing, solution_.lower_bound);
    if (solution_.lower_bound > of_lp) solution_.bound_method = BoundMethod::kBranchAndPrice;
  }

  Solution finish() {
    Effort little(kLastEffort);
    consolidate(problem_, solution_.packing, little);
    solution_.cost = compute_cost(problem_, solution_.packing);
    solution_.optimal = is_optimal();
    solution_.stopped_by = solution_.optimal          ? StoppedBy::kProof
                           : effort_.is_interrupted() ? StoppedBy::kInterrupted
                           : effort_.is_exhausted()   ? StoppedBy::kEffort
                                                      : StoppedBy::kGap;
    solution_.effort = effort_.spent();
    return std::move(solution_);
  }

  const PackingProblem& problem_;
  double gap_;
  Effort effort_;
  ColumnGeneration generation_;
  Solution solution_;
  std::mutex mutex_;
  std::vector<std::unique_ptr<Diver>> divers_;
};

/// Nothing is proven about the price of packings of all tasks where there is none, or none was found.
void take_out_left_over(const PackingProblem& problem, Solution& solution) {
  solution.left_over = take_left_over(problem, solution.packing);
  if (solution.is_complete()) return;
  // A packing of all tasks that leaves no bin empty costs at most this.
  MicroUsd highest = 0;
  for (const BinType& type : problem.types) {
    if (!type.is_refuge) highest = std::max(highest, type.price);
  }
  solution.is_infeasible = solution.lower_bound > highest * tasks_of(problem);
  solution.cost = compute_cost(problem, solution.packing);
  solution.lower_bound = 0;
  solution.bound_method = BoundMethod::kCertificate;
  solution.certificate = no_certificate(problem);
  solution.optimal = false;
}

}  // namespace

bool Solution::is_complete() const {
  return std::all_of(left_over.begin(), left_over.end(), [](std::int64_t count) { return count == 0; });
}

Solution solve(const PackingProblem& problem, const SolveLimits& limits) {
  const std::vector<std::uint32_t> kept = undominated_types(problem);
  PackingProblem reduced = with_types(problem, kept);
  add_overflow_bins(reduced);
  Solution solution = Search(reduced, limits).run();
  take_out_left_over(reduced, solution);
  // In terms of all types: one that another dominates holds nothing worth more than that one does, so it needs no
  // charge.
  for (FilledBins& filled : solution.packing) filled.pattern.type = kept[filled.pattern.type];
  std::vector<NanoUsd> charge(problem.types.size());
  for (std::size_t t = 0; t < kept.size(); ++t) charge[kept[t]] = solution.certificate.duals.charge[t];
  solution.certificate.duals.charge = std::move(charge);
  return solution;
}

Solution solve_in_whole(const SubProblem& sub, const SolveLimits& limits) {
  Solution solution = solve(sub.problem, limits);
  solution.packing = sub.in_whole({std::move(solution.packing)});
  return solution;
}

}  // namespace bayplan::packing
