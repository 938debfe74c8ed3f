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
    for (Policy& policy : candidate_policies(tasks_, request_.zones.size(), question_.constraints))
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

  /// Every policy from the fleets to start with, the ideal one first.
  void begin() {
    const auto starts = start_fleets(market_, question_, ideal_, request_);
    const std::size_t steps = starts.size() * searches_.size();
    std::size_t done = 0;
    for (const Purchases& start : starts) {
      for (const auto& search : searches_) {
        const auto share = left() / 2 / static_cast<std::int64_t>(steps - done++) + 1;
        with_share(share, [&] { search->search().begin_at(start); });
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

  void refine() {
    for (std::size_t i = 0; i < searches_.size(); ++i) {
      FillSearch& search = searches_[i]->search();
      const auto share = left() / kRefinedShare;
      with_share(share / 2, [&] { search.exchange(); });
      with_share(share / 2, [&] { search.try_all(); });
    }
    sort();
  }

  /// Where the ideal fleet is cheaper: every workload is kept where the ideal packing has it, then as few as will do.
  void close_gap(Fill& fill) {
    const Purchases ideal = purchases_of(question_, market_, ideal_.packing);
    const MicroUsd to_beat = fill.recommended ? fill.recommended->hourly_cost : std::numeric_limits<MicroUsd>::max();
    if (hourly_cost(market_, ideal) >= to_beat) return;
    const Pins pins = pins_of(market_, question_, ideal_.packing);
    if (pins.empty()) return;
    auto policies = candidate_policies(tasks_, request_.zones.size(), question_.constraints);
    for (std::size_t i = 0; i < policies.size() && fill.closing.size() < kWaysToClose; ++i) {
      const auto share = left() / static_cast<std::int64_t>(policies.size() - i);
      with_share(share, [&] { close_gap_by(std::move(policies[i]), pins, ideal, to_beat, fill); });
    }
    std::stable_sort(fill.closing.begin(), fill.closing.end(), [](const FilledFleet& a, const FilledFleet& b) {
      return std::pair(a.hourly_cost, a.policy.constraints.size()) <
             std::pair(b.hourly_cost, b.policy.constraints.size());
    });
  }

  void close_gap_by(Policy policy, const Pins& pins, const Purchases& ideal, MicroUsd to_beat, Fill& fill) {
    const auto bare = policy;
    policy.constraints.insert(policy.constraints.end(), pins.begin(), pins.end());
    PolicySearch pinned(tasks_, std::move(policy), market_, question_, request_, lower_bound_, effort_);
    pinned.search().begin_at(ideal);
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
