#include "timeline/run_figures.hpp"

#include <algorithm>
#include <map>
#include <utility>

#include "base/strings.hpp"
#include "timeline/deployment_terms.hpp"
#include "timeline/history_replay.hpp"
#include "timeline/tasks.hpp"

namespace bayplan::timeline {

namespace {

struct Measured {
  Seconds seconds = 0;
  std::uint32_t task = 0;
};

bool is_shorter(const Measured& a, const Measured& b) {
  return a.seconds < b.seconds;
}

/// The smallest value that is not exceeded by this many percent of all, which are brought into another order.
Seconds nearest_rank(std::vector<Measured>& all, std::size_t percent) {
  const std::size_t rank = std::max<std::size_t>((all.size() * percent + 99) / 100, 1);
  const auto ranked = all.begin() + static_cast<std::ptrdiff_t>(rank - 1);
  std::nth_element(all.begin(), ranked, all.end(), is_shorter);
  return ranked->seconds;
}

std::optional<Delay> compute_delay(std::vector<Measured> all) {
  if (all.empty()) return std::nullopt;
  const Measured worst = *std::max_element(all.begin(), all.end(), is_shorter);  // the first of them
  return Delay{nearest_rank(all, 50), nearest_rank(all, 95), worst.seconds, worst.task};
}

/// Delays of one name, or of all.
struct Sample {
  WaitTimes waits;
  std::vector<Measured> to_place;
  std::vector<Measured> to_running;

  void add(const Task& task, std::uint32_t index, bool is_waiting) {
    ++waits.arrived;
    if (task.placed_at) {
      ++waits.placed;
      to_place.push_back({*task.placed_at - task.arrived_at, index});
    } else if (task.failed) {
      ++waits.failed;
    } else {
      ++(is_waiting ? waits.waiting : waits.given_up);
    }
    if (task.started_at) {
      ++waits.ran;
      to_running.push_back({*task.started_at - task.arrived_at, index});
    }
    if (task.stopped_at && task.stop == StopCause::kEnded) ++waits.ended;
  }

