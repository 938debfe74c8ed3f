#include "scenario/quota_notes.hpp"

#include <cstdint>
#include <set>
#include <string>
#include <string_view>

#include <fmt/core.h>

#include "catalog/ecs_quotas.hpp"

namespace bayplan::scenario {

using namespace placement;  // NOLINT: what is loaded becomes the input of placement

namespace {

std::set<std::string_view> capacity_providers(const Scenario& scenario) {
  std::set<std::string_view> names;
  for (const auto& profile : scenario.profiles) names.insert(profile.capacity_provider_name);
  for (const auto& group : scenario.timetable.groups) names.insert(group.capacity_provider);
  for (const auto& workload : scenario.workloads) {
    for (const auto& share : workload.capacity_providers) names.insert(share.capacity_provider);
  }
  names.erase("");
  return names;
}

void note_run_task_calls(Scenario& scenario, const Workload& workload, std::int64_t tasks) {
  const std::int64_t most = catalog::ecs_quota("tasks-per-run-task").value;
  if (tasks <= most) return;
  const auto calls = (tasks + most - 1) / most;
  assume(scenario, "run-task-calls", workload.name,
         workload.all_or_nothing
             ? fmt::format("one RunTask call starts {} tasks at most: {} would take {} calls, each by itself", most,
                           tasks, calls)
             : fmt::format("one RunTask call starts {} tasks at most: {} take {} calls", most, tasks, calls));
}

}  // namespace

void note_quotas(Scenario& scenario) {
  const auto note = [&](std::string_view quota, std::string subject, std::int64_t count, std::string_view things,
                        std::string_view whole) {
    auto text = catalog::quota_excess(quota, count, things, whole);
    if (!text.empty()) assume(scenario, std::string(catalog::kEcsQuotaExceeded), std::move(subject), std::move(text));
  };
  const std::string cluster = scenario.cluster_name.empty() ? "cluster" : scenario.cluster_name;
  const auto count = [](const auto& list) { return static_cast<std::int64_t>(list.size()); };
  note("container-instances-per-cluster", cluster, count(scenario.instances), "container instances", "cluster");
  note("services-per-cluster", cluster, count(scenario.timetable.services), "services", "cluster");
  note("capacity-providers-per-cluster", cluster, count(capacity_providers(scenario)), "capacity providers", "cluster");
  for (const auto& service : scenario.timetable.services)
    note("tasks-per-service", scenario.workloads[service.workload].name, service.desired_count, "tasks", "service");
  for (std::size_t i = 0; i < scenario.workloads.size(); ++i) {
    const auto& workload = scenario.workloads[i];
    if (workload.kind != WorkloadKind::kTasks) continue;
    std::int64_t most = workload.count.value_or(0);
    for (const auto& call : scenario.calls) {
      if (call.workload == i) most = std::max(most, call.count);
    }
    note_run_task_calls(scenario, workload, most);
  }
}

}  // namespace bayplan::scenario
