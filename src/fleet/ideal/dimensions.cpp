#include "fleet/ideal/dimensions.hpp"

#include <algorithm>
#include <limits>
#include <numeric>
#include <set>
#include <tuple>

namespace bayplan::fleet {

using capacity::GpuForm;
using capacity::TaskRequirement;
using placement::GpuDevice;
using placement::GpuState;
using placement::InstanceState;

namespace {

constexpr std::int64_t kMillionths = 1'000'000;

bool may_share(const GpuDevice& device) {
  return device.state != GpuState::kDedicated && !device.is_fraction() && !device.is_neuron;
}

bool is_idle_whole(const GpuDevice& device) {
  return device.state == GpuState::kIdle && !device.is_fraction() && !device.is_neuron;
}

std::int64_t count_task_ports(const TaskRequirement& task) {
  return static_cast<std::int64_t>(task.tcp_ports.size() + task.udp_ports.size());
}

std::int64_t free_ports(const InstanceState& state) {
  return placement::kReservedPortLimit - static_cast<std::int64_t>(state.tcp_ports.size() + state.udp_ports.size());
}

template <class Rule>
std::int64_t count_devices(const InstanceState& state, Rule rule) {
  return std::count_if(state.gpus.begin(), state.gpus.end(), rule);
}

}  // namespace

Dimensions::Dimensions(const EmptyBins& bins, const std::vector<TaskGroup>& task_groups, const Allowed& allowed)
    : bins_(bins), task_groups_(task_groups), allowed_(allowed) {
  const auto some = [&](auto rule) {
    for (std::size_t task_group = 0; task_group < task_groups.size(); ++task_group) {
      if (rule(task_of(task_group))) return true;
    }
    return false;
  };
  note_gpu_sizes();
  note_slots();
  if (some([](const auto& task) { return task.cpu > 0; })) add(Resource::kCpu, "CPU");
  if (some([](const auto& task) { return task.memory > 0; })) add(Resource::kMemory, "MEMORY");
  if (some([](const auto& task) { return task.wants_gpu() && task.gpu_form != GpuForm::kMps; }))
    add(Resource::kGpu, "GPU");
  if (slot_ > 0) add(Resource::kGpuMemory, "GPU_MEMORY");
  if (some([](const auto& task) { return task.network_interfaces > 0; }) && can_interfaces_bind())
    add(Resource::kNetworkInterface, "ENI");
  add_attachments();
  if (can_ports_bind()) add(Resource::kPorts, "PORTS");
  if (!some([](const auto& task) { return task.wants_neuron(); })) return;
  neuron_counts_as_gpu_ = resources_.size() == packing::kMaxDimensions;
  if (!neuron_counts_as_gpu_) add(Resource::kNeuronDevice, "NEURON_DEVICE");
}

const TaskRequirement& Dimensions::task_of(std::size_t task_group) const {
  return bins_.scenario.workloads[task_groups_[task_group].workload].requirement;
}

void Dimensions::add(Resource resource, const char* name) {
  resources_.push_back(resource);
  names_.emplace_back(name);
}

void Dimensions::note_gpu_sizes() {
  for (std::size_t task_group = 0; task_group < task_groups_.size(); ++task_group) {
    const TaskRequirement& task = task_of(task_group);
    if (task.gpu_form == GpuForm::kFraction) {
      gpu_unit_ = kMillionths;
      fraction_step_ = std::gcd(fraction_step_, task.gpu_fraction_millionths);
    } else if (task.gpu_form == GpuForm::kMps) {
      slot_ = std::gcd(slot_, task.mps_memory);
    }
  }
}

std::vector<std::uint32_t> Dimensions::bins_of(GpuForm form) const {
  std::vector<std::uint32_t> found;
  for (std::uint32_t bin = 0; bin < bins_.origins.size(); ++bin) {
    bool any = false;
    for (std::size_t task_group = 0; task_group < task_groups_.size() && !any; ++task_group)
      any = task_of(task_group).gpu_form == form && allowed_[task_group][bin];
    if (any) found.push_back(bin);
  }
  return found;
}

// A size holds for every bin: with devices of several sizes the smallest one counts.
void Dimensions::note_slots() {
  if (slot_ == 0) return;
  std::int64_t least = std::numeric_limits<std::int64_t>::max();
  for (const std::uint32_t bin : bins_of(GpuForm::kMps)) {
    for (const GpuDevice& device : bins_.states[bin].gpus) {
      if (is_idle_whole(device)) least = std::min(least, device.remaining_memory / slot_);
    }
  }
  if (least < std::numeric_limits<std::int64_t>::max()) slots_of_whole_ = least;
}

bool Dimensions::can_interfaces_bind() const {
  return std::any_of(bins_.states.begin(), bins_.states.end(), [](const InstanceState& state) {
    return state.network_interfaces < placement::kUnlimitedInterfaces / 2;
  });
}

// A task takes the same of each bin, but its network interface takes an attachment on some types only: what volumes
// take is one resource and what volumes and interfaces take together is another, which types with a limit of their own
// have without end.
void Dimensions::add_attachments() {
  bool has_volumes = false;
  bool has_interfaces = false;
  for (std::size_t task_group = 0; task_group < task_groups_.size(); ++task_group) {
    has_volumes |= task_of(task_group).ebs_volumes > 0;
    has_interfaces |= task_of(task_group).network_interfaces > 0;
  }
  const auto some_bin = [&](auto rule) { return std::any_of(bins_.states.begin(), bins_.states.end(), rule); };
  const bool is_limited =
      some_bin([](const InstanceState& state) { return state.ebs_attachments < placement::kUnlimitedAttachments / 2; });
  if (has_volumes && is_limited) add(Resource::kEbs, "EBS");
  // Without volumes of the tasks to place, interfaces come first: only the volumes of daemons leave fewer attachments.
  const bool is_shared = some_bin([&](const InstanceState& state) {
    const std::int64_t shared = placement::shared_attachments(state);
    return shared < placement::kUnlimitedAttachments / 2 && (has_volumes || shared < state.network_interfaces);
  });
  if (has_interfaces && is_shared) add(Resource::kEbsAndEni, "EBS_ENI");
}

// Tasks with the same ports never meet.
bool Dimensions::can_ports_bind() const {
  std::set<std::tuple<std::vector<std::uint16_t>, std::vector<std::uint16_t>>> kinds;
  std::int64_t wanted = 0;
  for (std::size_t task_group = 0; task_group < task_groups_.size(); ++task_group) {
    const TaskRequirement& task = task_of(task_group);
    if (kinds.emplace(task.tcp_ports, task.udp_ports).second) wanted += count_task_ports(task);
  }
  return wanted > 0 && std::any_of(bins_.states.begin(), bins_.states.end(),
                                   [&](const InstanceState& state) { return free_ports(state) < wanted; });
}

std::int64_t Dimensions::size_in(Resource resource, const TaskRequirement& task) const {
  switch (resource) {
    case Resource::kCpu:
      return task.cpu;
    case Resource::kMemory:
      return task.memory;
    case Resource::kGpu:
      if (task.gpu_form == GpuForm::kFraction) return task.gpu_fraction_millionths;
      if (task.gpu_form == GpuForm::kAll || (task.wants_neuron() && neuron_counts_as_gpu_)) return gpu_unit_;
      return task.gpu_form == GpuForm::kCount ? task.gpu_count * gpu_unit_ : 0;
    case Resource::kGpuMemory:
      if (task.gpu_form == GpuForm::kMps) return task.mps_memory / slot_;
      return task.gpu_form == GpuForm::kCount ? task.gpu_count * slots_of_whole_ : 0;
    case Resource::kNetworkInterface:
      return task.network_interfaces;
    case Resource::kEbs:
      return task.ebs_volumes;
    case Resource::kEbsAndEni:
      return task.ebs_volumes + task.network_interfaces;
    case Resource::kPorts:
      return count_task_ports(task);
    case Resource::kNeuronDevice:
      return task.wants_neuron() ? 1 : 0;
  }
  return 0;
}

// A fractional device counts as far as whole steps of what tasks ask for fill it.
std::int64_t Dimensions::gpu_capacity(std::uint32_t bin) const {
  std::int64_t total = 0;
  for (const GpuDevice& device : bins_.states[bin].gpus) {
    if (is_idle_whole(device)) total += gpu_unit_;
    if (device.is_fraction() && fraction_step_ > 0)
      total += device.remaining_fraction_millionths / fraction_step_ * fraction_step_;
  }
  return total;
}

std::int64_t Dimensions::neuron_capacity(std::uint32_t bin) const {
  const auto& devices = bins_.states[bin].gpus;
  const auto idle = static_cast<std::size_t>(placement::idle_neuron_devices(devices));
  return idle > 0 && idle == devices.size() ? 1 : 0;
}

bool Dimensions::is_shared(std::uint32_t bin) const {
  for (std::size_t task_group = 0; task_group < task_groups_.size(); ++task_group) {
    if (task_of(task_group).gpu_form == GpuForm::kMps && allowed_[task_group][bin]) return true;
  }
  return false;
}

std::int64_t Dimensions::slots(std::uint32_t bin) const {
  const InstanceState& state = bins_.states[bin];
  if (!is_shared(bin)) return placement::idle_whole_gpus(state.gpus) * slots_of_whole_;
  std::int64_t total = 0;
  for (const GpuDevice& device : state.gpus) {
    if (may_share(device)) total += device.remaining_memory / slot_;
  }
  return total;
}

std::int64_t Dimensions::capacity_in(Resource resource, std::uint32_t bin, bool whole_gpus) const {
  const InstanceState& state = bins_.states[bin];
  switch (resource) {
    case Resource::kCpu:
      return state.cpu;
    case Resource::kMemory:
      return state.memory;
    case Resource::kGpu:
      if (neuron_counts_as_gpu_ && neuron_capacity(bin) > 0) return gpu_unit_;
      return whole_gpus ? gpu_unit_ : gpu_capacity(bin);
    case Resource::kGpuMemory:
      return whole_gpus ? 0 : slots(bin);
    case Resource::kNetworkInterface:
      return state.network_interfaces;
    case Resource::kEbs:
      return placement::free_attachments(state);
    case Resource::kEbsAndEni:
      return placement::shared_attachments(state);
    case Resource::kPorts:
      return free_ports(state);
    case Resource::kNeuronDevice:
      return neuron_capacity(bin);
  }
  return 0;
}

packing::Amounts Dimensions::size_of(const TaskRequirement& task) const {
  packing::Amounts amounts{};
  for (std::size_t d = 0; d < resources_.size(); ++d) amounts[d] = size_in(resources_[d], task);
  return amounts;
}

packing::Amounts Dimensions::capacity_of(std::uint32_t bin, bool whole_gpus) const {
  packing::Amounts amounts{};
  for (std::size_t d = 0; d < resources_.size(); ++d)
    amounts[d] = std::max<std::int64_t>(0, capacity_in(resources_[d], bin, whole_gpus));
  return amounts;
}

bool Dimensions::some_bin(GpuForm form, const std::function<bool(const InstanceState&)>& rule) const {
  const auto bins = bins_of(form);
  return std::any_of(bins.begin(), bins.end(), [&](std::uint32_t bin) { return rule(bins_.states[bin]); });
}

bool Dimensions::has_several_sizes(GpuForm form) const {
  std::set<std::int64_t> sizes;
  for (std::size_t task_group = 0; task_group < task_groups_.size(); ++task_group) {
    const TaskRequirement& task = task_of(task_group);
    if (task.gpu_form == form) sizes.insert(form == GpuForm::kMps ? task.mps_memory : task.gpu_fraction_millionths);
  }
  return sizes.size() > 1;
}

std::vector<Relaxation> Dimensions::relaxed() const {
  const auto is_fraction = [](const GpuDevice& device) { return device.is_fraction(); };
  const auto has_more_slots = [&](const GpuDevice& device) {
    return is_idle_whole(device) && device.remaining_memory / slot_ > slots_of_whole_;
  };
  std::vector<Relaxation> relaxed;
  if (has_several_sizes(GpuForm::kMps) &&
      some_bin(GpuForm::kMps, [&](const auto& state) { return count_devices(state, may_share) > 1; }))
    relaxed.push_back({"gpu-memory-per-device", {}, "GPU memory is summed over the GPUs of an instance"});
  if (slot_ > 0 && !bins_of(GpuForm::kCount).empty() &&
      some_bin(GpuForm::kMps, [&](const auto& state) { return count_devices(state, has_more_slots) > 0; }))
    relaxed.push_back({"gpu-sharing", {}, "a whole GPU is counted as the memory of the smallest one that tasks share"});
  if (has_several_sizes(GpuForm::kFraction) &&
      some_bin(GpuForm::kFraction, [&](const auto& state) { return count_devices(state, is_fraction) > 1; }))
    relaxed.push_back({"gpu-fraction-per-device", {}, "GPU fractions are summed over the GPUs of an instance"});
  return relaxed;
}

}  // namespace bayplan::fleet
