#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "capacity/offer.hpp"
#include "capacity/requirement.hpp"

namespace bayplan::capacity {

/// Reserved host ports per container instance, the agent's own included (API reference, PortMapping hostPort).
inline constexpr std::size_t kMaxReservedPorts = 100;

/// Listed in the order in which ECS would name them (a tie goes to the first).
enum class Resource : std::uint8_t { kCpu, kMemory, kPorts, kEni, kEbs, kGpu, kNeuron };

std::string_view name_of(Resource resource);  ///< "CPU", "MEMORY", "PORTS", "ENI", "EBS", "GPU", "NEURON_DEVICE".
/// "RESOURCE:GPU": the words of RunTask failures. ECS documents none for EBS and Neuron devices; that of the devices is
/// their name in API_PlatformDevice.
std::string_view find_reason(Resource resource);

/// What one task lacks on an empty instance, in CPU units, MiB, ports, interfaces, attachments, Neuron devices and
/// millionths of GPUs.
struct Shortfall {
  Resource resource = Resource::kCpu;
  std::int64_t amount = 0;
  bool is_gpu_memory = false;  ///< kGpu: `amount` is MiB of GPU memory that one GPU lacks.
};

/// How many copies of a task an instance holds as far as one resource goes.
struct Limit {
  Resource resource = Resource::kCpu;
  std::optional<std::int64_t> copies;  ///< Nothing = no limit.
  std::optional<Shortfall> shortfall;  ///< Where not even one fits.
};

/// Lists one limit per resource that the task requires, at `memory` MiB instead of the offer's estimate.
std::vector<Limit> limits_of(const InstanceOffer& offer, MiB memory, const TaskRequirement& task);

/// Least of the limits; nothing = no limit.
std::optional<std::int64_t> copies_within(const std::vector<Limit>& limits);

/// Takes what `task` requires from the offer; what is short goes below zero.
void take(InstanceOffer& offer, const TaskRequirement& task);

/// Free GPUs once `copies` tasks run, in millionths.
std::int64_t idle_gpus(const GpuOffer& gpu, const TaskRequirement& task, std::int64_t copies);

}  // namespace bayplan::capacity
