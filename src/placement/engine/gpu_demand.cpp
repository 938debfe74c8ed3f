#include "placement/engine/gpu_demand.hpp"

#include <algorithm>
#include <set>
#include <string>
#include <tuple>

namespace bayplan::placement {
namespace {

Workload one_task_of(const Scenario& scenario, std::uint32_t definition) {
  Workload workload;
  workload.task_definition = definition;
  workload.name = scenario.task_definitions[definition].family;
  workload.group = "family:" + workload.name;
  workload.requirement = scenario.task_definitions[definition].requirement;
  workload.constraints = scenario.task_definitions[definition].constraints;
  return workload;
}

/// What two workloads of one kind have in common.
auto kind_of(const Workload& workload) {
  const auto& task = workload.requirement;
  std::string limits;
  for (const auto& constraint : workload.constraints) {
    limits += constraint.type == ConstraintType::kMemberOf ? constraint.source : "distinct " + workload.group;
    limits += '\n';
  }
  for (const auto& zone : workload.availability_zones.value_or(std::vector<std::string>{})) limits += zone + '\n';
  if (workload.only_profile) limits += std::to_string(*workload.only_profile) + '\n';
  for (const auto& share : workload.capacity_providers) limits += share.capacity_provider + '\n';
  return std::tuple(workload.task_definition, task.cpu, task.memory, task.gpu_form, task.gpu_count,
                    task.gpu_fraction_millionths, task.mps_memory, task.tcp_ports, task.udp_ports, limits);
}

}  // namespace

GpuDemand::GpuDemand(const Scenario& scenario) : scenario_(scenario) {
  std::set<decltype(kind_of(Workload()))> known;
  std::vector<bool> used(scenario.task_definitions.size());
  for (const auto& workload : scenario.workloads) {
    if (workload.task_definition < used.size()) used[workload.task_definition] = true;
    if (workload.requirement.wants_gpu() && known.insert(kind_of(workload)).second) kinds_.push_back(workload);
  }
  for (std::uint32_t i = 0; i < used.size(); ++i) {
    if (!used[i] && scenario.task_definitions[i].requirement.wants_gpu()) kinds_.push_back(one_task_of(scenario, i));
  }
  ProfileChecks checks(scenario);
  filters_.reserve(kinds_.size());
  for (const auto& task : kinds_) filters_.emplace_back(scenario, groups_, task, 0, checks);
}

CheckSet GpuDemand::lasting_failures(std::size_t kind, std::uint32_t instance) const {
  const std::uint32_t profile = scenario_.instances[instance].profile;
  CheckSet failed = filters_[kind].profile_failures(profile);
  const auto& providers = kinds_[kind].capacity_providers;
  const bool is_of_one = std::any_of(providers.begin(), providers.end(), [&](const ProviderShare& share) {
    return share.capacity_provider == scenario_.profiles[profile].capacity_provider_name;
  });
  if (!providers.empty() && !is_of_one) failed.add(Check::kCapacityProvider);
  return failed;
}

bool GpuDemand::fits(std::uint32_t instance, const InstanceState& state) const {
  for (std::size_t i = 0; i < kinds_.size(); ++i) {
    if (lasting_failures(i, instance).empty() && resources_fit(state, kinds_[i].requirement)) return true;
  }
  return false;
}

}  // namespace bayplan::placement
