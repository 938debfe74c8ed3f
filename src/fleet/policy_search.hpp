#pragma once
#include "fleet/fill_search.hpp"

namespace bayplan::fleet {

/// One policy, and the search for the cheapest fleet that it fills.
class PolicySearch {
 public:
  /// `tasks` as `tasks_of` gives them. All but the policy must outlive it.
  PolicySearch(const placement::Scenario& tasks, Policy policy, const Market& market, const Question& question,
               const FillRequest& request, MicroUsd lower_bound, FillEffort& effort)
      : policy_(std::move(policy)),
        tasks_(with_policy(tasks, policy_)),
        trials_(tasks_, market, request, effort),
        search_({market, question, request, policy_, lower_bound}, trials_) {}
  PolicySearch(const PolicySearch&) = delete;
  PolicySearch& operator=(const PolicySearch&) = delete;

  FillSearch& search() { return search_; }
  const Policy& policy() const { return policy_; }
  bool fills(const Purchases& fleet) { return trials_.fills(fleet); }
  /// See LaunchTrials.
  std::optional<std::int64_t> confirmed(const Purchases& fleet, std::int64_t count) {
    return trials_.confirmed(fleet, count);
  }
  std::int64_t orders() const { return trials_.orders(); }

 private:
  const Policy policy_;
  const placement::Scenario tasks_;
  LaunchTrials trials_;
  FillSearch search_;
};

}  // namespace bayplan::fleet
