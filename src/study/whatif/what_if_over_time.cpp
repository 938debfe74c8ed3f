#include "study/whatif/what_if_over_time.hpp"

#include <algorithm>
#include <cassert>
#include <utility>

#include "placement/engine/attempts.hpp"
#include "study/simulation/events_by_kind.hpp"
#include "study/whatif/variant_events.hpp"
#include "timeline/simulate.hpp"
#include "timeline/verify_history.hpp"

namespace bayplan::study {

using namespace placement;  // NOLINT: the study of placements is about nothing else

namespace {

/// Tasks that run there and are no daemon's.
std::int64_t count_tasks(const Scenario& scenario, std::uint32_t instance) {
  const auto running = scenario.running_on(instance);
  return std::count_if(running.begin(), running.end(), [](const RunningTask& task) { return !task.daemon; });
}

void erase_instance(Scenario& scenario, std::uint32_t instance) {
  scenario.instances.erase(scenario.instances.begin() + instance);
  if (instance < scenario.in_use.size()) scenario.in_use.erase(scenario.in_use.begin() + instance);
  std::erase_if(scenario.running, [&](const RunningTask& task) { return task.instance == instance; });
  for (auto& task : scenario.running) task.instance -= task.instance > instance ? 1 : 0;
}

void remove_instances(Scenario& scenario, const RemoveInstances& event) {
  std::vector<std::uint32_t> candidates;
  for (std::uint32_t i = static_cast<std::uint32_t>(scenario.instances.size()); i-- > 0;) {
    if (scenario.profiles[scenario.instances[i].profile].instance_type == event.instance_type) candidates.push_back(i);
  }
  std::stable_sort(candidates.begin(), candidates.end(),
                   [&](auto a, auto b) { return count_tasks(scenario, a) < count_tasks(scenario, b); });
  candidates.resize(std::min(candidates.size(), static_cast<std::size_t>(event.count)));
  std::sort(candidates.begin(), candidates.end());
  for (auto instance = candidates.rbegin(); instance != candidates.rend(); ++instance)
    erase_instance(scenario, *instance);
}

void add_instances(Scenario& scenario, const AddInstances& event) {
  for (auto& instance : with_profiles_in(scenario, event).instances) scenario.instances.push_back(instance);
}

/// The last calls have fewer tasks, or the last one more. Every call is stated, as one of the workload's changes.
void scale_tasks(Scenario& scenario, const Scale& event) {
  auto calls = placement_order(scenario);
  std::erase_if(calls,
                [&](const Call& call) { return scenario.workloads[call.workload].kind != WorkloadKind::kTasks; });
  const auto is_meant = [&](const Call& call) {
    return std::find(event.workloads.begin(), event.workloads.end(), call.workload) != event.workloads.end();
  };
  std::int64_t now = 0;
  for (const auto& call : calls) now += is_meant(call) ? call.count : 0;
  for (auto call = calls.rbegin(); call != calls.rend() && now != event.count; ++call) {
    if (!is_meant(*call)) continue;
    const std::int64_t more = std::max(event.count - now, -call->count);
    call->count += more;
    now += more;
  }
  for (const auto workload : event.workloads) scenario.workloads[workload].count = 0;
  for (const auto& call : calls) {
    if (is_meant(call)) *scenario.workloads[call.workload].count += call.count;
  }
  std::erase_if(calls, [](const Call& call) { return call.count == 0; });
  scenario.calls = std::move(calls);
}

void scale_from_start(Scenario& scenario, const Scale& event) {
  if (event.workloads.empty()) return;
  const auto first = event.workloads.front();
  if (scenario.workloads[first].kind == WorkloadKind::kTasks) return scale_tasks(scenario, event);
  for (auto& plan : scenario.timetable.services) {
    if (plan.workload == first) plan.desired_count = event.count;
  }
}

/// What the variant's events leave of the scenario from the start. In a run, instances terminate and drain by name
/// (Variant::timed_events), and never by index.
void begin_with(Scenario& scenario, const std::vector<InstantEvent>& events) {
  const auto [terminated, drained, removals, additions, scales] = by_kind(events);
  assert(terminated.empty() && drained.empty());
  for (const auto* removal : removals) remove_instances(scenario, *removal);
  for (const auto* addition : additions) add_instances(scenario, *addition);
  for (const auto* one : scales) scale_from_start(scenario, *one);
}

}  // namespace

Scenario with_variant(const Scenario& scenario, const Variant& variant, Seconds at) {
  Scenario changed = variant.changes.empty() ? scenario : with_changes(scenario, variant.changes);
  begin_with(changed, variant.events);
  for (const auto& timed : variant.timed_events) add_event(changed.timetable, {at, timed.event, timed.origin});
  add_deployments(changed, variant, at);
  return changed;
}

RunOverTime run_over_time(const Scenario& scenario, const Variant& variant, Seconds at) {
  RunOverTime run;
  run.scenario = std::make_unique<const Scenario>(with_variant(scenario, variant, at));
  run.history = timeline::simulate(*run.scenario);
  if (!run.history.errors.empty()) return run;
  run.mistakes = timeline::verify(*run.scenario, run.history);
  if (!run.mistakes.empty()) return run;
  run.deployments = read_deployments(*run.scenario, run.history, variant.deployments.size());
  run.held = find_blocked_deployments(*run.scenario, run.history);
  return run;
}

}  // namespace bayplan::study
