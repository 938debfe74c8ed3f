// What a standing cluster does of itself, but for its services: daemons and standalone tasks; and the way back.
#include <algorithm>

#include "placement/capacity_providers.hpp"
#include "placement/strategies.hpp"
#include "study/standing_cluster.hpp"

namespace bayplan::study {

using namespace placement;  // NOLINT: the study of placements is about nothing else

void StandingCluster::react() {
  start_daemons();
  start_services();
  start_standalone();
  close_services();
}

void StandingCluster::start_daemons() {
  for (std::uint32_t workload = 0; workload < scenario_.workloads.size() && !added_.empty(); ++workload) {
    if (scenario_.workloads[workload].kind != WorkloadKind::kDaemon) continue;
    for (const std::uint32_t instance : added_) {
      const Filter& filter = chooser_.filter_of(occupancy_.classes().number(workload, 0));
      const auto& state = occupancy_.states()[instance];
      if (!filter.wants_daemon(instance, state)) continue;
      const bool fits = filter.passes(instance, state, {});
      if (fits) started_daemons_.push_back({workload, instance, occupancy_.take(workload, instance)});
      ++(fits ? daemons_.started : daemons_.failed);
    }
  }
}

/// Those that were lost, then those without a place in the baseline, then those that a scale adds; each in order of
/// turns. Of a call that is placed as a whole the first of them speaks for all.
void StandingCluster::start_standalone() {
  std::sort(lost_.begin(), lost_.end());
  const auto waiting = lost_.size();
  std::vector<std::uint32_t> order = lost_;
  order.insert(order.end(), waiting_tasks_.begin(), waiting_tasks_.end());
  order.insert(order.end(), more_.begin(), more_.end());
  std::vector<std::uint32_t> calls;
  for (std::size_t i = 0; i < order.size(); ++i) {
    const auto& task = tasks_[order[i]];
    if (task.is_dropped) continue;
    if (task.call == kNowhere || !scenario_.workloads[task.workload].all_or_nothing) {
      start_again(order[i], i < waiting);
    } else if (std::find(calls.begin(), calls.end(), task.call) == calls.end()) {
      calls.push_back(task.call);
      start_call_again(calls_[task.call]);
    }
  }
}

void StandingCluster::start_again(std::uint32_t task, bool was_placed) {
  if (!try_place(task)) return;
  auto& name = change_name(tasks_[task].workload);
  ++name.placed;
  if (!was_placed) return;
  ++name.moves;
  moved_.push_back(task);
}

void StandingCluster::start_call_again(const Call& call) {
  std::vector<std::uint32_t> tasks;
  for (std::uint32_t task = call.first; task < call.first + call.count; ++task) {
    if (!tasks_[task].is_dropped) tasks.push_back(task);
  }
  std::vector<std::uint32_t> stood;
  for (const std::uint32_t task : tasks) stood.push_back(place_before(task));
  if (!try_place_together(call.workload, tasks)) return;
  auto& name = change_name(call.workload);
  name.placed += static_cast<std::int64_t>(tasks.size());
  for (std::size_t i = 0; i < tasks.size(); ++i) {
    if (stood[i] == kNowhere || stood[i] == tasks_[tasks[i]].instance) continue;
    ++name.moves;
    moved_.push_back(tasks[i]);
  }
}

std::uint32_t StandingCluster::place_before(std::uint32_t task) const {
  for (const auto& [changed, before] : changed_tasks_) {
    if (changed == task) return before.instance;
  }
  return tasks_[task].instance;
}

bool StandingCluster::try_place_together(std::uint32_t workload, const std::vector<std::uint32_t>& tasks) {
  const auto& last = call_failed_at_[workload];
  const auto count = static_cast<std::int64_t>(tasks.size());
  if (last.version == version_ && count > last.would_fit && !draws(scenario_.workloads[workload], scenario_.ties))
    return false;
  const std::uint64_t before = version_;
  for (std::size_t i = 0; i < tasks.size(); ++i) {
    if (try_place(tasks[i])) continue;
    for (std::size_t taken = 0; taken < i; ++taken) give_back(tasks[taken]);
    version_ = before;  // nothing has changed
    const auto would_fit = static_cast<std::int64_t>(i);
    call_failed_at_[workload] = {version_, would_fit};
    const auto failure = failures_.find(tasks_[tasks[i]].task_class);
    if (failure != failures_.end()) {
      failure->second.would_fit = would_fit;
      for (const std::uint32_t task : tasks) failed_class_[task] = failure->first;
    }
    return false;
  }
  return true;
}

// Changes that the journal knows.

void StandingCluster::save(std::uint32_t instance) {
  if (instance >= base_instances_ || is_saved_[instance] != 0) return;
  is_saved_[instance] = 1;
  saved_.push_back({instance, scenario_.instances[instance].profile, occupancy_.states()[instance]});
}

StandingTask& StandingCluster::change(std::uint32_t task) {
  if (task < base_tasks_) changed_tasks_.emplace_back(task, tasks_[task]);
  return tasks_[task];
}

StandingCluster::Service& StandingCluster::change_service(std::uint32_t workload) {
  if (is_touched_service_[workload] == 0) touched_services_.push_back(workload);
  is_touched_service_[workload] = 1;
  return services_[workload];
}

NameFigures& StandingCluster::change_name(std::uint32_t workload) {
  const std::uint32_t name = name_of_workload_[workload];
  if (is_touched_name_[name] == 0) touched_names_.push_back(name);
  is_touched_name_[name] = 1;
  return names_[name];
}

bool StandingCluster::try_place(std::uint32_t task) {
  const auto& own = tasks_[task];
  if (is_unknown(own) || failed_at_[own.task_class] == version_) return false;
  if (const auto choice = chooser_.choose(own.task_class)) {
    take(task, *choice);
    return true;
  }
  note_failure(task);
  return false;
}

void StandingCluster::take(std::uint32_t task, Choice choice) {
  save(choice.instance);
  auto& own = change(task);
  own.instance = choice.instance;
  own.gpus = occupancy_.take(own.workload, choice.instance);
  own.is_started = true;
  motions_.push_back({task, choice.instance, true});
  if (choice.tied) ++ties_;
  if (explains_) started_.push_back(task);
  next_version();
}

const capacity::TaskRequirement& StandingCluster::requirement_of(const StandingTask& task) const {
  const bool ran_before = task.running != kNowhere && !task.is_started;
  return ran_before ? of_running_[task.running] : scenario_.workloads[task.workload].requirement;
}

void StandingCluster::give_back(std::uint32_t task) {
  save(tasks_[task].instance);
  auto& own = change(task);
  const auto& requirement = requirement_of(own);
  const bool ran_before = own.running != kNowhere && !own.is_started;
  const auto gpus = ran_before ? scenario_.running[own.running].gpus : devices_of(requirement, own.gpus);
  occupancy_.give_back(own.instance, requirement, occupancy_.group_of(own.workload), gpus);
  motions_.push_back({task, own.instance, false});
  own.instance = kNowhere;
  next_version();
}

void StandingCluster::note_failure(std::uint32_t task) {
  const auto& own = tasks_[task];
  failed_at_[own.task_class] = version_;
  if (!explains_) return;
  const auto instances = static_cast<std::int64_t>(occupancy_.standing_count());
  const bool in_full = instances <= static_cast<std::int64_t>(kFullExplanationLimit) &&
                       rows_ + instances <= static_cast<std::int64_t>(kFullExplanationRows);
  const Turn turn{own.workload, own.number, task, occupancy_.classes().provider_of(own.task_class)};
  auto failure = chooser_.explain(turn, own.task_class, in_full);
  rows_ += static_cast<std::int64_t>(failure.instances.size());
  failures_.insert_or_assign(own.task_class, std::move(failure));
}

const Failure* StandingCluster::failure_of(std::uint32_t task) const {
  const auto own = failed_class_.find(task);
  const auto found = failures_.find(own == failed_class_.end() ? tasks_[task].task_class : own->second);
  return found == failures_.end() ? nullptr : &found->second;
}

std::int64_t StandingCluster::room_for(std::uint32_t workload) {
  struct Taken {
    std::uint32_t instance = 0;
    std::vector<ContainerGpus> gpus;
  };
  std::vector<Taken> taken;
  const auto& shares = scenario_.workloads[workload].capacity_providers;
  ProviderDeal deal(shares);
  chooser_.draw_anew();
  while (static_cast<std::int64_t>(taken.size()) < kMostThatFit) {
    const auto choice = chooser_.choose(occupancy_.classes().number(workload, shares.empty() ? 0 : deal.next()));
    if (!choice) break;
    taken.push_back({choice->instance, occupancy_.take(workload, choice->instance)});
  }
  for (const auto& one : taken) occupancy_.give_back(workload, one.instance, one.gpus);
  return static_cast<std::int64_t>(taken.size());
}

void StandingCluster::undo() {
  for (auto& saved : saved_) {
    scenario_.instances[saved.instance].profile = saved.profile;
    occupancy_.restore(saved.instance, std::move(saved.state));
    is_saved_[saved.instance] = 0;
  }
  for (const std::uint32_t instance : added_) occupancy_.remove_instance(instance);
  while (!changed_tasks_.empty()) {
    tasks_[changed_tasks_.back().first] = std::move(changed_tasks_.back().second);
    changed_tasks_.pop_back();
  }
  forget_tasks_from(base_tasks_);
  calls_.resize(base_calls_);
  for (const std::uint32_t workload : touched_services_) {
    services_[workload] = base_services_[workload];
    is_touched_service_[workload] = 0;
  }
  for (const std::uint32_t name : touched_names_) {
    names_[name] = base_names_[name];
    is_touched_name_[name] = 0;
  }
  daemons_ = base_daemons_;
  forget_happening();
}

}  // namespace bayplan::study
