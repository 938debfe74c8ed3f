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

class RunPicture {
 public:
  explicit RunPicture(const TimelineReport& report)
      : scenario_(report.scenario()), history_(report.history()), requirements_(scenario_, history_) {
    picture_.scenario = &scenario_;
    picture_.kinds = workload_kinds(scenario_);
    picture_.end = history_.end;
  }

  ClusterPicture make() && {
    for (std::uint32_t i = 0; i < history_.instances.size(); ++i) add_instance(i);
    for (const auto& task : history_.tasks) add_task(task);
    return std::move(picture_);
  }

 private:
  void add_instance(std::uint32_t index) {
    const auto& one = history_.instances[index];
    const bool is_of_scenario = index < scenario_.instances.size();
    const auto from = is_of_scenario ? 0 : one.active_at.value_or(history_.end + 1);
    picture_.instances.push_back({one.id, one.profile, from, one.draining_at, one.terminated_at,
                                  is_of_scenario ? use_before(scenario_, index) : PicturedUse{}});
  }

  void add_task(const timeline::Task& task) {
    if (!task.placed_at || task.instance == timeline::kNoIndex) return;
    const auto& requirement = requirements_.of(task);
    if (task.running == timeline::kNoIndex) {
      picture_.tasks.push_back({*task.workload, task.number, *task.instance, *task.placed_at, task.stopped_at,
                                placement::list_devices(requirement, task.gpus)});
      return;
    }
    const auto& described = scenario_.running[*task.running];
    take_off(picture_.instances[*task.instance].other, requirement, described.gpus);
    picture_.tasks.push_back({add_running_kind(picture_, described.task_definition, requirement), task.number,
                              *task.instance, 0, task.stopped_at, described.gpus});
  }

  const Scenario& scenario_;
  const timeline::History& history_;
  timeline::Requirements requirements_;
  ClusterPicture picture_;
};

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
  return RunPicture(report).make();
}

}  // namespace bayplan::report
