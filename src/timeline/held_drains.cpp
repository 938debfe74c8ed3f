#include "timeline/held_drains.hpp"

#include <map>
#include <utility>

#include "timeline/service_terms.hpp"

namespace bayplan::timeline {
namespace {

using placement::Scenario;
using placement::WorkloadKind;

bool drains(const Scenario& scenario, const Instance& instance) {
  const bool was_draining = scenario.profiles[instance.profile].status == placement::InstanceStatus::kDraining;
  return !instance.terminated_at && (instance.draining_at || was_draining);
}

/// Of replica services only: daemons leave last, and a task of no service may take as long as it likes.
std::optional<std::uint32_t> replica_service_of(const Scenario& scenario, const History& history, const Task& task) {
  const auto service = service_of(scenario, history, task);
  if (!service) return std::nullopt;
  const auto& workload = scenario.workloads[scenario.timetable.services[*service].workload];
  return workload.kind == WorkloadKind::kService ? service : std::nullopt;
}

}  // namespace

void find_held_drains(const Scenario& scenario, const History& history, Figures& figures) {
  if (history.end_reason != EndReason::kNothingLeft) return;
  std::map<std::pair<std::uint32_t, std::uint32_t>, HeldDrain> held;
  for (std::uint32_t i = 0; i < history.tasks.size(); ++i) {
    const Task& task = history.tasks[i];
    if (task.instance == kNoIndex || task.stopped_at || !drains(scenario, history.instances[task.instance])) continue;
    if (task.running != kNoIndex && scenario.running[task.running].stopping) continue;
    const auto service = replica_service_of(scenario, history, task);
    if (!service) continue;
    const std::pair key(task.instance, *service);
    auto entry = held.find(key);
    if (entry == held.end()) entry = held.emplace(key, HeldDrain{task.instance, *service, {}, {}}).first;
    entry->second.tasks.push_back(i);
  }
  for (auto& [key, drain] : held) {
    drain.terms = terms_of(scenario, drain.service, history.end);
    figures.held_drains.push_back(std::move(drain));
  }
}

}  // namespace bayplan::timeline
