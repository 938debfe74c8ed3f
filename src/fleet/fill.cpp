#include "fleet/fill.hpp"

#include <algorithm>
#include <limits>
#include <memory>

#include "fleet/closing.hpp"
#include "fleet/policies.hpp"
#include "fleet/policy_search.hpp"
#include "fleet/start_fleets.hpp"
#include "fleet/zone_loss.hpp"

namespace bayplan::fleet {

using placement::Scenario;

namespace {

constexpr std::int64_t kDefaultEffort = 4'000'000;
constexpr std::size_t kWaysToClose = 3;
/// The policy that is best at the first try gets one part in so many of the effort to get better, the next as much of
/// what is left; the last part is for closing the gap.
constexpr std::int64_t kRefinedShare = 4;
constexpr std::int64_t kShareWhenDone = 32;
/// To grow a fleet and to shrink it takes about as much as to try so many in every order.
constexpr std::int64_t kFleetsPerPolicy = 5;

class Filler {
 public:
  Filler(const Scenario& scenario, const Market& market, const Question& question, const packing::Solution& ideal,
         const FillRequest& request)
      : market_(market),
        question_(question),
        ideal_(ideal),
        request_(request),
        tasks_(tasks_of(scenario, question)),
        total_(request.effort > 0 ? request.effort : kDefaultEffort) {
    effort_.go_on = &request_.go_on;
  }

  Fill run() {
    const auto lower_bound = request_.survives_zone_loss ? zone_loss_bound(ideal_.lower_bound, request_.zones.size())
                                                         : std::optional(ideal_.lower_bound);
    if (!lower_bound) return {};
    lower_bound_ = *lower_bound;
    for (Policy& policy : policies())
      searches_.push_back(std::make_unique<PolicySearch>(tasks_, std::move(policy), market_, question_, request_,
                                                         lower_bound_, effort_));
    begin();
    refine();
    Fill fill;
    for (const auto& search : searches_) {
      if (search->search().best()) fill.by_policy.push_back(filled(*search));
    }
    if (!fill.by_policy.empty()) fill.recommended = fill.by_policy.front();
    close_gap(fill);
    fill.exhausted = exhausted_;
    return fill;
  }

 private:
  /// Lets a part of the work spend no more than its share.
  template <class Work>
  void with_share(std::int64_t share, Work work) {
    effort_.limit = std::min(total_, effort_.spent + share);
    work();
    exhausted_ = exhausted_ || effort_.is_exhausted();
  }

  std::int64_t left() const { return std::max<std::int64_t>(0, total_ - effort_.spent); }

  /// What all launch orders of one fleet cost.
  std::int64_t cost_of_one_fleet() const {
    std::int64_t tasks = 1;
    for (const auto& shape : question_.problem.shapes) tasks += shape.count;
    return tasks * std::max<std::int64_t>(1, request_.orders);
  }

  /// Where the effort is enough for few of them, those that fill best come first.
  std::vector<Policy> policies() {
    auto policies = candidate_policies(tasks_, request_.zones.size(), question_.constraints);
    const std::int64_t affordable = std::max<std::int64_t>(2, total_ / (kFleetsPerPolicy * cost_of_one_fleet()));
    if (affordable >= std::ssize(policies)) return policies;
    std::reverse(policies.begin(), policies.end());  // the largest first fills at once more often than not
    std::stable_partition(policies.begin(), policies.end(), [](const Policy& policy) {
      return policy.strategies.size() == 1 && policy.strategies.front().field == "memory";
    });
    policies.resize(static_cast<std::size_t>(affordable));
    exhausted_ = true;
    return policies;
  }

  /// A policy fills a fleet for which nothing cheaper can be had.
  bool is_done(PolicySearch& search) const {
    const auto& best = search.search().best();
    return best && hourly_cost(market_, *best) <= lower_bound_;
  }

  bool is_done() const {
    return std::any_of(searches_.begin(), searches_.end(), [&](const auto& search) { return is_done(*search); });
  }

  /// Every policy from the fleets to start with, the ideal one first. Once one is done the others get less.
  void begin() {
    const auto starts = start_fleets(market_, question_, ideal_, request_);
    auto steps = static_cast<std::int64_t>(starts.size() * searches_.size());
    for (const Purchases& start : starts) {
      if (&start != &starts.front() && is_done() && effort_.spent > total_ / 4) break;
      for (const auto& search : searches_) {
        const auto share = std::max(left() / 2 / steps--, 2 * cost_of_one_fleet());
        if (!is_done(*search)) with_share(share, [&] { search->search().begin_at(start); });
      }
    }
    sort();
  }

