// What an instance lacks, computed from what was reserved.
#include <algorithm>
#include <iterator>

#include "capacity/copies.hpp"
#include "placement/verify/resource_usage.hpp"

namespace bayplan::placement {
namespace {

using capacity::GpuForm;
using capacity::kMaxReservedPorts;
using capacity::TaskRequirement;

std::vector<std::uint16_t> taken(const PortAccount& account, const std::vector<std::uint16_t>& wanted) {
  std::vector<std::uint16_t> both;
  std::copy_if(wanted.begin(), wanted.end(), std::back_inserter(both),
               [&](std::uint16_t port) { return account.has(port); });
  return both;
}

void add_gpus(const TaskRequirement& task, const InstanceProfile& own, const InstanceAccount& account,
              Shortfall& lacking) {
  const bool fractional = own.gpu_fraction_millionths != 1'000'000;
  std::int64_t untouched = 0;
  std::int64_t most_share = 0;
  MiB most_memory = 0;
  for (const auto& gpu : account.gpus) {
    untouched += gpu.untouched() ? 1 : 0;
    if (gpu.dedicated) continue;
    if (fractional) most_share = std::max(most_share, own.gpu_fraction_millionths - gpu.share_millionths);
    if (!fractional) most_memory = std::max(most_memory, own.gpu_memory - gpu.shared_memory);
  }
  const bool is_neuron = own.neuron_devices > 0;
  if (task.gpu_form == GpuForm::kCount) lacking.gpus = task.gpu_count - (fractional || is_neuron ? 0 : untouched);
  if (task.gpu_form == GpuForm::kNeuron) {
    lacking.neuron_devices = std::max<std::int64_t>(1, is_neuron ? own.neuron_devices - untouched : 0);
  }
  if (task.gpu_form == GpuForm::kAll) lacking.gpus = std::max<std::int64_t>(1, own.gpu_count - untouched);
  if (task.gpu_form == GpuForm::kFraction) lacking.gpu_fraction_millionths = task.gpu_fraction_millionths - most_share;
  if (task.gpu_form == GpuForm::kMps) lacking.mps_memory = task.mps_memory - most_memory;
}

}  // namespace

Shortfall ResourceUsage::shortfall(std::uint32_t workload, std::uint32_t instance, CheckSet failed) const {
  const auto& task = scenario_.workloads[workload].requirement;
  const auto& own = profile(instance);
  const auto& account = accounts_[instance];
  Shortfall lacking;
  if (failed.has(Check::kCpu)) lacking.cpu = task.cpu - (own.cpu - account.cpu);
  if (failed.has(Check::kMemory)) lacking.memory = task.memory - (own.memory - account.memory);
  if (failed.has(Check::kPorts)) {
    lacking.tcp_ports = taken(account.tcp, task.tcp_ports);
    lacking.udp_ports = taken(account.udp, task.udp_ports);
    const std::size_t all = account.tcp.size() + account.udp.size() + task.tcp_ports.size() + task.udp_ports.size();
    lacking.ports_over_limit = all > kMaxReservedPorts ? static_cast<std::int64_t>(all - kMaxReservedPorts) : 0;
  }
  if (failed.has(Check::kGpu) || failed.has(Check::kNeuronDevice)) add_gpus(task, own, account, lacking);
  if (failed.has(Check::kNetworkInterface)) {
    lacking.network_interfaces = task.network_interfaces - (own.network_interfaces - account.network_interfaces);
  }
  if (failed.has(Check::kEbsAttachment)) {
    lacking.ebs_attachments = attachments_for(own, account.ebs_volumes, account.network_interfaces) +
                              attachments_for(own, task.ebs_volumes, task.network_interfaces) - own.ebs_attachments;
  }
  for (const auto& name : task.required_attributes) {
    if (lacks_attribute(own, name)) lacking.attributes.push_back(name);
  }
  for (auto& attribute : other_platform(own, task)) lacking.attributes.push_back(std::move(attribute));
  return lacking;
}

}  // namespace bayplan::placement
