#pragma once
#include <cstdint>
#include <string>
#include <vector>

#include "placement/model/scenario.hpp"

namespace bayplan::report {

/// Tasks of one workload that are to be started on one container instance.
struct TasksToStart {
  std::uint32_t workload = 0;  ///< Index into Scenario::workloads.
  std::string instance;        ///< What --container-instances takes.
  std::int64_t count = 0;
};

/// The ID of the container instance that StartTask takes, the last part of its ARN; where no ARN is described, the ID
/// of the instance in the reports.
std::string container_instance_id(const placement::Scenario& scenario, std::uint32_t instance);

/// `aws ecs start-task` lines, workload by workload. Each call names an instance once, and at most ten
/// (API_StartTask). Network settings, overrides and volumes of the tasks are read from files that the lines name.
std::vector<std::string> start_task_lines(const placement::Scenario& scenario, const std::vector<TasksToStart>& tasks);

/// Says what to replace before the lines are run, where an instance without a described ARN is named by its EC2 ID or
/// by its type; else empty.
std::string start_task_note(const std::vector<TasksToStart>& tasks);

}  // namespace bayplan::report
