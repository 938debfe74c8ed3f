#include "study/fleet_plan.hpp"

#include <algorithm>
#include <map>
#include <numeric>

#include "base/fill.hpp"
#include "base/strings.hpp"
#include "fleet/assignments.hpp"
#include "fleet/fleet_rank.hpp"
#include "fleet/launch_trials.hpp"
#include "fleet/zone_loss.hpp"
#include "packing/undominated_types.hpp"
#include "placement/engine.hpp"
#include "placement/verify.hpp"
#include "study/filled_fleet.hpp"
#include "study/variant.hpp"
#include "study/what_if.hpp"

namespace bayplan::study {

using fleet::Market;
using fleet::Purchase;
using fleet::Purchases;
using placement::Scenario;

namespace {

constexpr std::size_t kMostNamed = 4;  ///< Workloads in a contradiction.
constexpr int kMostRounds = 4;         ///< Of adding what services need to roll.
constexpr std::int64_t kPlacementsWhenStopped = 300'000;
constexpr std::int64_t kMostVerified = 200'000;  ///< Tasks of a fleet that is replayed turn by turn.

/// Whether the ideal packing heeds it all the same: a preference, or one of those by which it was made true.
bool is_heeded(const fleet::Relaxation& relaxation) {
  return relaxation.id != "task-constraint";
}

/// "no single type holds both web and train"
std::string contradiction_of(const Scenario& scenario, const fleet::Question& question,
                             const std::vector<std::uint32_t>& shapes, std::int64_t most_types) {
  std::vector<std::string_view> names;
  for (const std::uint32_t shape : shapes) {
    const std::string_view name = scenario.workloads[question.shapes[shape].workloads.front()].name;
    if (std::find(names.begin(), names.end(), name) == names.end()) names.push_back(name);
  }
  const std::string more = names.size() > kMostNamed ? fill("{} more", {names.size() - kMostNamed}) : std::string();
  if (names.size() > kMostNamed) names.resize(kMostNamed);
  if (!more.empty()) names.push_back(more);
  const std::string list = one_of(names, "and");
  if (most_types == 1) return fill("no single type holds {}{}", {names.size() == 2 ? "both " : "", list});
  return fill("no {} types hold {} between them", {most_types, list});
}

class Planner {
 public:
  Planner(const Scenario& scenario, const Market& market, const FleetRequest& request)
      : scenario_(scenario), market_(market), request_(request) {}

  FleetPlan run() {
    plan_.question = fleet::question_of(scenario_, market_, {request_.headroom_percent, request_.zones});
    plan_.assumptions = plan_.question.assumptions;
    plan_.tasks = packing::tasks_of(plan_.question.problem);
    if (plan_.tasks > 0) pack();
    if (plan_.tasks > 0 && plan_.left_over() == 0) {
      check_packing();
      fill();
      judge();
      compare();
      if (!plan_.has_no_bound())
        plan_.resource_prices =
            resource_prices(plan_.question, market_, plan_.packing, plan_.solution.certificate.duals.worth);
    }
    const bool is_proven = plan_.solution.stopped_by == packing::StoppedBy::kProof;
    plan_.stopped_by = stopped_.value_or(is_proven ? FleetStop::kProof : FleetStop::kEffort);
    return std::move(plan_);
  }

 private:
  /// Whether fleets are filled by one policy in every launch order, as far as the effort of filling goes.
  class FillCheck {
   public:
    FillCheck(Planner& planner, const fleet::Policy& policy, FleetProgress::Phase phase)
        : request_(planner.fill_request()),
          tasks_(fleet::with_policy(fleet::tasks_of(planner.scenario_, planner.plan_.question), policy)),
          trials_(tasks_, planner.market_, request_, effort_) {
      request_.survives_zone_loss = false;
      request_.go_on = [&planner, phase] { return planner.go_on(phase); };
      effort_.limit = request_.effort;
      effort_.go_on = &request_.go_on;
    }
    FillCheck(const FillCheck&) = delete;
    FillCheck& operator=(const FillCheck&) = delete;

    /// Nothing when the effort ends before.
    std::optional<bool> is_filled(const Purchases& purchases) {
      if (effort_.is_exhausted()) return std::nullopt;
      const bool is_filled = trials_.fills(purchases);
      return effort_.is_interrupted ? std::nullopt : std::optional(is_filled);
    }

   private:
    fleet::FillRequest request_;
    fleet::FillEffort effort_;
    const Scenario tasks_;
    fleet::LaunchTrials trials_;
  };

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
    if (request_.most_types > 0) {
      solve_few_types(limits);
    } else {
      solve(limits);
    }
    make_true();
    plan_.ideal = fleet::purchases_of(plan_.question, market_, plan_.packing);
    plan_.ideal_cost = packing::cost_of(plan_.question.problem, plan_.packing);
    plan_.ideal_use = use_of(plan_.question, plan_.packing);
  }

  void solve(const packing::SolveLimits& limits) {
    const auto& problem = plan_.question.problem;
    plan_.solution = packing::solve(problem, limits);
    std::vector<std::uint32_t> all(problem.types.size());
    std::iota(all.begin(), all.end(), 0);
    const auto& solution = plan_.solution;
    plan_.bound_parts.push_back({std::move(all), solution.certificate, solution.lower_bound, solution.bound_method});
  }

