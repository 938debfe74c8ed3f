#include "report/place/place_report.hpp"

#include <map>

#include "placement/ecs_words.hpp"
#include "report/document/csv.hpp"
#include "report/place/place_words.hpp"

namespace bayplan::report {

using placement::Failure;
using placement::Placement;
using placement::Turn;

namespace {

class PlaceCsv {
 public:
  PlaceCsv(std::ostream& out, const PlaceReport& report) : csv_(out), report_(report), scenario_(report.scenario) {}

  /// Both lists are in order of turns.
  void write() {
    csv_.header({"task", "taskDefinition", "group", "state", "containerInstance", "instanceType", "availabilityZone",
                 "gpuIds", "tied", "reason", "closest", "why"});
    const auto& placements = report_.outcome.placements;
    const auto& failures = report_.outcome.failures;
    auto placed = placements.begin();
    auto failed = failures.begin();
    while (placed != placements.end() || failed != failures.end()) {
      const bool is_placed =
          failed == failures.end() || (placed != placements.end() && placed->turn.step < failed->turn.step);
      is_placed ? row(*placed++) : row(*failed++);
    }
  }

 private:
  void begin(const Turn& turn, std::string_view state) {
    const auto& workload = scenario_.workloads[turn.workload];
    csv_.text(task_id(scenario_, turn))
        .text(scenario_.task_definitions[workload.task_definition].name)
        .text(workload.group)
        .text(state);
  }

  void row(const Placement& placement) {
    begin(placement.turn, "placed");
    const auto& instance = scenario_.instances[placement.instance];
    const auto& profile = scenario_.profiles[instance.profile];
    std::vector<std::string> gpus;
    for (const auto& container : placement.gpus) {
      for (const auto device : container.devices) gpus.push_back(gpu_id(scenario_, placement.instance, device));
    }
    csv_.text(instance.id).text(profile.instance_type).text(profile.availability_zone).list(gpus);
    csv_.flag(placement.tied).nothing().nothing().nothing().end_row();
  }

  void row(const Failure& failure) {
    const auto& told = explained(report_.outcome, failure);
    const auto [entry, is_new] = why_.try_emplace(&told);
    if (is_new) entry->second = why_not(scenario_, told);
    begin(failure.turn, is_provisioning(scenario_, failure) ? "provisioning" : "unplaced");
    csv_.nothing().nothing().nothing().nothing().nothing().text(failure_reason(scenario_, told));
    told.closest ? csv_.text(scenario_.instances[*told.closest].id) : csv_.nothing();
    csv_.text(entry->second).end_row();
  }

  CsvWriter csv_;
  const PlaceReport& report_;
  const placement::Scenario& scenario_;
  std::map<const Failure*, std::string> why_;  ///< Thousands of tasks share one.
};

}  // namespace

void write_place_csv(std::ostream& out, const PlaceReport& report) {
  PlaceCsv(out, report).write();
}

}  // namespace bayplan::report
