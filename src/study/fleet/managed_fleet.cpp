#include "study/fleet/managed_fleet.hpp"

#include <algorithm>
#include <functional>
#include <utility>

#include "fleet/ideal/task_groups.hpp"
#include "study/payment/load_curve.hpp"
#include "timeline/final_state.hpp"
#include "timeline/simulate.hpp"
#include "timeline/verify_history.hpp"

namespace bayplan::study {

using placement::InstanceGroup;
using placement::Scenario;
using placement::Workload;

namespace {

bool is_managed(const InstanceGroup& group) {
  return group.managed_instances.has_value();
}

/// ECS does not accept a strategy of Managed Instances and other providers.
bool is_managed(const Scenario& scenario, const Workload& workload) {
  const auto& groups = scenario.timetable.groups;
  return std::any_of(workload.capacity_providers.begin(), workload.capacity_providers.end(), [&](const auto& share) {
    return std::any_of(groups.begin(), groups.end(), [&](const auto& group) {
      return is_managed(group) && group.capacity_provider == share.capacity_provider;
    });
  });
}

/// Leaves only the tasks for which `is_kept` holds; the others keep their place in the list with a count of 0.
template <class Kept>
void keep_tasks(Scenario& scenario, const Kept& is_kept) {
  for (auto& workload : scenario.workloads) {
    if (!is_kept(workload)) workload.count = 0;
  }
  const auto is_of_others = [&](const auto& one) { return !is_kept(scenario.workloads[one.workload]); };
  std::erase_if(scenario.calls, is_of_others);
  std::erase_if(scenario.timetable.services, is_of_others);
}

/// The types that the market offers for the provider, at its prices, the cheapest first.
void price_types(const fleet::Market& market, Scenario& scenario, InstanceGroup& group) {
  std::vector<InstanceGroup::Type> offered;
  for (const auto& type : group.types) {
    const auto& name = scenario.profiles[type.profiles.front()].instance_type;
    const auto offer = std::find_if(market.offers.begin(), market.offers.end(), [&](const auto& one) {
      return !one.exists() && one.profile.instance_type == name &&
             one.profile.capacity_provider_name == group.capacity_provider;
    });
    if (offer == market.offers.end()) continue;
    for (const auto profile : type.profiles) scenario.profiles[profile].hourly_price = offer->hourly_price;
    offered.push_back(type);
  }
  const auto price = [&](const auto& type) { return scenario.profiles[type.profiles.front()].hourly_price; };
  std::stable_sort(offered.begin(), offered.end(), [&](const auto& a, const auto& b) { return price(a) < price(b); });
  group.types = std::move(offered);
}

/// All tasks at once, and none of them ends.
Scenario as_one_launch(Scenario scenario, const std::vector<std::int64_t>& counts) {
  scenario = with_counts(std::move(scenario), counts);
  scenario.calls.clear();
  for (auto& timing : scenario.timetable.tasks) timing.duration.reset();
  for (auto& plan : scenario.timetable.services) plan.desired_count = counts[plan.workload];
  scenario.timetable.has_time = true;
  return scenario;
}

void count_instance(const Scenario& scenario, std::uint32_t profile, ManagedFleet& fleet) {
  const auto& own = scenario.profiles[profile];
  auto row = std::find_if(fleet.instances.begin(), fleet.instances.end(), [&](const ManagedInstances& one) {
    return one.instance_type == own.instance_type && one.capacity_provider == own.capacity_provider_name;
  });
  if (row == fleet.instances.end()) {
    row = fleet.instances.insert(row,
                                 {own.capacity_provider_name, own.instance_type, {}, 0, own.hourly_price.value_or(0)});
  }
  ++row->count;
  ++row->zones[own.availability_zone];
}

}  // namespace

MicroUsd ManagedFleet::hourly_cost() const {
  MicroUsd cost = 0;
  for (const auto& one : instances) cost += one.count * one.hourly_price;
  return cost;
}

std::optional<Scenario> take_managed_tasks(Scenario& scenario) {
  const auto on_managed = [&](const Workload& workload) { return is_managed(scenario, workload); };
  if (std::none_of(scenario.workloads.begin(), scenario.workloads.end(), on_managed)) return std::nullopt;
  Scenario managed = scenario;
  keep_tasks(managed, on_managed);
  keep_tasks(scenario, std::not_fn(on_managed));
  std::erase_if(scenario.timetable.groups, [](const auto& group) { return is_managed(group); });
  std::erase_if(managed.timetable.groups, [](const auto& group) { return !is_managed(group); });
  return managed;
}

LaunchedFleet launch_managed_fleet(Scenario scenario, const fleet::MarketRequest& offered, const FleetRequest& request,
                                   const catalog::Catalog& catalog, const Files& files, const Limits& limits) {
  auto market = fleet::load_market(offered, scenario, catalog, files, limits);
  if (!market.market) return {std::nullopt, std::move(market.errors)};
  std::vector<std::int64_t> counts(scenario.workloads.size());
  for (const auto& group : fleet::group_tasks(scenario, request.headroom_percent))
    counts[group.workload] += group.count;
  if (!request.keeps_cluster) scenario.instances.clear();
  for (auto& group : scenario.timetable.groups) price_types(*market.market, scenario, group);
  const Scenario launched = as_one_launch(std::move(scenario), counts);

  const auto history = timeline::simulate(launched);
  if (!history.errors.empty()) return {std::nullopt, history.errors};
  ManagedFleet fleet;
  fleet.mistakes = timeline::verify(launched, history);
  for (std::size_t i = launched.instances.size(); i < history.instances.size(); ++i) {
    if (!history.instances[i].terminated_at) count_instance(launched, history.instances[i].profile, fleet);
  }
  auto missing = counts;
  for (const auto& placement : timeline::final_state(launched, history).outcome.placements)
    --missing[placement.attempt.workload];
  for (std::size_t i = 0; i < counts.size(); ++i) {
    fleet.tasks += counts[i];
    if (missing[i] > 0) fleet.unplaced[launched.workloads[i].name] += missing[i];
  }
  return {std::move(fleet), {}};
}

}  // namespace bayplan::study