  void solve_few_types(const packing::SolveLimits& limits) {
    auto few = fleet::solve_few_types(market_, plan_.question, request_.most_types, limits);
    plan_.solution = std::move(few.solution);
    plan_.bound_parts = std::move(few.parts);
    plan_.type_sets = few.sets;
    if (!few.contradiction.empty())
      plan_.contradiction = contradiction_of(scenario_, plan_.question, few.contradiction, request_.most_types);
    chosen_bins_ = std::move(few.bins);
    if (few.is_relaxed)
      plan_.question.relaxed.push_back({"max-types", {}, "the bound is one of fleets of any number of types"});
  }

  /// With the types alone that were chosen.
  fleet::Question question_of_chosen() const {
    fleet::Question question = plan_.question;
    for (std::uint32_t bin = 0; bin < question.bins.size(); ++bin) {
      if (request_.most_types > 0 && !std::binary_search(chosen_bins_.begin(), chosen_bins_.end(), bin))
        question.problem.types[bin].limit = 0;
    }
    return question;
  }

  void make_true() {
    plan_.packing = plan_.solution.packing;
    if (plan_.left_over() > 0) return;
    auto [packing, left_over] = fleet::repaired(scenario_, market_, question_of_chosen(), plan_.solution.packing);
    is_true_ = std::all_of(left_over.begin(), left_over.end(), [](std::int64_t count) { return count == 0; });
    if (is_true_) plan_.packing = fleet::dealt_to_zones(plan_.question, packing);
  }

  void check_packing() {
    const auto& problem = plan_.question.problem;
    if (const auto fault = packing::fault_of(problem, plan_.packing))
      plan_.mistakes.push_back("the ideal packing: " + *fault);
    if (!fleet::is_allowed(market_, plan_.ideal, request_.most_types))
      plan_.mistakes.push_back("the ideal fleet breaks a limit");
    for (const auto& part : plan_.bound_parts) check_bound(part);
    if (plan_.proof == Proof::kChecked && plan_.solution.bound_method == packing::BoundMethod::kBranchAndPrice)
      plan_.proof = Proof::kSearchTree;
  }

  void check_bound(const fleet::BoundPart& part) {
    const auto problem = packing::with_types(plan_.question.problem, part.bins);
    const auto verdict = packing::check(problem, part.certificate);
    if (verdict == packing::Verdict::kFails) plan_.mistakes.push_back("the certificate of the bound does not hold");
    if (verdict == packing::Verdict::kTooHard) plan_.proof = Proof::kNotChecked;
    const bool is_by_certificate = part.method == packing::BoundMethod::kCertificate;
    if (is_by_certificate && part.lower_bound > packing::least_cost(problem, part.certificate))
      plan_.mistakes.push_back("the bound does not follow from its certificate");
  }

  fleet::FillRequest fill_request() {
    fleet::FillRequest filling;
    filling.orders = request_.orders;
    filling.zones = request_.zones;
    filling.most_types = request_.most_types;
    filling.keeps_cluster = request_.keeps_cluster;
    filling.effort = std::max<std::int64_t>(1, request_.effort / fleet::kPackingEffortOfPlacement);
    filling.survives_zone_loss = request_.survives_zone_loss;
    filling.go_on = [this] { return go_on(FleetProgress::Phase::kFilling); };
    if (stopped_) {  // the best so far is of little use when nobody knows whether ECS fills it
      filling.effort = std::min(filling.effort, kPlacementsWhenStopped);
      filling.go_on = [] { return true; };
    }
    return filling;
  }

  void fill() {
    packing::Solution ideal = plan_.solution;
    ideal.packing = plan_.packing;
    ideal.cost = plan_.ideal_cost;
    plan_.fill = fleet::find_fill(scenario_, market_, plan_.question, ideal, fill_request());
    if (request_.deployable) make_deployable();
    if (plan_.fill.recommended) look_at(*plan_.fill.recommended);
  }

  /// Of the fleets that the strategies fill the cheapest, with what its services need to roll. As it was where they do
  /// not roll with more instances either.
  void make_deployable() {
    if (plan_.tasks > kMostReplayed) return;
    const auto best = cheapest_that_rolls(plan_.fill.by_policy);
    const auto apart = cheapest_that_rolls(plan_.fill.closing);
    if (best) plan_.fill.recommended = best;
    if (apart && fleet::is_worth_writing(*apart, best)) plan_.fill.recommended = apart;
  }

  /// `fleets`: cheapest first.
  std::optional<fleet::FilledFleet> cheapest_that_rolls(const std::vector<fleet::FilledFleet>& fleets) {
    std::optional<fleet::FilledFleet> best;
    for (const auto& filled : fleets) {
      if (best && filled.hourly_cost >= best->hourly_cost) break;
      auto more = with_room_to_roll(filled);
      if (more && (!best || more->hourly_cost < best->hourly_cost)) best = std::move(more);
    }
    return best;
  }

