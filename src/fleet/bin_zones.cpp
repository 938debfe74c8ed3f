#include "fleet/bin_zones.hpp"

#include <algorithm>
#include <set>

namespace bayplan::fleet {

using placement::Scenario;
using placement::Workload;
using query::Predicate;

namespace {

using Zones = std::set<std::string>;

bool looks_at_zone(const Predicate& predicate) {
  return predicate.subject == query::Subject::kAttribute && predicate.attribute == "ecs.availability-zone";
}

bool names_its_values(const Predicate& predicate) {
  using query::Operator;
  const Operator operation = predicate.operation;
  return operation == Operator::kEqual || operation == Operator::kIn || operation == Operator::kNotEqual ||
         operation == Operator::kNotIn;
}

/// Of the expressions of a workload; `function` gets every look at the zone.
template <class Function>
void each_look(const Workload& workload, Function function) {
  for (const auto& constraint : workload.constraints) {
    if (!constraint.expression) continue;
    for (const Predicate& predicate : constraint.expression->predicates()) {
      if (looks_at_zone(predicate)) function(predicate);
    }
  }
}

Zones zones_named(const Scenario& scenario) {
  Zones zones;
  for (const auto& profile : scenario.profiles) {
    if (!profile.availability_zone.empty()) zones.insert(profile.availability_zone);
  }
  for (const Workload& workload : scenario.workloads) {
    if (workload.availability_zones)
      zones.insert(workload.availability_zones->begin(), workload.availability_zones->end());
    each_look(workload, [&](const Predicate& predicate) {
      if (!names_its_values(predicate)) return;
      for (const auto& value : predicate.values) zones.insert(value.text);
    });
  }
  return zones;
}

bool cares(const Workload& workload, const Zones& zones) {
  bool looks = false;
  each_look(workload, [&](const Predicate&) { looks = true; });
  const auto& own = workload.availability_zones;
  const auto is_allowed = [&](const std::string& zone) {
    return std::find(own->begin(), own->end(), zone) != own->end();
  };
  return looks || (own && !std::all_of(zones.begin(), zones.end(), is_allowed));
}

}  // namespace

std::vector<std::string> zones_to_tell_apart(const Scenario& scenario, const std::vector<std::string>& stated) {
  const Zones zones = stated.empty() ? zones_named(scenario) : Zones(stated.begin(), stated.end());
  const bool anybody = std::any_of(scenario.workloads.begin(), scenario.workloads.end(),
                                   [&](const Workload& workload) { return cares(workload, zones); });
  if (!anybody) return {};
  return {zones.begin(), zones.end()};
}

}  // namespace bayplan::fleet
