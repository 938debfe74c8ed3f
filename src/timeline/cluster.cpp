#include "timeline/cluster.hpp"

#include <algorithm>
#include <set>

#include "placement/engine/gpu_devices.hpp"
#include "placement/engine/nearest.hpp"
#include "placement/model/running_requirements.hpp"

namespace bayplan::timeline {

using placement::InstanceStatus;

namespace {

constexpr std::uint64_t kNoVersion = std::numeric_limits<std::uint64_t>::max();

std::vector<char> managed_classes(const placement::Scenario& scenario, const placement::TaskClasses& classes) {
  std::set<std::string_view> managed(scenario.managed_providers.begin(), scenario.managed_providers.end());
  for (const auto& group : scenario.timetable.groups) {
    if (group.is_managed) managed.insert(group.capacity_provider);
  }
  std::vector<char> is_managed;
  for (std::uint32_t i = 0; i < classes.size(); ++i) {
    const auto provider = classes.provider_of(i);
    is_managed.push_back(!provider.empty() && managed.contains(provider) ? 1 : 0);
  }
  return is_managed;
}

}  // namespace

Cluster::Cluster(const placement::Scenario& scenario)
    : given_(scenario), scenario_(scenario), numbers_(scenario.workloads) {
  reserve();
  occupancy_.emplace(scenario_);
  chooser_.emplace(*occupancy_);
  const auto& classes = occupancy_->classes();
  is_managed_class_ = managed_classes(scenario_, classes);
  provisioning_of_.resize(classes.size());
  failed_at_.assign(classes.size(), kNoVersion);
  explained_.assign(classes.size(), {kNoVersion, kNoIndex});
  for (std::uint32_t i = 0; i < scenario_.instances.size(); ++i) {
    const auto& own = profile(i);
    const bool is_active = own.status == InstanceStatus::kActive;
    const bool drains = own.status == InstanceStatus::kDraining;
    instances_.push_back({.stage = is_active ? InstanceStage::kActive : InstanceStage::kDraining});
    history_.instances.push_back({.id = scenario_.instances[i].id, .profile = scenario_.instances[i].profile});
    if (is_active) history_.instances.back().active_at = 0;
    if (drains) history_.instances.back().draining_at = 0;
  }
  add_running();
}

/// Room for what the calls alone bring; a vector that grows by itself holds everything twice for a while. The calls
/// have had their use: the queue has them.
void Cluster::reserve() {
  constexpr std::size_t kEventsOfTask = 6;  // what is not used is not touched
  std::size_t tasks = scenario_.running.size();
  for (const auto& call : scenario_.calls) tasks += static_cast<std::size_t>(call.count);
  history_.tasks.reserve(tasks);
  live_.reserve(tasks);
  history_.events.reserve(kEventsOfTask * tasks);
  scenario_.calls = {};
}

void Cluster::add_running() {
  of_running_ = placement::requirements_of_running(scenario_);
  std::map<std::string_view, std::uint32_t> services;
  const auto& plans = timetable().services;
  for (std::uint32_t i = 0; i < plans.size(); ++i) services.emplace(scenario_.workloads[plans[i].workload].group, i);
  for (std::uint32_t i = 0; i < scenario_.running.size(); ++i) {
    const auto& running = scenario_.running[i];
    Task task;
    LiveTask live;
    task.running = i;
    task.workload = kNoIndex;
    task.instance = running.instance;
    task.placed_at = task.started_at = 0;
    live.is_healthy = true;
    const auto service = services.find(running.group);
    if (service != services.end() && !running.stopping) {
      live.service = service->second;
      const auto& workload = scenario_.workloads[plans[service->second].workload];
      if (scenario_.task_definitions[workload.task_definition].name == running.task_definition) {
        task.workload = plans[service->second].workload;
        task.deployment = service->second;
        for (std::uint32_t p = 0; p < workload.capacity_providers.size(); ++p) {
          if (workload.capacity_providers[p].capacity_provider == profile(running.instance).capacity_provider_name)
            task.capacity_provider = p;
        }
      }
    }
    auto& instance = instances_[running.instance];
    instance.tasks.push_back(i);
    if (!running.daemon) ++instance.busy;
    history_.tasks.push_back(std::move(task));
    live_.push_back(live);
  }
}

const capacity::TaskRequirement& Cluster::requirement_of(std::uint32_t index) const {
  const auto& own = history_.tasks[index];
  return own.running != kNoIndex ? of_running_[own.running] : scenario_.workloads[own.workload].requirement;
}

bool Cluster::is_up(std::uint32_t index) const {
  const auto& own = history_.tasks[index];
  if (!own.placed_at || own.stopped_at || live_[index].stopping != StopCause::kNone) return false;
  return own.running == kNoIndex || !scenario_.running[own.running].stopping;
}

std::uint32_t Cluster::class_of(std::uint32_t index) const {
  const auto& own = history_.tasks[index];
  return occupancy_->classes().number(own.workload, own.capacity_provider == kNoIndex ? 0 : own.capacity_provider);
}

std::uint32_t Cluster::log(const Event& event) {
  history_.events.push_back(event);
  history_.events.back().at = now;
  return last_event();
}

bool Cluster::holds(Step step, Seconds at, std::uint32_t index) const {
  switch (step) {
    case Step::kStop:
      return !task(index).stopped_at && live_[index].stop_due == at;
    case Step::kRunning:
      return is_pending(index) && live_[index].running_due == at;
    case Step::kHealthy:
      return is_up(index) && !live_[index].is_healthy && task(index).started_at.has_value();
    case Step::kTimeout:
      return needs_placement(index) && is_provisioning(index);
    case Step::kActive:
      return instances_[index].stage == InstanceStage::kBooting;
    case Step::kRetry:
      break;
  }
  return false;
}

void Cluster::touch(std::uint32_t task) {
  if (live_[task].service != kNoIndex) touched_services_.push_back(live_[task].service);
}

std::vector<std::uint32_t> Cluster::take_touched_services() {
  std::sort(touched_services_.begin(), touched_services_.end());
  touched_services_.erase(std::unique(touched_services_.begin(), touched_services_.end()), touched_services_.end());
  return std::exchange(touched_services_, {});
}

}  // namespace bayplan::timeline
