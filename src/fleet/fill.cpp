#include "fleet/fill.hpp"

#include <algorithm>

#include "fleet/fill_search.hpp"
#include "fleet/policies.hpp"
#include "fleet/start_fleets.hpp"
#include "fleet/zone_loss.hpp"
#include "placement/engine.hpp"
#include "placement/verify.hpp"

namespace bayplan::fleet {

using placement::Scenario;

namespace {

constexpr std::int64_t kDefaultEffort = 4'000'000;
/// So many of the policies that are best at the first try are tried hard.
constexpr std::size_t kPoliciesToRefine = 4;

/// One policy and what its search has found.
class PolicySearch {
 public:
  PolicySearch(const Scenario& tasks, Policy policy, const Market& market, const Question& question,
               const FillRequest& request, MicroUsd lower_bound, FillEffort& effort)
      : policy_(std::move(policy)),
        tasks_(with_policy(tasks, policy_)),
        trials_(tasks_, market, request, effort),
        search_({market, question, request, policy_, lower_bound}, trials_) {}

  FillSearch& search() { return search_; }
  const Policy& policy() const { return policy_; }
  const Scenario& tasks() const { return tasks_; }

 private:
  const Policy policy_;
  const Scenario tasks_;
  LaunchTrials trials_;
  FillSearch search_;
};

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
    const std::size_t refined = std::min(searches_.size(), kPoliciesToRefine);
    for (std::size_t i = 0; i < refined; ++i) {
      FillSearch& search = searches_[i]->search();
      const auto share = left() / static_cast<std::int64_t>(refined - i);
      with_share(share / 2, [&] { search.exchange(); });
      with_share(share / 2, [&] { search.try_all(); });
    }
    sort();
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
