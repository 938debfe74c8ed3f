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
/// One part in so many for a bound that does not heed the number of types, and for the choice of types.
constexpr std::int64_t kShare = 4;
/// More sets than these are not looked at before some were chosen.
constexpr std::size_t kFewSets = 60;

struct Candidate {
  TypeSet set;
  bool is_solved = false;  ///< Every task has a place.
  bool is_decided = false;
  BoundPart part;
};

std::int64_t sum(const std::vector<std::int64_t>& counts) {
  return std::accumulate(counts.begin(), counts.end(), std::int64_t{0});
}

class Search {
 public:
  Search(const Market& market, const Question& question, std::int64_t most, const packing::SolveLimits& limits)
      : market_(market), question_(question), most_(most), limits_(limits), left_(limits.effort) {}

  BoundedPacking run() {
    TypeSets sets = type_sets(market_, question_, most_);
    if (!sets.contradiction.empty()) return contradictory(std::move(sets));
    is_complete_ = sets.is_complete;
    is_of_all_ = sets.is_of_all;
    for (TypeSet& set : sets.list) candidates_.push_back({std::move(set), false, false, {}});
    if (most_ > 1 && !is_of_all_) solve_all(left_ / kShare);
    if (!has_best_ || !best_.optimal) {
      if (!is_complete_ || (most_ > 1 && candidates_.size() > kFewSets)) choose_types();
      solve_each();
    }
    settle();
    return std::move(result_);
  }

 private:
  BoundedPacking contradictory(TypeSets sets) const {
    BoundedPacking result;
    result.contradiction = std::move(sets.contradiction);
    result.solution.certificate = packing::no_certificate(question_.problem);
    result.solution.stopped_by = StoppedBy::kProof;
    result.solution.left_over.resize(question_.problem.shapes.size());
    for (const std::uint32_t shape : sets.not_held)
      result.solution.left_over[shape] = question_.problem.shapes[shape].count;
    return result;
  }

  bool is_over() const { return is_interrupted_ || left_ <= 0; }
  std::int64_t spent() const { return limits_.effort - left_; }

  Solution solve(const std::vector<std::uint32_t>& bins, std::int64_t effort) {
    packing::SolveLimits limits;
    limits.effort = std::max<std::int64_t>(1, std::min(effort, left_));
    limits.threads = limits_.threads;
    limits.go_on = [this](const packing::Progress& progress) {
      return limits_.go_on({has_best_ ? best_.cost : 0, of_all_.lower_bound, spent() + progress.effort});
    };
    Solution solution = packing::solve_in_whole(packing::sub_problem(question_.problem, bins), limits);
    left_ -= solution.effort;
    is_interrupted_ = is_interrupted_ || solution.stopped_by == StoppedBy::kInterrupted;
    keep(solution);
    return solution;
  }

  /// The cheapest; where nothing holds every task, what leaves the fewest over.
  void keep(const Solution& solution) {
    auto types = list_types(market_, compute_purchases(question_, market_, solution.packing));
    if (std::ssize(types) > most_) return;
    const auto worth = std::pair(sum(solution.left_over), solution.cost);
    if (worth_ && worth >= *worth_) return;
    worth_ = worth;
    has_best_ = worth.first == 0;
    best_ = solution;
    best_types_ = std::move(types);
  }

  bool is_too_dear(MicroUsd at_least) const { return at_least == kNoFleet || (has_best_ && at_least >= best_.cost); }

  /// The bound of all types holds for few of them; the packing may do as it is.
  void solve_all(std::int64_t effort) {
    std::vector<std::uint32_t> bins(question_.bins.size());
    std::iota(bins.begin(), bins.end(), 0);
    const Solution solution = solve(bins, effort);
    of_all_ = {std::move(bins), solution.certificate, solution.lower_bound, solution.bound_method};
    packing_of_all_ = solution.packing;
  }

  void solve_each() {
    for (const std::int64_t effort : kEfforts) {
      for (Candidate& candidate : candidates_) {
        if (candidate.is_decided || is_too_dear(candidate.set.at_least)) continue;
        if (is_over() && has_best_) return;
        solve(candidate, is_only_one(candidate) ? left_ : effort);
      }
    }
    for (std::size_t i = 0; i < std::min(kMaxHopeless, candidates_.size()) && !has_best_; ++i)
      solve(candidates_[i].set.bins, kEfforts[0]);
  }

  bool is_only_one(const Candidate& candidate) const {
    return std::all_of(candidates_.begin(), candidates_.end(), [&](const Candidate& other) {
      return &other == &candidate || other.is_decided || is_too_dear(other.set.at_least);
    });
  }

  void solve(Candidate& candidate, std::int64_t effort) {
    const Solution solution = solve(candidate.set.bins, effort);
    candidate.is_solved = sum(solution.left_over) == 0;
    candidate.is_decided = solution.stopped_by == StoppedBy::kProof;
    if (solution.is_infeasible) candidate.set.at_least = kNoFleet;
    if (!candidate.is_solved || solution.lower_bound < candidate.part.lower_bound) return;
    candidate.part = {candidate.set.bins, solution.certificate, solution.lower_bound, solution.bound_method};
    candidate.set.at_least = std::max(candidate.set.at_least, solution.lower_bound);
  }

  using Types = std::set<std::string>;

  void choose_types() {
    Types pool;
    for (const auto& [offer, zone] :
         places_to_buy(market_, question_, compute_purchases(question_, market_, packing_of_all_)))
      pool.insert(market_.offers[offer].profile.instance_type);
    const auto tries = std::max<std::int64_t>(1, 2 * most_ * std::ssize(pool));
    effort_each_ = std::clamp<std::int64_t>(left_ / kShare / tries, 1, kEfforts[0]);
    Types types;
    while (std::ssize(types) < most_ && improve(types, pool, {})) {
    }
    for (const std::string& out : Types(types)) improve(types, pool, out);
    if (!is_over() && !types.empty()) solve(bins_of(types), is_complete_ ? left_ / kShare : left_);
  }

