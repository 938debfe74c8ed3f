#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/units.hpp"
#include "capacity/requirement.hpp"
#include "catalog/catalog.hpp"

namespace bayplan::capacity {

/// How instances of a type are set up.
struct OfferOptions {
  MiB reserved_memory = 0;  ///< ECS_RESERVED_MEMORY
  bool trunking = false;    ///< awsvpcTrunking; has no effect where the type does not support it.
  bool windows = false;     ///< Windows AMI: other reserved ports, no GPUs or Neuron devices, no trunking.
};

/// NVIDIA GPUs that an instance registers; other makers' devices register none.
struct GpuOffer {
  std::int64_t count = 0;
  std::int64_t fraction_millionths = 1'000'000;  ///< Share of a board that one device is; below a million on g6f, gr6f.
  MiB usable_memory = 0;                         ///< Per device, for tasks that share it (MPS); 0 when not known.
  bool memory_estimated = false;                 ///< `usable_memory` is a share of the advertised figure.

  bool is_fractional() const { return fraction_millionths < 1'000'000; }
  std::int64_t total_millionths() const { return count * fraction_millionths; }
};

/// What one instance offers to tasks: registered resources, before any task.
struct InstanceOffer {
  CpuUnits cpu = 0;
  MiB memory = 0;        ///< Reserved memory already taken off.
  MiB memory_error = 0;  ///< `memory` may be off by this much either way.
  bool memory_known = true;
  std::string memory_basis;  ///< "measured MemTotal", "model xen/x86_64", "stated", "Windows".
  GpuOffer gpu;
  std::int64_t neuron_devices = 0;  ///< Those that ECS assigns; no instance has both these and GPUs.
  std::optional<std::int64_t>
      network_interfaces;  ///< Interfaces available to awsvpc tasks; nothing when the type's maximum is not known.
  /// EBS attachments left for tasks: the root volume has one, and so does the trunk interface where the limit is
  /// shared. Nothing when the type's limit is not known.
  std::optional<std::int64_t> ebs_attachments;
  bool interfaces_take_attachments = false;  ///< Each network interface of a task takes an EBS attachment, too.
  std::vector<std::uint16_t> tcp_ports;      ///< Taken by the agent and the system; sorted.
  std::vector<std::uint16_t> udp_ports;
  std::vector<std::string> architectures;  ///< Empty = any.
};

/// GPU memory that tasks can use, of the advertised: 93 %, as drivers and their reserve take some (an assumption).
MiB usable_gpu_memory(MiB advertised);

/// Attachments that one task takes of `offer`: its EBS volumes, and its network interface where the limit is shared.
std::int64_t attachments_taken(const InstanceOffer& offer, const TaskRequirement& task);

/// Ports that the ECS agent reserves by default (amazon-ecs-agent README and agent/config, 2026-06).
std::vector<std::uint16_t> default_reserved_tcp_ports(bool windows);

InstanceOffer make_offer(const catalog::InstanceType& type, const OfferOptions& options);

}  // namespace bayplan::capacity
