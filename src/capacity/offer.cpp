#include "capacity/offer.hpp"

#include <algorithm>

namespace bayplan::capacity {

using catalog::InstanceType;
using catalog::MemoryBasis;

namespace {

GpuOffer gpu_offer(const InstanceType& type) {
  GpuOffer offer;
  if (!type.has_nvidia_gpu()) return offer;
  offer.count = type.gpu->count;
  offer.fraction_millionths = type.gpu->fraction_millionths;
  // The user's own figure is taken as usable; EC2 advertises what the board has.
  offer.memory_estimated = !type.is_own;
  offer.usable_memory = type.is_own ? type.gpu->memory : usable_gpu_memory(type.gpu->memory);
  return offer;
}

bool is_trunked(const InstanceType& type, bool trunking) {
  return trunking && type.eni_task_limit_trunking.has_value();
}

std::optional<std::int64_t> interfaces(const InstanceType& type, bool trunking) {
  if (is_trunked(type, trunking)) return type.eni_task_limit_trunking;
  if (type.max_enis == 0) return std::nullopt;
  return type.eni_task_limit;
}

/// With trunking, the branch interfaces of tasks are not attachments; the trunk interface is one.
void use_attachments(const InstanceType& type, bool trunking, InstanceOffer& offer) {
  if (!type.ebs_attachments) return;
  const std::int64_t without_root = std::max<std::int64_t>(0, *type.ebs_attachments - 1);
  // A type that attaches more interfaces than its shared limit allows does not count them toward it: they are on
  // several network cards (dl1.24xlarge, trn1.32xlarge).
  const bool is_shared = type.has_shared_ebs_limit && (type.max_enis == 0 || type.eni_task_limit <= without_root);
  offer.interfaces_take_attachments = is_shared && !is_trunked(type, trunking);
  const std::int64_t trunk = is_shared && is_trunked(type, trunking) ? 1 : 0;
  offer.ebs_attachments = std::max<std::int64_t>(0, without_root - trunk);
}

/// Windows reports all but one MiB of the advertised memory (8191 on m4.large: ECS guide, memory-management, 2023).
void use_windows_memory(const InstanceType& type, InstanceOffer& offer) {
  if (type.memory_basis == MemoryBasis::kStated) return;
  offer.memory = type.memory - 1;
  offer.memory_error = 1;
  offer.memory_known = true;
  offer.memory_basis = "Windows";
}

}  // namespace

MiB usable_gpu_memory(MiB advertised) {
  return advertised * 93 / 100;
}

std::int64_t attachments_taken(const InstanceOffer& offer, const TaskRequirement& task) {
  return task.ebs_volumes + (offer.interfaces_take_attachments ? task.network_interfaces : 0);
}

std::vector<std::uint16_t> default_reserved_tcp_ports(bool windows) {
  if (windows) return {53, 135, 139, 445, 2375, 2376, 3389, 5985, 5986, 51678, 51679};
  return {22, 2375, 2376, 51678, 51679};
}

InstanceOffer make_offer(const InstanceType& type, const OfferOptions& options) {
  InstanceOffer offer;
  offer.cpu = type.cpu;
  offer.memory = type.registered_memory;
  offer.memory_error = type.memory_error();
  offer.memory_known = type.memory_basis != MemoryBasis::kUnknown;
  offer.memory_basis = type.memory_basis_text;
  if (options.windows) {
    use_windows_memory(type, offer);
  } else {
    offer.gpu = gpu_offer(type);
    offer.neuron_devices = type.neuron.assigned ? type.neuron.devices : 0;
  }
  // Registered memory is never negative, nor is the most that it may be.
  offer.memory -= options.reserved_memory;
  offer.memory_error = std::min(offer.memory_error, std::max<MiB>(0, offer.memory + offer.memory_error));
  offer.memory = std::max<MiB>(0, offer.memory);
  offer.network_interfaces = interfaces(type, options.trunking && !options.windows);
  use_attachments(type, options.trunking && !options.windows, offer);
  offer.tcp_ports = default_reserved_tcp_ports(options.windows);
  offer.architectures = type.architectures;
  return offer;
}

}  // namespace bayplan::capacity
