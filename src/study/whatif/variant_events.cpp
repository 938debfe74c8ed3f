#include "study/whatif/variant_events.hpp"

#include <algorithm>
#include <iterator>
#include <set>
#include <utility>

#include "placement/engine/attempts.hpp"
#include "placement/model/redeploy.hpp"
#include "study/simulation/events_by_kind.hpp"
#include "timeline/tasks.hpp"

namespace bayplan::study {

using namespace placement;  // NOLINT: the study of placements is about nothing else
using timeline::History;
using timeline::kNoIndex;

namespace {

/// A RunTask call and its tasks, indexes into History::tasks.
struct StandaloneCall {
  Call call;
  std::vector<std::uint32_t> tasks;
};

/// What the events of a variant are in a run whose scenario has settled before.
class EventAdder {
 public:
  EventAdder(Scenario& scenario, const History& settled, Seconds at) : scenario_(scenario), settled_(settled), at_(at) {
    note_calls();
  }

  void terminate(const std::vector<std::uint32_t>& instances) {
    gone_.insert(instances.begin(), instances.end());
    if (!instances.empty()) add(TerminateInstances{instances, {}});
  }

  void drain(const std::vector<std::uint32_t>& instances) {
    leaving_.insert(instances.begin(), instances.end());
    if (!instances.empty()) add(DrainInstances{instances, {}});
  }

  void remove(const RemoveInstances& event) { terminate(instances_to_remove(event)); }

  void launch(const AddInstances& event) { add(with_profiles_in(scenario_, event)); }

  void scale(const Scale& event) {
    if (event.workloads.empty()) return;
    if (scenario_.workloads[event.workloads.front()].kind == WorkloadKind::kTasks) return scale_tasks(event);
    UpdateService update;
    update.service = service_with(scenario_.timetable, event.workloads.front());
    update.desired_count = event.count;
    add(update);
  }

  /// The calls of those whose tasks are lost, or never had a place.
  std::vector<Call> later_calls() && {
    for (const bool had_place : {true, false}) {
      for (const auto& one : calls_) run_again(one, had_place);
    }
    return std::move(later_);
  }

 private:
  /// Every call is stated: one that comes later must not be taken for a default of the scenario.
  void note_calls() {
    auto calls = placement_order(scenario_);
    std::erase_if(calls,
                  [&](const Call& call) { return scenario_.workloads[call.workload].kind != WorkloadKind::kTasks; });
    std::uint32_t next = 0;  // tasks arrive in the order of the calls
    for (const auto& call : calls) {
      StandaloneCall one{call, {}};
      for (; static_cast<std::int64_t>(one.tasks.size()) < call.count; ++next) {
        if (settled_.tasks[next].workload == call.workload) one.tasks.push_back(next);
      }
      calls_.push_back(std::move(one));
    }
    scenario_.calls = std::move(calls);
  }

  void add(TimelineEvent event) { scenario_.timetable.events.push_back({at_, std::move(event), {}}); }

  bool is_daemons(const timeline::Task& task) const {
    return task.running != kNoIndex ? scenario_.running[*task.running].daemon : timeline::is_daemon(scenario_, task);
  }

  /// Chooses the instances with the fewest tasks other than daemons; among equals, the last in file order.
  std::vector<std::uint32_t> instances_to_remove(const RemoveInstances& event) const {
    std::vector<std::int64_t> tasks(scenario_.instances.size());
    for (const auto& task : settled_.tasks) {
      if (task.placed_at && !task.stopped_at && !is_daemons(task)) ++tasks[*task.instance];
    }
    std::vector<std::uint32_t> candidates;
    for (std::uint32_t i = 0; i < scenario_.instances.size(); ++i) {
      const auto& profile = scenario_.profiles[scenario_.instances[i].profile];
      if (profile.instance_type == event.instance_type && !gone_.contains(i) && !leaving_.contains(i))
        candidates.push_back(i);
    }
    std::reverse(candidates.begin(), candidates.end());
    std::stable_sort(candidates.begin(), candidates.end(), [&](auto a, auto b) { return tasks[a] < tasks[b]; });
    candidates.resize(std::min(candidates.size(), static_cast<std::size_t>(event.count)));
    std::sort(candidates.begin(), candidates.end());
    return candidates;
  }

  bool has_place(std::uint32_t task) const {
    const auto& own = settled_.tasks[task];
    return own.placed_at && !own.stopped_at;
  }

