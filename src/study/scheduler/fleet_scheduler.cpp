#include "study/scheduler/fleet_scheduler.hpp"

#include <algorithm>
#include <utility>

#include "fleet/recommended/launch_trials.hpp"
#include "placement/engine/engine.hpp"
#include "placement/model/strategies.hpp"
#include "placement/verify/verify.hpp"
#include "study/fleet/filled_fleet.hpp"

namespace bayplan::study {

namespace {

using placement::Scenario;
using placement::TaskOrder;
using placement::Workload;
using placement::WorkloadKind;

/// Tasks and instances over all trials, and scores: each instance has one per workload.
constexpr std::int64_t kFleetEffort = 400'000;

/// Fleets of the plan that cost less than the recommended one, cheapest first.
std::vector<fleet::Purchases> cheaper_fleets(const fleet::Market& market, const FleetPlan& plan) {
  std::vector<fleet::Purchases> fleets{plan.ideal.purchases};
  for (const auto& one : plan.fill.closing) fleets.push_back(one.purchases);
  for (const auto& one : plan.fill.by_policy) fleets.push_back(one.purchases);
  for (const auto& one : plan.alternatives.list) fleets.push_back(one.purchases);
  // One instance less than what ECS needs.
  for (const auto& purchase : plan.fill.recommended->purchases) {
    auto fewer = plan.fill.recommended->purchases;
    for (auto& one : fewer) {
      if (one.offer == purchase.offer && one.availability_zone == purchase.availability_zone) --one.count;
    }
    std::erase_if(fewer, [](const fleet::Purchase& one) { return one.count == 0; });
    fleets.push_back(std::move(fewer));
  }
  const auto cost = [&](const fleet::Purchases& fleet) { return fleet::hourly_cost(market, fleet); };
  std::erase_if(fleets, [&](const auto& fleet) {
    return cost(fleet) >= plan.fill.recommended->hourly_cost ||
           cost(fleet) + fleet::most_credits(market, fleet) < plan.lower_bound;
  });
  std::stable_sort(fleets.begin(), fleets.end(), [&](const auto& a, const auto& b) { return cost(a) < cost(b); });
  return fleets;
}

bool is_mixed(const Scenario& scenario) {
  const auto has = [&](bool startable) {
    return std::any_of(scenario.workloads.begin(), scenario.workloads.end(), [&](const Workload& one) {
      return one.kind != WorkloadKind::kDaemon && one.count != 0 && placement::is_startable(one) == startable;
    });
  };
  return has(true) && has(false);
}

}  // namespace

std::optional<FleetByStartTask> find_fleet_by_start_task(const Scenario& scenario, const fleet::Market& market,
                                                         const FleetRequest& request, const FleetPlan& plan) {
  const auto& recommended = plan.fill.recommended;
  const bool must_last = request.survives_zone_loss || request.deployable;
  if (!recommended || must_last || recommended->hourly_cost <= plan.ideal.hourly_cost || !is_mixed(scenario))
    return std::nullopt;
  std::int64_t effort = 0;
  for (const auto& purchases : cheaper_fleets(market, plan)) {
    for (const auto order : {scenario.order, TaskOrder::kLargestFirst}) {
      fleet::Policy policy;
      policy.is_as_written = true;
      policy.order = order;
      policy.constraints = plan.question.constraints;
      auto filled = on_fleet(scenario, market, request, plan.question, purchases, policy);
      filled.policy_by_start_task = true;
      for (const auto& entry : placement::policies()) {
        if (entry.policy == placement::Policy::kRandom) continue;
        effort += plan.tasks + std::ssize(filled.instances) * std::ssize(filled.workloads);
        if (effort > kFleetEffort) return std::nullopt;
        filled.policy = entry.policy;
        const auto outcome = placement::place(filled);
        if (!outcome.failures.empty()) continue;
        const auto cost = fleet::hourly_cost(market, purchases) + fleet::added_credits(market.credits, filled, outcome);
        if (cost >= recommended->hourly_cost) continue;
        return FleetByStartTask{entry.policy, order, purchases, cost, placement::verify(filled, outcome)};
      }
    }
  }
  return std::nullopt;
}

}  // namespace bayplan::study
