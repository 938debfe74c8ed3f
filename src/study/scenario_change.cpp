#include "study/scenario_change.hpp"

#include <algorithm>
#include <iterator>
#include <map>
#include <utility>

#include "capacity/offer.hpp"
#include "placement/model/profiles.hpp"
#include "study/simulation/cluster_at_attempt.hpp"
#include "study/simulation/running_workloads.hpp"
#include "study/whatif/planned_instances.hpp"

namespace bayplan::study {

using namespace placement;  // NOLINT: the study of placements is about nothing else

namespace {

using capacity::GpuForm;
using capacity::TaskRequirement;
using Ports = std::vector<std::uint16_t>;

void erase(Ports& ports, const Ports& gone) {
  for (const auto port : gone) {
    const auto found = std::lower_bound(ports.begin(), ports.end(), port);
    if (found != ports.end() && *found == port) ports.erase(found);
  }
}

bool holds(const Ports& ports, const Ports& part) {
  return std::includes(ports.begin(), ports.end(), part.begin(), part.end());
}

const InstanceProfile& profile_of(const Scenario& scenario, std::uint32_t instance) {
  return scenario.profiles[scenario.instances[instance].profile];
}

/// A profile that the instance shares with no other.
InstanceProfile& own_profile(Scenario& scenario, std::uint32_t instance) {
  auto& index = scenario.instances[instance].profile;
  scenario.profiles.push_back(scenario.profiles[index]);
  index = static_cast<std::uint32_t>(scenario.profiles.size() - 1);
  return scenario.profiles.back();
}

/// Services start displaced tasks again up to their desired count; standalone tasks are started again by their owners.
void start_displaced(Scenario& scenario, std::uint32_t workload, std::int64_t count) {
  auto& own = scenario.workloads[workload];
  const auto& plans = scenario.timetable.services;
  const auto plan = std::find_if(plans.begin(), plans.end(), [&](const auto& one) { return one.workload == workload; });
  if (plan == plans.end()) {
    own.count = own.count.value_or(0) + count;
    return;
  }
  const std::int64_t running =
      std::count_if(scenario.running.begin(), scenario.running.end(),
                    [&](const RunningTask& task) { return task.group == own.group && !task.stopping; });
  own.count = std::max<std::int64_t>(0, plan->desired_count - running);
}

/// Takes the tasks off instances that another replaces, and has them started again.
void displace_tasks(Scenario& scenario, const PlannedInstances& planned) {
  RunningWorkloads workloads(scenario);
  std::map<std::uint32_t, std::int64_t> displaced;  // tasks by workload
  std::vector<RunningTask> kept;
  kept.reserve(scenario.running.size());
  for (auto& task : scenario.running) {
    if (!planned.is_another(task.instance)) {
      kept.push_back(std::move(task));
    } else if (!task.stopping && !task.daemon) {
      ++displaced[workloads.workload_of(task)];
    }
  }
  for (std::uint32_t i = 0; i < scenario.in_use.size(); ++i) {
    if (planned.is_another(i)) scenario.in_use[i] = {};
  }
  scenario.running = std::move(kept);
  for (const auto& [workload, count] : displaced) {
    if (!workloads.is_unknown(workload)) start_displaced(scenario, workload, count);  // load_variants refuses others
  }
  if (!scenario.timetable.tasks.empty()) scenario.timetable.tasks.resize(scenario.workloads.size());
}

void replace_instances(const Scenario& scenario, const std::vector<ScenarioChange>& changes, Scenario& changed) {
  const PlannedInstances planned(scenario, changes);
  if (!planned.is_changed()) return;
  if (!changed.running.empty() || !changed.in_use.empty()) displace_tasks(changed, planned);
  std::vector<InstanceProfile> profiles;
  profiles.reserve(planned.profiles().size());
  for (const auto* profile : planned.profiles()) profiles.push_back(*profile);
  changed.profiles = std::move(profiles);
  changed.instances = planned.instances();
  if (changed.in_use.size() > changed.instances.size()) changed.in_use.resize(changed.instances.size());
}

/// Every workload that is a deployment of the service.
std::vector<std::uint32_t> workloads_of(const Timetable& timetable, std::uint32_t service) {
  std::vector<std::uint32_t> workloads{timetable.services[service].workload};
  for (const auto& timed : timetable.events) {
    const auto* update = std::get_if<UpdateService>(&timed.event);
    if (update != nullptr && update->service == service && update->workload) workloads.push_back(*update->workload);
  }
  return workloads;
}

/// Sets a percentage of the service wherever the scenario states it.
void set_percent(Scenario& scenario, std::uint32_t service, std::int64_t percent, std::int64_t Workload::*of_workload,
                 std::optional<std::int64_t> UpdateService::*of_update) {
  for (const auto workload : workloads_of(scenario.timetable, service)) {
    scenario.workloads[workload].*of_workload = percent;
  }
  for (auto& timed : scenario.timetable.events) {
    auto* update = std::get_if<UpdateService>(&timed.event);
    if (update != nullptr && update->service == service && update->*of_update) update->*of_update = percent;
  }
}

class Application {
 public:
  explicit Application(Scenario& scenario) : scenario_(scenario) {}