  /// Cheapest first; of equal ones as they were.
  void sort() {
    const auto rank = [&](const auto& search) {
      const auto& best = search->search().best();
      return best ? std::optional(rank_of(market_, *best)) : std::nullopt;
    };
    std::stable_sort(searches_.begin(), searches_.end(), [&](const auto& a, const auto& b) {
      const auto left = rank(a);
      const auto right = rank(b);
      return left && (!right || *left < *right);
    });
  }

  /// The policy that is best at the first try gets most of the effort. None is searched hard once the best can get no
  /// cheaper.
  void refine() {
    for (std::size_t i = 0; i < searches_.size(); ++i) {
      FillSearch& search = searches_[i]->search();
      const auto share = left() / (is_done() ? kShareWhenDone : kRefinedShare);
      with_share(share / 2, [&] { search.exchange(); });
      with_share(share / 2, [&] { search.try_all(); });
    }
    sort();
  }

  /// Where the ideal fleet is cheaper: every workload is kept where a packing has it, then as few as will do.
  void close_gap(Fill& fill) {
    const MicroUsd to_beat = fill.recommended ? fill.recommended->hourly_cost : std::numeric_limits<MicroUsd>::max();
    if (lower_bound_ >= to_beat) return;
    std::vector<packing::Packing> packings = {ideal_.packing};
    if (auto apart = apart_from_gpus(question_, market_)) packings.push_back(std::move(*apart));
    const auto all = policies();
    auto tries = static_cast<std::int64_t>(all.size() * packings.size());
    for (const Policy& policy : all) {
      for (const packing::Packing& packing : packings) {
        const Pins pins = pins_of(market_, question_, packing);
        const Purchases start = purchases_of(question_, market_, packing);
        const auto share = left() / tries--;
        const bool is_worth_it = !pins.empty() && hourly_cost(market_, start) < to_beat;
        if (is_worth_it) with_share(share, [&] { close_gap_by(policy, pins, start, to_beat, fill); });
      }
    }
    sort_ways(fill.closing);
  }

  /// Cheapest first, with fewest constraints first of equal ones.
  static void sort_ways(std::vector<FilledFleet>& ways) {
    std::stable_sort(ways.begin(), ways.end(), [](const FilledFleet& a, const FilledFleet& b) {
      return std::pair(a.hourly_cost, a.policy.constraints.size()) <
             std::pair(b.hourly_cost, b.policy.constraints.size());
    });
    if (ways.size() > kWaysToClose) ways.resize(kWaysToClose);
  }

  void close_gap_by(const Policy& bare, const Pins& pins, const Purchases& start, MicroUsd to_beat, Fill& fill) {
    Policy policy = bare;
    policy.constraints.insert(policy.constraints.end(), pins.begin(), pins.end());
    PolicySearch pinned(tasks_, std::move(policy), market_, question_, request_, lower_bound_, effort_);
    pinned.search().begin_at(start);
    const auto& best = pinned.search().best();
    if (!best || hourly_cost(market_, *best) >= to_beat) return;
    FilledFleet found = filled(pinned);
    found.policy = bare;
    const Pins needed = needed_pins(pins, [&](const Pins& fewer) {
      if (effort_.is_exhausted()) return false;
      Policy loose = bare;
      loose.constraints.insert(loose.constraints.end(), fewer.begin(), fewer.end());
      return PolicySearch(tasks_, std::move(loose), market_, question_, request_, lower_bound_, effort_).fills(*best);
    });
    found.policy.constraints.insert(found.policy.constraints.end(), needed.begin(), needed.end());
    fill.closing.push_back(std::move(found));
  }

  FilledFleet filled(PolicySearch& search) const {
    const Purchases fleet = dealt(*search.search().best(), request_.zones);
    return {fleet, hourly_cost(market_, fleet), search.policy(), std::max<std::int64_t>(1, request_.orders)};
  }

  const Market& market_;
  const Question& question_;
  const packing::Solution& ideal_;
  const FillRequest& request_;
  const Scenario tasks_;
  const std::int64_t total_;
  FillEffort effort_;
  bool exhausted_ = false;
  MicroUsd lower_bound_ = 0;
  std::vector<std::unique_ptr<PolicySearch>> searches_;
};

}  // namespace

Fill fill(const Scenario& scenario, const Market& market, const Question& question, const packing::Solution& ideal,
          const FillRequest& request) {
  return Filler(scenario, market, question, ideal, request).run();
}

}  // namespace bayplan::fleet
