#include "placement/engine_assumptions.hpp"

#include <algorithm>
#include <set>

#include <fmt/format.h>

#include "base/strings.hpp"
#include "placement/ecs_words.hpp"
#include "placement/strategies.hpp"

namespace bayplan::placement {
namespace {

/// "p3.2xlarge", "3 types"
std::string name_types(const std::set<std::string>& types) {
  return types.size() == 1 ? *types.begin() : count_of(static_cast<std::int64_t>(types.size()), "type");
}

void add_estimated_memory(const Scenario& scenario, Outcome& outcome) {
  std::set<std::string> measured;
  std::set<std::string> modelled;
  for (const auto& profile : scenario.profiles) {
    if (profile.memory_basis == catalog::MemoryBasis::kMeasured) measured.insert(profile.instance_type);
    if (profile.memory_basis == catalog::MemoryBasis::kModel) modelled.insert(profile.instance_type);
  }
  if (!measured.empty()) {
    outcome.assumptions.push_back(
        {"memory-estimated", name_types(measured), "memory as one instance reported it, within 1 % (5 % below 2 GiB)"});
  }
  if (!modelled.empty()) {
    outcome.assumptions.push_back({"memory-estimated", name_types(modelled),
                                   "memory by a model of the type's class, within 2 % (5 % below 2 GiB)"});
  }
}

template <class Predicate>
bool any_workload(const Scenario& scenario, Predicate predicate) {
  return std::any_of(scenario.workloads.begin(), scenario.workloads.end(), predicate);
}

template <class Predicate>
bool any_profile(const Scenario& scenario, Predicate predicate) {
  return std::any_of(scenario.profiles.begin(), scenario.profiles.end(), predicate);
}

void add_current_agent(const Scenario& scenario, Outcome& outcome) {
  const auto wants = [](const Workload& workload) { return !workload.requirement.required_attributes.empty(); };
  const auto silent = [](const InstanceProfile& profile) { return profile.has_all_capabilities; };
  if (!any_workload(scenario, wants) || !any_profile(scenario, silent)) return;
  outcome.assumptions.push_back(
      {"current-agent", {}, "instances that list no capabilities count as having those of a current agent"});
}

/// Of what a constraint asks for and every registered instance has, what this one does not state.
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

void add_unstated_subjects(const Scenario& scenario, Outcome& outcome) {
  std::set<std::string> told;
  for (const auto& workload : scenario.workloads) {
    for (const auto& constraint : workload.constraints) {
      if (!constraint.expression) continue;
      for (const auto& predicate : constraint.expression->predicates()) {
        const auto silent = [&](const InstanceProfile& profile) { return leaves_out(profile, predicate); };
        if (any_profile(scenario, silent)) told.insert(query::name_of(predicate.subject, predicate.attribute));
      }
    }
  }
  for (const auto& name : told) {
    outcome.assumptions.push_back({"constraint-subject-not-stated", name,
                                   "instances whose description leaves it out do not satisfy a comparison with it, "
                                   "though every registered instance has it"});
  }
}

void add_gpu_memory(const Scenario& scenario, Outcome& outcome) {
  const auto shares = [](const Workload& workload) { return workload.requirement.gpu_form == capacity::GpuForm::kMps; };
  if (!any_workload(scenario, shares)) return;
  std::set<std::string> types;
  for (const auto& profile : scenario.profiles) {
    if (profile.gpu_sharing && profile.gpu_memory_estimated) types.insert(profile.instance_type);
  }
  if (types.empty()) return;
  outcome.assumptions.push_back({"gpu-memory-estimated", name_types(types),
                                 "a shared GPU is taken to offer 93 % of its memory; gpuMemory states it"});
}

void add_random(const Scenario& scenario, Outcome& outcome) {
  const bool random = std::any_of(scenario.workloads.begin(), scenario.workloads.end(), [](const Workload& workload) {
    return workload.kind == WorkloadKind::kTasks && workload.strategies.empty();
  });
  if (!random || scenario.instances.size() < 2) return;
  outcome.assumptions.push_back(
      {"random-seed",
       {},
       fmt::format("RunTask without a strategy places at random; drawn with seed {}", scenario.seed)});
}

void add_second_keys(const Scenario& scenario, Outcome& outcome) {
  for (const auto& workload : scenario.workloads) {
    if (!gets_second_key(workload)) continue;
    outcome.assumptions.push_back(
        {"zone-spread-second-key", workload.name,
         "states only the zone spread; within a zone the instance with the fewest of its tasks is "
         "taken, as in the default of ECS"});
  }
}

void add_absent_spread_values(const Scenario& scenario, Outcome& outcome) {
  std::set<std::string> attributes;  // own: effective strategies are made for the asking
  for (const auto& workload : scenario.workloads) {
    if (workload.kind == WorkloadKind::kDaemon) continue;
    for (const auto& strategy : effective_strategies(workload, TieOrder::kFile)) {
      if (!strategy.attribute().empty()) attributes.emplace(strategy.attribute());
    }
  }
  for (const auto& attribute : attributes) {
    std::int64_t absent = 0;
    for (const auto& instance : scenario.instances) {
      const auto& own = scenario.profiles[instance.profile].attributes;
      if (own.find(attribute) == own.end()) ++absent;
    }
    if (absent == 0 || absent == static_cast<std::int64_t>(scenario.instances.size())) continue;
    outcome.assumptions.push_back(
        {"spread-attribute-absent", attribute,
         fmt::format("{} without it; they count as one more group", count_of(absent, "instance"))});
  }
}

void add_ties(const Scenario& scenario, Outcome& outcome) {
  if (scenario.ties == TieOrder::kDrawn) {
    outcome.assumptions.push_back(
        {"tie-drawn",
         {},
         fmt::format("ties after the last strategy are drawn with seed {}; ECS does not say which instance it takes",
                     scenario.seed)});
  }
  const auto ties = std::count_if(outcome.placements.begin(), outcome.placements.end(),
                                  [](const Placement& placement) { return placement.tied; });
  if (ties == 0) return;
  outcome.assumptions.push_back(
      {"tie-file-order",
       {},
       fmt::format("{} left more than one equal instance; the first in file order was taken, ECS does not say which",
                   count_of(ties, "placement"))});
}

void add_all_or_nothing(const Scenario& scenario, Outcome& outcome) {
  for (const auto& workload : scenario.workloads) {
    if (!workload.all_or_nothing) continue;
    outcome.assumptions.push_back({"all-or-nothing", workload.name,
                                   "placed as a whole or not at all; ECS has no such call, RunTask starts what fits"});
  }
}

void add_failure_words(const Scenario& scenario, Outcome& outcome) {
  const auto told = [](const Failure& failure) { return !failure.same_as && failure.closest; };
  if (std::none_of(outcome.failures.begin(), outcome.failures.end(), told) &&
      std::none_of(outcome.limits.begin(), outcome.limits.end(), told)) {
    return;
  }
  if (scenario.instances.size() > 1) {
    outcome.assumptions.push_back(
        {"closest-instance",
         {},
         "the closest instance is the one whose first failed check comes latest; ECS does not "
         "document its choice"});
  }
  const bool by_analogy = std::any_of(outcome.failures.begin(), outcome.failures.end(), [&](const Failure& failure) {
    return told(failure) && scenario.workloads[failure.turn.workload].kind != WorkloadKind::kTasks &&
           failure_reason(scenario, failure) == reason_text(Check::kGpu);
  });
  if (by_analogy) {
    outcome.assumptions.push_back(
        {"gpu-event-text",
         {},
         "no service event for a lack of GPUs was found in public; its wording follows the others"});
  }
}

void add_unknown_zones(const Scenario& scenario, Outcome& outcome) {
  const bool restricted = std::any_of(scenario.workloads.begin(), scenario.workloads.end(),
                                      [](const Workload& workload) { return workload.availability_zones.has_value(); });
  if (!restricted) return;
  for (const auto& profile : scenario.profiles) {
    if (!profile.availability_zone.empty()) continue;
    outcome.assumptions.push_back({"zone-unknown", profile.instance_type,
                                   "has no Availability Zone; it is taken to be in one that the subnets allow"});
    return;
  }
}

}  // namespace

void add_engine_assumptions(const Scenario& scenario, Outcome& outcome) {
  add_estimated_memory(scenario, outcome);
  add_gpu_memory(scenario, outcome);
  add_current_agent(scenario, outcome);
  add_unstated_subjects(scenario, outcome);
  add_random(scenario, outcome);
  add_second_keys(scenario, outcome);
  add_absent_spread_values(scenario, outcome);
  add_unknown_zones(scenario, outcome);
  add_ties(scenario, outcome);
  add_all_or_nothing(scenario, outcome);
  add_failure_words(scenario, outcome);
}

}  // namespace bayplan::placement
