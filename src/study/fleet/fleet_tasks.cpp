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

namespace {

class TasksToPlan {
 public:
  explicit TasksToPlan(const Scenario& scenario) : scenario_(scenario), owners_(scenario_) {}

  Scenario run() && {
    for (const RunningTask& task : scenario_.running) {
      if (!task.stopping && !task.daemon) count(task);
    }
    for (const auto& plan : scenario_.timetable.services) {
      Workload& service = scenario_.workloads[plan.workload];
      if (service.kind == placement::WorkloadKind::kService) service.count = plan.desired_count;
    }
    for (const auto& [definition, tasks] : unknown_) {
      scenario_.assumptions.push_back({"definition-not-described", definition,
                                       fmt::format("{} of it {} not planned: its task definition is not described",
                                                   count_of(tasks, "running task"), tasks == 1 ? "is" : "are")});
    }
    if (!scenario_.timetable.tasks.empty()) scenario_.timetable.tasks.resize(scenario_.workloads.size());
    scenario_.running.clear();
    scenario_.in_use.clear();
    return std::move(scenario_);
  }

 private:
  void count(const RunningTask& task) {
    const std::uint32_t owner = owners_.workload_of(task);
    if (owners_.is_unknown(owner)) {
      ++unknown_[task.task_definition];
    } else {
      auto& count = scenario_.workloads[owner].count;
      count = count.value_or(0) + 1;
    }
  }

  Scenario scenario_;
  RunningWorkloads owners_;
  std::map<std::string, std::int64_t> unknown_;  ///< Tasks by definition.
};

}  // namespace

Scenario tasks_to_plan(const Scenario& scenario) {
  return TasksToPlan(scenario).run();
}

}  // namespace bayplan::study