  /// Fewer: those without a place first, then the last. More: one more call of the last workload.
  void scale_tasks(const Scale& event) {
    std::int64_t now = 0;
    std::vector<std::uint32_t> tasks;
    for (const auto& one : calls_) {
      if (std::find(event.workloads.begin(), event.workloads.end(), one.call.workload) == event.workloads.end())
        continue;
      now += one.call.count;
      tasks.insert(tasks.end(), one.tasks.begin(), one.tasks.end());
    }
    if (event.count > now) call(event.workloads.back(), event.count - now);
    std::stable_sort(tasks.begin(), tasks.end(), [&](auto a, auto b) {
      return stands(a) != stands(b) ? stands(a) : settled_.tasks[a].number < settled_.tasks[b].number;
    });
    while (static_cast<std::int64_t>(tasks.size()) > event.count) {
      stop(tasks.back());
      tasks.pop_back();
    }
  }

  void call(std::uint32_t workload, std::int64_t count) {
    Call call;
    call.workload = workload;
    call.count = count;
    later_.push_back(call);
  }

  void stop(std::uint32_t task) {
    stopped_.insert(task);
    if (stands(task)) add(StopTasks{timeline::task_id(scenario_, settled_.tasks[task])});
  }

  bool is_lost(std::uint32_t task) const { return has_place(task) && gone_.contains(*settled_.tasks[task].instance); }

  bool stands(std::uint32_t task) const { return has_place(task) && !is_lost(task); }

  /// What was lost, or what had no place.
  void run_again(const StandaloneCall& one, bool had_place) {
    std::int64_t count = 0;
    for (const auto task : one.tasks) {
      if (stopped_.contains(task)) continue;
      if (had_place ? is_lost(task) : !has_place(task)) ++count;
    }
    if (count == 0) return;
    const bool starts_anew = had_place && scenario_.workloads[one.call.workload].all_or_nothing;
    if (!starts_anew) return call(one.call.workload, count);
    const auto before = stopped_.size();
    for (const auto task : one.tasks) {
      if (!stopped_.contains(task) && !is_lost(task)) stop(task);
    }
    call(one.call.workload, count + static_cast<std::int64_t>(stopped_.size() - before));
  }

  Scenario& scenario_;
  const History& settled_;
  Seconds at_;
  std::vector<StandaloneCall> calls_;
  std::vector<Call> later_;
  std::set<std::uint32_t> gone_;     ///< Instances.
  std::set<std::uint32_t> leaving_;  ///< Instances that drain.
  std::set<std::uint32_t> stopped_;  ///< Tasks that are no longer wanted.
};

/// The workload of the service's newest deployment at the time.
std::uint32_t newest_workload(const Timetable& timetable, std::uint32_t service, Seconds at) {
  std::uint32_t newest = timetable.services[service].workload;
  for (const auto& timed : timetable.events) {
    const auto* update = std::get_if<UpdateService>(&timed.event);
    if (update != nullptr && update->service == service && timed.at <= at) newest = update->workload.value_or(newest);
  }
  return newest;
}

}  // namespace

void add_event(Timetable& timetable, TimedEvent event) {
  auto& all = timetable.events;
  const auto later = std::find_if(all.begin(), all.end(), [&](const TimedEvent& one) { return one.at > event.at; });
  all.insert(later, std::move(event));
}

std::uint32_t service_with(const Timetable& timetable, std::uint32_t workload) {
  const auto found = std::find_if(timetable.services.begin(), timetable.services.end(),
                                  [&](const ServicePlan& plan) { return plan.workload == workload; });
  return static_cast<std::uint32_t>(found - timetable.services.begin());
}

std::vector<Call> add_events(Scenario& scenario, const History& settled, const std::vector<InstantEvent>& events,
                             Seconds at) {
  const auto [terminated, drained, removals, additions, scales] = by_kind(events);
  EventAdder adder(scenario, settled, at);
  adder.terminate(terminated);
  adder.drain(drained);
  for (const auto* removal : removals) adder.remove(*removal);
  for (const auto* addition : additions) adder.launch(*addition);
  for (const auto* one : scales) adder.scale(*one);  // those scale down who know what is lost
  return std::move(adder).later_calls();
}

void add_deployments(Scenario& scenario, const Variant& variant, Seconds at) {
  auto& timetable = scenario.timetable;
  for (const auto& deployment : variant.deployments) {
    UpdateService update;
    update.service = service_with(timetable, deployment.workload);
    update.workload =
        add_deployment(scenario, newest_workload(timetable, update.service, at), deployment.task_definition);
    add_event(timetable, {at, update, variant.origin});
  }
}

}  // namespace bayplan::study
