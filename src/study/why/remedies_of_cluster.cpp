// Remedies on the side of the cluster: instances that could take tasks, that could hold more, and one more of them.
#include <algorithm>
#include <limits>
#include <set>
#include <utility>
#include <vector>

#include "capacity/fit.hpp"
#include "placement/engine/engine.hpp"
#include "placement/model/profiles.hpp"
#include "study/simulation/starting_tasks.hpp"
#include "study/whatif/planned_instances.hpp"
#include "study/whatif/what_if.hpp"
#include "study/why/additions.hpp"
#include "study/why/remedy_search.hpp"

namespace bayplan::study {

using namespace placement;  // NOLINT: the study of placements is about nothing else

namespace {

using catalog::InstanceType;

constexpr std::size_t kMaxTypes = 3;
constexpr std::int64_t kMaxAdded = 1'000;  ///< Instances of one type.
/// Instances and tasks over all trials for a scenario: about half a second.
constexpr std::int64_t kPlaceEffort = 500'000;

/// Whether a new instance of the profile passes what does not depend on room.
bool would_do(const PlacementTrace& trace, std::uint32_t index) {
  const auto failed = trace.filter().profile_failures(index);
  const auto provider = trace.capacity_provider();
  const auto& own = trace.scenario().profiles[index].capacity_provider_name;
  return !failed.has(Check::kAttribute) && !failed.has(Check::kLocation) && !failed.has(Check::kMemberOf) &&
         (provider.empty() || provider == own);
}

/// The zone of a new instance: a zone of the task's subnets, else that of the first instance.
std::string zone_for(const Scenario& scenario, const Workload& workload) {
  const auto& zones = workload.availability_zones;
  for (const auto& profile : scenario.profiles) {
    const auto& zone = profile.availability_zone;
    if (zone.empty()) continue;
    if (!zones || std::find(zones->begin(), zones->end(), zone) != zones->end()) return zone;
  }
  return zones && !zones->empty() ? zones->front() : std::string();
}

/// Architectures that the cluster's instances have; a definition that does not state its own has images for these.
std::set<std::string> list_architectures(const Scenario& scenario) {
  std::set<std::string> found;
  for (const auto& profile : scenario.profiles) {
    const auto stated = profile.attributes.find("ecs.cpu-architecture");
    if (stated != profile.attributes.end()) {
      found.insert(stated->second);
    } else if (profile.type != nullptr) {
      found.insert(profile.type->architectures.begin(), profile.type->architectures.end());
    }
  }
  if (found.empty()) found.insert("x86_64");
  return found;
}

bool is_offered(const InstanceType& type, const std::string& region) {
  return type.regions.may_include(region) && !type.is_retired() && type.price_in(region).has_value();
}

/// Types on sale in the region on which all of the tasks have images, in the order of the catalog. A definition that
/// does not state an architecture has images for those of the cluster.
std::vector<const InstanceType*> types_on_sale(const Scenario& scenario, const catalog::Catalog& catalog,
                                               const std::vector<capacity::FitTask>& tasks) {
  const auto of_cluster = list_architectures(scenario);
  const auto runs = [&](const InstanceType& type, const capacity::FitTask& task) {
    const std::string wanted = capacity::wanted_architecture(task.requirement);
    const auto& offered = type.architectures;
    return offered.empty() || std::any_of(offered.begin(), offered.end(), [&](const auto& name) {
             return wanted.empty() ? of_cluster.contains(name) : name == wanted;
           });
  };
  std::vector<const InstanceType*> types;
  for (const auto& type : catalog.types()) {
    const bool runs_all = std::all_of(tasks.begin(), tasks.end(), [&](const auto& task) { return runs(type, task); });
    if (runs_all && is_offered(type, scenario.region)) types.push_back(&type);
  }
  return types;
}

/// The cheapest types on sale that hold all of the tasks, at most kMaxTypes. None where a capacity provider launches
/// the instances: of which types is its decision.
std::vector<Addition> additions_of_catalog(const Scenario& scenario, const PlannedInstances& planned,
                                           const catalog::Catalog& catalog, const std::set<std::uint32_t>& workloads) {
  std::vector<capacity::FitTask> tasks;
  bool is_chosen_elsewhere = workloads.empty();
  for (const auto index : workloads) {
    const auto& workload = scenario.workloads[index];
    tasks.push_back({{}, workload.requirement, {}});
    is_chosen_elsewhere |= workload.requirement.windows || !workload.capacity_providers.empty();
  }
  if (is_chosen_elsewhere) return {};
  const auto report = capacity::fit(tasks, types_on_sale(scenario, catalog, tasks), {.region = scenario.region});
  const auto zone = zone_for(scenario, scenario.workloads[*workloads.begin()]);
  std::vector<Addition> additions;
  for (const auto& row : report.tasks.front().rows) {
    const bool holds_all = std::all_of(report.tasks.begin(), report.tasks.end(), [&](const auto& task) {
      return std::any_of(task.rows.begin(), task.rows.end(), [&](const auto& other) {
        return other.type == row.type && other.fits == capacity::Fits::kYes;
      });
    });
    if (!holds_all || !row.price) continue;
    if (auto addition = addition_of_type(scenario, planned, catalog, row.type->name, zone))
      additions.push_back(std::move(*addition));
    if (additions.size() == kMaxTypes) break;
  }
  return additions;
}

/// A scenario whose tasks are not all placed, and what was tried on it.
struct UnplacedTasks {
  const Scenario& scenario;
  const Outcome& outcome;
  Trials& trials;
  WhatIf& settled;

