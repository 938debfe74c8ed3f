// Remedies on the side of the cluster: instances that could take tasks, that could hold more, and one more of them.
#include <algorithm>
#include <limits>
#include <set>
#include <utility>
#include <vector>

#include "capacity/fit.hpp"
#include "placement/engine/engine.hpp"
#include "placement/model/profiles.hpp"
#include "study/whatif/what_if.hpp"
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

/// Profiles of which one more instance would do, the cheapest first.
std::vector<std::uint32_t> profiles_that_do(const PlacementTrace& trace) {
  std::vector<std::uint32_t> profiles;
  for (std::uint32_t i = 0; i < trace.scenario().profiles.size(); ++i) {
    if (would_do(trace, i)) profiles.push_back(i);
  }
  return cheapest_profiles(trace.scenario(), std::move(profiles));
}

/// Where a new instance would stand: a zone of the task's subnets, else that of the first instance.
std::string zone_for(const Scenario& scenario, const Workload& workload) {
  const auto& zones = workload.availability_zones;
  for (const auto& profile : scenario.profiles) {
    const auto& zone = profile.availability_zone;
    if (zone.empty()) continue;
    if (!zones || std::find(zones->begin(), zones->end(), zone) != zones->end()) return zone;
  }
  return zones && !zones->empty() ? zones->front() : std::string();
}

/// What an instance of another type would have that is set up as `pattern` is: its attributes but those of the machine.
void set_up_like(const InstanceProfile& pattern, InstanceProfile& profile) {
  profile.attributes = pattern.attributes;
  for (const auto name : {"ecs.instance-type", "ecs.cpu-architecture", "ecs.ami-id", "ecs.awsvpc-trunk-id"}) {
    const auto found = profile.attributes.find(name);
    if (found != profile.attributes.end()) profile.attributes.erase(found);
  }
  profile.availability_zone = pattern.availability_zone;
  profile.subnet_id = pattern.subnet_id;
  profile.has_all_capabilities = pattern.has_all_capabilities;
  profile.gpu_sharing = pattern.gpu_sharing;
}

/// An instance of the type for the task of `attempt`, set up as the cluster's `pattern`; null when none of it would do.
InstanceProfile profile_of(const InstanceType& type, const InstanceProfile* pattern, const Scenario& scenario,
                           const PlacementAttempt& attempt) {
  InstanceProfile profile;
  if (pattern != nullptr) set_up_like(*pattern, profile);
  profile.instance_type = type.name;
  profile.type = &type;
  if (pattern == nullptr) profile.availability_zone = zone_for(scenario, scenario.workloads[attempt.workload]);
  profile.capacity_provider_name = capacity_provider_of(scenario, attempt);
  use_offer(type, 0, profile);
  profile.reserved_tcp_ports =
      pattern != nullptr ? pattern->reserved_tcp_ports : capacity::default_reserved_tcp_ports(false);
  if (pattern != nullptr) profile.reserved_udp_ports = pattern->reserved_udp_ports;
  add_built_in_attributes(profile);
  use_price(profile, scenario.region);
  return profile;
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

/// Profiles of instances that take tasks now, the cheapest first.
std::vector<std::uint32_t> active_profiles(const Scenario& scenario) {
  std::vector<std::uint32_t> profiles;
  for (std::uint32_t i = 0; i < scenario.profiles.size(); ++i) {
    const auto& profile = scenario.profiles[i];
    if (profile.status == InstanceStatus::kActive && profile.agent_connected) profiles.push_back(i);
  }
  return cheapest_profiles(scenario, std::move(profiles));
}

void try_catalog_types(RemedySearch& search, const catalog::Catalog& catalog, const InstanceProfile* pattern,
                       MicroUsd below) {
  const auto& scenario = search.scenario();
  const std::vector<capacity::FitTask> tasks{{{}, search.requirement(), {}}};
  const auto report = capacity::fit(tasks, types_on_sale(scenario, catalog, tasks), {.region = scenario.region});
  std::size_t tried = 0;
  for (const auto& row : report.tasks.front().rows) {
    if (row.fits != capacity::Fits::kYes || !row.price || row.price->hourly >= below) continue;
    if (tried++ == kMaxTypes) return;
    if (search.offer_either(one_more(profile_of(*row.type, pattern, scenario, search.trace().attempt())),
                            row.price->hourly))
      return;
  }
}

/// The instance as the fix says it, by type and zone: attributes that somebody gave to the instances there are not part
/// of the words, and a task that asks for them would not be placed by what is read.
InstanceProfile without_own_attributes(InstanceProfile profile) {
  std::erase_if(profile.attributes, [](const auto& attribute) { return !attribute.first.starts_with("ecs."); });
  return profile;
}

/// Keeps the fewest instances of the profile with which every task is placed: if they are there from the start, and
/// also if they are added once the cluster has placed what it can, as one would add them after the answer. One a failed
/// task is the most that can help.
void try_addition(Trials& trials, WhatIf& settled, const Scenario& scenario, const Outcome& outcome,
                  const InstanceProfile& profile, Remedies& found) {
  if (!trials.affords(scenario)) return;
  const auto added = new_instance_like(without_own_attributes(profile));
  const auto help_later = [&](std::int64_t count) {
    Variant later;
    later.events = {more_instances(added, count)};
    return settled.effect(later).unplaced == 0;
  };
  const auto help_from_start = [&](std::int64_t count) {
    const auto placed = trials.place_with(scenario, more_instances(added, count));
    return placed && placed->outcome.failures.empty();
  };
  const auto most = std::min(kMaxAdded, static_cast<std::int64_t>(outcome.failures.size()));
  if (!help_later(most)) return trials.count_simulated();
  // What is added later costs only the tasks that failed, and is rarely less than what is needed from the start.
  auto count = smallest(most, help_later);
  if (!help_from_start(count)) {
    const auto help_both = [&](std::int64_t more) { return help_later(more) && help_from_start(more); };
    if (count == most || !help_both(most)) return;
    count = smallest(most, help_both);
  }
  found.list.push_back({.change = more_instances(added, count),
                        .hourly_cost = added.hourly_price ? std::optional(*added.hourly_price * count) : std::nullopt});
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

/// The cheapest types on sale of which each holds any task that failed, at most kMaxTypes. None where a capacity
/// provider launches the instances: of which types is its decision.
std::vector<const InstanceType*> types_for_failures(const Scenario& scenario, const Outcome& outcome,
                                                    const catalog::Catalog& catalog) {
  std::set<std::uint32_t> workloads;
  for (const auto& failure : outcome.failures) workloads.insert(failure.attempt.workload);
  std::vector<capacity::FitTask> tasks;
  for (const auto workload : workloads) tasks.push_back({{}, scenario.workloads[workload].requirement, {}});
  const bool has_provider = std::any_of(outcome.failures.begin(), outcome.failures.end(), [](const auto& failure) {
    return failure.attempt.capacity_provider.has_value();
  });
  const bool wants_windows =
      std::any_of(tasks.begin(), tasks.end(), [](const auto& task) { return task.requirement.windows; });
  if (tasks.empty() || has_provider || wants_windows) return {};
  const auto report = capacity::fit(tasks, types_on_sale(scenario, catalog, tasks), {.region = scenario.region});
  std::vector<const InstanceType*> types;
  for (const auto& row : report.tasks.front().rows) {
    const bool holds_all = std::all_of(report.tasks.begin(), report.tasks.end(), [&](const auto& task) {
      return std::any_of(task.rows.begin(), task.rows.end(), [&](const auto& other) {
        return other.type == row.type && other.fits == capacity::Fits::kYes;
      });
    });
    if (holds_all && row.price && types.size() < kMaxTypes) types.push_back(row.type);
  }
  return types;
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
          return name.find("ecs.capability.") != std::string::npos || name.starts_with("ecs.");
        }))
      continue;
    if (search.offer_either(AddAttributes{rejection->instance, rejection->shortfall.attributes})) return;
  }
}

