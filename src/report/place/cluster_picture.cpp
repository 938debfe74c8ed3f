#include "report/place/cluster_picture.hpp"

#include <algorithm>

#include "timeline/tasks.hpp"

namespace bayplan::report {

using capacity::GpuForm;
using capacity::TaskRequirement;
using placement::Scenario;

namespace {

PicturedKind pictured_kind(std::string name, const TaskRequirement& task) {
  const bool shares = task.gpu_form == GpuForm::kMps || task.gpu_form == GpuForm::kFraction;
  return {std::move(name), task.cpu, task.memory, task.network_interfaces, shares, /*ran_before=*/false};
}

std::vector<PicturedKind> workload_kinds(const Scenario& scenario) {
  std::vector<PicturedKind> kinds;
  for (const auto& workload : scenario.workloads) kinds.push_back(pictured_kind(workload.name, workload.requirement));
  return kinds;
}

PicturedUse use_before(const Scenario& scenario, std::uint32_t instance) {
  const auto* use = scenario.use_of(instance);
  if (use == nullptr) return {};
  PicturedUse taken{use->cpu, use->memory, use->network_interfaces, use->tasks, {}};
  for (std::uint32_t gpu = 0; gpu < use->gpus.size(); ++gpu) {
    if (use->gpus[gpu] != placement::GpuUse{}) taken.gpus.push_back(gpu);
  }
  return taken;
}

}  // namespace

void take_off(PicturedUse& use, const TaskRequirement& task, const std::vector<std::uint32_t>& gpus) {
  use.cpu = std::max<CpuUnits>(0, use.cpu - task.cpu);
  use.memory = std::max<MiB>(0, use.memory - task.memory);
  use.network_interfaces = std::max<std::int64_t>(0, use.network_interfaces - task.network_interfaces);
  use.tasks = std::max<std::int64_t>(0, use.tasks - 1);
  std::erase_if(use.gpus, [&](std::uint32_t gpu) { return std::find(gpus.begin(), gpus.end(), gpu) != gpus.end(); });
}

std::uint32_t add_running_kind(ClusterPicture& picture, const std::string& task_definition,
                               const TaskRequirement& requirement) {
  const auto found = std::find_if(picture.kinds.begin(), picture.kinds.end(), [&](const PicturedKind& kind) {
    return kind.ran_before && kind.name == task_definition;
  });
  const auto index = static_cast<std::uint32_t>(found - picture.kinds.begin());
  if (found == picture.kinds.end()) {
    picture.kinds.push_back(pictured_kind(task_definition, requirement));
    picture.kinds.back().ran_before = true;
  }
  return index;
}

ClusterPicture make_empty_picture(const Scenario& scenario) {
  ClusterPicture picture{.scenario = &scenario, .kinds = workload_kinds(scenario), .instances = {}, .tasks = {}};
  for (std::uint32_t i = 0; i < scenario.instances.size(); ++i) {
    const auto& instance = scenario.instances[i];
    picture.instances.push_back({instance.id, instance.profile, 0, {}, {}, use_before(scenario, i)});
  }
  return picture;
}

ClusterPicture make_cluster_picture(const PlaceReport& report) {
  const Scenario& scenario = report.scenario;
  ClusterPicture picture = make_empty_picture(scenario);
  for (const auto& placement : report.outcome.placements) {
    const auto& workload = scenario.workloads[placement.attempt.workload];
    picture.tasks.push_back({placement.attempt.workload,
                             placement.attempt.number,
                             placement.instance,
                             0,
                             {},
                             placement::list_devices(workload.requirement, placement.gpus)});
  }
  return picture;
}

ClusterPicture make_cluster_picture(const TimelineReport& report) {
  const auto& scenario = report.scenario();
  const auto& history = report.history();
  const timeline::Requirements requirements(scenario, history);
  ClusterPicture picture{
      .scenario = &scenario, .kinds = workload_kinds(scenario), .instances = {}, .tasks = {}, .end = history.end};
  for (std::uint32_t i = 0; i < history.instances.size(); ++i) {
    const auto& one = history.instances[i];
    const bool is_of_scenario = i < scenario.instances.size();
    const auto from = is_of_scenario ? 0 : one.active_at.value_or(history.end + 1);
    picture.instances.push_back({one.id, one.profile, from, one.draining_at, one.terminated_at,
                                 is_of_scenario ? use_before(scenario, i) : PicturedUse{}});
  }
  for (const auto& task : history.tasks) {
    if (!task.placed_at || task.instance == timeline::kNoIndex) continue;
    const auto& requirement = requirements.of(task);
    if (task.running == timeline::kNoIndex) {
      picture.tasks.push_back({*task.workload, task.number, *task.instance, *task.placed_at, task.stopped_at,
                               placement::list_devices(requirement, task.gpus)});
      continue;
    }
    const auto& described = scenario.running[*task.running];
    take_off(picture.instances[*task.instance].other, requirement, described.gpus);
    picture.tasks.push_back({add_running_kind(picture, described.task_definition, requirement), task.number,
                             *task.instance, 0, task.stopped_at, described.gpus});
  }
  return picture;
}

}  // namespace bayplan::report
