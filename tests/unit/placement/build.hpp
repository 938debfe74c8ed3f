#pragma once
#include <string>
#include <utility>
#include <vector>

#include "placement/engine/engine.hpp"
#include "placement/model/scenario.hpp"

/// Small scenarios written by hand, for tests of the engine.
namespace bayplan::placement::build {

struct Gpus {
  std::int64_t count = 0;
  MiB memory = 0;
};

inline InstanceProfile instance(std::string type, CpuUnits cpu, MiB memory, Gpus gpus = {},
                                std::string zone = "us-east-1a") {
  InstanceProfile profile;
  profile.instance_type = type;
  profile.cpu = cpu;
  profile.memory = memory;
  profile.gpu_count = gpus.count;
  profile.gpu_memory = gpus.memory;
  profile.availability_zone = zone;
  profile.network_interfaces = 3;
  profile.reserved_tcp_ports = {22, 2375, 2376, 51678, 51679};
  profile.attributes = {{"ecs.instance-type", type}, {"ecs.availability-zone", zone}, {"ecs.os-type", "linux"}};
  return profile;
}

inline capacity::TaskRequirement needs(CpuUnits cpu, MiB memory) {
  capacity::TaskRequirement task;
  task.cpu = cpu;
  task.memory = memory;
  return task;
}

/// One container a number.
inline capacity::TaskRequirement with_gpus(capacity::TaskRequirement task, const std::vector<std::int64_t>& counts) {
  task.gpu_form = capacity::GpuForm::kCount;
  for (const auto count : counts) {
    const auto position = task.gpu_containers.size();
    task.gpu_containers.push_back({position, "c" + std::to_string(position), capacity::GpuForm::kCount, count, 0, 0});
    task.gpu_count += count;
  }
  return task;
}

inline capacity::TaskRequirement with_mps(capacity::TaskRequirement task, const std::vector<MiB>& memory) {
  task.gpu_form = capacity::GpuForm::kMps;
  for (const auto each : memory) {
    const auto position = task.gpu_containers.size();
    task.gpu_containers.push_back({position, "c" + std::to_string(position), capacity::GpuForm::kMps, 0, 0, each});
    task.mps_memory += each;
  }
  return task;
}

inline capacity::TaskRequirement with_all_gpus(capacity::TaskRequirement task) {
  task.gpu_form = capacity::GpuForm::kAll;
  task.gpu_containers.push_back({0, "c0", capacity::GpuForm::kAll, 0, 0, 0});
  return task;
}

inline capacity::TaskRequirement with_neuron_devices(capacity::TaskRequirement task) {
  task.gpu_form = capacity::GpuForm::kNeuron;
  task.gpu_containers.push_back({0, "c0", capacity::GpuForm::kNeuron, 0, 0, 0});
  return task;
}

inline capacity::TaskRequirement with_fraction(capacity::TaskRequirement task, std::int64_t millionths) {
  task.gpu_form = capacity::GpuForm::kFraction;
  task.gpu_fraction_millionths = millionths;
  task.gpu_containers.push_back({0, "c0", capacity::GpuForm::kFraction, 0, millionths, 0});
  return task;
}

inline capacity::TaskRequirement with_tcp(capacity::TaskRequirement task, std::vector<std::uint16_t> ports) {
  task.tcp_ports = std::move(ports);
  return task;
}

inline capacity::TaskRequirement with_interface(capacity::TaskRequirement task) {
  task.network_interfaces = 1;
  task.required_attributes = {"ecs.capability.task-eni"};
  return task;
}

inline capacity::TaskRequirement with_volume(capacity::TaskRequirement task) {
  task.ebs_volumes = 1;
  return task;
}

/// `shared`: the network interfaces of tasks take attachments, too.
inline InstanceProfile with_attachments(InstanceProfile profile, std::int64_t count, bool shared = false) {
  profile.ebs_attachments = count;
  profile.interfaces_take_attachments = shared;
  return profile;
}

inline Strategy binpack(std::string field) {
  return {StrategyType::kBinpack, std::move(field)};
}
inline Strategy spread(std::string field) {
  return {StrategyType::kSpread, std::move(field)};
}

inline Constraint distinct_instance() {
  return {ConstraintType::kDistinctInstance, {}, nullptr};
}

inline Constraint member_of(std::string source) {
  auto parsed = query::parse(source);
  return {ConstraintType::kMemberOf, source,
          std::make_shared<const query::Expression>(std::move(parsed.expression).value())};
}

inline Workload run_task(std::string family, capacity::TaskRequirement task, std::int64_t count,
                         std::vector<Strategy> strategies = {binpack("memory")}) {
  Workload workload;
  workload.kind = WorkloadKind::kTasks;
  workload.name = family;
  workload.group = "family:" + family;
  workload.count = count;
  workload.requirement = std::move(task);
  workload.strategies = std::move(strategies);
  return workload;
}

inline Workload service(std::string name, capacity::TaskRequirement task, std::int64_t count,
                        std::vector<Strategy> strategies = {}) {
  Workload workload = run_task(name, std::move(task), count, std::move(strategies));
  workload.kind = WorkloadKind::kService;
  workload.group = "service:" + name;
  return workload;
}

inline Workload constrained(Workload workload, std::vector<Constraint> constraints) {
  workload.constraints = std::move(constraints);
  return workload;
}

/// Every profile once; ids count per type.
inline Scenario scenario_with(std::vector<InstanceProfile> instances, std::vector<Workload> workloads) {
  Scenario result;
  result.profiles = std::move(instances);
  std::map<std::string, int> numbers;
  for (std::uint32_t i = 0; i < result.profiles.size(); ++i) {
    const auto& type = result.profiles[i].instance_type;
    result.instances.push_back({type + "#" + std::to_string(++numbers[type]), i});
  }
  for (auto& workload : workloads) {
    TaskDefinition definition;
    definition.family = workload.name;
    definition.name = workload.name + ":1";
    definition.requirement = workload.requirement;
    for (const auto& container : workload.requirement.gpu_containers)
      definition.container_names.push_back(container.name);
    workload.task_definition = static_cast<std::uint32_t>(result.task_definitions.size());
    result.task_definitions.push_back(std::move(definition));
  }
  result.workloads = std::move(workloads);
  return result;
}

}  // namespace bayplan::placement::build
