#include "placement/engine_assumptions.hpp"

#include <algorithm>
#include <set>

#include <fmt/format.h>

#include "base/strings.hpp"
#include "placement/strategies.hpp"

namespace bayplan::placement {
namespace {

void add_random(const Scenario& scenario, Outcome& result) {
  const bool random = std::any_of(scenario.workloads.begin(), scenario.workloads.end(), [](const Workload& workload) {
    return workload.kind == WorkloadKind::kTasks && workload.strategies.empty();
  });
  if (!random || scenario.instances.size() < 2) return;
  result.assumptions.push_back(
      {"random-seed",
       {},
       fmt::format("RunTask without a strategy places at random; drawn with seed {}", scenario.seed)});
}

void add_second_keys(const Scenario& scenario, Outcome& result) {
  for (const auto& workload : scenario.workloads) {
    if (!gets_second_key(workload)) continue;
    result.assumptions.push_back(
        {"zone-spread-second-key", workload.name,
         "states only the zone spread; within a zone the instance with the fewest of its tasks is "
         "taken, as in the default of ECS"});
  }
}

void add_absent_spread_values(const Scenario& scenario, Outcome& result) {
  std::set<std::string_view> attributes;
  for (const auto& workload : scenario.workloads) {
    if (workload.kind == WorkloadKind::kDaemon) continue;
    for (const auto& strategy : effective_strategies(workload)) {
      if (!strategy.attribute().empty()) attributes.insert(strategy.attribute());
    }
  }
  for (const auto attribute : attributes) {
    std::int64_t absent = 0;
    for (const auto& instance : scenario.instances) {
      const auto& own = scenario.profiles[instance.profile].attributes;
      if (own.find(attribute) == own.end()) ++absent;
    }
    if (absent == 0 || absent == static_cast<std::int64_t>(scenario.instances.size())) continue;
    result.assumptions.push_back(
        {"spread-attribute-absent", std::string(attribute),
         fmt::format("{} without it; they count as one more group", count_of(absent, "instance"))});
  }
}

void add_ties(Outcome& result) {
  const auto ties = std::count_if(result.placements.begin(), result.placements.end(),
                                  [](const Placement& placement) { return placement.tied; });
  if (ties == 0) return;
  result.assumptions.push_back(
      {"tie-file-order",
       {},
       fmt::format("{} left more than one equal instance; the first in file order was taken, ECS does not say which",
                   count_of(ties, "placement"))});
}

void add_failure_words(const Scenario& scenario, Outcome& result) {
  const auto told = [](const Failure& failure) { return !failure.same_as && failure.closest; };
  if (std::none_of(result.failures.begin(), result.failures.end(), told)) return;
  if (scenario.instances.size() > 1) {
    result.assumptions.push_back({"closest-instance",
                                  {},
                                  "the closest instance is the one whose first failed check comes latest; ECS does not "
                                  "document its choice"});
  }
  const bool by_analogy = std::any_of(result.failures.begin(), result.failures.end(), [&](const Failure& failure) {
    return told(failure) && scenario.workloads[failure.turn.workload].kind != WorkloadKind::kTasks &&
           failure_reason(scenario, failure) == reason_text(Check::kGpu);
  });
  if (by_analogy) {
    result.assumptions.push_back(
        {"gpu-event-text",
         {},
         "no service event for a lack of GPUs was found in public; its wording follows the others"});
  }
}

void add_unknown_zones(const Scenario& scenario, Outcome& result) {
  const bool restricted = std::any_of(scenario.workloads.begin(), scenario.workloads.end(),
                                      [](const Workload& workload) { return workload.availability_zones.has_value(); });
  if (!restricted) return;
  for (const auto& profile : scenario.profiles) {
    if (!profile.availability_zone.empty()) continue;
    result.assumptions.push_back({"zone-unknown", profile.instance_type,
                                  "has no Availability Zone; it is taken to be in one that the subnets allow"});
    return;
  }
}

}  // namespace

void add_engine_assumptions(const Scenario& scenario, Outcome& result) {
  add_random(scenario, result);
  add_second_keys(scenario, result);
  add_absent_spread_values(scenario, result);
  add_unknown_zones(scenario, result);
  add_ties(result);
  add_failure_words(scenario, result);
}

}  // namespace bayplan::placement
