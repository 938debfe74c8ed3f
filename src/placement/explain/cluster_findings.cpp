#include "placement/explain/cluster_findings.hpp"

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <span>

#include <fmt/core.h>

#include "base/strings.hpp"
#include "placement/engine/gpu_demand.hpp"
#include "placement/explain/gpu_needs_met.hpp"
#include "placement/explain/subnet_addresses.hpp"
#include "placement/model/constraints.hpp"
#include "placement/model/name_some.hpp"
#include "placement/model/profiles.hpp"

namespace bayplan::placement {
namespace {

using Findings = std::vector<ClusterFinding>;

const InstanceProfile& profile_of(const Scenario& scenario, std::uint32_t instance) {
  return scenario.profiles[scenario.instances[instance].profile];
}

/// "web, agent and 3 more".
std::string some_names(const std::set<std::string_view>& names) {
  constexpr std::size_t kShown = 3;
  std::string text;
  std::size_t shown = 0;
  for (const auto name : names) {
    if (shown == kShown) return fmt::format("{} and {} more", text, names.size() - kShown);
    text += (shown++ == 0 ? "" : ", ") + std::string(name);
  }
  return text;
}

void add_gpu_not_registered(const Scenario& scenario, Findings& findings) {
  std::map<std::string_view, std::vector<std::uint32_t>> by_type;
  for (std::uint32_t i = 0; i < scenario.instances.size(); ++i) {
    const auto& profile = profile_of(scenario, i);
    if (profile.type != nullptr && profile.type->has_nvidia_gpu() && profile.gpu_count == 0) {
      by_type[profile.instance_type].push_back(i);
    }
  }
  for (const auto& [type, instances] : by_type) {
    findings.push_back(
        {"gpu-not-registered", name_some(scenario, instances),
         fmt::format("registers no GPU although {} has {}: no NVIDIA driver, or not the GPU-optimized AMI?", type,
                     profile_of(scenario, instances.front()).type->gpu->count)});
  }
}

/// "service:web" as "web".
std::string_view name_of_group(std::string_view group) {
  return group.substr(group.find(':') + 1);
}

/// A daemon belongs on every instance.
bool is_cpu_task(const Workload& workload) {
  return !workload.requirement.wants_devices() && workload.kind != WorkloadKind::kDaemon;
}

/// The instance as if its CPU-only tasks had never been placed.
InstanceState without_cpu_tasks(const Scenario& scenario, const Outcome& outcome, std::uint32_t instance,
                                std::span<const std::uint32_t> placements) {
  InstanceState state = outcome.instances[instance];
  for (const std::uint32_t placement : placements) {
    const auto& workload = scenario.workloads[outcome.placements[placement].attempt.workload];
    if (!is_cpu_task(workload)) continue;
    const auto& task = workload.requirement;
    state.cpu += task.cpu;
    state.memory += task.memory;
    state.network_interfaces += task.network_interfaces;
    state.ebs_attachments += task.ebs_volumes;
    for (const auto port : task.tcp_ports) std::erase(state.tcp_ports, port);
    for (const auto port : task.udp_ports) std::erase(state.udp_ports, port);
  }
  return state;
}

void add_cpu_tasks(const Scenario& scenario, const Outcome& outcome, Findings& findings) {
  std::vector<bool> holds_some(outcome.instances.size());
  std::vector<bool> is_named(scenario.workloads.size());
  std::set<std::string_view> names;
  std::size_t tasks = 0;
  for (const auto& task : scenario.running) {
    if (task.daemon || task.stopping || !task.gpus.empty()) continue;
    if (profile_of(scenario, task.instance).gpu_count == 0) continue;
    holds_some[task.instance] = true;
    names.insert(name_of_group(task.group));
    ++tasks;
  }
  for (const auto& placement : outcome.placements) {
    const auto& workload = scenario.workloads[placement.attempt.workload];
    if (!is_cpu_task(workload)) continue;
    if (profile_of(scenario, placement.instance).gpu_count == 0) continue;
    holds_some[placement.instance] = true;
    if (!is_named[placement.attempt.workload]) names.insert(workload.name);
    is_named[placement.attempt.workload] = true;
    ++tasks;
  }
  if (tasks == 0) return;
  const GpuDemand demand(scenario);
  const PlacementsByInstance placements(outcome);
  std::int64_t blocked = 0;
  std::vector<std::uint32_t> instances;
  for (std::uint32_t instance = 0; instance < holds_some.size(); ++instance) {
    if (!holds_some[instance]) continue;
    instances.push_back(instance);
    const auto& state = outcome.instances[instance];
    if (idle_gpus(state.gpus) == 0 || demand.fits(instance, state)) continue;
    if (demand.fits(instance, without_cpu_tasks(scenario, outcome, instance, placements[instance])))
      blocked += idle_gpus(state.gpus);
  }
  const bool one = tasks == 1;
  std::string text = fmt::format(
      "{} without a GPU ({}) {} on {} with GPUs", count_of(static_cast<std::int64_t>(tasks), "task"), some_names(names),
      one ? "runs" : "run", one ? "an instance" : count_of(static_cast<std::int64_t>(instances.size()), "instance"));
  if (blocked > 0) {
    text += fmt::format(" and keep{} {} from the GPU tasks; a memberOf constraint would keep {} off", one ? "s" : "",
                        count_of(blocked, "free GPU"), one ? "it" : "them");
  }
  findings.push_back({"cpu-tasks-on-gpu-instances", name_some(scenario, instances), std::move(text)});
}

void add_services_on_gpus(const Scenario& scenario, Findings& findings) {
  bool any_without = false;
  for (const auto& profile : scenario.profiles) any_without |= profile.gpu_count == 0;
  if (!any_without) return;
  const Groups no_groups;
  ProfileChecks checks(scenario);
  for (const auto& workload : scenario.workloads) {
    if (workload.kind != WorkloadKind::kService || workload.requirement.wants_gpu()) continue;
    if (!workload.capacity_providers.empty()) continue;
    const Filter filter(scenario, no_groups, workload, 0, checks);
    for (std::uint32_t i = 0; i < scenario.profiles.size(); ++i) {
      const auto& profile = scenario.profiles[i];
      if (profile.gpu_count == 0 || !filter.profile_failures(i).empty()) continue;
      findings.push_back(
          {"service-not-kept-off-gpus", workload.name,
           fmt::format("needs no GPU and nothing keeps it off {}; a memberOf constraint would, such as "
                       "attribute:ecs.instance-type !~ {}.*",
                       profile.instance_type, profile.instance_type.substr(0, profile.instance_type.find('.')))});
      break;
    }
  }
}

void add_unavailable_gpus(const Scenario& scenario, Findings& findings) {
  std::map<std::string, std::vector<std::uint32_t>> by_state;
  for (std::uint32_t i = 0; i < scenario.instances.size(); ++i) {
    const auto& profile = profile_of(scenario, i);
    if (profile.gpu_count == 0) continue;
    if (profile.status != InstanceStatus::kActive) {
      by_state["is " + std::string(name_of(profile.status))].push_back(i);
    } else if (!profile.agent_connected) {
      by_state["has no connected agent"].push_back(i);
    }
  }
  for (const auto& [state, instances] : by_state) {
    std::int64_t gpus = 0;
    for (const auto instance : instances) gpus += profile_of(scenario, instance).gpu_count;
    findings.push_back({"unavailable-gpus", name_some(scenario, instances),
                        fmt::format("{}: {} unavailable to new tasks", state, count_of(gpus, "GPU"))});
  }
}

/// What the platform of a workload rests on, where the cluster has instances on which its containers would not start.
std::optional<std::string> platform_doubt(const Scenario& scenario, const Filter& filter, const Workload& workload) {
  const auto& task = workload.requirement;
  const bool is_unstated = !task.windows && !task.linux;
  const auto platform = capacity::wanted_platform(task);
  CheckSet attribute_alone;
  attribute_alone.add(Check::kAttribute);
  std::optional<std::string> kept_off;
  bool is_placeable = false;
  for (std::uint32_t i = 0; i < scenario.profiles.size(); ++i) {
    const auto& profile = scenario.profiles[i];
    const CheckSet failed = filter.profile_failures(i);
    if (failed.empty() && is_unstated && is_windows(profile)) {
      return fmt::format(
          "may be placed on {} (Windows): it states no operatingSystemFamily; a memberOf constraint on "
          "attribute:ecs.os-type selects the system",
          profile.instance_type);
    }
    is_placeable = is_placeable || failed.empty();
    if (kept_off || !(failed == attribute_alone)) continue;
    const auto missing = missing_attributes(profile, task);
    const bool is_platform = std::all_of(missing.begin(), missing.end(), [&](const std::string& name) {
      return std::find(platform.begin(), platform.end(), name) != platform.end();
    });
    if (!is_platform) continue;
    const auto& name = missing.front();
    kept_off = fmt::format(
        "requires {} and is not placed on {}: ECS does not document that it compares runtimePlatform with EC2 "
        "instances; a memberOf constraint on attribute:{} ensures it",
        name.substr(name.find('=') + 1), profile.instance_type, name.substr(0, name.find('=')));
  }
  // A task that fits nowhere else is not placed, and the failure gives the reason.
  return is_placeable ? kept_off : std::nullopt;
}

void add_platforms(const Scenario& scenario, Findings& findings) {
  const Groups no_groups;
  ProfileChecks checks(scenario);
  for (const auto& workload : scenario.workloads) {
    const Filter filter(scenario, no_groups, workload, 0, checks);
    if (auto doubt = platform_doubt(scenario, filter, workload))
      findings.push_back({"runtime-platform-not-filtered", workload.name, std::move(*doubt)});
  }
}

/// ECS starts them wherever there is room; on an instance without the devices the container does not start.
void add_mapped_neuron_devices(const Scenario& scenario, const Outcome& outcome, Findings& findings) {
  std::map<std::pair<std::uint32_t, const catalog::InstanceType*>, std::int64_t> tasks;
  for (const auto& placement : outcome.placements) {
    const auto* type = profile_of(scenario, placement.instance).type;
    const auto workload = placement.attempt.workload;
    if (type != nullptr && unmet_neuron_devices(scenario.workloads[workload].requirement, *type))
      ++tasks[{workload, type}];
  }
  for (const auto& [where, count] : tasks) {
    const auto& [workload, type] = where;
    const auto& own = scenario.workloads[workload];
    const auto unmet = unmet_neuron_devices(own.requirement, *type);
    findings.push_back({"neuron-device-missing", own.name,
                        fmt::format("needs {}; {} on {}, which has {}: ECS does not check this", unmet->wanted,
                                    count_of(count, "task"), type->name, unmet->given)});
  }
}

}  // namespace

std::vector<ClusterFinding> cluster_findings(const Scenario& scenario, const Outcome& outcome) {
  Findings findings = scenario.findings;
  add_gpu_not_registered(scenario, findings);
  add_unavailable_gpus(scenario, findings);
  add_cpu_tasks(scenario, outcome, findings);
  add_services_on_gpus(scenario, findings);
  for (auto& finding : unmet_gpu_needs(scenario, outcome)) findings.push_back(std::move(finding));
  add_mapped_neuron_devices(scenario, outcome, findings);
  add_platforms(scenario, findings);
  for (auto& finding : short_subnets(scenario, outcome)) findings.push_back(std::move(finding));
  return findings;
}

}  // namespace bayplan::placement
