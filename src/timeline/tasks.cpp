#include "timeline/tasks.hpp"

#include <algorithm>
#include <map>

#include "base/numbered_name.hpp"

namespace bayplan::timeline {

using capacity::GpuForm;
using capacity::TaskRequirement;

std::string task_id(const placement::Scenario& scenario, const Task& task) {
  if (task.running != kNoIndex) return scenario.running[*task.running].id;
  return numbered_name(scenario.workloads[*task.workload].name, task.number);
}

bool is_daemon(const placement::Scenario& scenario, const Task& task) {
  if (task.running != kNoIndex) return scenario.running[*task.running].daemon;
  return scenario.workloads[*task.workload].kind == placement::WorkloadKind::kDaemon;
}

std::string_view capacity_provider_of(const placement::Scenario& scenario, const Task& task) {
  if (task.running != kNoIndex || task.capacity_provider == kNoIndex) return {};
  return scenario.workloads[*task.workload].capacity_providers[*task.capacity_provider].capacity_provider;
}

Requirements::Requirements(const placement::Scenario& scenario, const History& history) : scenario_(scenario) {
  if (scenario.running.empty()) return;
  std::map<std::string_view, const TaskRequirement*> known;
  for (const auto& definition : scenario.task_definitions) known.try_emplace(definition.name, &definition.requirement);
  std::size_t most = 0;
  for (const auto& task : scenario.running) most = std::max(most, task.gpus.size());
  unknown_.resize(most + 1);
  for (std::size_t count = 1; count <= most; ++count) {
    unknown_[count].gpu_form = GpuForm::kCount;
    unknown_[count].gpu_count = static_cast<std::int64_t>(count);
  }
  running_.resize(scenario.running.size());
  for (const auto& task : history.tasks) {
    if (task.running == kNoIndex) continue;
    const auto& described = scenario.running[*task.running];
    const auto found = known.find(described.task_definition);
    running_[*task.running] = found == known.end() ? &unknown_[described.gpus.size()] : found->second;
  }
}

const TaskRequirement& Requirements::of(const Task& task) const {
  return task.running == kNoIndex ? scenario_.workloads[*task.workload].requirement : *running_[*task.running];
}

std::int64_t gpu_millionths(const TaskRequirement& task, const placement::InstanceProfile& profile) {
  constexpr std::int64_t kWhole = 1'000'000;
  switch (task.gpu_form) {
    case GpuForm::kNone:
    case GpuForm::kNeuron:
      return 0;
    case GpuForm::kCount:
      return task.gpu_count * profile.gpu_fraction_millionths;
    case GpuForm::kAll:
      return profile.gpu_count * profile.gpu_fraction_millionths;
    case GpuForm::kFraction:
      return task.gpu_fraction_millionths;
    case GpuForm::kMps:
      return profile.gpu_memory == 0 ? 0 : task.mps_memory * kWhole / profile.gpu_memory;
  }
  return 0;
}

}  // namespace bayplan::timeline
