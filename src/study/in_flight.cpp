#include "study/in_flight.hpp"

#include <algorithm>
#include <iterator>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <fmt/core.h>

#include "base/strings.hpp"
#include "placement/engine/engine.hpp"
#include "placement/engine/gpu_devices.hpp"
#include "placement/engine/occupancy.hpp"
#include "placement/model/name_some.hpp"
#include "study/simulation/cluster_at_attempt.hpp"
#include "study/simulation/cluster_simulation.hpp"

namespace bayplan::study {

using namespace placement;  // NOLINT: the study of placements is about nothing else

namespace {

bool is_draining(const Scenario& scenario, std::uint32_t instance) {
  return scenario.profiles[scenario.instances[instance].profile].status == InstanceStatus::kDraining;
}

/// Services of the cluster that the scenario has as workloads, with what they are to run.
std::vector<ServiceTarget> targets_of(const Scenario& scenario) {
  std::set<std::string_view> failed;
  for (const auto& service : scenario.services) {
    if (service.has_failed) failed.insert(service.name);
  }
  std::vector<ServiceTarget> targets;
  for (const auto& plan : scenario.timetable.services) {
    const auto& workload = scenario.workloads[plan.workload];
    if (!workload.is_live || workload.kind != WorkloadKind::kService) continue;
    if (failed.contains(workload.name)) continue;  // what runs stays
    targets.push_back({plan.workload, plan.desired_count, scenario.task_definitions[workload.task_definition].name});
  }
  return targets;
}

/// Whether more is in flight than services that lack tasks, which every command places first as it is.
bool is_in_flight(const Scenario& scenario) {
  if (!scenario.in_flight.workloads.empty()) return true;
  std::map<std::string, const ServiceTarget*, std::less<>> target_of;
  std::map<std::string, std::int64_t, std::less<>> tasks_of;
  const auto targets = targets_of(scenario);
  for (const auto& target : targets) target_of.emplace(scenario.workloads[target.workload].group, &target);
  for (const auto& task : scenario.running) {
    if (task.daemon || !task.group.starts_with("service:")) continue;
    if (is_draining(scenario, task.instance)) return true;
    const auto target = target_of.find(task.group);
    if (target == target_of.end()) continue;
    if (task.task_definition != target->second->task_definition) return true;
    if (++tasks_of[task.group] > target->second->desired) return true;
  }
  return false;
}

/// The cluster and what is in flight on it, without what is asked. Workloads keep their indexes; those of
/// Scenario::in_flight follow.
Scenario without_question(const Scenario& scenario) {
  Scenario own = scenario;
  own.calls.clear();
  own.policy.reset();
  own.order = TaskOrder::kGiven;
  own.timetable.has_time = false;
  for (auto& workload : own.workloads) {
    if (workload.is_live) continue;
    // Asked for, so none of its tasks are placed yet: those of its group are of the service as it is described.
    if (workload.kind != WorkloadKind::kTasks) workload.group += " as asked";
    if (workload.kind == WorkloadKind::kDaemon) workload.kind = WorkloadKind::kService;
    workload.count = 0;
  }
  const auto first = static_cast<std::uint32_t>(own.workloads.size());
  own.workloads.insert(own.workloads.end(), scenario.in_flight.workloads.begin(), scenario.in_flight.workloads.end());
  own.timetable.tasks.resize(own.workloads.size());
  for (auto plan : scenario.in_flight.plans) {
    plan.workload += first;
    own.timetable.services.push_back(std::move(plan));
  }
  return own;
}

/// What became of the tasks of one service, or of the waiting tasks of one definition.
struct Settled {
  std::string name;
  std::int64_t running = 0;  ///< Tasks with an instance at the end.
  std::int64_t unplaced = 0;
  std::int64_t stopped = 0;
  std::int64_t started = 0;
  std::vector<std::uint32_t> started_on;  ///< Instances of the tasks that start, sorted, unique.
  std::int64_t held_on_draining = 0;
  std::int64_t held_old = 0;  ///< Tasks of an older definition that no new task replaces.
  std::string old_definition;
};

std::vector<Settled> settled_workloads(const ClusterSimulation& cluster) {
  const auto& scenario = cluster.scenario();
  std::vector<Settled> all(scenario.workloads.size());
  for (std::uint32_t i = 0; i < all.size(); ++i) all[i].name = scenario.workloads[i].name;
  for (const auto& task : cluster.tasks()) {
    auto& own = all[task.workload];
    const bool has_instance = task.instance != kNoInstance;
    const bool ran_before = task.running != kNone;
    if (has_instance) {
      ++own.running;
      if (!ran_before) {
        ++own.started;
        own.started_on.push_back(*task.instance);
      }
    } else if (ran_before) {
      ++own.stopped;
    } else if (!task.is_removed) {
      ++own.unplaced;
    }
    if (!has_instance || !task.is_outdated) continue;
    if (is_draining(scenario, *task.instance)) {
      ++own.held_on_draining;
    } else {
      ++own.held_old;
      own.old_definition = scenario.running[*task.running].task_definition;
    }
  }
  for (auto& own : all) {
    auto& ids = own.started_on;
    std::sort(ids.begin(), ids.end());
    ids.erase(std::unique(ids.begin(), ids.end()), ids.end());
  }
  return all;
}

RunningTask as_running(const Scenario& scenario, std::uint32_t workload, std::uint32_t instance, std::string id,
                       const std::vector<ContainerGpus>& gpus) {
  const auto& own = scenario.workloads[workload];
  RunningTask task;
  task.id = std::move(id);
  task.instance = instance;
  task.group = own.group;
  task.task_definition = scenario.task_definitions[own.task_definition].name;
  task.daemon = own.kind == WorkloadKind::kDaemon;
  task.gpus = list_devices(own.requirement, gpus);
  return task;
}

/// What runs when all has happened, sorted by instance: what stayed, then what started.
std::vector<RunningTask> running_after(const ClusterSimulation& cluster, const Outcome& outcome) {
  const auto& scenario = cluster.scenario();
  std::vector<std::vector<RunningTask>> started(scenario.instances.size());
  std::vector<bool> has_stopped(scenario.running.size());
  std::vector<std::int64_t> numbers(scenario.workloads.size());
  const auto start = [&](std::uint32_t workload, std::uint32_t instance, const std::vector<ContainerGpus>& gpus) {
    auto id = fmt::format("{}#new-{}", scenario.workloads[workload].name, ++numbers[workload]);
    started[instance].push_back(as_running(scenario, workload, instance, std::move(id), gpus));
  };
  for (const auto& placement : outcome.placements) {
    const auto workload = placement.attempt.workload;
    if (scenario.workloads[workload].kind == WorkloadKind::kDaemon) start(workload, placement.instance, placement.gpus);
  }
  for (const auto& task : cluster.tasks()) {
    if (task.running != kNone) {
      has_stopped[*task.running] = task.instance == kNoInstance;
    } else if (task.instance != kNoInstance) {
      start(task.workload, *task.instance, task.gpus);
    }
  }
  std::vector<RunningTask> running;
  for (std::uint32_t i = 0; i < scenario.instances.size(); ++i) {
    for (const auto& task : scenario.running_on(i)) {
      const auto index = static_cast<std::size_t>(&task - scenario.running.data());
      if (!has_stopped[index]) running.push_back(task);
    }
    std::move(started[i].begin(), started[i].end(), std::back_inserter(running));
  }
  return running;
}

void report(Scenario& scenario, const Settled& own, const Workload& workload) {
  std::vector<std::string> changes;
  if (own.started > 0) {
    changes.push_back(fmt::format("{} start{} on {}", count_of(own.started, "task"), own.started == 1 ? "s" : "",
                                  name_some(scenario, own.started_on)));
  }
  if (own.stopped > 0)
    changes.push_back(fmt::format("{} stop{}", count_of(own.stopped, "task"), own.stopped == 1 ? "s" : ""));
  if (!changes.empty())
    assume(scenario, "in-flight-settled", own.name,
           fmt::format("what was under way when it was described happens first: {}", join(changes, ", ")));
  const std::string percents = fmt::format("within minimumHealthyPercent {} and maximumPercent {}",
                                           workload.minimum_healthy_percent, workload.maximum_percent);
  if (own.held_on_draining > 0) {
    scenario.findings.push_back({"drain-cannot-finish", own.name,
                                 fmt::format("{} cannot leave a DRAINING instance {}: no room for another one",
                                             count_of(own.held_on_draining, "task"), percents)});
  }
  if (own.held_old > 0) {
    scenario.findings.push_back({"deployment-cannot-finish", own.name,
                                 fmt::format("{} of {} cannot be replaced {}: no room for new ones",
                                             count_of(own.held_old, "task"), own.old_definition, percents)});
  }
}

/// ECS keeps no task beyond desiredCount but for a deployment, a drain or a rebalancing: the answers are of different
/// times, or it is about to stop them.
void note_surplus(Scenario& scenario, const Scenario& before, const ServiceTarget& target) {
  const auto& workload = before.workloads[target.workload];
  std::int64_t tasks = 0;
  for (const auto& task : before.running) {
    if (task.group != workload.group) continue;
    if (task.task_definition != target.task_definition || is_draining(before, task.instance)) return;
    ++tasks;
  }
  if (tasks <= target.desired) return;
  scenario.findings.push_back(
      {"more-than-desired", workload.name,
       fmt::format("runs {} of {} and no deployment replaces them: ECS stops {}, whose resources count as free here",
                   tasks, count_of(target.desired, "task"), tasks - target.desired)});
}

/// A deployment of a daemon goes on, too: on each instance the old task stops before the new one starts, whether that
/// finds room or not. The new one is placed as a missing one is. Where the healthy percent lets no task stop, or what
/// an old task takes is not known, it stays.
void stop_outdated_daemons(Scenario& scenario) {
  std::set<std::string_view> known;
  for (const auto& definition : scenario.task_definitions) known.insert(definition.name);
  std::map<std::string_view, const Workload*> daemon_of;  // by group
  for (const auto& workload : scenario.workloads) {
    const bool may_stop = workload.is_live && workload.kind == WorkloadKind::kDaemon;
    if (may_stop && workload.minimum_healthy_percent < 100) daemon_of.emplace(workload.group, &workload);
  }
  for (const auto& service : scenario.services) {
    if (service.has_failed) daemon_of.erase("service:" + service.name);
  }
  std::vector<bool> stops(scenario.running.size());
  std::map<std::string, std::vector<std::uint32_t>> stops_on;  // instances by service
  for (std::size_t i = 0; i < stops.size(); ++i) {
    const auto& task = scenario.running[i];
    const auto daemon = daemon_of.find(task.group);
    if (daemon == daemon_of.end() || task.stopping || is_draining(scenario, task.instance)) continue;
    const auto& newest = scenario.task_definitions[daemon->second->task_definition].name;
    if (task.task_definition == newest || !known.contains(task.task_definition)) continue;
    stops[i] = true;
    stops_on[daemon->second->name].push_back(task.instance);
  }
  if (stops_on.empty()) return;

  Occupancy occupancy(scenario);
  const auto requirements = requirements_of_running(scenario);
  for (std::size_t i = 0; i < stops.size(); ++i) {
    const auto& task = scenario.running[i];
    if (stops[i]) occupancy.give_back(task.instance, requirements[i], occupancy.group_named(task.group), task.gpus);
  }
  std::vector<InstanceUse> in_use;
  for (std::uint32_t i = 0; i < scenario.instances.size(); ++i)
    in_use.push_back(use_of(occupancy.states()[i], scenario.profiles[scenario.instances[i].profile]));
  std::vector<RunningTask> running;
  for (std::size_t i = 0; i < stops.size(); ++i) {
    if (!stops[i]) running.push_back(scenario.running[i]);
  }
  scenario.in_use = std::move(in_use);
  scenario.running = std::move(running);
  for (const auto& [name, instances] : stops_on) {
    const auto count = std::ssize(instances);
    assume(scenario, "in-flight-settled", name,
           fmt::format("what was under way when it was described happens first: {} of an older definition {} on {}",
                       count_of(count, "task"), count == 1 ? "stops" : "stop", name_some(scenario, instances)));
  }
}

}  // namespace

void settle(Scenario& scenario) {
  stop_outdated_daemons(scenario);
  if (!is_in_flight(scenario)) return;
  const Scenario before = without_question(scenario);
  const auto targets = targets_of(before);
  const Outcome outcome = place(before);
  ClusterSimulation cluster(before, outcome);
  cluster.settle(targets);
  const auto settled = settled_workloads(cluster);

  std::vector<std::int64_t> missing(before.workloads.size());
  for (std::uint32_t i = 0; i < missing.size(); ++i) missing[i] = settled[i].unplaced;
  // Of a deployment that cannot finish the old tasks still serve: only what is missing in all is asked for.
  for (const auto& target : targets)
    missing[target.workload] = std::max<std::int64_t>(0, target.desired - settled[target.workload].running);

  scenario.running = running_after(cluster, outcome);
  for (std::uint32_t i = 0; i < scenario.instances.size(); ++i) {
    const auto& profile = scenario.profiles[scenario.instances[i].profile];
    scenario.in_use[i] = use_of(cluster.occupancy().states()[i], profile);
  }
  const auto own = scenario.workloads.size();
  for (std::uint32_t i = 0; i < own; ++i) {
    auto& workload = scenario.workloads[i];
    if (workload.is_live && workload.kind == WorkloadKind::kService) workload.count = missing[i];
  }
  for (std::size_t i = 0; i < scenario.in_flight.workloads.size(); ++i)
    scenario.in_flight.workloads[i].count = missing[own + i];
  std::map<std::string_view, std::int64_t> running_of;  // by service
  for (const auto& target : targets)
    running_of.emplace(before.workloads[target.workload].name, settled[target.workload].running);
  for (auto& service : scenario.services) {
    const auto known = running_of.find(service.name);
    if (known != running_of.end()) service.running_count = known->second;
  }
  for (const auto& target : targets) note_surplus(scenario, before, target);
  for (std::uint32_t i = 0; i < settled.size(); ++i) report(scenario, settled[i], cluster.scenario().workloads[i]);
}

void ask_for_unsettled(Scenario& scenario) {
  auto in_flight = std::exchange(scenario.in_flight, {});
  for (std::uint32_t i = 0; i < in_flight.workloads.size(); ++i) {
    if (in_flight.workloads[i].count.value_or(0) == 0) continue;
    for (auto& plan : in_flight.plans) {
      if (plan.workload != i) continue;
      scenario.timetable.services.push_back(plan);
      scenario.timetable.services.back().workload = static_cast<std::uint32_t>(scenario.workloads.size());
    }
    scenario.timetable.tasks.resize(scenario.workloads.size());
    scenario.timetable.tasks.emplace_back();
    scenario.workloads.push_back(std::move(in_flight.workloads[i]));
  }
}

scenario::LoadedScenario load_settled(scenario::ScenarioRequest request, const Files& files, catalog::Catalog& catalog,
                                      const Limits& limits) {
  request.settles = true;
  auto loaded = scenario::load_scenario(request, files, catalog, limits);
  if (loaded.scenario) settle(*loaded.scenario);
  return loaded;
}

}  // namespace bayplan::study
