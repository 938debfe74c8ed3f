#include "fleet/ideal/few_types.hpp"

#include <algorithm>
#include <map>
#include <numeric>
#include <optional>
#include <set>

#include "fleet/ideal/type_sets.hpp"
#include "fleet/recommended/exchanges.hpp"
#include "fleet/recommended/fleet_rank.hpp"
#include "packing/undominated_types.hpp"

namespace bayplan::fleet {

using packing::BoundMethod;
using packing::Solution;
using packing::StoppedBy;

namespace {

/// What one set of types gets in turn, as long as some set is undecided.
constexpr std::int64_t kEfforts[] = {2'000'000, 16'000'000, 128'000'000, packing::kUnlimited};
/// Sets that leave tasks over, looked at for the fewest.
constexpr std::size_t kMaxHopeless = 8;
/// One part of this many is for a bound that does not heed the number of types, and for the choice of types.
constexpr std::int64_t kShare = 4;
/// More sets than these are not looked at before some were chosen.
constexpr std::size_t kFewSets = 60;

/// A set of types on its way to a proof.
struct Candidate {
  TypeSet set;
  bool is_decided = false;
  BoundPart part;
};

std::int64_t sum(const std::vector<std::int64_t>& counts) {
  return std::accumulate(counts.begin(), counts.end(), std::int64_t{0});
}

/// Solves the question with some of its bins, within one effort for all calls, and keeps the best packing of at most
/// `most` types.
class SubsetSolver {
 public:
  SubsetSolver(const Market& market, const Question& question, std::int64_t most, const packing::SolveLimits& limits)
      : market_(market), question_(question), most_(most), limits_(limits), left_(limits.effort) {}

  Solution solve(const std::vector<std::uint32_t>& bins, std::int64_t effort) {
    packing::SolveLimits limits;
    limits.effort = std::max<std::int64_t>(1, std::min(effort, left_));
    limits.threads = limits_.threads;
    limits.go_on = [this](const packing::Progress& progress) {
      return limits_.go_on({has_best() ? best_.cost : 0, lower_bound_, spent() + progress.effort});
    };
    Solution solution = packing::solve_in_whole(packing::sub_problem(question_.problem, bins), limits);
    left_ -= solution.effort;
    is_interrupted_ = is_interrupted_ || solution.stopped_by == StoppedBy::kInterrupted;
    // The best is the cheapest packing; where none places every task, one that leaves the fewest.
    auto types = list_types(market_, compute_purchases(question_, market_, solution.packing));
    const auto worth = std::pair(sum(solution.left_over), solution.cost);
    if (std::ssize(types) <= most_ && (!worth_ || worth < *worth_)) {
      worth_ = worth;
      best_ = solution;
      best_types_ = std::move(types);
    }
    return solution;
  }

  /// The bound to report as progress.
  void set_lower_bound(MicroUsd bound) { lower_bound_ = bound; }

  bool is_over() const { return is_interrupted_ || left_ <= 0; }
  bool is_interrupted() const { return is_interrupted_; }
  std::int64_t left() const { return left_; }
  std::int64_t spent() const { return limits_.effort - left_; }
  bool has_best() const { return worth_ && worth_->first == 0; }  ///< It places every task.
  const Solution& best() const { return best_; }
  const std::vector<std::string>& best_types() const { return best_types_; }
  bool is_too_expensive(MicroUsd at_least) const {
    return at_least == kNoFleet || (has_best() && at_least >= best_.cost);
  }

