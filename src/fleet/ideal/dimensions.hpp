#pragma once
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "fleet/ideal/empty_bins.hpp"
#include "fleet/ideal/packing_question.hpp"
#include "fleet/ideal/task_groups.hpp"
#include "packing/packing_problem.hpp"

namespace bayplan::fleet {

/// One entry a task group, each one entry a bin.
using Allowed = std::vector<std::vector<bool>>;

/// The resources that a problem distinguishes, those that some task takes, and how tasks and bins are measured in them.
class Dimensions {
 public:
  /// `allowed`: which bins hold a task of the task group. All must outlive it.
  Dimensions(const EmptyBins& bins, const std::vector<TaskGroup>& task_groups, const Allowed& allowed);

  /// "CPU", "MEMORY", "GPU", "GPU_MEMORY", "ENI", "EBS", "EBS_ENI", "PORTS", "NEURON_DEVICE"
  const std::vector<std::string>& names() const { return names_; }

  packing::Amounts size_of(const capacity::TaskRequirement& task) const;
  /// `whole_gpus`: the GPUs of the bin are for one task that takes ALL of them.
  packing::Amounts capacity_of(std::uint32_t bin, bool whole_gpus) const;

  /// Where sums over an instance's GPUs say less than each of them does.
  std::vector<Relaxation> relaxed() const;

 private:
  enum class Resource : std::uint8_t {
    kCpu,
    kMemory,
    kGpu,
    kGpuMemory,
    kNetworkInterface,
    kEbs,
    kEbsAndEni,
    kPorts,
    kNeuronDevice,
  };

  const capacity::TaskRequirement& task_of(std::size_t task_group) const;
  void note_gpu_sizes();
  void note_slots();
  bool is_shared(std::uint32_t bin) const;  ///< Some task group shares GPUs of it.
  bool can_interfaces_bind() const;
  /// The limits of EBS attachments, by volumes alone and together with network interfaces.
  void add_attachments();
  bool can_ports_bind() const;
  void add(Resource resource, const char* name);
  std::int64_t size_in(Resource resource, const capacity::TaskRequirement& task) const;
  std::int64_t capacity_in(Resource resource, std::uint32_t bin, bool whole_gpus) const;
  std::int64_t gpu_capacity(std::uint32_t bin) const;
  std::int64_t neuron_capacity(std::uint32_t bin) const;  ///< Tasks, each of which takes every Neuron device: 1 or 0.
  std::int64_t slots(std::uint32_t bin) const;
  std::vector<std::uint32_t> bins_of(capacity::GpuForm form) const;  ///< That some task group of the form may go to.
  bool some_bin(capacity::GpuForm form, const std::function<bool(const placement::InstanceState&)>& rule) const;
  bool has_several_sizes(capacity::GpuForm form) const;

  const EmptyBins& bins_;
  const std::vector<TaskGroup>& task_groups_;
  const Allowed& allowed_;
  std::vector<Resource> resources_;
  std::vector<std::string> names_;
  bool neuron_counts_as_gpu_ = false;  ///< Every dimension is in use: no instance has both.
  std::int64_t gpu_unit_ = 1;          ///< A whole GPU: a million where fractions of one are asked for.
  std::int64_t fraction_step_ = 0;     ///< Every fraction is a multiple of it.
  MiB slot_ = 0;                       ///< Every share of GPU memory is a multiple of it.
  std::int64_t slots_of_whole_ = 0;    ///< What a task with whole GPUs takes of GPU memory, for each.
};

}  // namespace bayplan::fleet