  /// Tasks that do not run when the instances come once the cluster has placed what it can, as one adds them after the
  /// answer. Those that are held on a DRAINING instance run.
  std::int64_t left_with(const std::vector<Addition>& additions) {
    Variant later;
    later.events = {add_instances(additions)};
    const auto effect = settled.effect(later);
    return effect.unplaced - effect.held;
  }
  bool are_placed_from_start(const std::vector<Addition>& additions) {
    const auto placed = trials.place_with(scenario, add_instances(additions));
    return placed && placed->outcome.failures.empty();
  }
  std::int64_t most() const { return std::min(kMaxAdded, static_cast<std::int64_t>(outcome.failures.size())); }
};

std::vector<Addition> with_one(std::vector<Addition> additions, Addition one, std::int64_t count) {
  one.argument.count = count;
  additions.push_back(std::move(one));
  return additions;
}

/// The fewest of one type with which every task is placed: if they are there from the start, and also if they are
/// added later. One a failed task is the most that can help.
std::vector<Addition> enough_of(UnplacedTasks& tasks, const Addition& one) {
  if (!tasks.trials.affords(tasks.scenario)) return {};
  const auto help_later = [&](std::int64_t count) { return tasks.left_with(with_one({}, one, count)) == 0; };
  const auto help_both = [&](std::int64_t count) {
    return help_later(count) && tasks.are_placed_from_start(with_one({}, one, count));
  };
  const auto most = tasks.most();
  if (!help_later(most)) return tasks.trials.count_simulated(), std::vector<Addition>();
  // What is added later costs only the tasks that failed, and is rarely less than what is needed from the start.
  auto count = smallest(most, help_later);
  if (!tasks.are_placed_from_start(with_one({}, one, count))) {
    if (count == most || !help_both(most)) return {};
    count = smallest(most, help_both);
  }
  return with_one({}, one, count);
}

/// Instances of several types where no one type holds every task: each time the type that leaves the fewest unplaced.
std::vector<Addition> enough_of_several(UnplacedTasks& tasks, const std::vector<Addition>& candidates) {
  std::vector<Addition> chosen;
  for (auto left = static_cast<std::int64_t>(tasks.outcome.failures.size()); left > 0;) {
    const Addition* best = nullptr;
    std::int64_t fewest = left;
    const auto most = std::min(kMaxAdded, left);
    for (const auto& one : candidates) {
      tasks.trials.count_simulated();
      const auto then = tasks.left_with(with_one(chosen, one, most));
      if (then >= fewest) continue;
      fewest = then;
      best = &one;
    }
    if (best == nullptr || chosen.size() == kMaxTypes) return {};
    const auto count =
        smallest(most, [&](std::int64_t more) { return tasks.left_with(with_one(chosen, *best, more)) <= fewest; });
    chosen = with_one(std::move(chosen), *best, count);
    left = fewest;
  }
  // An earlier choice may hold less once later ones are there.
  for (auto& own : chosen) {
    own.argument.count = smallest(own.argument.count, [&](std::int64_t fewer) {
      auto less = chosen;
      less[static_cast<std::size_t>(&own - chosen.data())].argument.count = fewer;
      return tasks.left_with(less) == 0;
    });
  }
  if (!tasks.trials.affords(tasks.scenario) || !tasks.are_placed_from_start(chosen)) return {};
  return chosen;
}

/// What costs nothing: the order of RunTask calls, and strategies for all of them.
void try_requests(Trials& trials, const Scenario& scenario, Remedies& found) {
  const auto keep = [&](const ScenarioChange& change) {
    const auto placed = trials.place_with(scenario, change);
    if (placed && placed->outcome.failures.empty()) found.list.push_back({.change = change, .hourly_cost = 0});
  };
  const bool has_calls = std::any_of(scenario.workloads.begin(), scenario.workloads.end(),
                                     [](const Workload& one) { return one.kind == WorkloadKind::kTasks; });
  if (has_calls && scenario.order == TaskOrder::kGiven) keep(ChangeOrder{TaskOrder::kLargestFirst});
  for (const auto& strategy : {Strategy{StrategyType::kBinpack, "memory"}, Strategy{StrategyType::kBinpack, "cpu"},
                               Strategy{StrategyType::kSpread, "instanceId"}}) {
    keep(ChangeStrategy{{}, {strategy}});
  }
}

/// Turns on awsvpcTrunking for each type of which an instance lacked a network interface alone.
void try_trunking(Trials& trials, const Scenario& scenario, const Outcome& outcome, Remedies& found) {
  CheckSet interface_alone;
  interface_alone.add(Check::kNetworkInterface);
  std::set<std::string> types;
  for (const auto& failure : outcome.failures) {
    for (const auto& rejection : failure.instances) {
      const auto& profile = scenario.profiles[scenario.instances[rejection.instance].profile];
      if (rejection.failed == interface_alone && trunked_interfaces(profile)) types.insert(profile.instance_type);
    }
  }
  for (const auto& type : types) {
    const auto placed = trials.place_with(scenario, TurnOnTrunking{type});
    if (placed && placed->outcome.failures.empty())
      found.list.push_back({.change = TurnOnTrunking{type}, .hourly_cost = 0});
  }
}

}  // namespace

void try_availability(RemedySearch& search) {
  for (const auto* rejection : search.failing_only({Check::kStatus, Check::kAgent})) {
    const auto status = search.trace().profile_of(rejection->instance).status;
    if (status != InstanceStatus::kActive && status != InstanceStatus::kDraining) continue;
    if (search.offer_either(MakeAvailable{rejection->instance})) return;
  }
}

void try_instances(RemedySearch& search) {
  std::set<std::string> types;
  for (const auto* rejection : search.failing_only({Check::kNetworkInterface})) {
    const auto& profile = search.trace().profile_of(rejection->instance);
    if (!trunked_interfaces(profile) || !types.insert(profile.instance_type).second) continue;
    if (search.offer_either(TurnOnTrunking{profile.instance_type})) break;
  }
  for (const auto* rejection : search.failing_only({Check::kAttribute})) {
    // Capabilities and the platform are what the agent and its machine are: PutAttributes cannot change them.
    const auto& lacking = rejection->shortfall.attributes;
    if (std::any_of(lacking.begin(), lacking.end(), [](const std::string& name) {
          return name.starts_with("ecs.") || name.starts_with("com.amazonaws.ecs.");
        }))
      continue;
    if (search.offer_either(AddAttributes{rejection->instance, rejection->shortfall.attributes})) return;
  }
}

std::optional<std::int64_t> RemedySearch::enough_later(const Addition& one) {
  const auto& outcome = inquiry_.outcome();
  if (outcome.failures.size() <= 1 && !has_tasks_to_leave(scenario())) return 1;  // nothing else waits
  if (!settled_) settled_.emplace(scenario(), &outcome);
  const auto& own = inquiry_.workload();
  const NameResult like{.name = own.name, .is_service = own.kind == WorkloadKind::kService};
  const auto not_running = [&](const VariantResult& result) { return result.unplaced(like) - result.held(like); };
  const auto before = not_running(settled_->baseline());
  const auto helps = [&](std::int64_t count) {
    Variant later;
    later.events = {add_instances(with_one({}, one, count))};
    trials_.count_simulated();
    return not_running(settled_->evaluate(later)) < before;
  };
  const auto most = std::min(kMaxAdded, static_cast<std::int64_t>(outcome.failures.size()));
  return helps(most) ? std::optional(smallest(most, helps)) : std::nullopt;
}

void try_more_instances(RemedySearch& search, const catalog::Catalog* catalog) {
  const auto& scenario = search.scenario();
  const PlannedInstances planned(scenario, {});
  const auto offer = [&](const Addition& one) {
    const auto count = search.enough_later(one);
    if (!count) return false;
    const auto added = with_one({}, one, *count);
    const auto change = *count == 1 ? one_more(one.profile) : add_instances(added);
    return search.offer_either(change, hourly_cost(added), arguments_of(added));
  };
  MicroUsd cheapest = std::numeric_limits<MicroUsd>::max();
  for (const auto& one : additions_like_cluster(scenario, planned)) {
    if (!would_do(search.trace(), *one.like) || !offer(one)) continue;
    cheapest = price_or_last(one.hourly_cost());
    break;
  }
  if (catalog == nullptr) return;
  for (const auto& one : additions_of_catalog(scenario, planned, *catalog, {search.workload()})) {
    if (price_or_last(one.hourly_cost()) < cheapest && offer(one)) return;
  }
}

Remedies find_place_remedies(const Scenario& scenario, const Outcome& outcome, const catalog::Catalog* catalog) {
  Remedies found;
  if (outcome.failures.empty()) return found;
  Trials trials(kPlaceEffort);
  if (!scenario.policy) try_requests(trials, scenario, found);
  try_trunking(trials, scenario, outcome, found);

  const PlannedInstances planned(scenario, {});
  WhatIf settled(scenario, &outcome);
  UnplacedTasks tasks{scenario, outcome, trials, settled};
  MicroUsd cheapest = std::numeric_limits<MicroUsd>::max();
  const auto keep = [&](const std::vector<Addition>& enough) {
    if (enough.empty()) return false;
    found.list.push_back(
        {.change = add_instances(enough), .added = arguments_of(enough), .hourly_cost = hourly_cost(enough)});
    cheapest = std::min(cheapest, price_or_last(found.list.back().hourly_cost));
    return true;
  };
  auto candidates = additions_like_cluster(scenario, planned);
  std::set<std::pair<std::string, std::vector<std::string>>> cured;  // by type and zone: fewer words came first
  for (const auto& one : candidates) {
    const std::pair place(one.argument.instance_type, one.argument.availability_zones);
    if (!cured.contains(place) && keep(enough_of(tasks, one))) cured.insert(place);
  }
  std::set<std::uint32_t> failed;
  for (const auto& failure : outcome.failures) failed.insert(failure.attempt.workload);
  if (catalog != nullptr) {
    for (const auto& one : additions_of_catalog(scenario, planned, *catalog, failed)) {
      if (price_or_last(one.hourly_cost()) < cheapest) keep(enough_of(tasks, one));
    }
  }
  if (cheapest == std::numeric_limits<MicroUsd>::max() && failed.size() > 1) {
    constexpr std::size_t kMostKinds = 8;
    for (const auto workload : failed) {
      if (catalog == nullptr || candidates.size() > 2 * kMostKinds) break;
      const auto more = additions_of_catalog(scenario, planned, *catalog, {workload});
      candidates.insert(candidates.end(), more.begin(), more.end());
    }
    keep(enough_of_several(tasks, candidates));
  }
  std::stable_sort(found.list.begin(), found.list.end(), [](const Remedy& a, const Remedy& b) {
    return price_or_last(a.hourly_cost) < price_or_last(b.hourly_cost);
  });
  found.tried = trials.count();
  found.exhausted = trials.exhausted();
  return found;
}

}  // namespace bayplan::study
