// What happened becomes the baseline of what happens next; and the way back.
#include <algorithm>
#include <cassert>

#include "study/standing_cluster.hpp"

namespace bayplan::study {

using namespace placement;  // NOLINT: the study of placements is about nothing else

void StandingCluster::keep() {
  assert(added_.empty() && lost_.empty() && more_.empty());
  for (const std::uint32_t instance : drained_) leave(instance);
  Kept kept;
  kept.base_tasks = base_tasks_;
  kept.daemons = base_daemons_;
  kept.waiting_services = waiting_services_;
  kept.waiting_tasks = waiting_tasks_;
  stand_anew(kept);
  keep_figures(kept);
  keep_waiting();
  for (const auto& saved : saved_) is_saved_[saved.instance] = 0;
  kept.saved = std::move(saved_);
  kept.changed_tasks = std::move(changed_tasks_);
  base_daemons_ = daemons_;
  base_tasks_ = static_cast<std::uint32_t>(tasks_.size());
  kept_.push_back(std::move(kept));
  forget_happening();
}

/// What is left there goes with it: standalone tasks have ended, daemons end now.
void StandingCluster::leave(std::uint32_t instance) {
  for (const std::uint32_t task : tasks_on_[instance]) {
    assert(scenario_.workloads[tasks_[task].workload].kind == WorkloadKind::kTasks ||
           tasks_[task].instance != instance);
    if (tasks_[task].instance == instance) drop(task);
  }
  daemons_.started -= daemons_on_[instance].started;
  daemons_.failed -= daemons_on_[instance].failed;
  occupancy_.remove_instance(instance);
}

/// Of the tasks that changed place or came.
void StandingCluster::stand_anew(Kept& kept) {
  const auto edit = [&](std::uint32_t instance) -> std::vector<std::uint32_t>& {
    kept.tasks_on.try_emplace(instance, tasks_on_[instance]);
    return tasks_on_[instance];
  };
  const auto arrive = [&](std::uint32_t task) {
    const std::uint32_t instance = tasks_[task].instance;
    if (instance == kNowhere) return;
    const auto& there = tasks_on_[instance];
    if (std::find(there.begin(), there.end(), task) == there.end()) edit(instance).push_back(task);
  };
  for (const auto& [task, before] : changed_tasks_) {
    if (before.instance != kNowhere && tasks_[task].instance != before.instance)
      std::erase(edit(before.instance), task);
    arrive(task);
  }
  for (auto task = base_tasks_; task < tasks_.size(); ++task) arrive(task);
}

void StandingCluster::keep_figures(Kept& kept) {
  for (const std::uint32_t workload : touched_services_) {
    auto& own = services_[workload];
    assert(own.draining == 0);
    own.left = own.started = 0;
    kept.services.emplace_back(workload, std::move(base_services_[workload]));
    base_services_[workload] = own;
  }
  for (const std::uint32_t name : touched_names_) {
    auto& own = names_[name];
    assert(own.held == 0 && own.stays == 0);
    own.moves = 0;
    kept.names.emplace_back(name, base_names_[name]);
    base_names_[name] = own;
  }
}

void StandingCluster::keep_waiting() {
  for (const std::uint32_t workload : touched_services_) {
    const auto known = std::lower_bound(waiting_services_.begin(), waiting_services_.end(), workload);
    const bool is_known = known != waiting_services_.end() && *known == workload;
    const bool is_waiting = !services_[workload].placeless.empty();
    if (is_waiting && !is_known) waiting_services_.insert(known, workload);
    if (!is_waiting && is_known) waiting_services_.erase(known);
  }
  std::erase_if(waiting_tasks_, [&](std::uint32_t task) { return tasks_[task].instance != kNowhere; });
}

void StandingCluster::take_back() {
  undo();
  auto kept = std::move(kept_.back());
  kept_.pop_back();
  for (auto& saved : kept.saved) {
    scenario_.instances[saved.instance].profile = saved.profile;
    occupancy_.restore(saved.instance, std::move(saved.state));
  }
  while (!kept.changed_tasks.empty()) {
    tasks_[kept.changed_tasks.back().first] = std::move(kept.changed_tasks.back().second);
    kept.changed_tasks.pop_back();
  }
  forget_tasks_from(kept.base_tasks);
  for (auto& [workload, before] : kept.services) services_[workload] = base_services_[workload] = std::move(before);
  for (const auto& [name, before] : kept.names) names_[name] = base_names_[name] = before;
  for (auto& [instance, before] : kept.tasks_on) tasks_on_[instance] = std::move(before);
  waiting_services_ = std::move(kept.waiting_services);
  waiting_tasks_ = std::move(kept.waiting_tasks);
  daemons_ = base_daemons_ = kept.daemons;
  base_tasks_ = kept.base_tasks;
  next_version();
}

void StandingCluster::forget_tasks_from(std::uint32_t first) {
  for (auto task = static_cast<std::uint32_t>(tasks_.size()); task-- > first;)
    members_of_[tasks_[task].workload].pop_back();
  tasks_.resize(first);
}

void StandingCluster::forget_happening() {
  for (const std::uint32_t workload : touched_services_) is_touched_service_[workload] = 0;
  for (const std::uint32_t name : touched_names_) is_touched_name_[name] = 0;
  for (const std::uint32_t instance : drained_) draining_[instance] = 0;
  saved_.clear();
  changed_tasks_.clear();
  added_.clear();
  touched_services_.clear();
  touched_names_.clear();
  drained_.clear();
  lost_.clear();
  more_.clear();
  moved_.clear();
  started_.clear();
  started_daemons_.clear();
  motions_.clear();
  failures_.clear();
  failed_class_.clear();
  ties_ = rows_ = 0;
  next_version();
}

}  // namespace bayplan::study
