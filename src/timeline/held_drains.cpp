#include "timeline/held_drains.hpp"

#include <map>
#include <utility>

namespace bayplan::timeline {
namespace {

using placement::Scenario;
using placement::WorkloadKind;

bool drains(const Scenario& scenario, const Instance& instance) {
  const bool was_draining = scenario.profiles[instance.profile].status == placement::InstanceStatus::kDraining;
  return !instance.terminated_at && (instance.draining_at || was_draining);
}

/// Of replica services only: daemons leave last, and a task of no service may take as long as it likes.
std::optional<std::uint32_t> service_of(const Scenario& scenario, const History& history, const Task& task) {
  const auto& services = scenario.timetable.services;
  const auto is_replica = [&](std::uint32_t service) {
    return scenario.workloads[services[service].workload].kind == WorkloadKind::kService;
  };
  if (task.deployment != kNoIndex) {
    const auto service = history.deployments[task.deployment].service;
    return is_replica(service) ? std::optional(service) : std::nullopt;
  }
  if (task.running == kNoIndex) return std::nullopt;
  for (std::uint32_t i = 0; i < services.size(); ++i) {
    if (is_replica(i) && scenario.workloads[services[i].workload].group == scenario.running[task.running].group)
      return i;
  }
  return std::nullopt;
}

/// What is in force at the end of the run.
HeldDrain of_service(const Scenario& scenario, std::uint32_t service, Seconds end) {
  const auto& plan = scenario.timetable.services[service];
  const auto& workload = scenario.workloads[plan.workload];
  HeldDrain drain;
  drain.service = service;
  drain.desired = plan.desired_count;
  drain.minimum_healthy_percent = workload.minimum_healthy_percent;
  drain.maximum_percent = workload.maximum_percent;
  for (const auto& update : scenario.timetable.happenings) {
    if (update.kind != placement::HappeningKind::kUpdateService || update.service != service || update.at > end)
      continue;
    drain.desired = update.desired_count.value_or(drain.desired);
    drain.minimum_healthy_percent = update.minimum_healthy_percent.value_or(drain.minimum_healthy_percent);
    drain.maximum_percent = update.maximum_percent.value_or(drain.maximum_percent);
  }
  return drain;
}

}  // namespace

void find_held_drains(const Scenario& scenario, const History& history, Figures& figures) {
  if (history.end_reason != EndReason::kNothingLeft) return;
  std::map<std::pair<std::uint32_t, std::uint32_t>, HeldDrain> held;
  for (std::uint32_t i = 0; i < history.tasks.size(); ++i) {
    const Task& task = history.tasks[i];
    if (task.instance == kNoIndex || task.stopped_at || !drains(scenario, history.instances[task.instance])) continue;
    if (task.running != kNoIndex && scenario.running[task.running].stopping) continue;
    const auto service = service_of(scenario, history, task);
    if (!service) continue;
    const std::pair key(task.instance, *service);
    auto entry = held.find(key);
    if (entry == held.end()) entry = held.emplace(key, of_service(scenario, *service, history.end)).first;
    entry->second.instance = task.instance;
    entry->second.tasks.push_back(i);
  }
  for (auto& [key, drain] : held) figures.held_drains.push_back(std::move(drain));
}

}  // namespace bayplan::timeline
