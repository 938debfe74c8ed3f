// The life of an instance, from its launch to its end.
#include "timeline/cluster.hpp"

#include <algorithm>

namespace bayplan::timeline {

using placement::InstanceStatus;

std::uint32_t Cluster::launch(std::uint32_t profile_index, std::uint32_t group, std::string id, std::uint32_t cause) {
  const auto index = static_cast<std::uint32_t>(instances_.size());
  scenario_.instances.push_back({id, profile_index});
  history_.instances.push_back({.id = std::move(id), .profile = profile_index, .group = group, .launched_at = now});
  instances_.push_back({.stage = InstanceStage::kBooting});
  occupancy_->add_instances();
  set_status(index, InstanceStatus::kRegistering);
  instances_[index].last_event =
      log({.kind = EventKind::kInstanceLaunched, .subject = index, .instance = index, .cause = cause});
  return index;
}

void Cluster::set_status(std::uint32_t instance, InstanceStatus status) {
  const std::uint32_t base = history_.instances[instance].profile;
  if (scenario_.profiles[base].status == status) {
    scenario_.instances[instance].profile = base;
    return occupancy_->change_profile(instance);
  }
  const auto next = static_cast<std::uint32_t>(scenario_.profiles.size());
  const auto [known, is_new] = profile_with_.try_emplace({base, status}, next);
  if (is_new) {
    scenario_.profiles.push_back(scenario_.profiles[base]);
    scenario_.profiles.back().status = status;
  }
  scenario_.instances[instance].profile = known->second;
  occupancy_->change_profile(instance);
}

void Cluster::activate(std::uint32_t index) {
  instances_[index].stage = InstanceStage::kActive;
  history_.instances[index].active_at = now;
  set_status(index, InstanceStatus::kActive);
  instances_[index].last_event = log(
      {.kind = EventKind::kInstanceActive, .subject = index, .instance = index, .cause = instances_[index].last_event});
}

void Cluster::drain(std::uint32_t index, std::uint32_t cause) {
  instances_[index].stage = InstanceStage::kDraining;
  history_.instances[index].draining_at = now;
  set_status(index, InstanceStatus::kDraining);
  instances_[index].last_event =
      log({.kind = EventKind::kInstanceDraining, .subject = index, .instance = index, .cause = cause});
  for (const std::uint32_t task : instances_[index].tasks) touch(task);
}

void Cluster::terminate(std::uint32_t index, std::uint32_t cause) {
  auto& own = instances_[index];
  own.stage = InstanceStage::kGone;
  history_.instances[index].terminated_at = now;
  own.last_event = log({.kind = EventKind::kInstanceTerminated, .subject = index, .instance = index, .cause = cause});
  auto tasks = own.tasks;
  std::sort(tasks.begin(), tasks.end());
  for (const std::uint32_t task : tasks) {
    if (!history_.tasks[task].stopped_at) finish(task);
  }
  occupancy_->remove_instance(index);
}

bool Cluster::has_standalone(std::uint32_t index) const {
  const auto& tasks = instances_[index].tasks;
  return std::any_of(tasks.begin(), tasks.end(), [&](std::uint32_t task) {
    const std::uint32_t running = history_.tasks[task].running;
    const bool is_daemon = running != kNoIndex && scenario_.running[running].daemon;
    return live_[task].service == kNoIndex && !is_daemon;
  });
}

}  // namespace bayplan::timeline
