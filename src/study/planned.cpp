// The scenario with planned variations made.
#include <algorithm>
#include <map>
#include <utility>

#include "base/fill.hpp"
#include "base/strings.hpp"
#include "study/fleet.hpp"
#include "study/what_if.hpp"

namespace bayplan::study {

using namespace placement;  // NOLINT: the study of placements is about nothing else

namespace {

/// Tasks that run on instances which another takes the place of: services start theirs anew, and here the owners of
/// standalone tasks do.
class Displacement {
 public:
  Displacement(Scenario& scenario, const Fleet& fleet) : scenario_(scenario), fleet_(fleet) {}

  void run() {
    std::vector<RunningTask> kept;
    kept.reserve(scenario_.running.size());
    for (auto& task : scenario_.running) {
      if (!fleet_.is_another(task.instance)) {
        kept.push_back(std::move(task));
      } else if (!task.stopping && !task.daemon) {
        ++displaced_[{task.group, task.task_definition}];
      }
    }
    for (std::uint32_t i = 0; i < scenario_.in_use.size(); ++i) {
      if (fleet_.is_another(i)) scenario_.in_use[i] = {};
    }
    scenario_.running = std::move(kept);
    const auto of_services = restart_services();
    for (const auto& [task, count] : displaced_) {
      if (!of_services.contains(task.first)) run_again(task.first, task.second, count);
    }
  }

 private:
  /// Groups of the scenario's services, daemons among them; what those that lost tasks lack of desiredCount is told by
  /// the workload.
  std::map<std::string, std::uint32_t> restart_services() {
    std::map<std::string, std::uint32_t> services;
    for (std::uint32_t i = 0; i < scenario_.workloads.size(); ++i) {
      if (scenario_.workloads[i].kind != WorkloadKind::kTasks) services.emplace(scenario_.workloads[i].group, i);
    }
    std::map<std::string_view, std::int64_t> running;
    for (const auto& task : scenario_.running) running[task.group] += task.stopping ? 0 : 1;
    std::map<std::uint32_t, std::int64_t> desired;
    for (const auto& plan : scenario_.timetable.services) desired.emplace(plan.workload, plan.desired_count);
    for (const auto& [task, count] : displaced_) {
      const auto found = services.find(task.first);
      if (found == services.end()) continue;
      auto& workload = scenario_.workloads[found->second];
      if (workload.kind == WorkloadKind::kDaemon) continue;
      const auto plan = desired.find(found->second);
      workload.count = plan == desired.end() ? workload.count.value_or(0) + count
                                             : std::max<std::int64_t>(0, plan->second - running[task.first]);
    }
    return services;
  }

  void run_again(const std::string& group, const std::string& definition_name, std::int64_t count) {
    const auto& definitions = scenario_.task_definitions;
    const auto found = std::find_if(definitions.begin(), definitions.end(),
                                    [&](const TaskDefinition& one) { return one.name == definition_name; });
    if (found == definitions.end()) {
      scenario_.assumptions.push_back({"lost-task-unknown", definition_name,
                                       fill("not described: {} on replaced instances {} not placed anew",
                                            {bayplan::count_of(count, "task"), count == 1 ? "is" : "are"})});
      return;
    }
    Workload workload;
    workload.name = found->family;
    workload.task_definition = static_cast<std::uint32_t>(found - definitions.begin());
    workload.count = count;
    workload.group = group;
    workload.requirement = found->requirement;
    workload.constraints = found->constraints;
    scenario_.workloads.push_back(std::move(workload));
    if (!scenario_.timetable.tasks.empty()) scenario_.timetable.tasks.emplace_back();
  }

  Scenario& scenario_;
  const Fleet& fleet_;
  std::map<std::pair<std::string, std::string>, std::int64_t> displaced_;  ///< By group and definition.
};

void replace_fleet(const Scenario& scenario, const Variant& variant, Scenario& changed) {
  const Fleet fleet(scenario, variant.planned);
  if (!fleet.is_changed()) return;
  if (!changed.running.empty() || !changed.in_use.empty()) Displacement(changed, fleet).run();
  std::vector<InstanceProfile> profiles;
  profiles.reserve(fleet.profiles().size());
  for (const auto* profile : fleet.profiles()) profiles.push_back(*profile);
  changed.profiles = std::move(profiles);
  changed.instances = fleet.instances();
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
  replace_fleet(scenario, variant, changed);
  for (const auto& variation : variant.planned) {
    if (const auto* chain = std::get_if<ReplaceStrategies>(&variation)) replace_strategies(chain->strategies, changed);
    if (const auto* seed = std::get_if<ReplaceSeed>(&variation)) changed.seed = seed->seed;
    if (const auto* order = std::get_if<ReplaceOrder>(&variation)) changed.order = order->order;
  }
  return changed;
}

}  // namespace bayplan::study
