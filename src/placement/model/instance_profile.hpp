#pragma once
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/units.hpp"
#include "catalog/catalog.hpp"

namespace bayplan::placement {

/// Where something was written, for messages; line 0 when it came from the command line.
struct Origin {
  std::string file;
  std::uint32_t line = 0;
  std::uint32_t column = 0;
};

/// Only ACTIVE takes tasks (API_ContainerInstance, status).
enum class InstanceStatus : std::uint8_t {
  kActive,
  kDraining,
  kRegistering,
  kDeregistering,
  kRegistrationFailed,
  kInactive,
};
std::string_view name_of(InstanceStatus status);  ///< "ACTIVE" ...

/// More than any instance holds: an instance without a known number of interfaces limits no task.
inline constexpr std::int64_t kUnlimitedInterfaces = 1'000'000;
/// More than any instance attaches: an instance whose limit of EBS attachments is not known limits no task.
inline constexpr std::int64_t kUnlimitedAttachments = 1'000'000;

/// All that instances of one entry in one zone have in common: what does not depend on tasks is worked out once a
/// profile, not once an instance.
struct InstanceProfile {
  std::string instance_type;  ///< May be empty when only registeredResources are stated.
  const catalog::InstanceType* type =
      nullptr;                    ///< Nothing when the catalog lacks it and registeredResources are stated.
  std::string availability_zone;  ///< Empty when not stated.
  std::string subnet_id;
  std::string ec2_instance_id;         ///< Stated, or empty. Stated only for profiles of one instance.
  std::string arn;                     ///< ARN of the container instance, as described; empty when it was not.
  std::string capacity_provider_name;  ///< Empty = none.
  /// Custom and built-in attributes (ecs.instance-type, ecs.availability-zone, ecs.os-type, ecs.cpu-architecture,
  /// ecs.subnet-id; capability attributes only when the file lists some).
  std::map<std::string, std::string, std::less<>> attributes;
  /// No attribute named `*ecs.capability.*` is stated: the instance counts as a current agent that has all of them
  /// except ecs.capability.gpu-sharing-mps, which is in `attributes` when gpuSharing is true.
  bool has_all_capabilities = true;

  InstanceStatus status = InstanceStatus::kActive;
  bool agent_connected = true;
  std::string agent_version;                  ///< Empty when not stated.
  std::optional<std::int64_t> registered_at;  ///< Seconds since 1970 UTC.
  bool awsvpc_trunking = false;
  bool is_spot = false;            ///< EC2 may interrupt it; its pool is the type in the zone.
  bool has_spot_draining = false;  ///< ECS_ENABLE_SPOT_INSTANCE_DRAINING: DRAINING at an interruption notice.
  bool gpu_sharing = false;        ///< NVIDIA MPS (ecs.capability.gpu-sharing-mps).

  /// Registered: before any task.
  CpuUnits cpu = 0;
  MiB memory = 0;  ///< Reserved memory already taken off.
  catalog::MemoryBasis memory_basis = catalog::MemoryBasis::kModel;
  std::int64_t gpu_count = 0;                        ///< Whole devices; of fractional types the logical ones.
  std::int64_t gpu_fraction_millionths = 1'000'000;  ///< Share that one device is; below a million on fractional types.
  MiB gpu_memory = 0;                                ///< Usable by MPS tasks on one GPU; 0 when not known.
  bool gpu_memory_estimated = false;                 ///< `gpu_memory` is 93 % of the advertised figure, not stated.
  std::int64_t neuron_devices = 0;                   ///< Those that ECS assigns; 0 where there are GPUs.
  std::int64_t device_count() const { return gpu_count + neuron_devices; }
  std::vector<std::string> gpu_ids;  ///< Described IDs of GPUs or Neuron devices in registered order; empty when they
                                     ///< are not known.
  std::int64_t network_interfaces = 0;  ///< Task network interfaces (resource ENI).
  std::int64_t ebs_attachments =
      kUnlimitedAttachments;                      ///< Attachments available to tasks, without that of the root volume.
  bool interfaces_take_attachments = false;       ///< Each task network interface takes one of them, too.
  std::vector<std::uint16_t> reserved_tcp_ports;  ///< Sorted, unique.
  std::vector<std::uint16_t> reserved_udp_ports;

  std::optional<MicroUsd> hourly_price;  ///< Price in the scenario's region; nothing when it is not known.
  Origin origin;
};

/// "m5.large@us-east-1a": the capacity pool of the instance, its type in its zone. EC2 interrupts Spot instances by
/// pool.
std::string spot_pool(const InstanceProfile& profile);

/// Whether `name` is a pool or a glob of pools rather than of ids, which have no "@".
inline bool names_pool(std::string_view name) {
  return name.find('@') != std::string_view::npos;
}

struct ContainerInstance {
  std::string id;             ///< ec2InstanceId, or "<instanceType>#<n>" counted per type in file order.
  std::uint32_t profile = 0;  ///< Index into Scenario::profiles.
};

}  // namespace bayplan::placement
