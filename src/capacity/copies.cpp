#include "capacity/copies.hpp"

#include <algorithm>
#include <iterator>

namespace bayplan::capacity {
namespace {

constexpr std::int64_t kWholeGpu = 1'000'000;

Limit by_amount(Resource resource, std::int64_t available, std::int64_t wanted) {
  Limit limit{resource, std::max<std::int64_t>(0, available) / wanted, std::nullopt};
  if (limit.copies == 0) limit.shortfall = Shortfall{resource, wanted - available};
  return limit;
}

std::size_t common(const std::vector<std::uint16_t>& a, const std::vector<std::uint16_t>& b) {
  std::vector<std::uint16_t> both;
  std::set_intersection(a.begin(), a.end(), b.begin(), b.end(), std::back_inserter(both));
  return both.size();
}

/// A host port can be taken once, so fixed ports allow one copy.
Limit by_ports(const InstanceOffer& offer, const TaskRequirement& task) {
  const std::size_t taken = common(offer.tcp_ports, task.tcp_ports) + common(offer.udp_ports, task.udp_ports);
  const std::size_t all =
      offer.tcp_ports.size() + offer.udp_ports.size() + task.tcp_ports.size() + task.udp_ports.size();
  const std::size_t excess = all > kMaxReservedPorts ? all - kMaxReservedPorts : 0;
  const std::size_t short_of = std::max(taken, excess);
  if (short_of == 0) return {Resource::kPorts, 1, std::nullopt};
  return {Resource::kPorts, 0, Shortfall{Resource::kPorts, static_cast<std::int64_t>(short_of)}};
}

Limit no_gpu(std::int64_t millionths) {
  return {Resource::kGpu, 0, Shortfall{Resource::kGpu, millionths}};
}

/// Whole devices only: a share of a board is never handed out as one.
std::int64_t whole_gpus(const GpuOffer& gpu) {
  return gpu.is_fractional() ? 0 : gpu.count;
}

Limit by_count(const GpuOffer& gpu, std::int64_t wanted) {
  Limit limit = by_amount(Resource::kGpu, whole_gpus(gpu), wanted);
  if (limit.shortfall) limit.shortfall->amount *= kWholeGpu;
  return limit;
}

/// One container gets every GPU, so a second one that wants any has none left.
Limit by_all(const GpuOffer& gpu, const TaskRequirement& task) {
  if (whole_gpus(gpu) == 0 || task.gpu_containers.size() > 1) return no_gpu(kWholeGpu);
  return {Resource::kGpu, 1, std::nullopt};
}

Limit by_fraction(const GpuOffer& gpu, std::int64_t wanted) {
  const std::int64_t available = gpu.is_fractional() ? gpu.total_millionths() : 0;
  return by_amount(Resource::kGpu, available, wanted);
}

/// All containers of a task share one GPU; tasks share a GPU by its memory. Not on fractional types.
Limit by_gpu_memory(const GpuOffer& gpu, MiB wanted) {
  if (whole_gpus(gpu) == 0) return no_gpu(kWholeGpu);
  if (wanted == 0) return {Resource::kGpu, std::nullopt, std::nullopt};
  const std::int64_t per_gpu = gpu.usable_memory / wanted;
  if (per_gpu > 0) return {Resource::kGpu, per_gpu * gpu.count, std::nullopt};
  return {Resource::kGpu, 0, Shortfall{Resource::kGpu, wanted - gpu.usable_memory, true}};
}

/// One container gets every Neuron device.
Limit by_neuron_devices(std::int64_t devices, const TaskRequirement& task) {
  if (devices > 0 && task.gpu_containers.size() == 1) return {Resource::kNeuron, 1, std::nullopt};
  return {Resource::kNeuron, 0, Shortfall{Resource::kNeuron, 1}};
}

Limit by_gpu(const GpuOffer& gpu, const TaskRequirement& task) {
  switch (task.gpu_form) {
    case GpuForm::kCount:
      return by_count(gpu, task.gpu_count);
    case GpuForm::kAll:
      return by_all(gpu, task);
    case GpuForm::kFraction:
      return by_fraction(gpu, task.gpu_fraction_millionths);
    case GpuForm::kMps:
      return by_gpu_memory(gpu, task.mps_memory);
    case GpuForm::kNeuron:
    case GpuForm::kNone:
      break;
  }
  return {Resource::kGpu, std::nullopt, std::nullopt};
}

void add_ports(std::vector<std::uint16_t>& taken, const std::vector<std::uint16_t>& ports) {
  taken.insert(taken.end(), ports.begin(), ports.end());
  std::sort(taken.begin(), taken.end());
  taken.erase(std::unique(taken.begin(), taken.end()), taken.end());
}

}  // namespace

std::string_view name_of(Resource resource) {
  return find_reason(resource).substr(sizeof("RESOURCE:") - 1);
}

std::string_view find_reason(Resource resource) {
  switch (resource) {
    case Resource::kCpu:
      return "RESOURCE:CPU";
    case Resource::kMemory:
      return "RESOURCE:MEMORY";
    case Resource::kPorts:
      return "RESOURCE:PORTS";
    case Resource::kEni:
      return "RESOURCE:ENI";
    case Resource::kEbs:
      return "RESOURCE:EBS";
    case Resource::kGpu:
      return "RESOURCE:GPU";
    case Resource::kNeuron:
      return "RESOURCE:NEURON_DEVICE";
  }
  return "RESOURCE:CPU";
}

std::vector<Limit> limits_of(const InstanceOffer& offer, MiB memory, const TaskRequirement& task) {
  std::vector<Limit> limits;
  if (task.cpu > 0) limits.push_back(by_amount(Resource::kCpu, offer.cpu, task.cpu));
  if (task.memory > 0) limits.push_back(by_amount(Resource::kMemory, memory, task.memory));
  if (!task.tcp_ports.empty() || !task.udp_ports.empty()) limits.push_back(by_ports(offer, task));
  if (task.network_interfaces > 0 && offer.network_interfaces) {
    limits.push_back(by_amount(Resource::kEni, *offer.network_interfaces, task.network_interfaces));
  }
  if (const auto taken = attachments_taken(offer, task); taken > 0 && offer.ebs_attachments) {
    limits.push_back(by_amount(Resource::kEbs, *offer.ebs_attachments, taken));
  }
  if (task.wants_gpu()) limits.push_back(by_gpu(offer.gpu, task));
  if (task.wants_neuron()) limits.push_back(by_neuron_devices(offer.neuron_devices, task));
  return limits;
}

std::optional<std::int64_t> copies_within(const std::vector<Limit>& limits) {
  std::optional<std::int64_t> least;
  for (const auto& limit : limits) {
    if (limit.copies && (!least || *limit.copies < *least)) least = limit.copies;
  }
  return least;
}

void take(InstanceOffer& offer, const TaskRequirement& task) {
  offer.cpu -= task.cpu;
  offer.memory -= task.memory;
  if (offer.network_interfaces) *offer.network_interfaces -= task.network_interfaces;
  if (offer.ebs_attachments) *offer.ebs_attachments -= attachments_taken(offer, task);
  if (task.gpu_form == GpuForm::kCount) offer.gpu.count -= std::min(offer.gpu.count, task.gpu_count);
  if (task.gpu_form == GpuForm::kAll) offer.gpu.count = 0;
  if (task.wants_neuron()) offer.neuron_devices = 0;
  add_ports(offer.tcp_ports, task.tcp_ports);
  add_ports(offer.udp_ports, task.udp_ports);
}

std::int64_t idle_gpus(const GpuOffer& gpu, const TaskRequirement& task, std::int64_t copies) {
  const std::int64_t all = gpu.total_millionths();
  if (copies == 0) return all;
  switch (task.gpu_form) {
    case GpuForm::kNone:
    case GpuForm::kNeuron:
      return all;
    case GpuForm::kCount:
      return all - copies * task.gpu_count * kWholeGpu;
    case GpuForm::kAll:
      return 0;
    case GpuForm::kFraction:
      return all - copies * task.gpu_fraction_millionths;
    case GpuForm::kMps: {
      const std::int64_t per_gpu =
          task.mps_memory > 0 ? std::max<std::int64_t>(1, gpu.usable_memory / task.mps_memory) : copies;
      return all - (copies + per_gpu - 1) / per_gpu * kWholeGpu;
    }
  }
  return all;
}

}  // namespace bayplan::capacity
