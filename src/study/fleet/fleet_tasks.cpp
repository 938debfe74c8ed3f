#include "study/fleet/fleet_tasks.hpp"

#include <map>
#include <string>

#include <fmt/core.h>

#include "base/strings.hpp"
#include "study/simulation/running_workloads.hpp"

namespace bayplan::study {

using placement::RunningTask;
using placement::Scenario;
using placement::Workload;

Scenario tasks_to_plan(const Scenario& scenario) {
  Scenario planned = scenario;
  // Running tasks count to their workloads; those of undescribed definitions cannot be planned.
  RunningWorkloads owners(planned);
  std::map<std::string, std::int64_t> unknown;  // tasks by definition
  for (const RunningTask& task : planned.running) {
    if (task.stopping || task.daemon) continue;
    const std::uint32_t owner = owners.workload_of(task);
    if (owners.is_unknown(owner)) {
      ++unknown[task.task_definition];
    } else {
      auto& count = planned.workloads[owner].count;
      count = count.value_or(0) + 1;
    }
  }
  // A service is planned with its desired count, however many of its tasks run.
  for (const auto& plan : planned.timetable.services) {
    Workload& service = planned.workloads[plan.workload];
    if (service.kind == placement::WorkloadKind::kService) service.count = plan.desired_count;
  }
  for (const auto& [definition, tasks] : unknown) {
    planned.assumptions.push_back({"definition-not-described", definition,
                                   fmt::format("{} of it {} not planned: its task definition is not described",
                                               count_of(tasks, "running task"), tasks == 1 ? "is" : "are")});
  }
  if (!planned.timetable.tasks.empty()) planned.timetable.tasks.resize(planned.workloads.size());
  planned.running.clear();
  planned.in_use.clear();
  return planned;
}

}  // namespace bayplan::study
