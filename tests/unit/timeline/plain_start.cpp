// How things stand before the first round.
#include <algorithm>
#include <limits>

#include "timeline/plain_run.hpp"

namespace bayplan::timeline::plain {

using placement::InstanceStatus;

PlainRun::PlainRun(const placement::Scenario& scenario)
    : world_(scenario), table_(scenario.timetable), generator_(scenario.seed) {
  add_profiles();
  add_first_instances();
  add_filters();
  add_services();
  add_running_tasks();
  add_arrivals();
  add_groups();
}

/// Behind the profiles as stated: all of them DRAINING, then REGISTERING, INACTIVE, ACTIVE.
void PlainRun::add_profiles() {
  profile_count_ = static_cast<std::uint32_t>(world_.profiles.size());
  for (const auto status : {InstanceStatus::kDraining, InstanceStatus::kRegistering, InstanceStatus::kInactive}) {
    for (std::uint32_t i = 0; i < profile_count_; ++i) {
      world_.profiles.push_back(world_.profiles[i]);
      world_.profiles.back().status = status;
    }
  }
}

void PlainRun::add_filters() {
  constexpr auto kNoGroup = std::numeric_limits<std::uint32_t>::max();  // of no task
  for (const auto& workload : world_.workloads) groups_.number(workload.group);
  for (const auto& task : world_.running) groups_.number(task.group);
  for (const auto& workload : world_.workloads) {
    filters_.emplace_back(world_, groups_, workload, groups_.number(workload.group));
    daemon_filters_.emplace_back(world_, groups_, workload, kNoGroup);
  }
}

void PlainRun::add_first_instances() {
  for (std::uint32_t i = 0; i < world_.instances.size(); ++i) {
    states_.push_back(starting_state(world_, i, groups_));
    Instance own{world_.instances[i].id, world_.instances[i].profile, kNoIndex, 0, {}, {}, {}};
    if (status_of(i) == InstanceStatus::kActive) own.active_at = 0;
    if (status_of(i) == InstanceStatus::kDraining) own.draining_at = 0;
    for (std::uint32_t g = 0; g < table_.groups.size(); ++g) {
      if (table_.groups[g].capacity_provider == world_.profiles[own.profile].capacity_provider_name) own.group = g;
    }
    history_.instances.push_back(std::move(own));
    instances_.push_back({});
  }
}

void PlainRun::add_services() {
  for (std::uint32_t i = 0; i < table_.services.size(); ++i) {
    const auto& plan = table_.services[i];
    ServiceNotes notes;
    notes.plan = plan;
    notes.minimum_percent = world_.workloads[plan.workload].minimum_healthy_percent;
    notes.maximum_percent = world_.workloads[plan.workload].maximum_percent;
    notes.newest = i;
    notes.retry_delay = table_.timing.placement_retry_delay;
    services_.push_back(std::move(notes));
    history_.deployments.push_back({i, plan.workload, 0, {}, Deployment::State::kInProgress, false, 0});
  }
}

void PlainRun::add_running_tasks() {
  for (std::uint32_t i = 0; i < world_.running.size(); ++i) {
    const auto& running = world_.running[i];
    Task task;
    task.workload = kNoIndex;
    task.instance = running.instance;
    task.placed_at = 0;
    task.started_at = 0;
    task.running = i;
    TaskNotes notes;
    notes.group = groups_.number(running.group);
    notes.is_daemon = running.daemon;
    notes.stops_for_ever = running.stopping;
    notes.stop_delay = table_.timing.stop_timeout;
    notes.devices = running.gpus;
    notes.runs_at = 0;
    notes.is_healthy = true;
    for (const auto& definition : world_.task_definitions) {
      if (definition.name == running.task_definition) notes.requirement = definition.requirement;
    }
    for (std::uint32_t s = 0; s < services_.size(); ++s) {
      const auto& workload = world_.workloads[services_[s].plan.workload];
      if (running.stopping || running.group != "service:" + workload.name) continue;
      notes.service = s;
      if (world_.task_definitions[workload.task_definition].name != running.task_definition) continue;
      task.deployment = s;
      task.workload = services_[s].plan.workload;
      if (task.workload < table_.tasks.size()) notes.stop_delay = table_.tasks[*task.workload].stop_delay;
      const auto& provider = world_.profiles[world_.instances[running.instance].profile].capacity_provider_name;
      for (std::uint32_t p = 0; p < workload.capacity_providers.size(); ++p) {
        if (workload.capacity_providers[p].capacity_provider == provider) task.capacity_provider = p;
      }
    }
    history_.tasks.push_back(std::move(task));
    tasks_.push_back(std::move(notes));
  }
}

void PlainRun::add_arrivals() {
  for (const auto& call : placement_order(world_)) {
    if (world_.workloads[call.workload].kind == placement::WorkloadKind::kTasks) arrivals_.push_back(call);
  }
  std::stable_sort(arrivals_.begin(), arrivals_.end(),
                   [](const auto& a, const auto& b) { return a.start_at < b.start_at; });
}

void PlainRun::add_groups() {
  scaling_.resize(table_.groups.size());
  is_ticking_ = has_managed_group();
  for (std::uint32_t i = 0; i < table_.groups.size(); ++i) {
    const auto there = static_cast<std::int64_t>(members(i).size());
    scaling_[i].desired = std::max(table_.groups[i].min_size, there);
    for (std::int64_t n = there; n < scaling_[i].desired; ++n) launch(i, true);
  }
}

}  // namespace bayplan::timeline::plain
