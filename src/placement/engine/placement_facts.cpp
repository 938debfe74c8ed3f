#include "placement/engine/placement_facts.hpp"

#include <algorithm>
#include <set>
#include <string>
#include <utility>

#include "base/edit_distance.hpp"
#include "capacity/requirement.hpp"
#include "placement/model/profiles.hpp"
#include "placement/model/strategies.hpp"
#include "query/vocabulary.hpp"

namespace bayplan::placement {

namespace {

using Facts = std::vector<PlacementFact>;
using Kind = PlacementFact::Kind;

template <class Predicate>
bool any_workload(const Scenario& scenario, Predicate predicate) {
  return std::any_of(scenario.workloads.begin(), scenario.workloads.end(), predicate);
}

template <class Predicate>
bool any_profile(const Scenario& scenario, Predicate predicate) {
  return std::any_of(scenario.profiles.begin(), scenario.profiles.end(), predicate);
}

/// A fact about the instance types of all profiles that are such; none where no profile is.
template <class Predicate>
void add_types(Facts& facts, Kind kind, const Scenario& scenario, Predicate is_such) {
  std::set<std::string> types;
  for (const auto& profile : scenario.profiles) {
    if (is_such(profile)) types.insert(profile.instance_type);
  }
  if (!types.empty()) facts.push_back({kind, {types.begin(), types.end()}});
}

void add_estimated_memory(Facts& facts, const Scenario& scenario) {
  const auto has = [](catalog::MemoryBasis basis) {
    return [basis](const InstanceProfile& profile) { return profile.memory_basis == basis; };
  };
  add_types(facts, Kind::kMemoryMeasured, scenario, has(catalog::MemoryBasis::kMeasured));
  add_types(facts, Kind::kMemoryOfSibling, scenario, has(catalog::MemoryBasis::kSibling));
  add_types(facts, Kind::kMemoryModeled, scenario, has(catalog::MemoryBasis::kModel));
}

void add_gpu_memory(Facts& facts, const Scenario& scenario) {
  const auto shares = [](const Workload& workload) { return workload.requirement.gpu_form == capacity::GpuForm::kMps; };
  if (!any_workload(scenario, shares)) return;
  add_types(facts, Kind::kGpuMemoryEstimated, scenario,
            [](const InstanceProfile& profile) { return profile.gpu_sharing && profile.gpu_memory_estimated; });
}

void add_current_agent(Facts& facts, const Scenario& scenario) {
  const auto wants = [](const Workload& workload) { return !workload.requirement.required_attributes.empty(); };
  const auto silent = [](const InstanceProfile& profile) { return profile.has_all_capabilities; };
  if (any_workload(scenario, wants) && any_profile(scenario, silent)) facts.push_back({Kind::kCurrentAgent});
}

void add_unstated_architecture(Facts& facts, const Scenario& scenario) {
  std::set<std::string> architectures;
  for (const auto& profile : scenario.profiles) {
    if (auto own = architecture_of(profile); !own.empty()) architectures.insert(std::move(own));
  }
  if (architectures.size() < 2) return;
  for (const auto& workload : scenario.workloads) {
    if (capacity::wanted_architecture(workload.requirement).empty())
      facts.push_back({Kind::kArchitectureNotStated, {workload.name}});
  }
}

/// Whether the instance does not state what a constraint looks at and every registered instance has.
bool leaves_out(const InstanceProfile& profile, const query::Predicate& predicate) {
  switch (predicate.subject) {
    case query::Subject::kAgentVersion:
      return profile.agent_version.empty();
    case query::Subject::kRegisteredAt:
      return !profile.registered_at;
    case query::Subject::kAttribute:
      for (const std::string_view name : {"ecs.ami-id", "ecs.vpc-id", "ecs.subnet-id", "ecs.os-family"}) {
        if (predicate.attribute == name) return profile.attributes.find(name) == profile.attributes.end();
      }
      return false;
    default:
      return false;
  }
}

void add_unstated_subjects(Facts& facts, const Scenario& scenario) {
  std::set<std::string> unstated;
  for (const auto& workload : scenario.workloads) {
    for (const auto& constraint : workload.constraints) {
      if (!constraint.expression) continue;
      for (const auto& predicate : constraint.expression->predicates()) {
        const auto silent = [&](const InstanceProfile& profile) { return leaves_out(profile, predicate); };
        if (any_profile(scenario, silent)) unstated.insert(query::name_of(predicate.subject, predicate.attribute));
      }
    }
  }
  for (const auto& name : unstated) facts.push_back({Kind::kSubjectNotStated, {name}});
}

void add_random(Facts& facts, const Scenario& scenario) {
  const bool random = any_workload(scenario, [](const Workload& workload) {
    return workload.kind == WorkloadKind::kTasks && workload.strategies.empty();
  });
  if (random && scenario.instances.size() > 1)
    facts.push_back({Kind::kRandomSeed, {}, static_cast<std::int64_t>(scenario.seed)});
}

void add_second_keys(Facts& facts, const Scenario& scenario) {
  for (const auto& workload : scenario.workloads) {
    if (gets_second_key(workload)) facts.push_back({Kind::kZoneSpreadSecondKey, {workload.name}});
  }
}

void add_absent_spread_values(Facts& facts, const Scenario& scenario) {
  std::set<std::string> attributes;  // own: effective strategies are made for the asking
  for (const auto& workload : scenario.workloads) {
    if (workload.kind == WorkloadKind::kDaemon) continue;
    for (const auto& strategy : effective_strategies(workload, TieOrder::kFile)) {
      if (!strategy.attribute().empty()) attributes.emplace(strategy.attribute());
    }
  }
  std::set<std::string_view> known;
  for (const auto& profile : scenario.profiles) {
    for (const auto& [name, value] : profile.attributes) known.insert(name);
  }
  for (const auto& attribute : attributes) {
    std::int64_t absent = 0;
    for (const auto& instance : scenario.instances) {
      const auto& own = scenario.profiles[instance.profile].attributes;
      if (own.find(attribute) == own.end()) ++absent;
    }
    if (absent == 0) continue;
    if (absent < static_cast<std::int64_t>(scenario.instances.size())) {
      facts.push_back({Kind::kSpreadAttributeAbsent, {attribute}, absent});
      continue;
    }
    // Instances of a cluster file may leave out what every registered instance has.
    if (query::is_built_in_attribute(attribute)) continue;
    std::vector<std::string> names{attribute};
    if (auto near = nearest(attribute, {known.begin(), known.end()})) names.emplace_back(*near);
    facts.push_back({Kind::kSpreadAttributeNowhere, std::move(names)});
  }
}

void add_unknown_zone(Facts& facts, const Scenario& scenario) {
  if (!any_workload(scenario, [](const Workload& workload) { return workload.availability_zones.has_value(); })) return;
  const auto unknown = std::find_if(scenario.profiles.begin(), scenario.profiles.end(),
                                    [](const InstanceProfile& profile) { return profile.availability_zone.empty(); });
  if (unknown != scenario.profiles.end()) facts.push_back({Kind::kZoneUnknown, {unknown->instance_type}});
}

void add_ties(Facts& facts, const Scenario& scenario, const Outcome& outcome) {
  if (scenario.ties == TieOrder::kDrawn)
    facts.push_back({Kind::kTieDrawn, {}, static_cast<std::int64_t>(scenario.seed)});
  const auto ties = std::count_if(outcome.placements.begin(), outcome.placements.end(),
                                  [](const Placement& placement) { return placement.tied; });
  if (ties > 0) facts.push_back({scenario.policy ? Kind::kTieOfScores : Kind::kTieFileOrder, {}, ties});
}

void add_all_or_nothing(Facts& facts, const Scenario& scenario) {
  for (const auto& workload : scenario.workloads) {
    if (workload.all_or_nothing) facts.push_back({Kind::kAllOrNothing, {workload.name}});
  }
}

/// Facts behind the explanations of failed placements.
void add_failures(Facts& facts, const Scenario& scenario, const Outcome& outcome) {
  const auto is_explained = [](const Failure& failure) { return !failure.same_as && failure.closest; };
  if (std::none_of(outcome.failures.begin(), outcome.failures.end(), is_explained) &&
      std::none_of(outcome.limits.begin(), outcome.limits.end(), is_explained))
    return;
  if (scenario.instances.size() > 1) facts.push_back({Kind::kClosestInstance});
  const bool lacks_gpu = std::any_of(outcome.failures.begin(), outcome.failures.end(), [&](const Failure& failure) {
    if (!is_explained(failure) || scenario.workloads[failure.attempt.workload].kind == WorkloadKind::kTasks)
      return false;
    const auto check = find_rejection(failure, *failure.closest)->failed.first();
    return check == Check::kGpu || check == Check::kNeuronDevice;
  });
  if (lacks_gpu) facts.push_back({Kind::kGpuEventText});
}

}  // namespace

std::vector<PlacementFact> find_placement_facts(const Scenario& scenario, const Outcome& outcome) {
  Facts facts;
  add_estimated_memory(facts, scenario);
  add_gpu_memory(facts, scenario);
  add_current_agent(facts, scenario);
  add_unstated_architecture(facts, scenario);
  add_unstated_subjects(facts, scenario);
  if (scenario.policy) {
    facts.push_back({Kind::kPolicy, {std::string(name_of(*scenario.policy))}});  // no strategy counts
  } else {
    add_random(facts, scenario);
    add_second_keys(facts, scenario);
    add_absent_spread_values(facts, scenario);
  }
  add_unknown_zone(facts, scenario);
  add_ties(facts, scenario, outcome);
  add_all_or_nothing(facts, scenario);
  add_failures(facts, scenario, outcome);
  return facts;
}

}  // namespace bayplan::placement