  void operator()(const ChangePorts& change) const {
    auto& task = scenario_.workloads[change.workload].requirement;
    for (const auto& port : change.ports) {
      auto& ports = port.is_udp ? task.udp_ports : task.tcp_ports;
      erase(ports, {port.from});
      if (port.to != 0) ports.insert(std::lower_bound(ports.begin(), ports.end(), port.to), port.to);
    }
  }

  void operator()(const ChangeStrategy& change) const {
    for (const auto workload : change.workloads) scenario_.workloads[workload].strategies = change.strategies;
    if (!change.workloads.empty()) return;
    scenario_.policy.reset();
    for (auto& workload : scenario_.workloads) {
      if (workload.kind != WorkloadKind::kDaemon) workload.strategies = change.strategies;
    }
  }

  void operator()(const ChangePolicy& change) const { scenario_.policy = change.policy; }

  void operator()(const ChangeOrder& change) const { scenario_.order = change.order; }

  void operator()(const ChangeSeed& change) const { scenario_.seed = change.seed; }

  void operator()(const MoveTask& change) const {
    RunningTask task = take_out(change.task, change.requirement);
    const auto& profile = profile_of(scenario_, change.to);
    Groups groups;
    auto state = starting_state(scenario_, change.to, groups);
    const auto given = take(state, change.requirement, groups.number(task.group));
    scenario_.in_use.resize(scenario_.instances.size());
    scenario_.in_use[change.to] = use_of(state, profile);
    task.instance = change.to;
    task.gpus = list_devices(change.requirement, given);
    const auto place = std::partition_point(scenario_.running.begin(), scenario_.running.end(),
                                            [&](const auto& other) { return other.instance <= change.to; });
    scenario_.running.insert(place, std::move(task));
  }

  void operator()(const EndTask& change) const { take_out(change.task, change.requirement); }

  void operator()(const ChangeSize& change) const {
    auto& task = scenario_.workloads[change.workload].requirement;
    task.cpu = change.cpu;
    task.memory = change.memory;
    if (task.gpu_form != GpuForm::kCount || task.gpu_containers.size() != 1) return;
    task.gpu_count = change.gpus;
    task.gpu_containers.front().count = change.gpus;
  }

  void operator()(const DropConstraint& change) const {
    auto& constraints = scenario_.workloads[change.workload].constraints;
    constraints.erase(constraints.begin() + change.constraint);
  }

  void operator()(const RelaxConstraint& change) const {
    scenario_.workloads[change.workload].constraints[change.constraint] = change.replacement;
  }

  void operator()(const AddZone& change) const {
    auto& zones = scenario_.workloads[change.workload].availability_zones;
    if (!zones) return;
    zones->insert(std::lower_bound(zones->begin(), zones->end(), change.availability_zone), change.availability_zone);
  }

  void operator()(const AnyProvider& change) const { scenario_.workloads[change.workload].capacity_providers.clear(); }

  void operator()(const MakeAvailable& change) const {
    auto& profile = own_profile(scenario_, change.instance);
    profile.status = InstanceStatus::kActive;
    profile.agent_connected = true;
  }

  void operator()(const AddAttributes& change) const {
    auto& profile = own_profile(scenario_, change.instance);
    for (const auto& name : change.names) profile.attributes.emplace(name, "");
  }

  void operator()(const TurnOnTrunking& change) const {
    for (auto& profile : scenario_.profiles) {
      if (profile.instance_type == change.instance_type && trunked_interfaces(profile)) set_trunking(true, profile);
    }
  }

