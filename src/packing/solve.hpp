#pragma once
#include <functional>

#include "packing/certificate.hpp"
#include "packing/packing_problem.hpp"

namespace bayplan::packing {

/// Why the search ended.
enum class StoppedBy : std::uint8_t { kProof, kGap, kEffort, kInterrupted };

/// What the lower bound rests on.
enum class BoundMethod : std::uint8_t {
  kCertificate,     ///< The certificate, rounded up to a sum of prices.
  kBranchAndPrice,  ///< A search tree, which the certificate does not show.
};

struct Solution {
  Packing packing;
  std::vector<std::int64_t> left_over;  ///< Tasks for which limits leave no bin, as few as found: one a shape.
  MicroUsd cost = 0;
  MicroUsd lower_bound = 0;  ///< Lower bound on the cost of any packing; 0 when tasks are left over.
  BoundMethod bound_method = BoundMethod::kCertificate;
  Certificate certificate;
  bool optimal = false;
  bool is_infeasible = false;  ///< Proven: every packing leaves tasks over.
  StoppedBy stopped_by = StoppedBy::kEffort;
  std::int64_t effort = 0;

  bool is_complete() const;  ///< No task is left over.
};

/// How far a search is; both 0 as long as there is none.
struct Progress {
  MicroUsd cost = 0;
  MicroUsd lower_bound = 0;
  std::int64_t effort = 0;
};

struct SolveLimits {
  std::int64_t effort = 250'000'000;  ///< See Effort.
  /// Gap between cost and bound, as a part of the bound, at which the search ends if there are too many tasks for
  /// branch-and-price; 0: only a proof will do.
  double gap = 0;
  /// Asked every few hundredths of a second, by one thread at a time; false ends the search with the best so far.
  std::function<bool(const Progress&)> go_on = [](const Progress&) { return true; };
  unsigned threads = 1;  ///< How many share the work; what is found does not depend on it.
};

/// The cheapest packing found and a bound on all. Where limits, budgets or sizes leave tasks over, the packing of the
/// rest, and no bound.
Solution solve(const PackingProblem& problem, const SolveLimits& limits);

struct SubProblem;

/// Solves the sub-problem. The packing is in the numbers of the whole, all else in those of the sub-problem: the
/// certificate and `left_over` are of its types and shapes.
Solution solve_in_whole(const SubProblem& sub, const SolveLimits& limits);

}  // namespace bayplan::packing
