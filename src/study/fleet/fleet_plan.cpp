#include "study/fleet/fleet_plan.hpp"

#include <algorithm>
#include <map>
#include <numeric>
#include <set>
#include <string_view>
#include <utility>

#include "capacity/requirement.hpp"
#include "catalog/ecs_quotas.hpp"
#include "fleet/ideal/credit_steps.hpp"
#include "fleet/ideal/zone_loss.hpp"
#include "fleet/offers/purchase.hpp"
#include "fleet/offers/vcpu_quota.hpp"
#include "packing/linear_program.hpp"
#include "packing/money.hpp"
#include "packing/solve.hpp"
#include "placement/engine/engine.hpp"
#include "placement/verify/verify.hpp"
#include "study/fleet/fill_check.hpp"
#include "study/fleet/filled_fleet.hpp"
#include "study/fleet/ideal_fleet.hpp"
#include "study/fleet/plan_input.hpp"
#include "study/fleet/recommended_fleet.hpp"
#include "study/whatif/variant.hpp"
#include "study/whatif/what_if.hpp"

namespace bayplan::study {

using fleet::Market;
using fleet::Purchases;
using fleet::Question;
using packing::LinearProgram;
using placement::Scenario;

namespace {

/// What is in use of a resource, and how much there is.
struct Load {
  double used = 0;
  double there = 0;
};

std::vector<Load> compute_loads(const Question& question, const packing::Packing& packing) {
  const auto& problem = question.problem;
  std::vector<Load> loads(problem.dimensions);
  for (const auto& filled : packing) {
    const auto bins = static_cast<double>(filled.bins);
    for (std::size_t d = 0; d < loads.size(); ++d) {
      const auto type = filled.pattern.type;
      const bool is_cpu = question.dimensions[d] == "CPU";
      loads[d].there +=
          bins * static_cast<double>(is_cpu ? question.bins[type].cpu_room : problem.types[type].capacity[d]);
      for (const auto& copies : filled.pattern.copies)
        loads[d].used += bins * static_cast<double>(copies.count * problem.shapes[copies.shape].size[d]);
    }
  }
  return loads;
}

/// How much of the problem's unit a person's unit is: vCPU, GiB, GPU.
double choose_unit(const Question& question, const Market& market, std::size_t d) {
  if (question.dimensions[d] == "CPU") return kUnitsPerVcpu;
  if (question.dimensions[d] == "MEMORY") return kMiBPerGiB;
  for (std::size_t bin = 0; bin < question.bins.size(); ++bin) {
    if (question.dimensions[d] == "NEURON_DEVICE") return 1;
    const auto gpus = market.offers[question.bins[bin].offer].profile.gpu_count;
    if (gpus > 0) return static_cast<double>(question.problem.types[bin].capacity[d]) / static_cast<double>(gpus);
  }
  return 1;
}

}  // namespace

std::vector<ResourcePrice> resource_prices(const Question& question, const Market& market,
                                           const packing::Packing& packing, const std::vector<std::int64_t>& worth) {
  const auto& problem = question.problem;
  const auto loads = compute_loads(question, packing);
  LinearProgram program;
  for (std::size_t s = 0; s < problem.shapes.size(); ++s)
    program.add_row(-LinearProgram::kInfinity, static_cast<double>(worth[s]) / packing::kNanoUsdPerUsd);
  std::vector<double> units;
  for (std::size_t d = 0; d < problem.dimensions; ++d) {
    units.push_back(choose_unit(question, market, d));
    std::vector<LinearProgram::Entry> entries;
    for (std::size_t s = 0; s < problem.shapes.size(); ++s)
      entries.push_back({static_cast<int>(s), static_cast<double>(problem.shapes[s].size[d]) / units[d]});
    const auto& load = loads[d];
    const double explained = load.there > 0 ? load.used / units[d] * (load.used / load.there) : 0;
    program.add_column(-explained, LinearProgram::kInfinity, entries);
  }
  std::vector<ResourcePrice> prices;
  if (!program.solve()) return prices;
  const auto values = program.values();
  for (std::size_t d = 0; d < problem.dimensions; ++d) {
    const std::string& name = question.dimensions[d];
    if (name == "CPU" || name == "MEMORY" || name == "GPU" || name == "NEURON_DEVICE")
      prices.push_back({question.dimensions[d], values[d]});
  }
  return prices;
}

namespace {

constexpr std::int64_t kMaxVerified = 200'000;      ///< Tasks of a fleet that is replayed attempt by attempt.
constexpr std::int64_t kEffortOfOther = 2'000'000;  ///< Of the packing of another question, as one without quotas.

void append(const std::vector<std::string>& more, std::vector<std::string>& all) {
  all.insert(all.end(), more.begin(), more.end());
}

/// Places the tasks on the recommended fleet again, to report its utilization and to verify that every task is placed.
FleetReview review(const PlanInput& input, const fleet::FilledFleet& fleet, std::int64_t tasks) {
  const Scenario filled = on_fleet(input, fleet);
  const auto outcome = placement::place(filled);
  FleetReview found;
  found.use = use_of(input.market, filled, outcome, fleet::dealt(fleet.purchases, input.request.zones));
  found.placed = placed_tasks(filled, outcome);
  // A daemon's task that does not fit on an instance which exists already is no matter of the fleet: nothing is
  // bought for it, and the search for fleets does not count it either.
  const auto is_of_fleet = [&](const placement::Failure& failure) {
    return filled.workloads[failure.attempt.workload].kind != placement::WorkloadKind::kDaemon;
  };
  if (std::any_of(outcome.failures.begin(), outcome.failures.end(), is_of_fleet))
    found.mistakes.emplace_back("the recommended fleet leaves tasks unplaced");
  if (has_services(filled)) found.rollouts = roll_each(filled);
  found.memory_uncertainty = memory_uncertainty(filled, input.request.orders);
  if (tasks > kMaxVerified) return found;

  append(placement::verify(filled, outcome), found.mistakes);
  std::map<std::string, placement::TerminateInstances> zones;
  for (std::uint32_t i = 0; i < filled.instances.size(); ++i)
    zones[filled.profiles[filled.instances[i].profile].availability_zone].instances.push_back(i);
  if (zones.size() < 2) return found;
  WhatIf what_if(filled);
  for (auto& [zone, lost] : zones) {
    const auto instances = static_cast<std::int64_t>(lost.instances.size());
    Variant variant;
    variant.events.emplace_back(std::move(lost));
    found.zone_losses.push_back({zone, instances, what_if.effect(variant).unplaced});
  }
  append(what_if.mistakes(), found.mistakes);
  return found;
}

/// Review of a fleet with too many tasks to place: only a fleet that equals the ideal one has a known utilization.
FleetReview review_many(const PlanInput& input, const fleet::FilledFleet& fleet, const IdealFleet& ideal) {
  FleetReview found;
  if (fleet.purchases == fleet::dealt(ideal.purchases, input.request.zones)) found.use = ideal.use;
  found.rollouts = not_rolled(input.scenario);
  return found;
}

/// Whether no fleet holds the tasks for less than the ideal one, and the ideal one does hold them. The bound is of
/// every packing; whether the ideal one heeds what the bound leaves out is another question.
bool is_optimal(const PlanInput& input, const IdealFleet& ideal, const std::optional<fleet::FilledFleet>& recommended,
                MicroUsd lower_bound) {
  const auto& relaxed = input.question.relaxed;
  // Other relaxations are preferences, or among those by which the ideal packing was made true.
  const bool heeds_all = ideal.is_true && !input.request.survives_zone_loss &&
                         std::none_of(relaxed.begin(), relaxed.end(),
                                      [](const fleet::Relaxation& one) { return one.id == "task-constraint"; });
  const bool is_filled = recommended && recommended->hourly_cost == ideal.hourly_cost;
  return ideal.hourly_cost <= lower_bound && (heeds_all || is_filled);
}

/// The cheapest fleet found if surplus CPU credits cost nothing, where they decide what is bought. Where the number of
/// types is limited that is not tried.
std::optional<FleetWithoutCredits> without_credits(const PlanInput& input, const IdealFleet& ideal, Watch& watch) {
  const auto go_on = [&watch] { return watch.go_on(FleetProgress::Phase::kComparing); };
  if (!input.question.has_credit_steps || input.request.most_types > 0 || !go_on()) return std::nullopt;
  Market free = input.market;
  free.credits.rates.clear();
  const auto question =
      fleet::make_packing_question(input.scenario, free, {input.request.headroom_percent, input.request.zones});
  packing::SolveLimits limits;
  limits.effort = kEffortOfOther;
  limits.go_on = [&](const packing::Progress&) { return go_on(); };
  const auto solution = packing::solve(question.problem, limits);
  const auto cost = fleet::cost_of(input.market, question, solution.packing);
  const bool is_cheaper = solution.cost < ideal.hourly_cost && cost > ideal.hourly_cost;
  if (!solution.is_complete() || !is_cheaper) return std::nullopt;
  return FleetWithoutCredits{fleet::compute_purchases(question, input.market, solution.packing), solution.cost, cost};
}

/// Why the search ended where it was not stopped: an interrupted search has a reason of its own.
FleetStop stop_of(packing::StoppedBy stopped_by) {
  switch (stopped_by) {
    case packing::StoppedBy::kProof:
      return FleetStop::kProof;
    case packing::StoppedBy::kGap:
      return FleetStop::kGap;
    case packing::StoppedBy::kEffort:
    case packing::StoppedBy::kInterrupted:
      break;
  }
  return FleetStop::kEffort;
}

/// Limits that the packing problem does not contain: the quota of instances per cluster, and where ECS assigns Neuron
/// devices.
std::vector<Assumption> limits_of_ecs(const PlanInput& input, const Purchases& purchases) {
  std::vector<Assumption> assumptions;
  const auto standing = input.request.keeps_cluster ? static_cast<std::int64_t>(input.scenario.instances.size()) : 0;
  auto excess = catalog::quota_excess("container-instances-per-cluster", fleet::instances_of(purchases) + standing,
                                      "container instances", "cluster");
  if (!excess.empty()) assumptions.push_back({std::string(catalog::kEcsQuotaExceeded), "fleet", excess});
  std::set<std::string> families;
  for (const auto& workload : input.scenario.workloads) {
    const auto& family = input.scenario.task_definitions[workload.task_definition].family;
    if (!families.insert(family).second) continue;
    if (auto unmanaged = capacity::neuron_assumption(workload.requirement, family))
      assumptions.push_back(std::move(*unmanaged));
  }
  return assumptions;
}

/// The quotas that the cheapest fleet without quotas counts to; none where other limits leave tasks over, too.
std::vector<fleet::QuotaLimit> quotas_to_request(const PlanInput& input, Watch& watch) {
  if (input.market.quotas.empty()) return {};
  Market free = input.market;
  free.quotas.clear();
  const auto question =
      fleet::make_packing_question(input.scenario, free, {input.request.headroom_percent, input.request.zones});
  const auto request = with_effort(input.request, std::min(kEffortOfOther, input.request.effort));
  const auto bounded = solve({input.scenario, free, request, question}, watch);
  if (!bounded.solution.is_complete()) return {};
  std::vector<fleet::QuotaLimit> wanted;
  // The offers of both markets are the same; the limits say what owned instances take already.
  const auto needed = vcpus_by_quota(input.market, fleet::compute_purchases(question, free, bounded.solution.packing));
  for (const auto& limit : input.market.quotas) {
    const auto own =
        std::find_if(needed.begin(), needed.end(), [&](const auto& one) { return one.first == limit.quota; });
    if (own != needed.end() && own->second > std::max(limit.vcpus, limit.in_use))
      wanted.push_back({limit.quota, own->second, limit.in_use});
  }
  return wanted;
}

}  // namespace

std::int64_t FleetPlan::left_over() const {
  return std::accumulate(bounded.solution.left_over.begin(), bounded.solution.left_over.end(), std::int64_t{0});
}

FleetPlan without_bound(FleetPlan plan, std::string mistake) {
  plan.withdrawn.push_back(std::move(mistake));
  plan.bounded.solution.lower_bound = 0;
  plan.lower_bound = 0;
  plan.optimal = false;
  plan.bounded.parts.clear();
  plan.bounded.sets = 0;
  plan.proof = Proof::kNotChecked;
  return plan;
}

FleetPlan with_checked_bound(FleetPlan plan) {
  const auto& recommended = plan.fill.recommended;
  if (!recommended || recommended->hourly_cost >= plan.lower_bound) return plan;
  std::string mistake = "the recommended fleet costs less than the bound";
  const MicroUsd without_zone_loss = plan.bounded.solution.lower_bound;
  if (recommended->hourly_cost < without_zone_loss) return without_bound(std::move(plan), std::move(mistake));
  plan.withdrawn.push_back(std::move(mistake));
  plan.lower_bound = without_zone_loss;
  return plan;
}

namespace {

/// The plan with what follows from its recommended fleet: that is placed again, checked against the bound, and compared
/// with other fleets.
FleetPlan compared(const PlanInput& input, FleetPlan plan, Watch& watch) {
  const auto& [scenario, market, request, question] = input;
  const auto& recommended = plan.fill.recommended;
  if (recommended) {
    const bool is_replayed = plan.tasks <= kMaxReplayed && (!watch.stopped() || request.grace());
    plan.review = is_replayed ? review(input, *recommended, plan.tasks) : review_many(input, *recommended, plan.ideal);
  }
  plan.mistakes = faults_of(input, plan.ideal);
  append(plan.review.mistakes, plan.mistakes);

  const MicroUsd bound = plan.bounded.solution.lower_bound;
  plan.optimal = is_optimal(input, plan.ideal, recommended, bound);
  const bool counts_zone_loss = request.survives_zone_loss && plan.withdrawn.empty();
  plan.lower_bound = counts_zone_loss ? fleet::bound_with_zone_loss(bound, question, market, request.zones) : bound;
  plan = with_checked_bound(std::move(plan));

  const auto go_on = [&watch] { return watch.go_on(FleetProgress::Phase::kComparing); };
  plan.alternatives = alternatives_to(plan.purchases(), question, market, request.most_types, go_on);
  plan.without_credits = without_credits(input, plan.ideal, watch);
  if (!recommended) return plan;
  // Constraints that keep workloads apart are made for the recommended fleet, and forbid others.
  fleet::Policy policy = recommended->policy;
  policy.constraints = question.constraints;
  FillCheck check(input, policy, watch, FleetProgress::Phase::kComparing);
  for (auto& one : plan.alternatives.list) one.filled = check.is_filled(one.purchases);
  return plan;
}

std::vector<Assumption> assumptions_of(const PlanInput& input, const FleetPlan& plan) {
  auto assumptions = input.question.assumptions;
  for (const auto& assumed : plan.review.memory_uncertainty.assumptions) assumptions.push_back(assumed);
  for (auto& assumed : limits_of_ecs(input, plan.purchases())) assumptions.push_back(std::move(assumed));
  return assumptions;
}

}  // namespace

FleetPlan with_recommended(FleetPlan plan, const Scenario& scenario, const Market& market, const FleetRequest& request,
                           fleet::FilledFleet fleet) {
  Watch watch(request);
  const auto question = plan.question;
  const PlanInput input{scenario, market, request, question};
  plan.fill.recommended = std::move(fleet);
  plan = compared(input, std::move(plan), watch);
  plan.assumptions = assumptions_of(input, plan);
  if (const auto stopped = watch.stopped()) plan.stopped_by = *stopped;
  return plan;
}

FleetPlan plan_fleet(const Scenario& scenario, const Market& market, const FleetRequest& request) {
  Watch watch(request);
  const auto question = fleet::make_packing_question(scenario, market, {request.headroom_percent, request.zones});
  const PlanInput input{scenario, market, request, question};
  FleetPlan plan;
  plan.question = question;
  plan.tasks = packing::tasks_of(question.problem);

  if (plan.tasks > 0) {
    plan.bounded = solve(input, watch);
    plan.contradiction = contradiction_of(input, plan.bounded.contradiction);
    if (plan.bounded.is_relaxed)
      plan.question.relaxed.push_back({"max-types", {}, "the bound is one of fleets of any number of types"});
    plan.ideal = ideal_fleet(input, plan.bounded);
  }
  if (plan.tasks > 0 && plan.left_over() == 0) {
    const auto checked = check_bound(question, plan.bounded);
    plan.proof = checked.proof;
    for (const auto& mistake : checked.refuted) plan = without_bound(std::move(plan), mistake);

    plan.fill = find_fill(input, plan.bounded, plan.ideal, plan.tasks, watch);
    plan = compared(input, std::move(plan), watch);
    if (!plan.has_no_bound()) {
      const auto& worth = plan.bounded.solution.certificate.duals.worth;
      plan.resource_prices = resource_prices(question, market, plan.ideal.packing, worth);
    }
  }
  if (plan.tasks > 0 && plan.left_over() > 0) plan.quotas_to_request = quotas_to_request(input, watch);
  plan.assumptions = assumptions_of(input, plan);
  plan.stopped_by = watch.stopped().value_or(stop_of(plan.bounded.solution.stopped_by));
  return plan;
}

}  // namespace bayplan::study
