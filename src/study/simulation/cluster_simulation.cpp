#include "study/simulation/cluster_simulation.hpp"

#include <cassert>
#include <set>
#include <tuple>

#include "placement/model/capacity_providers.hpp"
#include "placement/model/scenario.hpp"
#include "placement/model/stop_rule.hpp"
#include "placement/model/strategies.hpp"
#include "study/simulation/events_by_kind.hpp"

namespace bayplan::study {

using namespace placement;  // NOLINT: the study of placements is about nothing else
using timeline::ServiceCounts;
using timeline::ServiceTerms;

namespace {

std::vector<OptionalIndex> workloads_of_running(const Scenario& scenario, RunningWorkloads& owners) {
  std::set<std::string, std::less<>> daemons;  // owners move the workloads
  for (const auto& workload : scenario.workloads) {
    if (workload.kind == WorkloadKind::kDaemon) daemons.insert(workload.group);
  }
  std::vector<OptionalIndex> workloads;
  workloads.reserve(scenario.running.size());
  for (const auto& task : scenario.running) {
    const bool is_wanted = !task.daemon && !task.stopping && !daemons.contains(task.group);
    workloads.push_back(is_wanted ? OptionalIndex(owners.workload_of(task)) : kNone);
  }
  return workloads;
}

bool contains(const std::vector<std::uint32_t>& sorted, std::uint32_t number) {
  return std::binary_search(sorted.begin(), sorted.end(), number);
}

/// Instances of the two profiles are interchangeable.
bool is_same(const InstanceProfile& a, const InstanceProfile& b) {
  const auto parts = [](const InstanceProfile& profile) {
    return std::tie(profile.instance_type, profile.availability_zone, profile.subnet_id, profile.capacity_provider_name,
                    profile.attributes, profile.has_all_capabilities, profile.status, profile.agent_connected,
                    profile.gpu_sharing, profile.cpu, profile.memory, profile.gpu_count,
                    profile.gpu_fraction_millionths, profile.gpu_memory, profile.neuron_devices,
                    profile.network_interfaces, profile.ebs_attachments, profile.interfaces_take_attachments,
                    profile.reserved_tcp_ports, profile.reserved_udp_ports, profile.hourly_price);
  };
  return parts(a) == parts(b);
}

}  // namespace

// The start.

ClusterSimulation::ClusterSimulation(const Scenario& scenario, const Outcome& outcome)
    : scenario_(scenario),
      running_requirements_(requirements_of_running(scenario_)),
      owners_(scenario_),
      workload_of_running_(workloads_of_running(scenario_, owners_)),
      occupancy_(scenario_),
      chooser_(make_chooser(occupancy_)),
      attempts_(occupancy_.classes().size(), scenario_.workloads.size()),
      base_instances_(static_cast<std::uint32_t>(scenario_.instances.size())),
      base_profiles_(static_cast<std::uint32_t>(scenario_.profiles.size())),
      tasks_of_(scenario_.workloads.size()),
      is_saved_(scenario_.instances.size()) {
  auto starting = starting_tasks(scenario_, outcome, workload_of_running_, occupancy_);
  daemons_on_ = std::move(starting.daemons);
  calls_ = Journaled(std::move(starting.calls));
  tasks_ = Journaled(std::move(starting.tasks));
  number_names();
  count_starting_tasks();
}

void ClusterSimulation::number_names() {
  std::map<std::pair<std::string_view, bool>, std::uint32_t> names;
  for (std::uint32_t i = 0; i < scenario_.workloads.size(); ++i) {
    const auto& workload = scenario_.workloads[i];
    name_of_workload_.emplace_back();
    if (workload.kind == WorkloadKind::kDaemon || !workload.count) continue;
    const auto next = static_cast<std::uint32_t>(names.size());
    const auto [name, is_new] = names.try_emplace({workload.name, workload.kind == WorkloadKind::kService}, next);
    name_of_workload_.back() = name->second;
    if (is_new) first_workload_.push_back(i);
  }
}

void ClusterSimulation::count_starting_tasks() {
  std::vector<NameFigures> names(first_workload_.size());
  std::vector<Service> services(scenario_.workloads.size());
  std::vector<std::vector<std::uint32_t>> tasks_on(scenario_.instances.size());
  for (std::uint32_t i = 0; i < services.size(); ++i)
    services[i].by_provider.resize(scenario_.workloads[i].capacity_providers.size());
  for (std::uint32_t i = 0; i < tasks_.size(); ++i) {
    const auto& task = tasks_[i];
    const bool is_placed = task.instance != kNoInstance;
    auto& name = names[*name_of_workload_[task.workload]];
    ++name.desired;
    if (is_placed) ++(task.is_outdated ? name.held : name.placed);
    name.last_number = std::max(name.last_number, task.number);
    tasks_of_[task.workload].push_back(i);
    if (is_placed) tasks_on[*task.instance].push_back(i);
    if (is_service(task)) {
      auto& service = services[task.workload];
      ++service.desired;
      if (task.is_outdated) {
        ++service.outdated;
        continue;
      }
      service.placed += is_placed ? 1 : 0;
      if (!is_placed) service.unplaced.push_back(i);
      const auto provider = counted_provider(scenario_, occupancy_, task);
      if (provider) ++service.by_provider[*provider];
    } else if (!is_placed) {
      unplaced_tasks_.push_back(i);
    }
  }
  names_ = Journaled(std::move(names));
  services_ = Journaled(std::move(services));
  tasks_on_ = Journaled(std::move(tasks_on));
}

// The events.

void ClusterSimulation::apply(const std::vector<InstantEvent>& events, bool explains,
                              std::optional<std::uint32_t> redeployed) {
  attempts_.start(explains);
  chooser_->draw_anew();
  const auto [terminated, drained, removals, additions, scales] = by_kind(events);
  auto gone = terminated;
  for (const auto* removal : removals) add_sorted(gone, instances_to_remove(*removal, gone, drained));
  for (const std::uint32_t instance : gone) lose(instance);
  for (const std::uint32_t instance : drained) {
    if (!contains(gone, instance)) drain(instance);
  }
  for (const auto* addition : additions) {
    for (const auto& instance : addition->instances) add_instance(addition->profiles[instance.profile], instance.id);
  }
  for (const auto* one : scales) scale(*one);
  if (redeployed && runs_both(*redeployed)) side_by_side_ = {*redeployed};
  if (redeployed) redeploy(*redeployed);
  for (const std::uint32_t task : applied_.lost) release_call_of(task);
  start_daemons();
  run_services();
  start_standalone();
  count_figures();
}

std::vector<std::uint32_t> ClusterSimulation::instances_to_remove(const RemoveInstances& event,
                                                                  const std::vector<std::uint32_t>& gone,
                                                                  const std::vector<std::uint32_t>& draining) const {
  std::vector<std::uint32_t> instances;
  for (std::uint32_t i = 0; i < base_instances_; ++i) {
    const auto& profile = scenario_.profiles[scenario_.instances[i].profile];
    if (profile.instance_type == event.instance_type && !contains(gone, i) && !contains(draining, i))
      instances.push_back(i);
  }
  std::sort(instances.begin(), instances.end(), [&](std::uint32_t a, std::uint32_t b) {
    return std::pair(tasks_on_[a].size(), b) < std::pair(tasks_on_[b].size(), a);
  });
  instances.resize(std::min(instances.size(), static_cast<std::size_t>(event.count)));
  return instances;
}

/// An instance that was added and rolled back before serves again: its number and its indexes are known already.
void ClusterSimulation::add_instance(const InstanceProfile& profile, const std::string& id) {
  auto known = base_profiles_;
  while (known < scenario_.profiles.size() && !is_same(scenario_.profiles[known], profile)) ++known;
  if (known == scenario_.profiles.size()) scenario_.profiles.push_back(profile);
  auto instance = applied_.added.empty() ? base_instances_ : applied_.added.back() + 1;
  while (instance < scenario_.instances.size() &&
         (scenario_.instances[instance].id != id || scenario_.instances[instance].profile != known))
    ++instance;
  if (instance == scenario_.instances.size()) {
    scenario_.instances.push_back({id, known});
    occupancy_.add_instances();
  } else {
    occupancy_.restore(instance, empty_instance(scenario_.profiles[known]));
  }
  applied_.added.push_back(instance);
  attempts_.note_change();
}

void ClusterSimulation::lose(std::uint32_t instance) {
  save(instance);
  for (const std::uint32_t index : tasks_on_[instance]) {
    auto& task = tasks_.edit(index);
    task.instance = kNoInstance;
    if (is_service(task)) {
      auto& service = services_.edit(task.workload);
      --(task.is_outdated ? service.outdated : service.placed);
      ++service.left;
      if (!task.is_outdated) leave_provider(task);
      task.is_removed = true;  // the service starts another one
    } else {
      applied_.lost.push_back(index);
    }
  }
  occupancy_.remove_instance(instance);
  attempts_.note_change();
}

/// An instance that is not ACTIVE takes no tasks anyway, and its tasks have been moved or not.
void ClusterSimulation::drain(std::uint32_t instance) {
  const std::uint32_t base = scenario_.instances[instance].profile;
  if (scenario_.profiles[base].status != InstanceStatus::kActive) return;
  save(instance);
  const auto next = static_cast<std::uint32_t>(scenario_.profiles.size());
  const auto [known, is_new] = draining_profile_.try_emplace(base, next);
  if (is_new) {
    scenario_.profiles.push_back(scenario_.profiles[base]);
    scenario_.profiles.back().status = InstanceStatus::kDraining;
  }
  scenario_.instances[instance].profile = known->second;
  occupancy_.change_profile(instance);
  applied_.drained.push_back(instance);
  applied_.tasks_on_drained += tasks_on_[instance].size();
  attempts_.note_change();
  for (const std::uint32_t index : tasks_on_[instance]) {
    const auto& task = tasks_[index];
    if (!is_service(task)) continue;
    auto& service = services_.edit(task.workload);
    --service.placed;
    ++service.outdated;
    leave_provider(task);
  }
}

void ClusterSimulation::redeploy(std::uint32_t workload) {
  for (const std::uint32_t index : tasks_of_[workload]) {
    const auto& task = tasks_[index];
    if (task.instance != kNoInstance && !is_draining(*task.instance) && !task.is_outdated) outdate(index);
  }
}

/// A service task with an instance is to be replaced.
void ClusterSimulation::outdate(std::uint32_t index) {
  auto& service = services_.edit(tasks_[index].workload);
  --service.placed;
  ++service.outdated;
  leave_provider(tasks_[index]);
  tasks_.edit(index).is_outdated = true;
}

void ClusterSimulation::settle(const std::vector<ServiceTarget>& targets) {
  attempts_.start(false);
  chooser_->draw_anew();
  std::vector<const ServiceTarget*> target_of(services_.size());
  for (const auto& target : targets) {
    target_of[target.workload] = &target;
    if (services_[target.workload].desired != target.desired) services_.edit(target.workload).desired = target.desired;
  }
  for (std::uint32_t index = 0; index < tasks_.committed_size(); ++index) {
    const auto& task = tasks_[index];
    if (!is_service(task) || task.running == kNone) continue;
    const auto* target = target_of[task.workload];
    const bool is_old =
        target != nullptr && scenario_.running[*task.running].task_definition != target->task_definition;
    if (is_old && runs_both(task.workload)) side_by_side_.insert(task.workload);
    if (is_old && !task.is_outdated) outdate(index);
  }
  run_services();
  stop_replaced_revisions();
  run_services();
  start_standalone();
  count_figures();
}

/// A deployment that runs both revisions ends when the new one is complete. Until then every old task stays.
void ClusterSimulation::stop_replaced_revisions() {
  const auto services = side_by_side_;
  for (const std::uint32_t workload : services) {
    auto& service = services_.edit(workload);
    if (service.placed < service.desired) continue;
    side_by_side_.erase(workload);
    for (const std::uint32_t index : tasks_of_[workload]) {
      if (!tasks_[index].is_outdated || tasks_[index].instance == kNoInstance) continue;
      stop(index);
      tasks_.edit(index).is_removed = true;
      --service.outdated;
      ++service.left;
    }
  }
}

void ClusterSimulation::scale(const Scale& event) {
  if (event.workloads.empty()) return;
  const std::uint32_t first = event.workloads.front();
  if (scenario_.workloads[first].kind != WorkloadKind::kService) return scale_tasks(event.workloads, event.count);
  services_.edit(first).desired = event.count;
}

void ClusterSimulation::scale_tasks(const std::vector<std::uint32_t>& workloads, std::int64_t count) {
  std::vector<std::uint32_t> tasks;
  for (const std::uint32_t workload : workloads) {
    for (const std::uint32_t task : tasks_of_[workload]) {
      if (tasks_[task].call != kNone) tasks.push_back(task);
    }
  }
  const auto has = static_cast<std::int64_t>(tasks.size());
  if (count >= has) return call_more(workloads.back(), count - has);
  std::sort(tasks.begin(), tasks.end(), [&](std::uint32_t a, std::uint32_t b) {
    const auto order = [&](std::uint32_t task) {
      return std::pair(tasks_[task].instance != kNoInstance, -tasks_[task].number);
    };
    return order(a) < order(b);
  });
  tasks.resize(static_cast<std::size_t>(has - count));
  for (const std::uint32_t task : tasks) remove(task);
}

/// One more RunTask call.
void ClusterSimulation::call_more(std::uint32_t workload, std::int64_t count) {
  if (count == 0) return;
  const auto& shares = scenario_.workloads[workload].capacity_providers;
  ProviderDistributor deal(shares);
  const std::uint32_t call = calls_.size();
  calls_.push_back({workload, tasks_.size(), static_cast<std::uint32_t>(count)});
  auto& name = names_.edit(*name_of_workload_[workload]);
  for (; count > 0; --count) {
    SimulatedTask task;
    task.workload = workload;
    task.task_class = occupancy_.classes().number(workload, shares.empty() ? 0 : deal.next());
    task.number = ++name.last_number;
    task.call = call;
    applied_.called.push_back(add_task(std::move(task)));
  }
}

/// What is placed as a whole ends as a whole.
void ClusterSimulation::release_call_of(std::uint32_t lost) {
  const auto& task = tasks_[lost];
  if (task.is_removed || task.call == kNone || !scenario_.workloads[task.workload].all_or_nothing) return;
  const RunTaskCall call = calls_[*task.call];
  for (std::uint32_t other = call.first; other < call.first + call.count; ++other) {
    if (tasks_[other].instance != kNoInstance) stop(other);
  }
}

/// Nobody wants the RunTask task any more.
void ClusterSimulation::remove(std::uint32_t task) {
  if (tasks_[task].instance != kNoInstance) stop(task);
  tasks_.edit(task).is_removed = true;
}

// What the cluster does by itself: daemons first, then services, then RunTask tasks that somebody runs again.

void ClusterSimulation::start_daemons() {
  for (std::uint32_t workload = 0; workload < scenario_.workloads.size() && !applied_.added.empty(); ++workload) {
    if (scenario_.workloads[workload].kind != WorkloadKind::kDaemon) continue;
    for (const std::uint32_t instance : applied_.added) {
      const Filter& filter = chooser_->filter_of(occupancy_.classes().number(workload, 0));
      const auto& state = occupancy_.states()[instance];
      if (!filter.wants_daemon(instance, state)) continue;
      if (filter.passes(instance, state, {})) {
        applied_.started_daemons.push_back({workload, instance, occupancy_.take(workload, instance)});
      } else {
        ++applied_.failed_daemons;
      }
    }
  }
}

/// All of them scale in first; then each in order does what it can, until none can do anything.
void ClusterSimulation::run_services() {
  std::vector<std::uint32_t> services;
  for (std::uint32_t i = 0; i < services_.size(); ++i) {
    if (services_.is_edited(i) || !services_[i].unplaced.empty() || services_[i].outdated > 0) services.push_back(i);
  }
  for (const std::uint32_t workload : services) scale_in(workload);
  std::vector<std::optional<placement::StopOrder>> orders(services.size());
  for (bool has_changed = true; has_changed;) {
    has_changed = false;
    for (std::size_t i = 0; i < services.size(); ++i) has_changed |= run_service(services[i], orders[i]);
  }
}

/// False when it has nothing to do. `order`: of its outdated tasks, made when the first of them stops.
bool ClusterSimulation::run_service(std::uint32_t workload, std::optional<placement::StopOrder>& order) {
  const std::uint64_t changes = attempts_.changes();
  const std::uint32_t tasks = tasks_.size();
  const ServiceTerms own = terms(workload);
  start_missing(workload);
  place_unplaced(workload, order);
  while (has_replaced_tasks(own, counts(workload)) && stop_outdated(workload, order)) {
  }
  for (auto count = tasks_to_make_room_for(own, counts(workload)); count > 0 && stop_outdated(workload, order);)
    --count;
  return changes != attempts_.changes() || tasks != tasks_.size();
}

ServiceTerms ClusterSimulation::terms(std::uint32_t workload) const {
  const auto& own = scenario_.workloads[workload];
  // Room for both revisions in full, and no old task may stop.
  constexpr std::int64_t kBoth = 200;
  if (side_by_side_.contains(workload)) return {services_[workload].desired, kBoth, kBoth};
  return {services_[workload].desired, own.minimum_healthy_percent, own.maximum_percent};
}

bool ClusterSimulation::runs_both(std::uint32_t workload) const {
  const auto* settings = settings_of(scenario_.timetable, workload);
  return settings != nullptr && settings->runs_both();
}

/// Every task with an instance is healthy.
ServiceCounts ClusterSimulation::counts(std::uint32_t workload) const {
  const auto& own = services_[workload];
  return {.current_unplaced = static_cast<std::int64_t>(own.unplaced.size()),
          .current_placed = own.placed,
          .current_healthy = own.placed,
          .outdated_placed = own.outdated,
          .outdated_healthy = own.outdated};
}

void ClusterSimulation::scale_in(std::uint32_t workload) {
  std::optional<placement::StopOrder> order;
  for (auto count = tasks_to_scale_in(counts(workload), services_[workload].desired); count > 0; --count) {
    auto& service = services_.edit(workload);
    const bool is_unplaced = !service.unplaced.empty();
    const std::uint32_t task = is_unplaced ? service.unplaced.back() : next_to_stop(order, workload, false);
    leave_provider(tasks_[task]);
    if (is_unplaced) {
      service.unplaced.pop_back();
    } else {
      stop(task);
      --service.placed;
    }
    tasks_.edit(task).is_removed = true;
  }
}

void ClusterSimulation::start_missing(std::uint32_t workload) {
  const auto& shares = scenario_.workloads[workload].capacity_providers;
  for (auto count = tasks_to_start(terms(workload), counts(workload), services_[workload].desired); count > 0;
       --count) {
    auto& service = services_.edit(workload);
    const std::size_t provider = shares.empty() ? 0 : ProviderDistributor(shares, service.by_provider).next();
    if (!shares.empty()) ++service.by_provider[provider];
    SimulatedTask task;
    task.workload = workload;
    task.task_class = occupancy_.classes().number(workload, provider);
    task.number = ++names_.edit(*name_of_workload_[workload]).last_number;
    service.unplaced.push_back(add_task(std::move(task)));
  }
}

void ClusterSimulation::place_unplaced(std::uint32_t workload, std::optional<placement::StopOrder>& order) {
  const auto& classes = occupancy_.classes();
  const std::size_t providers = std::max<std::size_t>(1, scenario_.workloads[workload].capacity_providers.size());
  const auto may_place_any = [&] {
    for (std::size_t i = 0; i < providers; ++i) {
      if (!attempts_.has_failed(classes.number(workload, i))) return true;
    }
    return false;
  };
  // Where no task of any class has room, those behind are not looked at: a deployment asks again after each stop.
  const auto& unplaced = services_[workload].unplaced;
  std::size_t tried = 0;
  std::vector<std::uint32_t> still;
  for (; tried < unplaced.size() && may_place_any(); ++tried) {
    if (!try_place(unplaced[tried])) {
      still.push_back(unplaced[tried]);
    } else if (order) {
      order->count_started(*tasks_[unplaced[tried]].instance);
    }
  }
  const auto started = static_cast<std::int64_t>(tried - still.size());
  if (started == 0) return;
  auto& service = services_.edit(workload);
  service.placed += started;
  service.started += started;
  service.unplaced.erase(service.unplaced.begin(), service.unplaced.begin() + started);
  std::copy(still.begin(), still.end(), service.unplaced.begin());
}

/// False when the service has to wait.
bool ClusterSimulation::stop_outdated(std::uint32_t workload, std::optional<placement::StopOrder>& order) {
  if (next_outdated_to_stop(terms(workload), counts(workload)) == timeline::OutdatedStop::kWait) return false;
  auto& service = services_.edit(workload);
  const std::uint32_t task = next_to_stop(order, workload, true);
  stop(task);
  tasks_.edit(task).is_removed = true;
  --service.outdated;
  ++service.left;
  return true;
}

/// The tasks of the service on the instances that drain now.
std::vector<StoppableTask> ClusterSimulation::draining_tasks(std::uint32_t workload) const {
  std::vector<StoppableTask> tasks;
  for (const std::uint32_t instance : applied_.drained) {
    for (const std::uint32_t index : tasks_on_[instance]) {
      const auto& task = tasks_[index];
      if (task.workload == workload && task.instance == instance)
        tasks.push_back({index, instance, &requirement(task)});
    }
  }
  return tasks;
}

/// The next task in the order, which is made where there is none yet.
std::uint32_t ClusterSimulation::next_to_stop(std::optional<placement::StopOrder>& order, std::uint32_t workload,
                                              bool is_outdated) const {
  if (order) return order->next();
  // Most services have all their outdated tasks on one instance: the strategies rank these alike wherever the others
  // are, so no other task is looked at. Where many instances drain together, a small service has fewer tasks than they.
  const bool has_many = applied_.tasks_on_drained < tasks_of_[workload].size();
  if (const auto draining = is_outdated && has_many ? draining_tasks(workload) : std::vector<StoppableTask>();
      !draining.empty()) {
    const bool are_all = std::ssize(draining) == services_[workload].outdated;
    const bool is_one_instance = std::all_of(draining.begin(), draining.end(), [&](const StoppableTask& task) {
      return task.instance == draining.front().instance;
    });
    if (are_all && draining.size() == 1) return draining.front().task;
    if (are_all && is_one_instance) return order.emplace(occupancy_, draining, draining, workload).next();
  }
  std::vector<StoppableTask> candidates, tasks;
  candidates.reserve(tasks_of_[workload].size());
  tasks.reserve(tasks_of_[workload].size());
  for (const std::uint32_t index : tasks_of_[workload]) {
    const auto& task = tasks_[index];
    if (task.instance == kNoInstance) continue;
    tasks.push_back({index, *task.instance, &requirement(task)});
    if ((is_draining(*task.instance) || task.is_outdated) == is_outdated) candidates.push_back(tasks.back());
  }
  return order.emplace(occupancy_, candidates, tasks, workload).next();
}

void ClusterSimulation::leave_provider(const SimulatedTask& task) {
  const auto provider = counted_provider(scenario_, occupancy_, task);
  if (provider) --services_.edit(task.workload).by_provider[*provider];
}

/// Lost tasks, then those that were not placed before, then those that a scale adds. The first task of a call that is
/// placed as a whole represents all of them.
void ClusterSimulation::start_standalone() {
  auto order = applied_.lost;
  std::sort(order.begin(), order.end());
  order.insert(order.end(), unplaced_tasks_.begin(), unplaced_tasks_.end());
  order.insert(order.end(), applied_.called.begin(), applied_.called.end());
  std::vector<std::uint32_t> calls;
  for (const std::uint32_t index : order) {
    const auto& task = tasks_[index];
    if (task.is_removed) continue;
    if (task.call == kNone || !scenario_.workloads[task.workload].all_or_nothing) {
      try_place(index);
    } else if (std::find(calls.begin(), calls.end(), task.call) == calls.end()) {
      calls.push_back(*task.call);
      start_call(calls_[*task.call]);
    }
  }
}

/// All tasks of the call, or none.
void ClusterSimulation::start_call(const RunTaskCall& call) {
  std::vector<std::uint32_t> tasks;
  for (std::uint32_t task = call.first; task < call.first + call.count; ++task) {
    if (!tasks_[task].is_removed) tasks.push_back(task);
  }
  if (attempts_.has_call_failed(call.workload, tasks.size()) &&
      !draws(scenario_.workloads[call.workload], scenario_.ties))
    return;
  const std::uint64_t version = attempts_.version();
  const auto transitions = applied_.transitions.size();
  const auto ties = applied_.ties;
  for (std::size_t i = 0; i < tasks.size(); ++i) {
    if (try_place(tasks[i])) continue;
    for (std::size_t placed = 0; placed < i; ++placed) stop(tasks[placed]);
    // Nothing of a trial is started or stopped.
    applied_.transitions.resize(transitions);
    applied_.ties = ties;
    attempts_.return_to(version);  // nothing has changed
    attempts_.add_call(call.workload, i);
    return attempts_.explain_call(tasks, tasks_[tasks[i]].task_class, i);
  }
}

// What has become of each name, from what the journals have noted.

void ClusterSimulation::count_figures() {
  for (const auto& [workload, before] : services_.edited()) {
    const auto& now = services_[workload];
    auto& name = names_.edit(*name_of_workload_[workload]);
    name.desired += now.desired - before.desired;
    name.placed += now.placed - before.placed;
    name.held += now.outdated - before.outdated;
    name.moves += std::min(now.left, now.started);
  }
  SimulatedTask nothing;
  nothing.is_removed = true;
  for (const auto& [index, before] : tasks_.edited()) count_standalone(before, tasks_[index]);
  for (auto index = tasks_.committed_size(); index < tasks_.size(); ++index) count_standalone(nothing, tasks_[index]);
  for (const std::uint32_t instance : applied_.drained) {
    for (const std::uint32_t index : tasks_on_[instance]) {
      const auto& task = tasks_[index];
      if (!is_service(task) && task.instance == instance) ++names_.edit(*name_of_workload_[task.workload]).stays;
    }
  }
}

void ClusterSimulation::count_standalone(const SimulatedTask& before, const SimulatedTask& now) {
  if (is_service(now)) return;
  const auto one = [](bool holds) { return holds ? 1 : 0; };
  const bool was_placed = before.instance != kNoInstance;
  const bool is_placed = now.instance != kNoInstance;
  auto& name = names_.edit(*name_of_workload_[now.workload]);
  name.desired += one(!now.is_removed) - one(!before.is_removed);
  name.placed += one(is_placed) - one(was_placed);
  name.moves += one(was_placed && is_placed && before.instance != now.instance);
}

std::vector<std::uint32_t> ClusterSimulation::touched_names() const {
  std::vector<std::uint32_t> names;
  for (const auto& edit : names_.edited()) names.push_back(edit.first);
  std::sort(names.begin(), names.end());
  return names;
}

/// Tasks of a service are alike: the first ones that were started represent those that left.
std::vector<std::uint32_t> ClusterSimulation::moved_tasks() const {
  std::vector<std::uint32_t> moved;
  for (const auto& [workload, before] : services_.edited()) {
    auto count = std::min(services_[workload].left, services_[workload].started);
    for (const std::uint32_t task : tasks_of_[workload]) {
      if (count == 0) break;
      if (!tasks_[task].is_started || tasks_[task].instance == kNoInstance) continue;
      moved.push_back(task);
      --count;
    }
  }
  for (const auto& [task, before] : tasks_.edited()) {
    const auto& now = tasks_[task];
    const bool was_placed = before.instance != kNoInstance;
    if (!is_service(now) && was_placed && now.instance != kNoInstance && now.instance != before.instance)
      moved.push_back(task);
  }
  return moved;
}

DaemonCounts ClusterSimulation::daemons() const {
  DaemonCounts all{static_cast<std::int64_t>(applied_.started_daemons.size()), applied_.failed_daemons};
  for (std::uint32_t i = 0; i < base_instances_; ++i) {
    if (occupancy_.is_gone(i)) continue;
    all.started += daemons_on_[i].started;
    all.failed += daemons_on_[i].failed;
  }
  return all;
}

// Single tasks.

std::uint32_t ClusterSimulation::add_task(SimulatedTask task) {
  const std::uint32_t index = tasks_.size();
  tasks_of_[task.workload].push_back(index);
  tasks_.push_back(std::move(task));
  return index;
}

bool ClusterSimulation::try_place(std::uint32_t index) {
  const auto& task = tasks_[index];
  if (is_unknown(task) || attempts_.has_failed(task.task_class)) return false;
  const auto choice = chooser_->choose(task.task_class);
  if (!choice) {
    note_failure(index);
    return false;
  }
  save(choice->instance);
  auto& own = tasks_.edit(index);
  own.instance = choice->instance;
  own.gpus = occupancy_.take(own.workload, choice->instance);
  own.is_started = true;
  applied_.transitions.push_back({index, choice->instance, true});
  applied_.ties += choice->tied ? 1 : 0;
  attempts_.note_change();
  return true;
}

void ClusterSimulation::note_failure(std::uint32_t index) {
  const auto& task = tasks_[index];
  attempts_.add(task.task_class);
  if (!attempts_.explains()) return;
  const auto instances = static_cast<std::int64_t>(occupancy_.standing_count());
  const bool in_full = instances <= static_cast<std::int64_t>(kFullExplanationLimit) &&
                       attempts_.rows() + instances <= static_cast<std::int64_t>(kFullExplanationRows);
  const PlacementAttempt attempt{task.workload, task.number, index,
                                 occupancy_.classes().provider_position(task.task_class)};
  attempts_.explain(task.task_class, chooser_->explain(attempt, task.task_class, in_full));
}

void ClusterSimulation::stop(std::uint32_t index) {
  save(*tasks_[index].instance);
  auto& task = tasks_.edit(index);
  const auto& own = requirement(task);
  const bool ran_before = task.running != kNone && !task.is_started;
  const auto gpus = ran_before ? scenario_.running[*task.running].gpus : list_devices(own, task.gpus);
  occupancy_.give_back(*task.instance, own, occupancy_.group_of(task.workload), gpus);
  applied_.transitions.push_back({index, *task.instance, false});
  task.instance = kNoInstance;
  attempts_.note_change();
}

const capacity::TaskRequirement& ClusterSimulation::requirement(const SimulatedTask& task) const {
  const bool ran_before = task.running != kNone && !task.is_started;
  return ran_before ? running_requirements_[*task.running] : scenario_.workloads[task.workload].requirement;
}

bool ClusterSimulation::is_managed(std::uint32_t task_class) const {
  const auto& managed = scenario_.managed_providers;
  const std::string provider(occupancy_.classes().find_provider(task_class));
  return !provider.empty() && std::binary_search(managed.begin(), managed.end(), provider);
}

std::int64_t ClusterSimulation::room_for(std::uint32_t workload) {
  struct Taken {
    std::uint32_t instance = 0;
    std::vector<ContainerGpus> gpus;
  };
  std::vector<Taken> taken;
  const auto& shares = scenario_.workloads[workload].capacity_providers;
  ProviderDistributor deal(shares);
  chooser_->draw_anew();
  while (static_cast<std::int64_t>(taken.size()) < kMaxThatFit) {
    const auto choice = chooser_->choose(occupancy_.classes().number(workload, shares.empty() ? 0 : deal.next()));
    if (!choice) break;
    taken.push_back({choice->instance, occupancy_.take(workload, choice->instance)});
  }
  for (const auto& one : taken) occupancy_.give_back(workload, one.instance, one.gpus);
  return static_cast<std::int64_t>(taken.size());
}

// Undoing.

void ClusterSimulation::save(std::uint32_t instance) {
  if (instance >= base_instances_ || is_saved_[instance] != 0) return;
  is_saved_[instance] = 1;
  applied_.saved.push_back({instance, scenario_.instances[instance].profile, occupancy_.states()[instance]});
}

void ClusterSimulation::restore(std::vector<SavedInstance>& saved) {
  for (auto& one : saved) {
    scenario_.instances[one.instance].profile = one.profile;
    occupancy_.restore(one.instance, std::move(one.state));
    is_saved_[one.instance] = 0;
  }
}

void ClusterSimulation::forget_tasks_from(std::uint32_t first) {
  for (std::uint32_t task = tasks_.size(); task-- > first;) tasks_of_[tasks_[task].workload].pop_back();
}

void ClusterSimulation::rollback() {
  restore(applied_.saved);
  for (const std::uint32_t instance : applied_.added) occupancy_.remove_instance(instance);
  forget_tasks_from(tasks_.committed_size());
  tasks_.rollback();
  calls_.rollback();
  services_.rollback();
  names_.rollback();
  applied_ = {};
  side_by_side_.clear();
  attempts_.forget();
}

void ClusterSimulation::commit() {
  assert(applied_.added.empty() && applied_.lost.empty() && applied_.called.empty());
  for (const std::uint32_t instance : applied_.drained) {
    for (const std::uint32_t task : tasks_on_[instance]) {
      if (tasks_[task].instance != instance) continue;
      assert(!is_service(tasks_[task]));
      auto& name = names_.edit(*name_of_workload_[tasks_[task].workload]);
      --name.desired;
      --name.placed;
      --name.stays;
      remove(task);
    }
    occupancy_.remove_instance(instance);
  }
  rebase();
  Commit own;
  own.unplaced_tasks = unplaced_tasks_;
  std::erase_if(unplaced_tasks_, [&](std::uint32_t task) { return tasks_[task].instance != kNoInstance; });
  own.saved = std::move(applied_.saved);
  for (const auto& saved : own.saved) is_saved_[saved.instance] = 0;
  own.tasks = tasks_.commit();
  own.services = services_.commit();
  own.names = names_.commit();
  own.tasks_on = tasks_on_.commit();
  commits_.push_back(std::move(own));
  applied_ = {};
  attempts_.forget();
}

/// What the cluster is now is what later events happen to.
void ClusterSimulation::rebase() {
  const auto arrive = [&](std::uint32_t task) {
    const OptionalIndex instance = tasks_[task].instance;
    if (!instance) return;
    const auto& there = tasks_on_[*instance];
    if (std::find(there.begin(), there.end(), task) == there.end()) tasks_on_.edit(*instance).push_back(task);
  };
  for (const auto& [task, before] : tasks_.edited()) {
    if (before.instance != kNoInstance && tasks_[task].instance != before.instance)
      std::erase(tasks_on_.edit(*before.instance), task);
    arrive(task);
  }
  for (auto task = tasks_.committed_size(); task < tasks_.size(); ++task) arrive(task);
  for (const auto& edit : services_.edited()) {
    auto& service = services_.edit(edit.first);
    assert(service.outdated <= services_.before(edit.first).outdated);
    service.left = service.started = 0;
  }
  for (const auto& edit : names_.edited()) {
    auto& name = names_.edit(edit.first);
    assert(name.held <= names_.before(edit.first).held && name.stays == 0);
    name.moves = 0;
  }
}

void ClusterSimulation::revert() {
  rollback();
  auto last = std::move(commits_.back());
  commits_.pop_back();
  restore(last.saved);
  forget_tasks_from(last.tasks.size);
  tasks_.revert(std::move(last.tasks));
  services_.revert(std::move(last.services));
  names_.revert(std::move(last.names));
  tasks_on_.revert(std::move(last.tasks_on));
  unplaced_tasks_ = std::move(last.unplaced_tasks);
}

}  // namespace bayplan::study
