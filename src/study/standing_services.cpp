// What services do on a standing cluster: the turns of timeline/replica_service, without time. A task that is started
// is healthy, one that is stopped has ended.
#include <algorithm>

#include "placement/capacity_providers.hpp"
#include "placement/stop_rule.hpp"
#include "study/standing_cluster.hpp"

namespace bayplan::study {

using namespace placement;  // NOLINT: the study of placements is about nothing else

namespace {

std::int64_t most_running(const Workload& workload, std::int64_t desired) {
  return desired * workload.maximum_percent / 100;
}

std::int64_t least_healthy(const Workload& workload, std::int64_t desired) {
  return (desired * workload.minimum_healthy_percent + 99) / 100;
}

}  // namespace

/// First what is too many stops, of all of them; then each in order has its turn, until none has anything to do.
void StandingCluster::start_services() {
  auto services = touched_services_;
  services.insert(services.end(), waiting_services_.begin(), waiting_services_.end());
  std::sort(services.begin(), services.end());
  services.erase(std::unique(services.begin(), services.end()), services.end());
  for (const std::uint32_t workload : services) scale_in(services_[workload], workload);
  for (bool changed = true; changed;) {
    changed = false;
    for (const std::uint32_t workload : services) changed |= turn(workload);
  }
}

bool StandingCluster::turn(std::uint32_t workload) {
  const std::uint64_t before = last_version_;
  const std::size_t tasks = tasks_.size();
  auto& own = services_[workload];
  start_lacking(own, workload);
  place_placeless(own, workload);
  stop_replaced(own, workload);
  make_room(own, workload);
  return before != last_version_ || tasks != tasks_.size();
}

void StandingCluster::scale_in(Service& own, std::uint32_t workload) {
  while (own.settled + own.placeless_count() > own.desired) {
    change_service(workload);
    if (!own.placeless.empty()) {
      const std::uint32_t task = own.placeless.back();
      own.placeless.pop_back();
      leave_provider(own, tasks_[task]);
      change(task).is_dropped = true;
      continue;
    }
    const std::uint32_t task = pick(workload, false);
    leave_provider(own, tasks_[task]);
    give_back(task);
    change(task).is_dropped = true;
    --own.settled;
  }
}

/// Base and weights are those of the tasks that neither drain nor went.
std::uint32_t StandingCluster::next_class(const Service& own, std::uint32_t workload) const {
  const auto& shares = scenario_.workloads[workload].capacity_providers;
  return occupancy_.classes().number(workload, shares.empty() ? 0 : ProviderDeal(shares, own.by_provider).next());
}

void StandingCluster::leave_provider(Service& own, const StandingTask& task) {
  const auto& shares = scenario_.workloads[task.workload].capacity_providers;
  if (shares.empty()) return;
  const std::size_t provider = task.task_class - occupancy_.classes().number(task.workload, 0);
  if (task.running != kNowhere && !task.is_started) {
    const std::uint32_t instance = scenario_.running[task.running].instance;
    const auto& name = scenario_.profiles[scenario_.instances[instance].profile].capacity_provider_name;
    if (shares[provider].capacity_provider != name) return;
  }
  --own.by_provider[provider];
}

void StandingCluster::start_lacking(Service& own, std::uint32_t workload) {
  const std::int64_t most = std::max(most_running(scenario_.workloads[workload], own.desired), own.desired);
  const std::int64_t has = own.settled + own.placeless_count();
  std::int64_t count = std::min(own.desired - has, most - has - own.draining);
  for (; count > 0; --count) {
    change_service(workload);
    StandingTask task;
    task.workload = workload;
    task.task_class = next_class(own, workload);
    task.number = ++change_name(workload).last_number;
    if (!own.by_provider.empty()) ++own.by_provider[task.task_class - occupancy_.classes().number(workload, 0)];
    own.placeless.push_back(add_task(std::move(task)));
  }
}

void StandingCluster::place_placeless(Service& own, std::uint32_t workload) {
  std::vector<std::uint32_t> still;
  for (const std::uint32_t task : own.placeless) {
    if (!try_place(task)) {
      still.push_back(task);
      continue;
    }
    change_service(workload);
    ++own.settled;
    ++own.started;
  }
  if (still.size() < own.placeless.size()) own.placeless = std::move(still);
}

void StandingCluster::stop_replaced(Service& own, std::uint32_t workload) {
  while (own.draining > 0 && own.draining + own.settled > own.desired) {
    if (!stop_one_draining(own, workload)) return;
  }
}

/// Where tasks lack a place, or may not start because of maximumPercent.
void StandingCluster::make_room(Service& own, std::uint32_t workload) {
  if (own.draining == 0) return;
  const std::int64_t has = own.settled + own.placeless_count();
  const bool is_bounded = has + own.draining >= most_running(scenario_.workloads[workload], own.desired);
  std::int64_t count = own.placeless_count() + (is_bounded ? std::max<std::int64_t>(0, own.desired - has) : 0);
  for (; count > 0 && own.draining > 0; --count) {
    if (!stop_one_draining(own, workload)) return;
  }
}

/// False where too few would be left.
bool StandingCluster::stop_one_draining(Service& own, std::uint32_t workload) {
  if (own.settled + own.draining - 1 < least_healthy(scenario_.workloads[workload], own.desired)) return false;
  change_service(workload);
  const std::uint32_t task = pick(workload, true);
  give_back(task);
  change(task).is_dropped = true;
  --own.draining;
  ++own.left;
  return true;
}

/// Of a service with one task on draining instances, which is most of them; kNowhere where it is not that simple.
std::uint32_t StandingCluster::only_draining(std::uint32_t workload) const {
  if (services_[workload].draining != 1) return kNowhere;
  for (const std::uint32_t instance : drained_) {
    for (const std::uint32_t task : tasks_on_[instance]) {
      if (tasks_[task].workload == workload && tasks_[task].instance == instance) return task;
    }
  }
  return kNowhere;
}

std::uint32_t StandingCluster::pick(std::uint32_t workload, bool of_draining) const {
  if (const auto only = of_draining ? only_draining(workload) : kNowhere; only != kNowhere) return only;
  std::vector<StoppableTask> candidates, tasks;
  for (const std::uint32_t task : members_of_[workload]) {
    const auto& own = tasks_[task];
    if (own.instance == kNowhere) continue;
    tasks.push_back({task, own.instance, &requirement_of(own)});
    if ((is_draining(own.instance) || own.is_replaced) == of_draining) candidates.push_back(tasks.back());
  }
  return task_to_stop(occupancy_, std::move(candidates), tasks, workload);
}

void StandingCluster::close_services() {
  for (const std::uint32_t workload : touched_services_) {
    const auto& own = services_[workload];
    auto& name = change_name(workload);
    name.placed += own.settled - base_services_[workload].settled;
    name.held += own.draining;
    const std::int64_t moves = std::min(own.left, own.started);
    name.moves += moves;
    if (explains_) note_moved(workload, moves);
  }
}

/// Tasks of a service are alike: the first that were started stand for those that left.
void StandingCluster::note_moved(std::uint32_t workload, std::int64_t count) {
  for (const std::uint32_t task : members_of_[workload]) {
    if (count == 0) return;
    if (!tasks_[task].is_started || tasks_[task].instance == kNowhere) continue;
    moved_.push_back(task);
    --count;
  }
}

}  // namespace bayplan::study
