#include "study/simulation/running_workloads.hpp"

#include "placement/model/service_terms.hpp"

namespace bayplan::study {

using namespace placement;  // NOLINT: the study of placements is about nothing else

namespace {

constexpr std::string_view kService = "service:";

std::string family_of(std::string_view definition) {
  return std::string(definition.substr(0, definition.rfind(':')));
}

}  // namespace

RunningWorkloads::RunningWorkloads(Scenario& scenario) : scenario_(scenario), unknown_(scenario.workloads.size()) {
  for (std::uint32_t i = 0; i < scenario.task_definitions.size(); ++i)
    definitions_.emplace(scenario.task_definitions[i].name, i);
  for (std::uint32_t i = 0; i < scenario.workloads.size(); ++i) {
    const auto& workload = scenario.workloads[i];
    if (workload.kind == WorkloadKind::kService && workload.count) services_.emplace(workload.group, i);
  }
}

std::uint32_t RunningWorkloads::workload_of(const RunningTask& task) {
  const auto service = services_.find(task.group);
  if (service != services_.end()) return service->second;
  const auto known = standalone_.find({task.group, task.task_definition});
  return known != standalone_.end() ? known->second : make(task);
}

std::uint32_t RunningWorkloads::make(const RunningTask& task) {
  const auto index = static_cast<std::uint32_t>(scenario_.workloads.size());
  const bool is_service = task.group.starts_with(kService);
  const auto definition = definitions_.find(task.task_definition);
  Workload workload;
  workload.kind = is_service ? WorkloadKind::kService : WorkloadKind::kTasks;
  workload.name = is_service ? task.group.substr(kService.size()) : family_of(task.task_definition);
  workload.group = task.group;
  workload.count = 0;
  unknown_.resize(index);
  unknown_.push_back(definition == definitions_.end() ? 1 : 0);
  if (definition != definitions_.end()) {
    const auto& known = scenario_.task_definitions[definition->second];
    workload.task_definition = definition->second;
    workload.requirement = known.requirement;
    workload.constraints = known.constraints;
  }
  for (const auto& described : scenario_.services) {
    if (is_service && described.name == workload.name) take_terms(described, workload);
  }
  scenario_.workloads.push_back(std::move(workload));
  if (is_service) {
    services_.emplace(task.group, index);
  } else {
    standalone_.emplace(std::tuple(task.group, task.task_definition), index);
  }
  return index;
}

}  // namespace bayplan::study
