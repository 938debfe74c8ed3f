#include "fleet/ideal/task_groups.hpp"

#include "placement/model/capacity_providers.hpp"

namespace bayplan::fleet {

using placement::Scenario;
using placement::Workload;

std::int64_t with_headroom(std::int64_t count, Percent percent) {
  constexpr std::int64_t kWhole = kHundredPercent.hundredths;
  return (count * (kWhole + percent.hundredths) + kWhole - 1) / kWhole;
}

namespace {

void deal(std::uint32_t index, const Workload& workload, std::int64_t count, std::vector<TaskGroup>& task_groups) {
  std::vector<std::int64_t> counts(workload.capacity_providers.size());
  placement::ProviderDistributor providers(workload.capacity_providers);
  for (std::int64_t i = 0; i < count; ++i) ++counts[providers.next()];
  for (std::uint32_t i = 0; i < counts.size(); ++i) {
    if (counts[i] > 0) task_groups.push_back({index, i, counts[i]});
  }
}

}  // namespace

std::vector<TaskGroup> group_tasks(const Scenario& scenario, Percent headroom_percent) {
  std::vector<TaskGroup> task_groups;
  for (std::uint32_t i = 0; i < scenario.workloads.size(); ++i) {
    const Workload& workload = scenario.workloads[i];
    if (workload.kind == placement::WorkloadKind::kDaemon) continue;
    const std::int64_t count = with_headroom(workload.count.value_or(0), headroom_percent);
    if (!workload.capacity_providers.empty()) {
      deal(i, workload, count, task_groups);
    } else if (count > 0) {
      task_groups.push_back({i, {}, count});
    }
  }
  return task_groups;
}

}  // namespace bayplan::fleet
