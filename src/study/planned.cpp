// The scenario with planned variations made.
#include <algorithm>
#include <map>
#include <utility>

#include "study/planned_instances.hpp"
#include "study/running_workloads.hpp"
#include "study/what_if.hpp"

namespace bayplan::study {

using namespace placement;  // NOLINT: the study of placements is about nothing else

namespace {

/// Tasks that run on instances which another takes the place of: services start theirs anew, and here the owners of
/// standalone tasks do.
class Displacement {
 public:
  Displacement(Scenario& scenario, const PlannedInstances& planned)
      : scenario_(scenario), planned_(planned), workloads_(scenario) {}

  void run() {
    std::vector<RunningTask> kept;
    kept.reserve(scenario_.running.size());
    for (auto& task : scenario_.running) {
      if (!planned_.is_another(task.instance)) {
        kept.push_back(std::move(task));
      } else if (!task.stopping && !task.daemon) {
        ++displaced_[workloads_.workload_of(task)];
      }
    }
    for (std::uint32_t i = 0; i < scenario_.in_use.size(); ++i) {
      if (planned_.is_another(i)) scenario_.in_use[i] = {};
    }
    scenario_.running = std::move(kept);
    for (const auto& [workload, count] : displaced_) place_anew(workload, count);
    if (!scenario_.timetable.tasks.empty()) scenario_.timetable.tasks.resize(scenario_.workloads.size());
  }

 private:
  void place_anew(std::uint32_t index, std::int64_t count) {
    if (workloads_.is_unknown(index)) return;  // load_variants refuses it
    auto& workload = scenario_.workloads[index];
    const auto& plans = scenario_.timetable.services;
    const auto plan = std::find_if(plans.begin(), plans.end(), [&](const auto& one) { return one.workload == index; });
    workload.count = plan == plans.end() ? workload.count.value_or(0) + count
                                         : std::max<std::int64_t>(0, plan->desired_count - running_of(workload.group));
  }

  std::int64_t running_of(const std::string& group) const {
    return std::count_if(scenario_.running.begin(), scenario_.running.end(),
                         [&](const RunningTask& task) { return task.group == group && !task.stopping; });
  }

  Scenario& scenario_;
  const PlannedInstances& planned_;
  RunningWorkloads workloads_;
  std::map<std::uint32_t, std::int64_t> displaced_;  ///< Tasks by workload.
};

void replace_instances(const Scenario& scenario, const Variant& variant, Scenario& changed) {
  const PlannedInstances planned(scenario, variant.planned);
  if (!planned.is_changed()) return;
  if (!changed.running.empty() || !changed.in_use.empty()) Displacement(changed, planned).run();
  std::vector<InstanceProfile> profiles;
  profiles.reserve(planned.profiles().size());
  for (const auto* profile : planned.profiles()) profiles.push_back(*profile);
  changed.profiles = std::move(profiles);
  changed.instances = planned.instances();
  if (changed.in_use.size() > changed.instances.size()) changed.in_use.resize(changed.instances.size());
}

void replace_strategies(const std::vector<Strategy>& strategies, Scenario& scenario) {
  for (auto& workload : scenario.workloads) {
    if (workload.kind != WorkloadKind::kDaemon) workload.strategies = strategies;
  }
}

}  // namespace

Scenario planned(const Scenario& scenario, const Variant& variant) {
  Scenario changed = scenario;
  replace_instances(scenario, variant, changed);
  for (const auto& variation : variant.planned) {
    if (const auto* chain = std::get_if<ReplaceStrategies>(&variation)) replace_strategies(chain->strategies, changed);
    if (const auto* seed = std::get_if<ReplaceSeed>(&variation)) changed.seed = seed->seed;
    if (const auto* order = std::get_if<ReplaceOrder>(&variation)) changed.order = order->order;
  }
  return changed;
}

}  // namespace bayplan::study
