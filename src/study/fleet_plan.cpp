#include "study/fleet_plan.hpp"

#include <algorithm>
#include <map>
#include <numeric>

#include "fleet/launch_trials.hpp"
#include "fleet/zone_loss.hpp"
#include "placement/engine.hpp"
#include "placement/verify.hpp"
#include "study/variation.hpp"
#include "study/what_if.hpp"

namespace bayplan::study {

using fleet::Market;
using fleet::Purchase;
using fleet::Purchases;
using placement::Scenario;

namespace {

/// A task placed is about so much work of the packing search.
constexpr std::int64_t kEffortPerPlacement = 50;
constexpr std::int64_t kMostVerified = 200'000;  ///< Tasks of a fleet that is replayed turn by turn.

/// What placement heeds and packing does not, and what no place depends on: a preference.
bool is_preference(const fleet::Relaxation& relaxation) {
  return relaxation.id == "spread";
}

class Planner {
 public:
  Planner(const Scenario& scenario, const Market& market, const FleetRequest& request)
      : scenario_(scenario), market_(market), request_(request) {}

  FleetPlan run() {
    plan_.question = fleet::question_of(scenario_, market_, {request_.headroom_percent, request_.zones});
    plan_.assumptions = plan_.question.assumptions;
    for (const auto& shape : plan_.question.problem.shapes) plan_.tasks += shape.count;
    if (plan_.tasks > 0) pack();
    if (plan_.tasks > 0 && plan_.left_over() == 0) {
      check_packing();
      fill();
      judge();
      compare();
    }
    plan_.stopped_by = stopped_.value_or(plan_.solution.optimal ? FleetStop::kProof : FleetStop::kEffort);
    return std::move(plan_);
  }

 private:
  bool go_on(FleetProgress::Phase phase) {
    progress_.phase = phase;
    if (!stopped_) stopped_ = request_.stop(progress_);
    return !stopped_;
  }

  void pack() {
    packing::SolveLimits limits;
    limits.effort = request_.effort;
    limits.go_on = [this](const packing::Progress& progress) {
      progress_.packing = progress;
      return go_on(FleetProgress::Phase::kPacking);
    };
    plan_.solution = packing::solve(plan_.question.problem, limits);
    plan_.ideal = fleet::purchases_of(plan_.question, market_, plan_.solution.packing);
    plan_.ideal_cost = plan_.solution.cost;
    plan_.ideal_use = use_of(plan_.question, plan_.solution.packing);
  }

  void check_packing() {
    const auto& problem = plan_.question.problem;
    if (const auto fault = packing::fault_of(problem, plan_.solution.packing))
      plan_.mistakes.push_back("the ideal packing: " + *fault);
    const auto verdict = packing::check(problem, plan_.solution.certificate);
    if (verdict == packing::Verdict::kFails) plan_.mistakes.push_back("the certificate of the bound does not hold");
    const auto& solution = plan_.solution;
    if (solution.bound_method == packing::BoundMethod::kCertificate &&
        solution.lower_bound > packing::least_cost(problem, solution.certificate))
      plan_.mistakes.push_back("the bound does not follow from its certificate");
    if (verdict == packing::Verdict::kTooHard) {
      plan_.proof = Proof::kNotChecked;
    } else if (plan_.solution.bound_method == packing::BoundMethod::kBranchAndPrice) {
      plan_.proof = Proof::kSearchTree;
    }
  }

  void fill() {
    fleet::FillRequest filling;
    filling.orders = request_.orders;
    filling.headroom_percent = request_.headroom_percent;
    filling.zones = request_.zones;
    filling.survives_zone_loss = request_.survives_zone_loss;
    filling.most_types = request_.most_types;
    filling.keeps_cluster = request_.keeps_cluster;
    filling.effort = request_.effort / kEffortPerPlacement;
    filling.go_on = [this] { return go_on(FleetProgress::Phase::kFilling); };
    plan_.fill = fleet::fill(scenario_, market_, plan_.question, plan_.solution, filling);
    if (plan_.fill.recommended) look_at(*plan_.fill.recommended);
  }

  Scenario with(const Purchases& purchases, const fleet::Policy& policy) const {
    return fleet::with_policy(fleet::with_purchases(fleet::tasks_of(scenario_, plan_.question), market_,
                                                    fleet::dealt(purchases, request_.zones), request_.keeps_cluster),
                              policy);
  }