  WaitTimes finish() && {
    waits.to_place = compute_delay(std::move(to_place));
    waits.to_running = compute_delay(std::move(to_running));
    return std::move(waits);
  }
};

/// Fills `Figures::all` and `Figures::names`.
void measure_waits(const placement::Scenario& scenario, const History& history, Figures& figures) {
  std::vector<Sample> names;
  std::map<std::string_view, std::size_t> positions;
  std::vector<std::size_t> name_of(scenario.workloads.size());
  for (std::size_t i = 0; i < scenario.workloads.size(); ++i) {
    const auto [entry, is_new] = positions.try_emplace(scenario.workloads[i].name, names.size());
    name_of[i] = entry->second;
    if (!is_new) continue;
    names.emplace_back();
    names.back().waits.name = scenario.workloads[i].name;
  }
  Sample all;
  std::vector<bool> is_waiting(history.tasks.size());
  for (const auto& one : figures.waiting) is_waiting[one.task] = true;
  for (std::uint32_t i = 0; i < history.tasks.size(); ++i) {
    const Task& task = history.tasks[i];
    if (task.running != kNoIndex || is_daemon(scenario, task)) continue;
    names[name_of[*task.workload]].add(task, i, is_waiting[i]);
    all.add(task, i, is_waiting[i]);
  }
  figures.all = std::move(all).finish();
  for (auto& name : names) {
    if (name.waits.arrived > 0) figures.names.push_back(std::move(name).finish());
  }
}

/// Fills `Figures::interrupted_tasks` and `Figures::gpu_cut_off`.
void measure_cut_off(const placement::Scenario& scenario, const History& history, Figures& figures) {
  const Requirements requirements(scenario, history);
  for (const auto& event : history.events) {
    if (event.kind != EventKind::kTaskStopped || event.stop != StopCause::kInstanceGone) continue;
    const Task& task = history.tasks[event.subject];
    const bool is_own = task.running == kNoIndex && task.placed_at;
    if (!is_own || scenario.workloads[*task.workload].kind != placement::WorkloadKind::kTasks) continue;
    const Seconds ran = event.at - task.started_at.value_or(event.at);
    figures.interrupted_tasks.push_back({event.subject, ran, event.cause});
    const auto& profile = scenario.profiles[history.instances[*task.instance].profile];
    figures.gpu_cut_off +=
        static_cast<double>(gpu_millionths(requirements.of(task), profile)) * static_cast<double>(ran);
  }
}

/// The newest deployment of each service, if it did not finish: those that are stuck first.
std::vector<std::uint32_t> find_unfinished(const placement::Scenario& scenario, const History& history) {
  using State = Deployment::State;
  const auto& deployments = history.deployments;
  std::vector<bool> is_rollback(deployments.size());
  for (const auto& event : history.events) {
    if (event.kind == EventKind::kRollback) is_rollback[event.subject] = true;
  }
  std::vector<OptionalIndex> newest(scenario.timetable.services.size());
  for (std::uint32_t i = 0; i < deployments.size(); ++i) {
    if (!is_rollback[i] || deployments[i].is_stuck) newest[deployments[i].service] = i;
  }
  std::vector<std::uint32_t> unfinished;
  for (const auto index : newest) {
    if (!index) continue;
    const State state = deployments[*index].state;
    if (state == State::kFailed || state == State::kInProgress) unfinished.push_back(*index);
  }
  std::stable_partition(unfinished.begin(), unfinished.end(), [&](auto index) { return deployments[index].is_stuck; });
  return unfinished;
}

using placement::Scenario;
using placement::WorkloadKind;

bool drains(const Scenario& scenario, const Instance& instance) {
  const bool was_draining = scenario.profiles[instance.profile].status == placement::InstanceStatus::kDraining;
  return !instance.terminated_at && (instance.draining_at || was_draining);
}

/// The replica service of a task; nothing for daemons, which leave last, and for standalone tasks, which may take any
/// time.
std::optional<std::uint32_t> find_replica_service(const Scenario& scenario, const History& history, const Task& task) {
  const auto service = service_of(scenario, history, task);
  if (!service) return std::nullopt;
  const auto& workload = scenario.workloads[scenario.timetable.services[*service].workload];
  return workload.kind == WorkloadKind::kService ? service : std::nullopt;
}

/// Drains that never end, as a service may not stop its tasks on the instance.
std::vector<BlockedDrain> find_held_drains(const Scenario& scenario, const History& history) {
  if (history.end_reason != EndReason::kNothingLeft) return {};
  std::map<std::pair<std::uint32_t, std::uint32_t>, BlockedDrain> held;
  for (std::uint32_t i = 0; i < history.tasks.size(); ++i) {
    const Task& task = history.tasks[i];
    if (task.instance == kNoIndex || task.stopped_at || !drains(scenario, history.instances[*task.instance])) continue;
    if (task.running != kNoIndex && scenario.running[*task.running].stopping) continue;
    const auto service = find_replica_service(scenario, history, task);
    if (!service) continue;
    const std::pair key(*task.instance, *service);
    auto entry = held.find(key);
    if (entry == held.end()) entry = held.emplace(key, BlockedDrain{*task.instance, *service, {}, {}}).first;
    entry->second.tasks.push_back(i);
  }
  std::vector<BlockedDrain> drains_held;
  for (auto& [key, drain] : held) {
    drain.terms = service_terms_at(scenario, drain.service, history.end);
    drains_held.push_back(std::move(drain));
  }
  return drains_held;
}

/// Tasks by service that lack to desiredCount; of a daemon service none.
std::vector<std::int64_t> lacking_tasks(const Scenario& scenario, const History& history) {
  const auto services = static_cast<std::uint32_t>(scenario.timetable.services.size());
  std::vector<std::int64_t> lacking(services);
  for (std::uint32_t i = 0; i < services; ++i) lacking[i] = service_terms_at(scenario, i, history.end).desired;
  for (const auto& task : history.tasks) {
    const auto service = service_of(scenario, history, task);
    const bool is_there = !task.stopped_at && !task.failed && task.stop == StopCause::kNone;  // placed, or waiting
    if (service && is_there) --lacking[*service];
  }
  return lacking;
}

/// Adds to `Figures::waiting` the tasks that timed out as PROVISIONING and that their service wants still when the run
/// ends: it has not tried again yet.
void find_tasks_between_tries(const Scenario& scenario, const History& history, Figures& figures) {
  const auto timed_out = [&](const Task& task) {
    if (task.stop != StopCause::kProvisioningTimeout || task.deployment == kNoIndex) return false;
    const auto state = history.deployments[*task.deployment].state;  // a failed one is given up, for good
    return state == Deployment::State::kInProgress || state == Deployment::State::kCompleted;
  };
  if (std::none_of(history.tasks.begin(), history.tasks.end(), timed_out)) return;
  auto lacking = lacking_tasks(scenario, history);
  for (auto i = static_cast<std::uint32_t>(history.tasks.size()); i-- > 0;) {
    const Task& task = history.tasks[i];
    if (!timed_out(task) || lacking[history.deployments[*task.deployment].service]-- <= 0) continue;
    figures.waiting.push_back({i, *task.stopped_at, false});
  }
  std::sort(figures.waiting.begin(), figures.waiting.end(),
            [](const WaitingTask& a, const WaitingTask& b) { return a.task < b.task; });
}

constexpr Seconds kHour = 3'600;
constexpr Seconds kDay = 24 * kHour;
constexpr Seconds kLeastPaid = 60;  ///< Seconds of an instance that is launched: Amazon EC2 On-Demand pricing, Linux.

/// Rounded to the nearest.
MicroUsd compute_cost(MicroUsd hourly_price, Seconds seconds) {
  return (hourly_price * seconds + kHour / 2) / kHour;
}

struct NaturalLess {
  bool operator()(const std::string& a, const std::string& b) const { return natural_less(a, b); }
};

/// Adds what instances cost to the idle times that are measured: `Figures::cost`, and the costs of groups.
void add_costs(const placement::Scenario& scenario, const History& history, Figures& figures) {
  Cost& cost = figures.cost;
  std::map<std::string, TypeCost, NaturalLess> types;
  for (std::uint32_t i = 0; i < history.instances.size(); ++i) {
    const Instance& instance = history.instances[i];
    const auto& profile = scenario.profiles[instance.profile];
    const bool is_of_scenario = i < scenario.instances.size();
    const Seconds there = instance.terminated_at.value_or(history.end) - instance.launched_at;
    InstanceCost& own = cost.instances[i];
    own.seconds = !is_of_scenario && instance.terminated_at ? std::max(there, kLeastPaid) : there;
    if (!is_of_scenario) {
      const Seconds end = instance.active_at.value_or(instance.terminated_at.value_or(history.end));
      own.booting_seconds = std::max<Seconds>(0, std::min(end, history.end) - instance.launched_at);
    }
    TypeCost& type = types[profile.instance_type];
    type.instance_type = profile.instance_type;
    type.hourly_price = profile.hourly_price;
    if (type.instances == 0) type.each = own.seconds;
    if (type.each != own.seconds) type.each.reset();
    ++type.instances;
    type.seconds += own.seconds;
    GroupUse* group = instance.group == kNoIndex ? nullptr : &figures.groups[*instance.group];
    if (group != nullptr) {
      group->idle_seconds += own.idle_seconds;
      if (!is_of_scenario) ++group->launched;
    }
    if (!profile.hourly_price) {
      ++cost.unpriced;
      continue;
    }
    own.cost = compute_cost(*profile.hourly_price, own.seconds);
    // What the least that is paid adds belongs to the time when the instance ended.
    if (const MicroUsd more = *own.cost - compute_cost(*profile.hourly_price, there); more != 0) {
      auto& series = figures.series;
      const auto bucket = static_cast<std::size_t>(*instance.terminated_at / series.width);
      series.buckets[std::min(bucket, series.buckets.size() - 1)].least_paid += more;
    }
    const MicroUsd idle = compute_cost(*profile.hourly_price, own.idle_seconds);
    cost.total += *own.cost;
    cost.idle += idle;
    cost.booting += compute_cost(*profile.hourly_price, own.booting_seconds);
    type.cost += *own.cost;
    type.idle_cost += idle;
    if (group == nullptr) continue;
    group->cost += *own.cost;
    group->idle_cost += idle;
  }
  for (auto& [name, type] : types) cost.types.push_back(std::move(type));
}

}  // namespace

Seconds bucket_width(Seconds end) {
  constexpr Seconds kWidths[] = {1,   2,   5,     10,    15,        30,        60,        120,       300,
                                 600, 900, 1'800, kHour, 2 * kHour, 3 * kHour, 6 * kHour, 12 * kHour};
  for (const Seconds width : kWidths) {
    if (end <= width * kMaxBuckets) return width;
  }
  Seconds width = kDay;
  while (end > width * kMaxBuckets) width *= 2;
  return width;
}

Figures figures(const placement::Scenario& scenario, const History& history) {
  Figures figures = replay_history(scenario, history);
  find_tasks_between_tries(scenario, history, figures);
  measure_waits(scenario, history, figures);
  measure_cut_off(scenario, history, figures);
  figures.held_drains = find_held_drains(scenario, history);
  figures.unfinished = find_unfinished(scenario, history);
  add_costs(scenario, history, figures);
  return figures;
}

namespace {

/// Changes of a service's desired count and of its RUNNING tasks, in the order of time.
struct ServiceChange {
  Seconds at = 0;
  std::int64_t running = 0;  ///< Difference.
  std::optional<std::int64_t> desired;
  bool operator<(const ServiceChange& other) const { return at < other.at; }
};

/// Per service, from one pass over the tasks.
std::vector<std::vector<ServiceChange>> list_changes(const placement::Scenario& scenario, const History& history) {
  std::vector<std::vector<ServiceChange>> changes;
  for (const auto& plan : scenario.timetable.services) changes.push_back({{0, 0, plan.desired_count}});
  for (const auto& task : history.tasks) {
    if (task.deployment == kNoIndex || !task.started_at) continue;
    auto& own = changes[history.deployments[*task.deployment].service];
    own.push_back({*task.started_at, 1, std::nullopt});
    if (task.stopped_at) own.push_back({*task.stopped_at, -1, std::nullopt});
  }
  for (const auto& event : history.events) {
    if (event.kind != EventKind::kServiceUpdated) continue;
    const auto& update = std::get<placement::UpdateService>(scenario.timetable.events[event.subject].event);
    if (update.desired_count) changes[update.service].push_back({event.at, 0, update.desired_count});
  }
  for (auto& own : changes) std::stable_sort(own.begin(), own.end());
  return changes;
}

/// Events of the scenario in the order of time; of several at one time the last counts.
std::vector<std::pair<Seconds, OptionalIndex>> event_times(const placement::Scenario& scenario) {
  std::vector<std::pair<Seconds, OptionalIndex>> times{{0, OptionalIndex()}};
  const auto& events = scenario.timetable.events;
  for (std::uint32_t i = 0; i < events.size(); ++i) times.emplace_back(events[i].at, i);
  std::stable_sort(times.begin(), times.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
  return times;
}

BelowDesired compute_time_below(const std::vector<ServiceChange>& changes,
                                const std::vector<std::pair<Seconds, OptionalIndex>>& events, Seconds end) {
  BelowDesired below;
  Seconds since = 0;
  std::int64_t running = 0;
  std::int64_t desired = 0;
  bool was_reached = false;
  std::size_t event = 0;
  const auto add = [&](Seconds seconds) {
    below.total += seconds;
    const auto& [at, index] = events[event];
    if (below.parts.empty() || below.parts.back().event != index) below.parts.push_back({index, at, 0});
    below.parts.back().seconds += seconds;
  };
  const auto pass = [&](Seconds to) {
    if (to == since) return;
    was_reached |= running >= desired;
    const bool is_below = was_reached && running < desired;
    while (since < to) {
      while (event + 1 < events.size() && events[event + 1].first <= since) ++event;
      const Seconds next = event + 1 < events.size() ? std::min(to, events[event + 1].first) : to;
      if (is_below) add(next - since);
      since = next;
    }
  };
  for (const auto& change : changes) {
    pass(change.at);
    running += change.running;
    desired = change.desired.value_or(desired);
  }
  pass(end);
  return below;
}

}  // namespace

std::map<std::string, std::int64_t> count_interruptions(const placement::Scenario& scenario, const History& history) {
  std::map<std::string, std::int64_t> interruptions;
  for (const auto& event : history.events) {
    if (event.kind == EventKind::kSpotInterruption)
      ++interruptions[placement::spot_pool(scenario.profiles[history.instances[event.subject].profile])];
  }
  return interruptions;
}

std::vector<BelowDesired> compute_below_desired(const placement::Scenario& scenario, const History& history) {
  std::vector<BelowDesired> all;
  const auto events = event_times(scenario);
  const auto changes = list_changes(scenario, history);
  for (std::uint32_t i = 0; i < scenario.timetable.services.size(); ++i) {
    const auto& workload = scenario.workloads[scenario.timetable.services[i].workload];
    if (workload.kind == placement::WorkloadKind::kDaemon) continue;  // its instances decide
    auto below = compute_time_below(changes[i], events, history.end);
    below.service = i;
    if (below.total > 0) all.push_back(std::move(below));
  }
  return all;
}

}  // namespace bayplan::timeline
