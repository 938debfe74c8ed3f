#include "study/whatif/what_if_over_time.hpp"

#include <algorithm>
#include <utility>

#include "placement/engine/attempts.hpp"
#include "placement/model/redeploy.hpp"
#include "study/whatif/variant_events.hpp"
#include "study/whatif/what_if.hpp"
#include "timeline/simulate.hpp"
#include "timeline/verify_history.hpp"

namespace bayplan::study {

using namespace placement;  // NOLINT: the study of placements is about nothing else

namespace {

/// What holds from the start.
class Start {
 public:
  explicit Start(Scenario& scenario) : scenario_(scenario) {}

  void operator()(const AddInstances& event) {
    for (auto& instance : with_profiles_in(scenario_, event).instances) scenario_.instances.push_back(instance);
  }

  void operator()(const RemoveInstances& event) {
    std::vector<std::uint32_t> candidates;
    for (std::uint32_t i = static_cast<std::uint32_t>(scenario_.instances.size()); i-- > 0;) {
      if (scenario_.profiles[scenario_.instances[i].profile].instance_type == event.instance_type)
        candidates.push_back(i);
    }
    std::stable_sort(candidates.begin(), candidates.end(), [&](auto a, auto b) { return busy(a) < busy(b); });
    candidates.resize(std::min(candidates.size(), static_cast<std::size_t>(event.count)));
    std::sort(candidates.begin(), candidates.end());
    for (auto instance = candidates.rbegin(); instance != candidates.rend(); ++instance) remove(*instance);
  }

  void operator()(const Scale& event) {
    if (event.workloads.empty()) return;
    const auto first = event.workloads.front();
    if (scenario_.workloads[first].kind == WorkloadKind::kTasks) return scale_tasks(event);
    for (auto& plan : scenario_.timetable.services) {
      if (plan.workload == first) plan.desired_count = event.count;
    }
  }

  // These happen later, by name (VariantOverTime::events).
  void operator()(const TerminateInstances&) {}
  void operator()(const DrainInstances&) {}

 private:
  /// Tasks that run there and are no daemon's.
  std::int64_t busy(std::uint32_t instance) const {
    const auto running = scenario_.running_on(instance);
    return std::count_if(running.begin(), running.end(), [](const RunningTask& task) { return !task.daemon; });
  }

  void remove(std::uint32_t instance) {
    scenario_.instances.erase(scenario_.instances.begin() + instance);
    if (instance < scenario_.in_use.size()) scenario_.in_use.erase(scenario_.in_use.begin() + instance);
    std::erase_if(scenario_.running, [&](const RunningTask& task) { return task.instance == instance; });
    for (auto& task : scenario_.running) task.instance -= task.instance > instance ? 1 : 0;
  }

  /// The last calls have fewer tasks, or the last one more.
  void scale_tasks(const Scale& event) {
    state_calls();
    const auto is_meant = [&](const Call& call) {
      return std::find(event.workloads.begin(), event.workloads.end(), call.workload) != event.workloads.end();
    };
    auto& calls = scenario_.calls;
    std::int64_t now = 0;
    for (const auto& call : calls) now += is_meant(call) ? call.count : 0;
    for (auto call = calls.rbegin(); call != calls.rend() && now != event.count; ++call) {
      if (!is_meant(*call)) continue;
      const std::int64_t more = std::max(event.count - now, -call->count);
      call->count += more;
      now += more;
    }
    for (const auto workload : event.workloads) scenario_.workloads[workload].count = 0;
    for (const auto& call : calls) {
      if (is_meant(call)) *scenario_.workloads[call.workload].count += call.count;
    }
    std::erase_if(calls, [](const Call& call) { return call.count == 0; });
  }

  /// Every call is stated, as one of the workload's is about to change.
  void state_calls() {
    auto calls = placement_order(scenario_);
    std::erase_if(calls,
                  [&](const Call& call) { return scenario_.workloads[call.workload].kind != WorkloadKind::kTasks; });
    scenario_.calls = std::move(calls);
  }

  Scenario& scenario_;
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

/// Workloads of the variant's deployments are the last; in its order.
void add_deployments(Scenario& scenario, const VariantOverTime& variant) {
  auto& timetable = scenario.timetable;
  for (const auto& deployment : variant.variant.deployments) {
    UpdateService update;
    update.service = service_with(timetable, deployment.workload);
    update.workload =
        add_deployment(scenario, newest_workload(timetable, update.service, variant.at), deployment.task_definition);
    add_event(timetable, {variant.at, update, {}});
  }
}

}  // namespace

Scenario with_variant(const Scenario& scenario, const VariantOverTime& variant) {
  Scenario changed = variant.variant.changes.empty() ? scenario : with_changes(scenario, variant.variant.changes);
  for (const auto& event : variant.variant.events) std::visit(Start(changed), event);
  for (auto timed : variant.events) {
    timed.at = variant.at;
    add_event(changed.timetable, std::move(timed));
  }
  add_deployments(changed, variant);
  return changed;
}

RunOverTime run_over_time(const Scenario& scenario, const VariantOverTime& variant) {
  RunOverTime run;
  run.scenario = std::make_unique<const Scenario>(with_variant(scenario, variant));
  run.history = timeline::simulate(*run.scenario);
  if (!run.history.errors.empty()) return run;
  run.mistakes = timeline::verify(*run.scenario, run.history);
  if (!run.mistakes.empty()) return run;
  run.deployments = read_deployments(*run.scenario, run.history, variant.variant.deployments.size());
  run.held = find_blocked_deployments(*run.scenario, run.history);
  return run;
}

}  // namespace bayplan::study
