#pragma once
#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "base/units.hpp"
#include "placement/model/scenario.hpp"

namespace bayplan::placement {

/// What an instance must pass, in the order in which the first failure becomes the reason. ECS documents no order; this
/// one puts resources before constraints because ECS was seen to name instances that a constraint excludes
/// (aws/containers-roadmap 331).
enum class Check : std::uint8_t {
  kStatus,
  kCapacityProvider,
  kAgent,
  kAttribute,
  kLocation,
  kCpu,
  kMemory,
  kPorts,
  kGpu,
  kNeuronDevice,
  kNetworkInterface,
  kEbsAttachment,
  kMemberOf,
  kDistinctInstance,
};
inline constexpr std::size_t kCheckCount = 14;
inline constexpr std::size_t kStatusCount = 6;

/// The word of RunTask's `failures[].reason` (api_failures_messages.html); `STATUS:DRAINING`, `CAPACITY_PROVIDER`,
/// `RESOURCE:EBS` and `RESOURCE:NEURON_DEVICE` are our own, ECS documents none.
std::string reason_text(Check check, InstanceStatus status = InstanceStatus::kActive);

/// A set of checks, those that failed.
class CheckSet {
 public:
  void add(Check check) { bits_ = static_cast<std::uint16_t>(bits_ | bit(check)); }
  void add(CheckSet other) { bits_ = static_cast<std::uint16_t>(bits_ | other.bits_); }
  bool has(Check check) const { return (bits_ & bit(check)) != 0; }
  bool empty() const { return bits_ == 0; }
  Check first() const;  ///< Returns the first failed check; the set must not be empty.
  std::vector<Check> list() const;
  bool operator==(const CheckSet&) const = default;

 private:
  static std::uint16_t bit(Check check) { return static_cast<std::uint16_t>(1u << static_cast<unsigned>(check)); }
  std::uint16_t bits_ = 0;
};

/// What one instance lacks for one task. Zero or empty = nothing.
struct Shortfall {
  CpuUnits cpu = 0;
  MiB memory = 0;
  std::vector<std::uint16_t> tcp_ports;  ///< Wanted and taken.
  std::vector<std::uint16_t> udp_ports;
  std::int64_t ports_over_limit = 0;  ///< Above 100 reserved ports on one instance.
  std::int64_t gpus = 0;              ///< Whole GPUs.
  std::int64_t neuron_devices = 0;
  std::int64_t gpu_fraction_millionths = 0;
  MiB mps_memory = 0;  ///< Shortfall on the GPU with the most memory available.
  std::int64_t network_interfaces = 0;
  std::int64_t ebs_attachments = 0;
  std::vector<std::string> attributes;  ///< Required and missing.

  bool operator==(const Shortfall&) const = default;
};

/// Why one instance did not take one task.
struct Rejection {
  std::uint32_t instance = 0;
  CheckSet failed;
  Shortfall shortfall;
  bool operator==(const Rejection&) const = default;
};

/// How many instances failed each check; an instance counts under every check that it failed.
struct RejectedCounts {
  std::array<std::int64_t, kCheckCount> by_check{};
  std::array<std::int64_t, kStatusCount> by_status{};  ///< Statuses of the instances that failed kStatus.

  std::int64_t of(Check check) const { return by_check[static_cast<std::size_t>(check)]; }
  bool operator==(const RejectedCounts&) const = default;
};

}  // namespace bayplan::placement
