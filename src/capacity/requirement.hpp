#pragma once
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/assumption.hpp"
#include "base/units.hpp"
#include "model/task_definition.hpp"

namespace bayplan::capacity {

/// Sizes above this count as this, which keeps sums of nonsense sizes inside 64 bits; far above what any instance
/// registers.
inline constexpr std::int64_t kLargestSize = 1'000'000'000'000;

/// The four ways to ask for a GPU (ECS developer guide, ecs-gpu-specifying; API_SharingStrategy), and the one to ask
/// for Neuron devices: type NeuronDevice, which gives one container all of its instance (API_ResourceRequirement).
enum class GpuForm : std::uint8_t { kNone, kCount, kAll, kFraction, kMps, kNeuron };

/// What one container asks for.
struct ContainerGpu {
  std::size_t container = 0;  ///< Position in containerDefinitions.
  std::string name;
  GpuForm form = GpuForm::kNone;
  std::int64_t count = 0;                ///< kCount
  std::int64_t fraction_millionths = 0;  ///< kFraction: "0.25" = 250,000
  MiB mps_memory = 0;                    ///< kMps
};

/// What one task takes from the instance it is placed on (spec of the service's placement, section "What one task
/// requires"): task level over container sums, memoryReservation over memory.
struct TaskRequirement {
  std::string family;
  CpuUnits cpu = 0;
  MiB memory = 0;
  GpuForm gpu_form =
      GpuForm::kNone;  ///< Form for the task: if containers differ, kNeuron wins, then kAll and kCount (BAY414 warns).
  std::int64_t gpu_count = 0;                ///< Whole GPUs, sum over containers.
  std::int64_t gpu_fraction_millionths = 0;  ///< Sum over containers.
  MiB mps_memory = 0;                        ///< Sum over containers: all on one GPU.
  std::vector<ContainerGpu> gpu_containers;  ///< Those that ask for GPUs or Neuron devices.
  /// One more than the largest N of /dev/neuronN among linuxParameters.devices: ECS looks at none of them.
  std::int64_t mapped_neuron_devices = 0;
  std::int64_t network_interfaces = 0;   ///< 1 with awsvpc, else 0 (resource ENI).
  std::int64_t ebs_volumes = 0;          ///< Volumes with configuredAtLaunch: each takes an EBS attachment.
  std::vector<std::uint16_t> tcp_ports;  ///< Host ports taken, sorted, unique.
  std::vector<std::uint16_t> udp_ports;
  std::vector<std::string> required_attributes;  ///< requiresAttributes, or what the definition implies; sorted.
  std::optional<std::string> architecture;       ///< "x86_64" or "arm64" when runtimePlatform says.
  bool windows = false;
  bool linux = false;  ///< runtimePlatform says LINUX; a definition without it may be for either system.
  /// "FARGATE": what the definition is for where that is not EC2 (TaskDefinition::launch_types_without_ec2).
  std::string launch_types_without_ec2;
  std::vector<std::string> unknown;  ///< Members whose value is a placeholder: "containerDefinitions[web].memory".

  bool wants_devices() const { return gpu_form != GpuForm::kNone; }
  bool wants_neuron() const { return gpu_form == GpuForm::kNeuron; }
  bool wants_gpu() const { return wants_devices() && !wants_neuron(); }
};

/// The architecture that runtimePlatform asks for, empty when it leaves it open. EC2 has no Windows on arm64.
std::string wanted_architecture(const TaskRequirement& task);

/// The built-in attributes of an instance on which the containers can start, as "ecs.cpu-architecture=x86_64"; those
/// that runtimePlatform leaves open are not among them.
std::vector<std::string> wanted_platform(const TaskRequirement& task);

/// "4 GPU, 16 vCPU, 120000 MiB" for a headline; interfaces, EBS volumes, fixed host ports and architecture follow
/// where there are any.
std::string describe(const TaskRequirement& requirement);

/// Id of what is assumed of tasks that ECS would not run on EC2 container instances.
inline constexpr std::string_view kLaunchTypeNotEc2 = "launch-type-not-ec2";

/// Says that the tasks are put on EC2 container instances although their definition is for another launch type, and is
/// empty when it is not. `subject` is the family, or the file of a definition without one.
std::optional<Assumption> launch_type_assumption(const TaskRequirement& requirement, std::string subject);

/// Id of what is assumed of tasks that ask for Neuron devices outside Managed Instances.
inline constexpr std::string_view kNeuronNotManaged = "neuron-not-managed";

/// Says that Neuron devices are counted on instances of which ECS does not document that it assigns them; empty for
/// tasks without any.
std::optional<Assumption> neuron_assumption(const TaskRequirement& requirement, std::string subject);

/// "16 vCPU", "0.25 vCPU", "100 CPU units".
std::string describe_cpu(CpuUnits cpu);

/// "containerDefinitions[web].memory"; by position when the container has no name.
std::string member_name(const model::ContainerDefinition& container, std::size_t position, std::string_view member);

/// Never fails: a malformed size counts as absent (lint has spoken).
TaskRequirement requirement_of(const model::TaskDefinition& task);

}  // namespace bayplan::capacity
