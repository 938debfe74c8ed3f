#include "study/launch_types/launch_type_costs.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <memory>
#include <numeric>
#include <set>
#include <string_view>
#include <tuple>

#include <fmt/core.h>

#include "base/strings.hpp"
#include "capacity/offer.hpp"
#include "catalog/managed_instances.hpp"
#include "fleet/ideal/assignments.hpp"
#include "fleet/ideal/credit_steps.hpp"
#include "fleet/ideal/few_types.hpp"
#include "fleet/ideal/packing_question.hpp"
#include "fleet/ideal/task_groups.hpp"
#include "fleet/ideal/unchecked_needs.hpp"
#include "fleet/offers/purchase.hpp"
#include "fleet/recommended/fleet_rank.hpp"
#include "packing/solve.hpp"
#include "placement/model/profiles.hpp"
#include "rules/named_rules.hpp"

namespace bayplan::study {

using fleet::Market;
using placement::Scenario;
using placement::Workload;
using placement::WorkloadKind;

namespace {

constexpr std::string_view kArm64 = "arm64";
constexpr std::int64_t kSearchEffort = 2'000'000;  ///< As much as each of the other alternatives has.
/// A service with several tasks starts on as many instances in different zones, where it has subnets in them (ECS
/// developer guide, managed-instance-auto-scaling).
constexpr std::int64_t kManagedZones = 3;

void add_rates(const std::vector<fleet::UsedRate>& rates, LaunchTypeCost& cost) {
  for (const auto& rate : rates) {
    const bool is_known = std::any_of(cost.rates.begin(), cost.rates.end(),
                                      [&](const fleet::UsedRate& known) { return known.item == rate.item; });
    if (!is_known) cost.rates.push_back(rate);
  }
}

/// The tasks that count and whether they are all there are.
void settle(std::int64_t tasks, std::optional<MicroUsd> amount, LaunchTypeCost& cost) {
  cost.partial_cost = amount;
  const bool is_whole = cost.priced_tasks == tasks && cost.not_possible.empty() && cost.missing_prices.empty();
  if (is_whole && tasks > 0) cost.hourly_cost = amount;
}

/// What the launch types are compared by.
struct Compared {
  const Scenario& scenario;
  const Market& market;
  const FleetRequest& request;
  const FleetPlan& plan;
  const catalog::Catalog& catalog;
  std::vector<std::int64_t> counts;  ///< Tasks by workload.
  std::int64_t tasks = 0;            ///< All of them.
};

/// Checks of the scenario's definitions on launch types, each made once: a check lints the definition twice.
class LaunchTypeChecks {
 public:
  LaunchTypeChecks(const Scenario& scenario, const lint::Tools& tools) : scenario_(scenario), tools_(tools) {}

  const LaunchTypeCheck& of(LaunchType type, std::uint32_t workload) {
    const auto& one = scenario_.workloads[workload];
    const auto& definition = scenario_.task_definitions[one.task_definition];
    const bool is_overridden =
        one.requirement.cpu != definition.requirement.cpu || one.requirement.memory != definition.requirement.memory;
    const auto key = std::make_tuple(type, one.task_definition, is_overridden ? workload + 1 : 0);
    auto found = checks_.find(key);
    if (found == checks_.end())
      found = checks_.emplace(key, check_on(type, definition.definition, one.requirement, tools_)).first;
    return found->second;
  }

