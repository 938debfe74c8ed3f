#include "report/place/place_report.hpp"

#include <map>

#include "placement/explain/ecs_words.hpp"
#include "report/document/csv.hpp"
#include "report/place/place_words.hpp"

namespace bayplan::report {

using placement::Failure;
using placement::Placement;
using placement::PlacementAttempt;

namespace {

void write_attempt(CsvWriter& csv, const placement::Scenario& scenario, const PlacementAttempt& attempt,
                   std::string_view state) {
  const auto& workload = scenario.workloads[attempt.workload];
  csv.text(task_id(scenario, attempt)).text(scenario.task_definitions[workload.task_definition].name);
  csv.text(workload.group).text(state);
}

void write_placed(CsvWriter& csv, const placement::Scenario& scenario, const Placement& placement) {
  write_attempt(csv, scenario, placement.attempt, "placed");
  const auto& instance = scenario.instances[placement.instance];
  const auto& profile = scenario.profiles[instance.profile];
  std::vector<std::string> gpus;
  for (const auto& container : placement.gpus) {
    for (const auto device : container.devices) gpus.push_back(gpu_id(scenario, placement.instance, device));
  }
  csv.text(instance.id).text(profile.instance_type).text(profile.availability_zone).list(gpus);
  csv.flag(placement.tied).nothing().nothing().nothing().end_row();
}

/// Why the tasks of an explained failure have no place; thousands of tasks share one.
using WhyNot = std::map<const Failure*, std::string>;

void write_unplaced(CsvWriter& csv, const PlaceReport& report, const Failure& failure, WhyNot& why) {
  const auto& scenario = report.scenario;
  const auto& representative = explained(report.outcome, failure);
  const auto [entry, is_new] = why.try_emplace(&representative);
  if (is_new) entry->second = why_not(scenario, representative);
  write_attempt(csv, scenario, failure.attempt, is_provisioning(scenario, failure) ? "provisioning" : "unplaced");
  csv.nothing().nothing().nothing().nothing().nothing().text(failure_reason(scenario, representative));
  representative.closest ? csv.text(scenario.instances[*representative.closest].id) : csv.nothing();
  csv.text(entry->second).end_row();
}

}  // namespace

void write_place_csv(std::ostream& out, const PlaceReport& report) {
  CsvWriter csv(out);
  csv.header({"task", "taskDefinition", "group", "state", "containerInstance", "instanceType", "availabilityZone",
              "gpuIds", "tied", "reason", "closest", "why"});
  const auto& placements = report.outcome.placements;
  const auto& failures = report.outcome.failures;
  WhyNot why;
  auto placed = placements.begin();
  auto failed = failures.begin();
  while (placed != placements.end() || failed != failures.end()) {  // both are in order of turns
    const bool is_placed =
        failed == failures.end() || (placed != placements.end() && placed->attempt.step < failed->attempt.step);
    is_placed ? write_placed(csv, report.scenario, *placed++) : write_unplaced(csv, report, *failed++, why);
  }
}

}  // namespace bayplan::report