 private:
  const Market& market_;
  const Question& question_;
  const std::int64_t most_;
  const packing::SolveLimits& limits_;
  std::int64_t left_;  ///< Remaining effort.
  bool is_interrupted_ = false;
  MicroUsd lower_bound_ = 0;
  std::optional<std::pair<std::int64_t, MicroUsd>> worth_;  ///< Of the best: tasks left over, then the price.
  Solution best_;
  std::vector<std::string> best_types_;
};

/// Solves the sets that may still beat the best, with growing efforts, until each is decided or the effort ends.
void solve_each(std::vector<Candidate>& candidates, SubsetSolver& solver) {
  const auto is_open = [&](const Candidate& candidate) {
    return !candidate.is_decided && !solver.is_too_expensive(candidate.set.at_least);
  };
  const auto solve = [&](Candidate& candidate, std::int64_t effort) {
    const Solution solution = solver.solve(candidate.set.bins, effort);
    candidate.is_decided = solution.stopped_by == StoppedBy::kProof;
    if (solution.is_infeasible) candidate.set.at_least = kNoFleet;
    if (sum(solution.left_over) > 0 || solution.lower_bound < candidate.part.lower_bound) return;
    candidate.part = {candidate.set.bins, solution.certificate, solution.lower_bound, solution.bound_method};
    candidate.set.at_least = std::max(candidate.set.at_least, solution.lower_bound);
  };
  for (const std::int64_t effort : kEfforts) {
    for (Candidate& candidate : candidates) {
      if (!is_open(candidate)) continue;
      if (solver.is_over() && solver.has_best()) return;
      const bool is_only_one = std::none_of(candidates.begin(), candidates.end(), [&](const Candidate& other) {
        return &other != &candidate && is_open(other);
      });
      solve(candidate, is_only_one ? solver.left() : effort);
    }
  }
  for (std::size_t i = 0; i < std::min(kMaxHopeless, candidates.size()) && !solver.has_best(); ++i)
    solve(candidates[i], kEfforts[0]);
}

/// Chooses types of the packing with all of them, by a local search: the type that improves the packing most is added
/// until there are `most`, then each is exchanged once if that is better. What it finds is kept by the solver.
void choose_types(const Market& market, const Question& question, const packing::Packing& packing_of_all,
                  std::int64_t most, bool is_complete, SubsetSolver& solver) {
  using Types = std::set<std::string>;
  using Worth = std::pair<std::int64_t, MicroUsd>;  // tasks left over, then the price
  Types pool;
  for (const auto& [offer, zone] : places_to_buy(market, question, compute_purchases(question, market, packing_of_all)))
    pool.insert(market.offers[offer].profile.instance_type);
  const auto tries = std::max<std::int64_t>(1, 2 * most * std::ssize(pool));
  const auto effort_each = std::clamp<std::int64_t>(solver.left() / kShare / tries, 1, kEfforts[0]);
  const auto bins_of = [&](const Types& types) {
    return bins_of_types(market, question, {types.begin(), types.end()});
  };
  std::map<Types, Worth> known;
  const auto worth = [&](const Types& types) -> Worth {
    if (types.empty()) return {packing::kUnlimited, 0};
    const auto found = known.find(types);
    if (found != known.end()) return found->second;
    const Solution solution = solver.solve(bins_of(types), effort_each);
    return known[types] = {sum(solution.left_over), solution.cost};
  };
  // The best of `types` with one more type, in place of `out` if that is one of them; `types` if none is better.
  const auto improved = [&](const Types& types, const std::string& out) {
    Types best = types;
    for (const std::string& in : pool) {
      if (solver.is_over()) break;
      Types next = types;
      next.erase(out);
      next.insert(in);
      if (worth(next) < worth(best)) best = std::move(next);
    }
    return best;
  };
  Types types;
  while (std::ssize(types) < most) {
    Types next = improved(types, {});
    if (next == types) break;
    types = std::move(next);
  }
  for (const std::string& out : Types(types)) types = improved(types, out);
  if (!solver.is_over() && !types.empty())
    solver.solve(bins_of(types), is_complete ? solver.left() / kShare : solver.left());
}

/// Makes `solution` rest on the certificate of a part, in terms of all bins: what is not in the part needs no charge.
void rest_on(const BoundPart& part, MicroUsd bound, std::size_t bins, Solution& solution) {
  solution.lower_bound = bound;
  solution.bound_method = part.method;
  solution.certificate = part.certificate;
  std::vector<packing::NanoUsd> charge(bins);
  for (std::size_t i = 0; i < part.bins.size(); ++i) charge[part.bins[i]] = part.certificate.duals.charge[i];
  solution.certificate.duals.charge = std::move(charge);
}

BoundedPacking contradictory(const Question& question, TypeSets sets) {
  BoundedPacking result;
  result.contradiction = std::move(sets.contradiction);
  result.solution.certificate = packing::no_certificate(question.problem);
  result.solution.stopped_by = StoppedBy::kProof;
  result.solution.left_over.resize(question.problem.shapes.size());
  for (const std::uint32_t shape : sets.not_held)
    result.solution.left_over[shape] = question.problem.shapes[shape].count;
  return result;
}

}  // namespace

BoundedPacking solve_few_types(const Market& market, const Question& question, std::int64_t most,
                               const packing::SolveLimits& limits) {
  TypeSets sets = type_sets(market, question, most);
  if (!sets.contradiction.empty()) return contradictory(question, std::move(sets));
  std::vector<Candidate> candidates;
  for (TypeSet& set : sets.list) candidates.push_back({std::move(set), false, {}});

  // The bound with all types holds for few of them, too; and their packing may have few enough types as it is.
  SubsetSolver solver(market, question, most, limits);
  BoundPart of_all;
  packing::Packing packing_of_all;
  const auto solve_all = [&](std::int64_t effort) {
    std::vector<std::uint32_t> bins(question.bins.size());
    std::iota(bins.begin(), bins.end(), 0);
    const Solution solution = solver.solve(bins, effort);
    of_all = {std::move(bins), solution.certificate, solution.lower_bound, solution.bound_method};
    packing_of_all = solution.packing;
    solver.set_lower_bound(of_all.lower_bound);
  };
  if (most > 1 && !sets.is_of_all) solve_all(solver.left() / kShare);
  if (!solver.has_best() || !solver.best().optimal) {
    const bool are_many = most > 1 && candidates.size() > kFewSets;
    if (!sets.is_complete || are_many) choose_types(market, question, packing_of_all, most, sets.is_complete, solver);
    solve_each(candidates, solver);
  }

  // No fleet of few types costs less than the least bound of all sets, if they are complete.
  BoundedPacking result;
  MicroUsd of_sets = 0;
  if (solver.has_best() && sets.is_complete) {
    of_sets = solver.best().cost;
    for (const Candidate& one : candidates) {
      if (!solver.is_too_expensive(one.set.at_least)) of_sets = std::min(of_sets, one.part.lower_bound);
    }
  }
  if (solver.has_best() && of_sets == 0 && of_all.bins.empty() && !solver.is_over()) solve_all(solver.left());
  Solution best = solver.best();
  const auto& best_types = solver.best_types();
  std::vector<BoundPart> parts;
  for (const Candidate& one : candidates) {
    if (one.part.lower_bound > 0) parts.push_back(one.part);
  }
  // Among equal bounds the part of the chosen types is named.
  const auto rank = [&](const BoundPart& part) {
    const auto is_chosen = [&](std::uint32_t bin) {
      return std::binary_search(best_types.begin(), best_types.end(),
                                market.offers[question.bins[bin].offer].profile.instance_type);
    };
    return std::pair(part.lower_bound, std::none_of(part.bins.begin(), part.bins.end(), is_chosen));
  };
  const auto least = std::min_element(parts.begin(), parts.end(),
                                      [&](const BoundPart& a, const BoundPart& b) { return rank(a) < rank(b); });
  if (solver.has_best() && of_sets > of_all.lower_bound && least != parts.end() && least->lower_bound <= of_sets) {
    rest_on(*least, of_sets, question.bins.size(), best);
    for (const BoundPart& part : parts) {
      if (part.method == BoundMethod::kBranchAndPrice) best.bound_method = part.method;
    }
    result.parts = std::move(parts);
    result.sets = sets.is_of_all ? 0 : std::ssize(candidates);
  } else if (solver.has_best() && of_all.lower_bound > 0) {
    rest_on(of_all, of_all.lower_bound, question.bins.size(), best);
    result.parts = {of_all};
    result.is_relaxed = best.cost > best.lower_bound;
  } else {
    best.lower_bound = 0;
    best.bound_method = BoundMethod::kCertificate;
    best.certificate = packing::no_certificate(question.problem);
  }

  const bool is_hopeless =
      sets.is_complete && std::all_of(candidates.begin(), candidates.end(),
                                      [](const Candidate& one) { return one.set.at_least == kNoFleet; });
  best.optimal = solver.has_best() && best.cost <= best.lower_bound;
  best.effort = solver.spent();
  best.stopped_by = best.optimal || is_hopeless ? StoppedBy::kProof
                    : solver.is_interrupted()   ? StoppedBy::kInterrupted
                                                : StoppedBy::kEffort;
  result.bins = bins_of_types(market, question, best_types);
  result.solution = std::move(best);
  return result;
}

}  // namespace bayplan::fleet
