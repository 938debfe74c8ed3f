#include "study/change.hpp"

#include <algorithm>

#include "capacity/offer.hpp"
#include "placement/profiles.hpp"
#include "study/standing.hpp"

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
  }

  void operator()(const LargestFirst&) const { scenario_.order = TaskOrder::kLargestFirst; }

  void operator()(const MoveTask& change) const {
    RunningTask task = take_out(change.task, change.requirement);
    const auto& profile = profile_of(scenario_, change.to);
    Groups groups;
    auto state = starting_state(scenario_, change.to, groups);
    const auto given = take(state, change.requirement, groups.number(task.group));
    scenario_.in_use.resize(scenario_.instances.size());
    scenario_.in_use[change.to] = use_of(state, profile);
    task.instance = change.to;
    task.gpus = devices_of(change.requirement, given);
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

  void operator()(const LoosenConstraint& change) const {
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
      const auto interfaces = trunked_interfaces(profile);
      if (profile.instance_type != change.instance_type || !interfaces) continue;
      profile.network_interfaces = *interfaces;
      profile.awsvpc_trunking = true;
      use_attachments(capacity::offer_of(*profile.type, {.trunking = true, .windows = is_windows(profile)}), profile);
    }
  }

  void operator()(const AddInstance& change) const {
    scenario_.instances.push_back({std::string(kAddedInstance), static_cast<std::uint32_t>(scenario_.profiles.size())});
    scenario_.profiles.push_back(change.profile);
  }

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
  if (task.wants_gpu() == gpus.empty()) return false;
  return std::all_of(gpus.begin(), gpus.end(), [&](std::uint32_t gpu) {
    if (gpu >= in_use.size()) return false;
    if (task.gpu_form == GpuForm::kMps) return in_use[gpu].shared_memory >= task.mps_memory;
    if (task.gpu_form == GpuForm::kFraction)
      return in_use[gpu].dedicated || in_use[gpu].share_millionths >= task.gpu_fraction_millionths;
    return in_use[gpu].dedicated;
  });
}

}  // namespace

Scenario apply(const Scenario& scenario, const Change& change) {
  Scenario changed = scenario;
  std::visit(Application(changed), change);
  return changed;
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