  /// Places it once more: what is in use, and whether it is true that every task has a place.
  void look_at(const fleet::FilledFleet& fleet) {
    const Scenario filled = with(fleet.purchases, fleet.policy);
    const auto outcome = placement::place(filled);
    plan_.use = use_of(filled, outcome, fleet::dealt(fleet.purchases, request_.zones));
    plan_.placed = placed_tasks(filled, outcome);
    if (!outcome.failures.empty()) plan_.mistakes.push_back("the recommended fleet leaves tasks without a place");
    if (plan_.tasks <= kMostVerified) {
      for (const auto& mistake : placement::verify(filled, outcome)) plan_.mistakes.push_back(mistake);
    }
    lose_zones(filled);
  }

  void lose_zones(const Scenario& filled) {
    std::map<std::string, LoseInstances> zones;
    for (std::uint32_t i = 0; i < filled.instances.size(); ++i)
      zones[filled.profiles[filled.instances[i].profile].availability_zone].instances.push_back(i);
    if (zones.size() < 2 || plan_.tasks > kMostVerified) return;
    WhatIf what_if(filled);
    for (auto& [zone, lost] : zones) {
      const auto instances = static_cast<std::int64_t>(lost.instances.size());
      Variant variant;
      variant.events.emplace_back(std::move(lost));
      plan_.zone_losses.push_back({zone, instances, what_if.effect(variant).unplaced});
    }
    for (const auto& mistake : what_if.mistakes()) plan_.mistakes.push_back(mistake);
  }

  /// The bound is of every packing; whether the ideal one heeds what the bound leaves out is another question.
  void judge() {
    const auto& relaxed = plan_.question.relaxed;
    const bool heeds_all = std::all_of(relaxed.begin(), relaxed.end(), is_preference) && !request_.survives_zone_loss &&
                           request_.most_types == 0;
    const bool is_filled = plan_.fill.recommended && plan_.fill.recommended->hourly_cost == plan_.ideal_cost;
    plan_.optimal = plan_.solution.optimal && (heeds_all || is_filled);
    plan_.lower_bound = plan_.solution.lower_bound;
    if (request_.survives_zone_loss) {
      const auto raised = fleet::zone_loss_bound(plan_.lower_bound, request_.zones.size());
      const auto step = packing::price_step(plan_.question.problem);
      plan_.lower_bound =
          std::max(plan_.lower_bound, packing::round_up(raised.value_or(0) * packing::kNanoUsdPerMicroUsd, step));
    }
    if (plan_.fill.recommended && plan_.fill.recommended->hourly_cost < plan_.lower_bound)
      plan_.mistakes.push_back("the recommended fleet costs less than the bound");
  }

  void compare() {
    plan_.alternatives =
        alternatives_to(plan_.fill.recommended ? plan_.fill.recommended->purchases : plan_.ideal, plan_.question,
                        market_, [this] { return go_on(FleetProgress::Phase::kComparing); });
    if (!plan_.fill.recommended) return;
    for (auto& one : plan_.alternatives.list) {
      if (!go_on(FleetProgress::Phase::kComparing)) return;
      one.filled = is_filled(one.purchases);
    }
  }

  /// In every launch order that the recommended fleet was tried in.
  bool is_filled(const Purchases& purchases) const {
    const Scenario filled = with(purchases, plan_.fill.recommended->policy);
    for (std::int64_t order = 0; order < request_.orders; ++order) {
      if (!placement::place(fleet::in_launch_order(filled, static_cast<std::uint64_t>(order))).failures.empty())
        return false;
    }
    return true;
  }

  const Scenario& scenario_;
  const Market& market_;
  const FleetRequest& request_;
  FleetProgress progress_;
  std::optional<FleetStop> stopped_;
  FleetPlan plan_;
};

}  // namespace

std::int64_t FleetPlan::left_over() const {
  return std::accumulate(solution.left_over.begin(), solution.left_over.end(), std::int64_t{0});
}

FleetPlan plan_fleet(const Scenario& scenario, const Market& market, const FleetRequest& request) {
  return Planner(scenario, market, request).run();
}

}  // namespace bayplan::study