  void operator()(const AddInstances& change) const {
    for (auto& instance : with_profiles_in(scenario_, change).instances) scenario_.instances.push_back(instance);
  }

  void operator()(const SetMinimumHealthyPercent& change) const {
    set_percent(scenario_, change.service, change.percent, &Workload::minimum_healthy_percent,
                &UpdateService::minimum_healthy_percent);
  }

  void operator()(const SetMaximumPercent& change) const {
    set_percent(scenario_, change.service, change.percent, &Workload::maximum_percent, &UpdateService::maximum_percent);
  }

  void operator()(const SetRolling& change) const {
    const auto roll = [](model::DeploymentSettings& settings) {
      settings.strategy = model::DeploymentStrategy::kRolling;
    };
    roll(scenario_.timetable.services[change.service].settings);
    for (auto& timed : scenario_.timetable.events) {
      auto* update = std::get_if<UpdateService>(&timed.event);
      if (update != nullptr && update->service == change.service && update->settings) roll(*update->settings);
    }
  }

  void operator()(const ReplaceType&) const {}       // all of them together, before the others
  void operator()(const ReplaceInstances&) const {}  // the same
  void operator()(const AppendFlags&) const {}

 private:
  RunningTask take_out(std::uint32_t index, const TaskRequirement& requirement) const {
    RunningTask task = scenario_.running[index];
    const auto& profile = profile_of(scenario_, task.instance);
    Groups groups;
    auto state = starting_state(scenario_, task.instance, groups);
    give_back(state, profile, requirement, task.gpus);
    scenario_.in_use[task.instance] = use_of(state, profile);
    scenario_.running.erase(scenario_.running.begin() + index);
    return task;
  }

  Scenario& scenario_;
};

/// The devices are taken in the way the task takes them.
bool gpus_can_leave(const std::vector<GpuUse>& in_use, const TaskRequirement& task,
                    const std::vector<std::uint32_t>& gpus) {
  if (task.wants_devices() == gpus.empty()) return false;
  return std::all_of(gpus.begin(), gpus.end(), [&](std::uint32_t gpu) {
    if (gpu >= in_use.size()) return false;
    if (task.gpu_form == GpuForm::kMps) return in_use[gpu].shared_memory >= task.mps_memory;
    if (task.gpu_form == GpuForm::kFraction)
      return in_use[gpu].dedicated || in_use[gpu].share_millionths >= task.gpu_fraction_millionths;
    return in_use[gpu].dedicated;
  });
}

}  // namespace

AddInstances one_more(InstanceProfile profile) {
  return {{std::move(profile)}, {{std::string(kAddedInstance), 0}}};
}

AddInstances with_profiles_in(Scenario& scenario, AddInstances event) {
  const auto first = static_cast<std::uint32_t>(scenario.profiles.size());
  std::move(event.profiles.begin(), event.profiles.end(), std::back_inserter(scenario.profiles));
  event.profiles.clear();
  for (auto& instance : event.instances) instance.profile += first;
  return event;
}

Scenario with_changes(const Scenario& scenario, const std::vector<ScenarioChange>& changes) {
  Scenario changed = scenario;
  replace_instances(scenario, changes, changed);
  for (const auto& change : changes) std::visit(Application(changed), change);
  return changed;
}

Scenario with_change(const Scenario& scenario, const ScenarioChange& change) {
  return with_changes(scenario, {change});
}

bool can_leave(const Scenario& scenario, std::uint32_t running, const TaskRequirement& requirement) {
  const auto& task = scenario.running[running];
  const InstanceUse* use = scenario.use_of(task.instance);
  return use != nullptr && use->tasks > 0 && use->cpu >= requirement.cpu && use->memory >= requirement.memory &&
         use->network_interfaces >= requirement.network_interfaces && use->ebs_volumes >= requirement.ebs_volumes &&
         holds(use->tcp_ports, requirement.tcp_ports) && holds(use->udp_ports, requirement.udp_ports) &&
         gpus_can_leave(use->gpus, requirement, task.gpus);
}

std::optional<std::int64_t> trunked_interfaces(const InstanceProfile& profile) {
  if (profile.awsvpc_trunking || profile.type == nullptr) return std::nullopt;
  const auto limit = profile.type->eni_task_limit_trunking;
  return limit && *limit > profile.network_interfaces ? limit : std::nullopt;
}

}  // namespace bayplan::study
