#include "timeline/managed_launches.hpp"

#include <algorithm>
#include <numeric>
#include <utility>

#include "placement/model/instance_state.hpp"

namespace bayplan::timeline {

using placement::InstanceState;

namespace {

constexpr std::int64_t kLeastZones = 3;  // ECS developer guide, Managed Instances auto scaling

}  // namespace

ManagedLaunches::ManagedLaunches(const placement::Occupancy& occupancy, const placement::InstanceGroup& group,
                                 std::vector<std::uint32_t> classes)
    : scenario_(occupancy.scenario()), group_(group), checks_(scenario_), numbers_(std::move(classes)) {
  for (const std::uint32_t task_class : numbers_) {
    const std::uint32_t workload = occupancy.classes().workload_of(task_class);
    const std::uint32_t number = occupancy.group_of(workload);
    waiting_.push_back(
        {workload, number,
         placement::Filter(scenario_, occupancy.groups(), scenario_.workloads[workload], number, checks_), 0, 0});
  }
}

void ManagedLaunches::begin(const std::function<std::int64_t(std::uint32_t)>& count_waiting) {
  const auto zones = std::min<std::int64_t>(kLeastZones, static_cast<std::int64_t>(group_.availability_zones.size()));
  for (std::size_t i = 0; i < waiting_.size(); ++i) {
    auto& own = waiting_[i];
    own.count = count_waiting(numbers_[i]);
    const bool is_service = scenario_.workloads[own.workload].kind == placement::WorkloadKind::kService;
    own.quota = is_service ? (own.count + zones - 1) / zones : own.count;
  }
}

bool ManagedLaunches::has_waiting() const {
  return std::any_of(waiting_.begin(), waiting_.end(), [](const WaitingClass& one) { return one.count > 0; });
}

std::vector<std::int64_t> ManagedLaunches::fill(std::uint32_t profile, bool by_quota) const {
  InstanceState state = placement::empty_instance(scenario_.profiles[profile]);
  std::vector<std::int64_t> taken;
  for (const auto& own : waiting_) {
    auto& count = taken.emplace_back(0);
    if (own.count == 0 || !own.filter.allows(profile, group_.capacity_provider)) continue;
    const auto& requirement = scenario_.workloads[own.workload].requirement;
    const std::int64_t most = by_quota ? std::min(own.quota, own.count) : own.count;
    while (count < most && placement::resources_fit(state, requirement)) {
      if (own.filter.is_distinct() && state.tasks_of(own.group) > 0) break;
      placement::take(state, requirement, own.group);
      ++count;
    }
  }
  return taken;
}

void ManagedLaunches::subtract(const std::vector<std::int64_t>& taken) {
  for (std::size_t i = 0; i < waiting_.size(); ++i) waiting_[i].count -= taken[i];
}

void ManagedLaunches::use(std::uint32_t profile) {
  if (has_waiting()) subtract(fill(profile, false));
}

std::optional<std::uint32_t> ManagedLaunches::choose(std::size_t zone,
                                                     const std::function<bool(std::uint32_t)>& may_launch) {
  std::optional<std::uint32_t> best;
  std::vector<std::int64_t> best_taken;
  std::int64_t best_tasks = 0;
  const auto price = [&](std::uint32_t profile) { return scenario_.profiles[profile].hourly_price.value_or(0); };
  for (const auto& type : group_.types) {
    const std::uint32_t profile = type.profiles[zone];
    if (!may_launch(profile)) continue;
    auto taken = fill(profile, true);
    const auto tasks = std::accumulate(taken.begin(), taken.end(), std::int64_t{0});
    if (tasks == 0 || (best && price(profile) * best_tasks >= price(*best) * tasks)) continue;
    best = profile;
    best_taken = std::move(taken);
    best_tasks = tasks;
  }
  if (best) subtract(best_taken);
  return best;
}

}  // namespace bayplan::timeline
