#include "placement/engine/not_placeable.hpp"

#include <algorithm>

#include <fmt/core.h>

namespace bayplan::placement {

namespace {

/// Whether there is an end to the tasks that fit on one instance.
bool takes_anything(const Workload& workload) {
  const auto& task = workload.requirement;
  const auto ends = [](const Constraint& constraint) {
    return constraint.type == ConstraintType::kDistinctInstance || constraint.depends_on_tasks();
  };
  return task.cpu > 0 || task.memory > 0 || task.wants_devices() || task.network_interfaces > 0 ||
         task.ebs_volumes > 0 || !task.tcp_ports.empty() || !task.udp_ports.empty() ||
         std::any_of(workload.constraints.begin(), workload.constraints.end(), ends);
}

}  // namespace

std::vector<Error> not_placeable(const Scenario& scenario) {
  auto errors = scenario.not_simulated;
  for (const auto& workload : scenario.workloads) {
    if (workload.kind == WorkloadKind::kDaemon || workload.count || takes_anything(workload)) continue;
    errors.push_back(
        {.message = "'max' of " + workload.name + " is unlimited: the task needs no resources of an instance",
         .help = "set its cpu or memory, or use --task TASKDEF=COUNT"});
  }
  return errors;
}

std::vector<Error> refuse_over_time(const Scenario& scenario, std::string_view command) {
  auto errors = scenario.over_time;
  for (auto& error : errors) {
    error.message = fmt::format("{} simulates time 0 only and does not support {}", command, error.subject);
    error.help = "remove it; bayplan place simulates runs over time";
  }
  return errors;
}

}  // namespace bayplan::placement