 private:
  const Scenario& scenario_;
  const lint::Tools& tools_;
  std::map<std::tuple<LaunchType, std::uint32_t, std::uint32_t>, LaunchTypeCheck> checks_;
};

void add_instances(const fleet::Offer& offer, std::int64_t count, MicroUsd fee, LaunchTypeCost& cost) {
  const auto& type = offer.profile.instance_type;
  const auto known = std::find_if(cost.instances.begin(), cost.instances.end(),
                                  [&](const auto& one) { return one.instance_type == type; });
  if (known != cost.instances.end() && known->hourly_price == offer.hourly_price - fee) {
    known->count += count;
  } else {
    cost.instances.push_back({type, count, offer.hourly_price - fee, fee});
  }
  if (offer.listed && !offer.is_owned)
    add_rates({{type, offer.listed->hourly * kNanoUsdPerMicroUsd, offer.listed->date, offer.listed->source}}, cost);
}

/// EC2, as planned.
LaunchTypeCost cost_on_ec2(const Compared& given) {
  LaunchTypeCost cost{.launch_type = LaunchType::kEc2};
  for (const auto& one : given.plan.question.unplaceable)
    cost.not_possible.push_back({one.workload, one.count, {{{}, "no allowed instance type fits it"}}});
  if (given.plan.left_over() > 0 || !given.plan.contradiction.empty()) {
    for (const auto& [workload, count] :
         fleet::tasks_left_over(given.plan.question, given.plan.bounded.solution.left_over))
      cost.not_possible.push_back({workload, count, {{{}, "limits or quotas leave no instance for it"}}});
    return cost;
  }
  if (given.plan.tasks == 0) return cost;
  if (given.market.counts_vcpus) {
    cost.missing_prices.push_back("prices of the instance types in " + given.market.region);
    return cost;
  }
  const auto& purchases = given.plan.purchases();
  cost.priced_tasks = given.plan.tasks;
  for (const auto& purchase : purchases) add_instances(given.market.offers[purchase.offer], purchase.count, 0, cost);
  settle(given.tasks, given.plan.hourly_cost(), cost);
  return cost;
}

void note_changes(std::uint32_t workload, const LaunchTypeCheck& check, std::vector<LaunchTypeReason> changes,
                  LaunchTypeCost& cost) {
  changes.insert(changes.begin(), check.changes.begin(), check.changes.end());
  if (!changes.empty() && check.not_possible.empty()) cost.changes.push_back({workload, std::move(changes)});
}

/// `unstated`: the architecture of tasks that state none; empty for the default of Fargate.
LaunchTypeCost cost_on_fargate(const Compared& given, LaunchType type, std::string_view unstated,
                               LaunchTypeChecks& checks) {
  LaunchTypeCost cost{.launch_type = type};
  NanoUsd sum = 0;
  bool is_spot_estimate = false;
  for (std::uint32_t i = 0; i < given.scenario.workloads.size(); ++i) {
    const Workload& workload = given.scenario.workloads[i];
    if (workload.kind == WorkloadKind::kDaemon) {
      cost.not_possible.push_back(
          {i, 0, {{std::string(rules::kDaemonFargate), "Fargate does not run DAEMON services"}}});
      continue;
    }
    if (given.counts[i] == 0) continue;
    const auto& on_demand = checks.of(LaunchType::kFargate, i);
    const auto check = type == LaunchType::kFargate ? on_demand : on_spot(on_demand, workload.requirement);
    std::vector<LaunchTypeReason> dropped;  // ECS takes these of a service on EC2 alone
    if (!workload.strategies.empty())
      dropped.push_back({std::string(rules::kPlacementOnFargate), "drop the placement strategies"});
    if (!workload.constraints.empty())
      dropped.push_back({std::string(rules::kPlacementOnFargate), "drop the placement constraints"});
    note_changes(i, check, std::move(dropped), cost);
    if (!check.not_possible.empty()) {
      cost.not_possible.push_back({i, given.counts[i], check.not_possible});
      continue;
    }
    fleet::FargateTask task{*check.size, check.storage, workload.requirement.architecture,
                            workload.requirement.windows};
    if (!task.architecture && !unstated.empty()) task.architecture = unstated;
    auto each = fleet::fargate_cost(task, given.market.fargate, given.market.region, type == LaunchType::kFargateSpot);
    for (const auto& missing : each.missing) {
      auto& all = cost.missing_prices;
      if (std::find(all.begin(), all.end(), missing) == all.end()) all.push_back(missing);
    }
    add_rates(each.rates, cost);
    is_spot_estimate = is_spot_estimate || each.is_spot_estimate;
    if (each.is_known()) cost.priced_tasks += given.counts[i];
    sum += each.hourly * given.counts[i];
    cost.fargate.push_back({i, given.counts[i], std::move(task), std::move(each)});
  }
  if (is_spot_estimate) {
    cost.assumptions.push_back(
        {"fargate-spot-discount", given.market.region,
         fmt::format("no Fargate Spot price of {} is known: {}% off On-Demand, the mean of three regions in 2026",
                     given.market.region, catalog::kFargateSpotDiscount)});
  }
  if (sum > 0) settle(given.tasks, (sum + kNanoUsdPerMicroUsd / 2) / kNanoUsdPerMicroUsd, cost);
  return cost;
}

packing::SolveLimits search_limits(const FleetRequest& request) {
  packing::SolveLimits limits;
  limits.effort = kSearchEffort;
  limits.go_on = [&request](const packing::Progress& progress) {
    return !request.stop({FleetProgress::Phase::kComparing, progress});
  };
  return limits;
}

/// The plan if every task that states no architecture ran on Graviton.
std::optional<Arm64Plan> plan_on_arm64(const Compared& given, LaunchTypeChecks& checks) {
  Arm64Plan plan;
  Scenario scenario = given.scenario;
  for (std::uint32_t i = 0; i < scenario.workloads.size(); ++i) {
    auto& need = scenario.workloads[i].requirement;
    if (given.counts[i] == 0 || need.architecture || need.windows) continue;
    need.architecture = std::string(kArm64);
    plan.workloads.push_back(i);
  }
  const auto& offers = given.market.offers;
  const bool has_arm64_offers = std::any_of(offers.begin(), offers.end(), [](const fleet::Offer& offer) {
    if (offer.profile.type == nullptr) return false;
    const auto& all = offer.profile.type->architectures;
    return std::find(all.begin(), all.end(), kArm64) != all.end();
  });
  const bool is_usual = fleet::usual_architectures(given.scenario).contains(std::string(kArm64));
  if (plan.workloads.empty() || is_usual || given.market.counts_vcpus || !has_arm64_offers) return std::nullopt;
  const auto question =
      fleet::make_packing_question(scenario, given.market, {given.request.headroom_percent, given.request.zones});
  if (!question.unplaceable.empty()) return std::nullopt;
  const auto solution = packing::solve(question.problem, search_limits(given.request));
  if (!solution.is_complete()) return std::nullopt;
  plan.purchases = fleet::compute_purchases(question, given.market, solution.packing);
  if (!fleet::is_allowed(given.market, plan.purchases, given.request.most_types)) return std::nullopt;
  plan.hourly_cost = fleet::cost_of(given.market, question, solution.packing);
  plan.proven = solution.optimal && plan.hourly_cost <= solution.cost;
  plan.fargate_hourly = cost_on_fargate(given, LaunchType::kFargate, kArm64, checks).hourly_cost;
  return plan;
}

std::set<std::string> custom_attributes(const Workload& workload) {
  std::set<std::string> names;
  for (const auto& constraint : workload.constraints) {
    if (!constraint.expression) continue;
    for (const auto& predicate : constraint.expression->predicates()) {
      const std::string_view name = predicate.attribute;
      if (!name.empty() && !name.starts_with("ecs.") && !name.starts_with("com.amazonaws.ecs.")) names.emplace(name);
    }
  }
  return names;
}

/// The tasks that can run there, in the network mode that they have there. Others have a count of 0.
Scenario managed_scenario(const Compared& given, LaunchTypeChecks& checks, LaunchTypeCost& cost) {
  // Holds of no instance: a daemon with this constraint runs nowhere.
  constexpr std::string_view kNever = "attribute:ecs.os-type == none";
  const placement::Constraint never{placement::ConstraintType::kMemberOf, std::string(kNever),
                                    std::make_shared<const query::Expression>(query::parse(kNever).expression.value())};
  Scenario scenario = given.scenario;
  for (std::uint32_t i = 0; i < scenario.workloads.size(); ++i) {
    Workload& workload = scenario.workloads[i];
    const bool is_daemon = workload.kind == WorkloadKind::kDaemon;
    if (given.counts[i] == 0 && !is_daemon) continue;
    const auto& check = checks.of(LaunchType::kManagedInstances, i);
    auto reasons = check.not_possible;
    for (const auto& name : custom_attributes(workload))
      reasons.push_back({std::string(rules::kManagedConstraintAttributes),
                         fmt::format("attribute {} cannot be set on Managed Instances", name)});
    std::vector<LaunchTypeReason> dropped;
    if (!workload.strategies.empty()) dropped.push_back({{}, "drop the placement strategies"});
    if (reasons.empty()) note_changes(i, check, std::move(dropped), cost);
    workload.capacity_providers.clear();
    workload.strategies.clear();
    if (check.becomes_awsvpc) {
      workload.requirement.network_interfaces = 1;
      workload.requirement.tcp_ports.clear();
      workload.requirement.udp_ports.clear();
    }
    if (reasons.empty()) continue;
    workload.count = 0;
    if (is_daemon) workload.constraints = {never};
    cost.not_possible.push_back({i, given.counts[i], std::move(reasons)});
  }
  return scenario;
}

fleet::Offer managed_offer(const fleet::Offer& offer, placement::InstanceProfile profile, MicroUsd fee) {
  profile.awsvpc_trunking = true;
  placement::use_offer(*profile.type, 0, profile);
  placement::add_built_in_attributes(profile);
  fleet::Offer managed;
  managed.profile = std::move(profile);
  managed.hourly_price = offer.hourly_price + fee;
  managed.profile.hourly_price = managed.hourly_price;
  managed.listed = offer.listed;
  managed.limit = offer.limit;
  managed.quota = offer.quota;
  return managed;
}

/// What may be bought of Managed Instances.
struct ManagedMarket {
  Market market;
  std::vector<MicroUsd> fees;  ///< By offer; part of its price.
  std::string why_no_type;     ///< Why there are no offers, if there are none.
};

ManagedMarket managed_market(const Compared& given, LaunchTypeCost& cost) {
  ManagedMarket managed{{}, {}, "no instance type may be bought"};
  managed.market.region = given.market.region;
  managed.market.quotas = given.market.quotas;
  managed.market.limits = given.market.limits;
  managed.market.credits = given.market.credits;
  // The types that Managed Instances have, each once.
  std::vector<const fleet::Offer*> available;
  for (const auto& offer : given.market.offers) {
    if (offer.exists() || offer.profile.type == nullptr) continue;
    const auto& type = *offer.profile.type;
    if (!available.empty() && available.back()->profile.instance_type == type.name) continue;
    const auto own = catalog::managed_instances(type);
    if (own.is_available()) {
      available.push_back(&offer);
    } else {
      managed.why_no_type = fmt::format("no allowed type is available there; {}: {}", type.name, own.why_not);
    }
  }
  const auto is_burstable = [](const fleet::Offer* offer) { return catalog::is_burstable(*offer->profile.type); };
  if (!std::all_of(available.begin(), available.end(), is_burstable) && std::erase_if(available, is_burstable) > 0) {
    cost.assumptions.push_back({"managed-instances-burstable",
                                {},
                                "burstable types (T3, T3a, T4g) are excluded, as a capacity provider of Managed "
                                "Instances does unless it includes them"});
  }
  for (const auto* offer : available) {
    auto profile = placement::profile_of_type(given.catalog, offer->profile.instance_type);
    if (!profile) continue;
    // The fee follows from the price before discounts, unless the price file states it.
    const auto stated = given.market.managed_fees.find(offer->profile.instance_type);
    const MicroUsd fee = stated != given.market.managed_fees.end()
                             ? stated->second.hourly
                             : catalog::managed_instances(*offer->profile.type)
                                   .fee(offer->listed ? offer->listed->hourly : offer->hourly_price);
    managed.fees.push_back(fee);
    managed.market.offers.push_back(managed_offer(*offer, std::move(*profile), fee));
  }
  return managed;
}

void add_fee_rates(const Compared& given, LaunchTypeCost& cost) {
  for (const auto& one : cost.instances) {
    const auto stated = given.market.managed_fees.find(one.instance_type);
    const auto* type = given.catalog.find(one.instance_type);
    if (type == nullptr) continue;
    const auto managed = catalog::managed_instances(*type);
    const bool is_stated = stated != given.market.managed_fees.end();
    add_rates({{one.instance_type + " fee", one.fee * kNanoUsdPerMicroUsd,
                is_stated ? stated->second.date : managed.date, is_stated ? stated->second.source : managed.source}},
              cost);
    if (!is_stated && managed.source == "managed-fee-p") {
      cost.assumptions.push_back({"managed-instances-fee", one.instance_type,
                                  "its fee is computed from the announced cut of 60 %: none was seen"});
    }
  }
}

/// A service is spread before it is packed: no instance takes more than its share of the zones.
void spread_services(const Scenario& scenario, std::size_t zones_of_request, fleet::Question& question,
                     LaunchTypeCost& cost) {
  const auto zones = std::min<std::int64_t>(kManagedZones, static_cast<std::int64_t>(zones_of_request));
  bool has_service = false;
  for (std::size_t shape = 0; shape < question.shapes.size(); ++shape) {
    for (const auto workload : question.shapes[shape].workloads) {
      if (scenario.workloads[workload].kind != WorkloadKind::kService) continue;
      has_service = true;
      auto& most = question.problem.shapes[shape].most_per_bin;
      if (zones > 1) most = std::min(most, (question.problem.shapes[shape].count + zones - 1) / zones);
    }
  }
  if (!has_service) return;
  cost.assumptions.push_back(
      {"managed-instances-spread",
       {},
       zones > 1 ? fmt::format("each service is spread over {} instances in different zones before it is packed", zones)
                 : std::string("packed as in one subnet; in three zones each service of several tasks takes at "
                               "least three instances (--zones 3)")});
}

/// Managed Instances: their own packing, with what they cost there.
LaunchTypeCost cost_on_managed_instances(const Compared& given, LaunchTypeChecks& checks) {
  LaunchTypeCost cost{.launch_type = LaunchType::kManagedInstances};
  const Scenario scenario = managed_scenario(given, checks, cost);
  if (given.market.counts_vcpus) {
    cost.missing_prices.push_back("prices of the instance types in " + given.market.region);
    return cost;
  }
  const auto [market, fees, why_no_type] = managed_market(given, cost);
  if (market.offers.empty()) {
    for (std::uint32_t i = 0; i < given.counts.size(); ++i) {
      if (given.counts[i] > 0 && scenario.workloads[i].count.value_or(0) > 0)
        cost.not_possible.push_back({i, given.counts[i], {{{}, why_no_type}}});
    }
    return cost;
  }
  auto question = fleet::make_packing_question(scenario, market, {given.request.headroom_percent, given.request.zones});
  for (const auto& one : question.unplaceable)
    cost.not_possible.push_back({one.workload, one.count, {{{}, "no allowed type of Managed Instances fits it"}}});
  spread_services(scenario, given.request.zones.size(), question, cost);
  const auto solution = packing::solve(question.problem, search_limits(given.request));
  for (const auto& [workload, count] : fleet::tasks_left_over(question, solution.left_over))
    cost.not_possible.push_back({workload, count, {{{}, "limits or quotas leave no instance for it"}}});
  cost.priced_tasks = packing::tasks_of(question.problem);
  for (const auto count : solution.left_over) cost.priced_tasks -= count;
  for (const auto& purchase : fleet::compute_purchases(question, market, solution.packing))
    add_instances(market.offers[purchase.offer], purchase.count, fees[purchase.offer], cost);
  add_fee_rates(given, cost);
  if (cost.priced_tasks > 0) settle(given.tasks, fleet::cost_of(market, question, solution.packing), cost);
  std::sort(cost.not_possible.begin(), cost.not_possible.end(),
            [](const auto& a, const auto& b) { return a.workload < b.workload; });
  cost.assumptions.push_back({"managed-instances-packing",
                              {},
                              "AWS chooses the instances: the cost is that of the best packing found, with the "
                              "memory that the ECS-optimized AMI registers and awsvpcTrunking"});
  return cost;
}

}  // namespace

LaunchTypeCosts compare_launch_types(const Scenario& scenario, const Market& market, const FleetRequest& request,
                                     const FleetPlan& plan, const catalog::Catalog& catalog, const lint::Tools& tools) {
  // Tasks count with headroom; daemons do not count.
  Compared given{scenario, market, request, plan, catalog, std::vector<std::int64_t>(scenario.workloads.size())};
  for (const auto& group : fleet::group_tasks(scenario, request.headroom_percent))
    given.counts[group.workload] += group.count;
  given.tasks = std::accumulate(given.counts.begin(), given.counts.end(), std::int64_t{0});

  LaunchTypeChecks checks(scenario, tools);
  LaunchTypeCosts costs;
  costs.tasks = given.tasks;
  costs.list = {cost_on_ec2(given), cost_on_fargate(given, LaunchType::kFargate, {}, checks),
                cost_on_fargate(given, LaunchType::kFargateSpot, {}, checks), cost_on_managed_instances(given, checks)};
  // Fargate costs as much as EC2 when the tasks run this share of the time.
  const auto& ec2 = costs.list.front().hourly_cost;
  for (auto& cost : costs.list) {
    const bool is_by_task = cost.launch_type == LaunchType::kFargate || cost.launch_type == LaunchType::kFargateSpot;
    if (!is_by_task || !ec2 || !cost.hourly_cost || *cost.hourly_cost <= 0) continue;
    cost.break_even = static_cast<double>(*ec2) / static_cast<double>(*cost.hourly_cost);
  }
  costs.arm64 = plan_on_arm64(given, checks);
  return costs;
}

std::optional<NanoUsd> cost_over_load(const LaunchTypeCost& cost, const LoadCurve& curve, Percent headroom_percent) {
  if (!cost.hourly_cost || cost.fargate.empty()) return std::nullopt;
  double total = 0;
  for (const auto& level : curve.levels) {
    for (const auto& one : cost.fargate) {
      const auto tasks = fleet::with_headroom(level.counts[one.workload], headroom_percent);
      total += static_cast<double>(level.hours) * static_cast<double>(tasks * one.cost.hourly);
    }
  }
  return static_cast<NanoUsd>(std::llround(total / static_cast<double>(curve.hours.size())));
}

}  // namespace bayplan::study
