#pragma once
#include <cstdint>
#include <string>
#include <vector>

#include "capacity/requirement.hpp"
#include "placement/engine/checks.hpp"

namespace bayplan::placement {

/// API_GpuDevice, `state`. A shared GPU takes no whole-GPU task and a dedicated one no share.
enum class GpuState : std::uint8_t { kIdle, kDedicated, kNvidiaMps };
std::string_view name_of(GpuState state);  ///< "IDLE", "DEDICATED", "NVIDIA_MPS".

/// One GPU or Neuron device of one instance.
struct GpuDevice {
  GpuState state = GpuState::kIdle;
  bool is_neuron = false;                        ///< Only whole, and never shared.
  MiB memory = 0;                                ///< Usable; 0 when not known.
  MiB remaining_memory = 0;                      ///< 0 when dedicated.
  std::int64_t fraction_millionths = 1'000'000;  ///< Share of a board; below a million on fractional types.
  std::int64_t remaining_fraction_millionths = 1'000'000;

  bool is_fraction() const { return fraction_millionths < 1'000'000; }
  bool operator==(const GpuDevice&) const = default;
};

std::vector<GpuDevice> gpu_devices(const InstanceProfile& profile);

/// The GPUs that one container was given, by their position on the instance.
struct ContainerGpus {
  std::size_t container = 0;  ///< Position in containerDefinitions.
  std::vector<std::uint32_t> devices;
  bool operator==(const ContainerGpus&) const = default;
};

/// Whether the task's GPUs are there:
///   whole    idle devices of a type that is not fractional
///   ALL      every device idle, at least one; a second GPU container finds none left
///   fraction one device of a fractional type with room for the task's sum
///   MPS      one device, idle or shared, with room for the sum of the task's containers
///   Neuron   every Neuron device idle, at least one, for one container; GPUs are none, and they are no GPUs
bool gpus_fit(const std::vector<GpuDevice>& devices, const capacity::TaskRequirement& task);

/// What `gpus_fit` misses; the GPU members of the shortfall.
void add_gpu_shortfall(const std::vector<GpuDevice>& devices, const capacity::TaskRequirement& task,
                       Shortfall& shortfall);

/// Takes them: the lowest free in registered order, each to exactly one container; MPS on the device with the least
/// memory left that fits (ECS documents no choice). `gpus_fit` must hold.
std::vector<ContainerGpus> take_gpus(std::vector<GpuDevice>& devices, const capacity::TaskRequirement& task);

/// Every device that a container of the task was given, once, sorted. Empty for a task that wants none.
std::vector<std::uint32_t> list_devices(const capacity::TaskRequirement& task, const std::vector<ContainerGpus>& given);

/// The inverse of `take_gpus`: the task no longer uses the devices `gpus` (`list_devices`).
void give_back_gpus(std::vector<GpuDevice>& devices, const capacity::TaskRequirement& task,
                    const std::vector<std::uint32_t>& gpus);

/// Idle devices of a type that is not fractional.
std::int64_t idle_whole_gpus(const std::vector<GpuDevice>& devices);

std::int64_t idle_gpus(const std::vector<GpuDevice>& devices);
std::int64_t idle_neuron_devices(const std::vector<GpuDevice>& devices);
/// Both: an instance has only one of the two.
std::int64_t idle_devices(const std::vector<GpuDevice>& devices);

}  // namespace bayplan::placement
