#include "study/tenants.hpp"

#include <algorithm>

#include "study/scenario_change.hpp"

namespace bayplan::study {

using namespace placement;  // NOLINT: the study of placements is about nothing else

HostedTasks::HostedTasks(const Inquiry& inquiry, const Snapshot& snapshot) : inquiry_(inquiry), snapshot_(snapshot) {
  const auto& definitions = inquiry.scenario().task_definitions;
  for (std::uint32_t i = 0; i < definitions.size(); ++i) definitions_.emplace(definitions[i].name, i);
}

/// A task that ran before the first turn. A service of the scenario that it belongs to knows its constraints.
std::optional<Workload> HostedTasks::described(const RunningTask& task) const {
  const auto found = definitions_.find(task.task_definition);
  if (found == definitions_.end()) return std::nullopt;
  const auto& definition = inquiry_.scenario().task_definitions[found->second];
  Workload request;
  request.name = definition.family;
  request.group = task.group;
  request.task_definition = found->second;
  request.requirement = definition.requirement;
  request.constraints = definition.constraints;
  for (const auto& workload : inquiry_.scenario().workloads) {
    if (workload.group != task.group || workload.kind == WorkloadKind::kTasks) continue;
    request.kind = workload.kind;
    request.constraints = workload.constraints;
    request.availability_zones = workload.availability_zones;
    request.capacity_providers = workload.capacity_providers;
    return request;
  }
  for (const auto& service : inquiry_.scenario().services) {
    if ("service:" + service.name != task.group) continue;
    request.kind = service.kind;
    request.constraints.insert(request.constraints.end(), service.constraints.begin(), service.constraints.end());
    if (request.requirement.network_interfaces > 0) request.availability_zones = service.availability_zones;
    request.capacity_providers = service.capacity_providers;
  }
  return request;
}

HostedTasks::Kind* HostedTasks::kind_of(std::uint32_t running) {
  const auto& task = snapshot_.scenario.running[running];
  const auto& placed_by = snapshot_.placed_by[running];
  const auto& provider = inquiry_.profile_of(task.instance).capacity_provider_name;
  const auto key = placed_by ? std::tuple(std::string(), std::to_string(*placed_by), provider)
                             : std::tuple(task.task_definition, task.group, provider);
  const auto [entry, is_new] = kinds_.try_emplace(key);
  if (!is_new) return entry->second.get();
  auto request = placed_by ? std::optional(inquiry_.scenario().workloads[*placed_by]) : described(task);
  if (request) entry->second = std::make_unique<Kind>(Kind{std::move(*request), provider, false, {}});
  return entry->second.get();
}

const Workload* HostedTasks::request_of(std::uint32_t running) {
  const Kind* kind = kind_of(running);
  if (kind == nullptr || !can_leave(snapshot_.scenario, running, kind->request.requirement)) return nullptr;
  return &kind->request;
}

void HostedTasks::search(Kind& kind) {
  constexpr std::size_t kWanted = 2;  // one of them may be the task's own
  kind.is_searched = true;
  const auto& standing = inquiry_.standing();
  // A task that was dealt to a capacity provider stays with it.
  const std::string_view provider = kind.request.capacity_providers.empty() ? "" : std::string_view(kind.provider);
  // A group that runs anywhere, or that a workload names, has its number.
  Groups groups = standing.groups;
  const Filter filter(inquiry_.scenario(), groups, kind.request, groups.number(kind.request.group));
  for (std::uint32_t i = 0; i < standing.states.size() && kind.refuges.size() < kWanted; ++i) {
    if (filter.passes(i, standing.states[i], provider)) kind.refuges.push_back(i);
  }
}

std::optional<std::uint32_t> HostedTasks::other_instance_for(std::uint32_t running) {
  if (snapshot_.scenario.running[running].daemon) return std::nullopt;  // it belongs where it is
  Kind* kind = kind_of(running);
  if (kind == nullptr || kind->request.kind == WorkloadKind::kDaemon) return std::nullopt;
  if (!kind->is_searched) search(*kind);
  for (const auto instance : kind->refuges) {
    if (instance != snapshot_.scenario.running[running].instance) return instance;
  }
  return std::nullopt;
}

}  // namespace bayplan::study
