#include "packing/solve.hpp"

#include "packing/branch_and_price.hpp"
#include "packing/column_generation.hpp"
#include "packing/diving.hpp"
#include "packing/greedy.hpp"
#include "packing/undominated_types.hpp"

namespace bayplan::packing {
namespace {

constexpr std::size_t kProofWidths[] = {64, 512, 4096, 32768};
constexpr std::size_t kDiveWidth = 256;
constexpr std::size_t kManyShapes = 300;
constexpr int kNodesPerDive = 200;
constexpr std::size_t kBranches = 3;
constexpr std::uint64_t kDivesBeforeBranching = 2;
constexpr std::size_t kFirstDiveAfter = 512;

/// A bound as good as the LP's own value, but for rounding: nothing is left to prove about the LP.
constexpr double kConverged = 1 - 1e-7;

class Search {
 public:
  Search(const PackingProblem& problem, const SolveLimits& limits)
      : problem_(problem), limits_(limits), effort_(limits.effort), generation_(problem, effort_) {
    for (const Shape& shape : problem.shapes) counts_.push_back(shape.count);
  }

  Solution run() {
    solution_.packing = best_greedy(problem_, counts_, rules(), plain_worth(problem_), effort_);
    for (const FilledBins& filled : solution_.packing) generation_.add(filled.pattern);
    for (std::size_t width : kProofWidths) {
      const bool proven = prove(width);
      if (is_over() || proven) break;
      if (width == kFirstDiveAfter) dive_once(0, 1);
    }
    for (std::uint64_t seed = 0; seed < kDivesBeforeBranching && !is_over(); ++seed) dive_once(seed, kBranches);
    if (!is_over()) branch();
    for (std::uint64_t seed = kDivesBeforeBranching; !is_over(); ++seed) dive_once(seed, kBranches);
    return finish();
  }

 private:
  /// The last two rules look at each shape for each task.
  std::span<const FillRule> rules() const {
    return std::span(kAllFillRules).first(problem_.shapes.size() > kManyShapes ? 3 : 5);
  }

  bool is_optimal() const {
    return !solution_.packing.empty() && cost_of(problem_, solution_.packing) <= solution_.lower_bound;
  }

  bool is_over() {
    if (is_optimal() || effort_.is_exhausted() || is_stopped_) return true;
    is_stopped_ = !limits_.go_on({cost_of(problem_, solution_.packing), solution_.lower_bound, effort_.spent()});
    return is_stopped_;
  }

  /// True when a wider search could not raise the bound.
  bool prove(std::size_t width) {
    generation_.set_counts(counts_);
    if (!generation_.converge(width)) return true;
    solution_.certificate = generation_.certificate();
    solution_.lower_bound = round_up(solution_.certificate.bound, price_step(problem_));
    return static_cast<double>(solution_.certificate.bound) >=
           generation_.cost() * static_cast<double>(kNanoUsdPerUsd) * kConverged;
  }

  void dive_once(std::uint64_t seed, std::size_t branches) {
    dive(problem_, generation_, counts_, {kDiveWidth, kNodesPerDive, branches, seed, solution_.lower_bound}, effort_,
         solution_.packing);
  }

  void branch() {
    const MicroUsd of_lp = solution_.lower_bound;
    branch_and_price(problem_, effort_, solution_.packing, solution_.lower_bound);
    if (solution_.lower_bound > of_lp) solution_.bound_method = BoundMethod::kBranchAndPrice;
  }

  Solution finish() {
    solution_.cost = cost_of(problem_, solution_.packing);
    solution_.optimal = is_optimal();
    solution_.stopped_by = solution_.optimal ? StoppedBy::kProof : StoppedBy::kEffort;
    solution_.effort = effort_.spent();
    return std::move(solution_);
  }

  const PackingProblem& problem_;
  const SolveLimits& limits_;
  Effort effort_;
  ColumnGeneration generation_;
  std::vector<std::int64_t> counts_;
  Solution solution_;
  bool is_stopped_ = false;
};

}  // namespace

Solution solve(const PackingProblem& problem, const SolveLimits& limits) {
  const std::vector<std::uint32_t> types = undominated_types(problem);
  const PackingProblem reduced = with_types(problem, types);
  Solution solution = Search(reduced, limits).run();
  for (FilledBins& filled : solution.packing) filled.pattern.type = types[filled.pattern.type];
  // A type that another dominates holds nothing worth more than that one does: no charge is needed.
  std::vector<NanoUsd> charge(problem.types.size());
  for (std::size_t t = 0; t < types.size(); ++t) charge[types[t]] = solution.certificate.duals.charge[t];
  solution.certificate.duals.charge = std::move(charge);
  return solution;
}

}  // namespace bayplan::packing