void try_more_instances(RemedySearch& search, const catalog::Catalog* catalog) {
  MicroUsd cheapest = std::numeric_limits<MicroUsd>::max();
  const auto& profiles = search.scenario().profiles;
  const auto own = profiles_that_do(search.trace());
  for (const auto index : own) {
    const auto& profile = profiles[index];
    if (!search.offer_either(one_more(new_instance_like(profile)), profile.hourly_price)) continue;
    cheapest = price_or_last(profile.hourly_price);
    break;
  }
  const bool may_choose = catalog != nullptr && !search.requirement().windows;
  if (may_choose) try_catalog_types(search, *catalog, own.empty() ? nullptr : &profiles[own.front()], cheapest);
}

Remedies find_place_remedies(const Scenario& scenario, const Outcome& outcome, const catalog::Catalog* catalog) {
  Remedies found;
  if (outcome.failures.empty()) return found;
  Trials trials(kPlaceEffort);
  if (!scenario.policy) try_requests(trials, scenario, found);
  try_trunking(trials, scenario, outcome, found);
  const auto own = active_profiles(scenario);
  WhatIf settled(scenario, &outcome);
  for (const auto index : own) try_addition(trials, settled, scenario, outcome, scenario.profiles[index], found);
  const bool has_addition = std::any_of(found.list.begin(), found.list.end(), [](const Remedy& remedy) {
    return std::holds_alternative<AddInstances>(remedy.change);
  });
  if (!has_addition && catalog != nullptr) {
    const auto* pattern = own.empty() ? nullptr : &scenario.profiles[own.front()];
    for (const auto* type : types_for_failures(scenario, outcome, *catalog)) {
      const auto profile = profile_of(*type, pattern, scenario, outcome.failures.front().attempt);
      try_addition(trials, settled, scenario, outcome, profile, found);
    }
  }
  std::stable_sort(found.list.begin(), found.list.end(), [](const Remedy& a, const Remedy& b) {
    return price_or_last(a.hourly_cost) < price_or_last(b.hourly_cost);
  });
  found.tried = trials.count();
  found.exhausted = trials.exhausted();
  return found;
}

}  // namespace bayplan::study