  std::optional<fleet::FilledFleet> with_room_to_roll(fleet::FilledFleet fleet) {
    for (int round = 0; round < kMostRounds && go_on(FleetProgress::Phase::kFilling); ++round) {
      const auto rollouts = roll_each(with(fleet.purchases, fleet.policy));
      if (rollouts.all_roll()) return confirmed(std::move(fleet));
      if (!add(needs_of(rollouts), fleet)) return std::nullopt;
    }
    return std::nullopt;
  }

  /// Instances were added behind the search: it is tried in orders that this did not see.
  std::optional<fleet::FilledFleet> confirmed(fleet::FilledFleet fleet) {
    const auto orders = fleet::confirmed_orders(scenario_, market_, plan_.question, fleet, fill_request());
    if (!orders) return std::nullopt;
    fleet.confirmed = *orders;
    return fleet;
  }

  /// Each service rolls alone: what is enough for the neediest is enough for all.
  static std::map<std::string, std::int64_t> needs_of(const Rollouts& rollouts) {
    std::map<std::string, std::int64_t> needs;
    for (const auto& service : rollouts.services) {
      for (const auto& missing : service.needs) {
        auto& count = needs[missing.instance_type];
        count = std::max(count, missing.count);
      }
    }
    return needs;
  }

  /// False when there is nothing to add, limits forbid it, or ECS then no longer fills the fleet.
  bool add(const std::map<std::string, std::int64_t>& needs, fleet::FilledFleet& fleet) {
    for (const auto& need : needs) {
      const auto one = std::find_if(fleet.purchases.begin(), fleet.purchases.end(), [&](const Purchase& purchase) {
        return market_.offers[purchase.offer].profile.instance_type == need.first;
      });
      if (one == fleet.purchases.end()) return false;
      fleet.purchases = fleet::changed(fleet.purchases, {one->offer, one->availability_zone, need.second});
    }
    fleet.hourly_cost = fleet::hourly_cost(market_, fleet.purchases);
    return !needs.empty() && fleet::is_allowed(market_, fleet.purchases, request_.most_types) &&
           FillCheck(*this, fleet.policy, FleetProgress::Phase::kFilling).is_filled(fleet.purchases) == true;
  }

  Scenario with(const Purchases& purchases, const fleet::Policy& policy) const {
    return on_fleet(scenario_, market_, request_, plan_.question, purchases, policy);
  }

  /// Places it once more: what is in use, and whether it is true that every task has a place.
  void look_at(const fleet::FilledFleet& fleet) {
    if (plan_.tasks > kMostReplayed) return look_at_many(fleet);
    const Scenario filled = with(fleet.purchases, fleet.policy);
    const auto outcome = placement::place(filled);
    plan_.use = use_of(filled, outcome, fleet::dealt(fleet.purchases, request_.zones));
    plan_.placed = placed_tasks(filled, outcome);
    if (!outcome.failures.empty()) plan_.mistakes.push_back("the recommended fleet leaves tasks without a place");
    if (plan_.tasks <= kMostVerified) {
      for (const auto& mistake : placement::verify(filled, outcome)) plan_.mistakes.push_back(mistake);
    }
    if (has_services(filled)) plan_.rollouts = roll_each(filled);
    plan_.memory_doubt = memory_doubt(filled, request_.orders);
    const auto& assumed = plan_.memory_doubt.assumptions;
    plan_.assumptions.insert(plan_.assumptions.end(), assumed.begin(), assumed.end());
    lose_zones(filled);
  }

  /// So many tasks are counted by what an instance takes of them; which instances the rest would share is not known.
  void look_at_many(const fleet::FilledFleet& fleet) {
    plan_.use = fleet.purchases == fleet::dealt(plan_.ideal, request_.zones) ? plan_.ideal_use : FleetUse();
    plan_.rollouts = not_rolled(scenario_);
  }

  void lose_zones(const Scenario& filled) {
    std::map<std::string, TerminateInstances> zones;
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
    const bool heeds_all =
        is_true_ && std::all_of(relaxed.begin(), relaxed.end(), is_heeded) && !request_.survives_zone_loss;
    const bool is_filled = plan_.fill.recommended && plan_.fill.recommended->hourly_cost == plan_.ideal_cost;
    plan_.optimal = plan_.ideal_cost <= plan_.solution.lower_bound && (heeds_all || is_filled);
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
                        market_, request_.most_types, [this] { return go_on(FleetProgress::Phase::kComparing); });
    if (!plan_.fill.recommended) return;
    // Constraints that keep workloads apart are made for the recommended fleet, and forbid others.
    fleet::Policy policy = plan_.fill.recommended->policy;
    policy.constraints = plan_.question.constraints;
    FillCheck check(*this, policy, FleetProgress::Phase::kComparing);
    for (auto& one : plan_.alternatives.list) one.filled = check.is_filled(one.purchases);
  }

  const Scenario& scenario_;
  const Market& market_;
  const FleetRequest& request_;
  FleetProgress progress_;
  std::vector<std::uint32_t> chosen_bins_;  ///< Where the number of types is limited.
  bool is_true_ = false;                    ///< Every bin of the ideal packing takes its tasks, one by one.
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