  std::vector<std::uint32_t> bins_of(const Types& types) const {
    return bins_of_types(market_, question_, {types.begin(), types.end()});
  }

  /// Takes up the type that makes the packing cheapest, in place of `out` where that is one. False when none does.
  bool improve(Types& types, const Types& pool, const std::string& out) {
    Types best = types;
    for (const std::string& in : pool) {
      if (is_over()) break;
      Types next = types;
      next.erase(out);
      next.insert(in);
      if (worth(next) < worth(best)) best = std::move(next);
    }
    const bool is_better = best != types;
    types = std::move(best);
    return is_better;
  }

  /// Tasks left over, then the price.
  using Worth = std::pair<std::int64_t, MicroUsd>;

  Worth worth(const Types& types) {
    if (types.empty()) return {packing::kUnlimited, 0};
    const auto known = worths_.find(types);
    if (known != worths_.end()) return known->second;
    const Solution solution = solve(bins_of(types), effort_each_);
    return worths_[types] = {sum(solution.left_over), solution.cost};
  }

  /// The least bound of all sets.
  MicroUsd bound_of_sets() const {
    MicroUsd bound = best_.cost;
    for (const Candidate& one : candidates_) {
      if (!is_too_dear(one.set.at_least)) bound = std::min(bound, one.part.lower_bound);
    }
    return bound;
  }

  void settle() {
    if (has_best_) {
      prove();
    } else {
      prove_nothing();
    }
    best_.optimal = has_best_ && best_.cost <= best_.lower_bound;
    best_.effort = spent();
    best_.stopped_by = best_.optimal || is_hopeless() ? StoppedBy::kProof
                       : is_interrupted_              ? StoppedBy::kInterrupted
                                                      : StoppedBy::kEffort;
    result_.bins = bins_of_types(market_, question_, best_types_);
    result_.solution = std::move(best_);
  }

  bool is_hopeless() const {
    return is_complete_ && std::all_of(candidates_.begin(), candidates_.end(),
                                       [](const Candidate& one) { return one.set.at_least == kNoFleet; });
  }

  void prove() {
    const MicroUsd of_sets = is_complete_ ? bound_of_sets() : 0;
    if (of_sets == 0 && of_all_.bins.empty() && !is_over()) solve_all(left_);
    std::vector<BoundPart> parts;
    for (const Candidate& one : candidates_) {
      if (one.part.lower_bound > 0) parts.push_back(one.part);
    }
    const auto least = std::min_element(parts.begin(), parts.end(), [&](const BoundPart& a, const BoundPart& b) {
      return compute_rank(a) < compute_rank(b);
    });
    if (of_sets > of_all_.lower_bound && least != parts.end() && least->lower_bound <= of_sets) {
      rest_on(*least, of_sets);
      for (const BoundPart& part : parts) {
        if (part.method == BoundMethod::kBranchAndPrice) best_.bound_method = part.method;
      }
      result_.parts = std::move(parts);
      result_.sets = is_of_all_ ? 0 : std::ssize(candidates_);
    } else if (of_all_.lower_bound > 0) {
      rest_on(of_all_, of_all_.lower_bound);
      result_.parts = {of_all_};
      result_.is_relaxed = best_.cost > best_.lower_bound;
    } else {
      prove_nothing();
    }
  }

  /// Ranks the part of the chosen types first among equal bounds.
  std::pair<MicroUsd, bool> compute_rank(const BoundPart& part) const {
    const auto is_chosen = [&](std::uint32_t bin) {
      return std::binary_search(best_types_.begin(), best_types_.end(),
                                market_.offers[question_.bins[bin].offer].profile.instance_type);
    };
    return {part.lower_bound, std::none_of(part.bins.begin(), part.bins.end(), is_chosen)};
  }

  /// Says what the part's certificate says in the words of all bins: what is not in it needs no charge.
  void rest_on(const BoundPart& part, MicroUsd bound) {
    best_.lower_bound = bound;
    best_.bound_method = part.method;
    best_.certificate = part.certificate;
    std::vector<packing::NanoUsd> charge(question_.bins.size());
    for (std::size_t i = 0; i < part.bins.size(); ++i) charge[part.bins[i]] = part.certificate.duals.charge[i];
    best_.certificate.duals.charge = std::move(charge);
  }

  void prove_nothing() {
    best_.lower_bound = 0;
    best_.bound_method = BoundMethod::kCertificate;
    best_.certificate = packing::no_certificate(question_.problem);
  }

  const Market& market_;
  const Question& question_;
  const std::int64_t most_;
  const packing::SolveLimits& limits_;
  std::int64_t left_;  ///< Remaining effort.
  std::int64_t effort_each_ = 0;
  bool is_complete_ = true;
  bool is_of_all_ = false;
  bool is_interrupted_ = false;
  std::vector<Candidate> candidates_;
  BoundPart of_all_;
  packing::Packing packing_of_all_;
  std::map<Types, Worth> worths_;
  std::optional<Worth> worth_;  ///< Worth of the best set.
  bool has_best_ = false;       ///< It holds every task.
  Solution best_;
  std::vector<std::string> best_types_;
  BoundedPacking result_;
};

}  // namespace

BoundedPacking solve_few_types(const Market& market, const Question& question, std::int64_t most,
                               const packing::SolveLimits& limits) {
  return Search(market, question, most, limits).run();
}

}  // namespace bayplan::fleet
