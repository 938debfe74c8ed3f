#include "placement/gpu_demand.hpp"

namespace bayplan::placement {
namespace {

Workload one_of(const Scenario& scenario, std::uint32_t definition) {
  Workload workload;
  workload.task_definition = definition;
  workload.requirement = scenario.task_definitions[definition].requirement;
  workload.constraints = scenario.task_definitions[definition].constraints;
  return workload;
}

}  // namespace

GpuDemand::GpuDemand(const Scenario& scenario) : scenario_(scenario) {
  std::vector<bool> used(scenario.task_definitions.size());
  for (const auto& workload : scenario.workloads) {
    if (workload.task_definition < used.size()) used[workload.task_definition] = true;
    if (workload.requirement.wants_gpu()) tasks_.push_back(workload);
  }
  for (std::uint32_t i = 0; i < used.size(); ++i) {
    if (!used[i] && scenario.task_definitions[i].requirement.wants_gpu()) tasks_.push_back(one_of(scenario, i));
  }
  filters_.reserve(tasks_.size());
  for (const auto& task : tasks_) filters_.emplace_back(scenario, groups_, task, 0);
}

bool GpuDemand::fits(std::uint32_t instance, const InstanceState& state) const {
  for (std::size_t i = 0; i < tasks_.size(); ++i) {
    if (filters_[i].profile_failures(scenario_.instances[instance].profile).empty() &&
        resources_fit(state, tasks_[i].requirement)) {
      return true;
    }
  }
  return false;
}

}  // namespace bayplan::placement
