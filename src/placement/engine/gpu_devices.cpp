#include "placement/engine/gpu_devices.hpp"

#include <algorithm>
#include <cassert>
#include <optional>

namespace bayplan::placement {
namespace {

using capacity::GpuForm;
using capacity::TaskRequirement;

bool is_idle(const GpuDevice& device) {
  return device.state == GpuState::kIdle;
}

bool is_idle_gpu(const GpuDevice& device) {
  return is_idle(device) && !device.is_neuron;
}

bool may_share(const GpuDevice& device) {
  return device.state != GpuState::kDedicated && !device.is_fraction() && !device.is_neuron;
}

/// No instance type has GPUs and Neuron devices.
bool are_all_idle(const std::vector<GpuDevice>& devices, bool neuron) {
  return !devices.empty() && std::all_of(devices.begin(), devices.end(), [neuron](const auto& device) {
    return is_idle(device) && device.is_neuron == neuron;
  });
}

/// Least memory left that fits, then registered order.
std::optional<std::uint32_t> mps_device(const std::vector<GpuDevice>& devices, MiB memory) {
  std::optional<std::uint32_t> best;
  for (std::uint32_t i = 0; i < devices.size(); ++i) {
    if (!may_share(devices[i]) || devices[i].remaining_memory < memory) continue;
    if (!best || devices[i].remaining_memory < devices[*best].remaining_memory) best = i;
  }
  return best;
}

std::optional<std::uint32_t> fraction_device(const std::vector<GpuDevice>& devices, std::int64_t millionths) {
  for (std::uint32_t i = 0; i < devices.size(); ++i) {
    if (devices[i].is_fraction() && devices[i].remaining_fraction_millionths >= millionths) return i;
  }
  return std::nullopt;
}

void dedicate(GpuDevice& device) {
  device.state = GpuState::kDedicated;
  device.remaining_memory = 0;
  device.remaining_fraction_millionths = 0;
}

std::vector<ContainerGpus> take_whole(std::vector<GpuDevice>& devices, const TaskRequirement& task) {
  std::vector<ContainerGpus> given;
  std::uint32_t next = 0;
  for (const auto& container : task.gpu_containers) {
    ContainerGpus own{container.container, {}};
    while (static_cast<std::int64_t>(own.devices.size()) < container.count) {
      while (!is_idle(devices[next]) || devices[next].is_fraction()) ++next;
      dedicate(devices[next]);
      own.devices.push_back(next);
    }
    given.push_back(std::move(own));
  }
  return given;
}

std::vector<ContainerGpus> take_all(std::vector<GpuDevice>& devices, const TaskRequirement& task) {
  ContainerGpus own{task.gpu_containers.front().container, {}};
  for (std::uint32_t i = 0; i < devices.size(); ++i) {
    dedicate(devices[i]);
    own.devices.push_back(i);
  }
  return {std::move(own)};
}

/// Every GPU container of the task on the same device.
std::vector<ContainerGpus> share(const TaskRequirement& task, std::uint32_t device) {
  std::vector<ContainerGpus> given;
  for (const auto& container : task.gpu_containers) given.push_back({container.container, {device}});
  return given;
}

std::vector<ContainerGpus> take_fraction(std::vector<GpuDevice>& devices, const TaskRequirement& task) {
  const std::uint32_t index = *fraction_device(devices, task.gpu_fraction_millionths);
  auto& device = devices[index];
  device.state = GpuState::kDedicated;
  device.remaining_fraction_millionths -= task.gpu_fraction_millionths;
  device.remaining_memory = device.memory * device.remaining_fraction_millionths / device.fraction_millionths;
  return share(task, index);
}

std::vector<ContainerGpus> take_mps(std::vector<GpuDevice>& devices, const TaskRequirement& task) {
  const std::uint32_t index = *mps_device(devices, task.mps_memory);
  devices[index].state = GpuState::kNvidiaMps;
  devices[index].remaining_memory -= task.mps_memory;
  return share(task, index);
}

void give_back_device(GpuDevice& device, const TaskRequirement& task) {
  if (task.gpu_form == GpuForm::kMps) {
    if (device.state == GpuState::kDedicated) return;  // another has all of it, by what was described
    device.remaining_memory = std::min(device.memory, device.remaining_memory + task.mps_memory);
    if (device.remaining_memory >= device.memory) device.state = GpuState::kIdle;
  } else if (task.gpu_form == GpuForm::kFraction) {
    device.remaining_fraction_millionths =
        std::min(device.fraction_millionths, device.remaining_fraction_millionths + task.gpu_fraction_millionths);
    device.remaining_memory = device.memory * device.remaining_fraction_millionths / device.fraction_millionths;
    if (device.remaining_fraction_millionths >= device.fraction_millionths) device.state = GpuState::kIdle;
  } else {
    device.state = GpuState::kIdle;
    device.remaining_memory = device.memory;
    device.remaining_fraction_millionths = device.fraction_millionths;
  }
}

}  // namespace

std::string_view name_of(GpuState state) {
  switch (state) {
    case GpuState::kIdle:
      return "IDLE";
    case GpuState::kDedicated:
      return "DEDICATED";
    case GpuState::kNvidiaMps:
      return "NVIDIA_MPS";
  }
  return {};
}

std::vector<GpuDevice> gpu_devices(const InstanceProfile& profile) {
  if (profile.neuron_devices > 0) {
    return std::vector<GpuDevice>(static_cast<std::size_t>(profile.neuron_devices), GpuDevice{.is_neuron = true});
  }
  const GpuDevice device{.memory = profile.gpu_memory,
                         .remaining_memory = profile.gpu_memory,
                         .fraction_millionths = profile.gpu_fraction_millionths,
                         .remaining_fraction_millionths = profile.gpu_fraction_millionths};
  return std::vector<GpuDevice>(static_cast<std::size_t>(profile.gpu_count), device);
}

std::int64_t idle_gpus(const std::vector<GpuDevice>& devices) {
  return std::count_if(devices.begin(), devices.end(), is_idle_gpu);
}

std::int64_t idle_neuron_devices(const std::vector<GpuDevice>& devices) {
  return std::count_if(devices.begin(), devices.end(),
                       [](const auto& device) { return is_idle(device) && device.is_neuron; });
}

std::int64_t idle_devices(const std::vector<GpuDevice>& devices) {
  return std::count_if(devices.begin(), devices.end(), is_idle);
}

std::int64_t idle_whole_gpus(const std::vector<GpuDevice>& devices) {
  return std::count_if(devices.begin(), devices.end(),
                       [](const auto& device) { return is_idle_gpu(device) && !device.is_fraction(); });
}

bool gpus_fit(const std::vector<GpuDevice>& devices, const TaskRequirement& task) {
  switch (task.gpu_form) {
    case GpuForm::kNone:
      return true;
    case GpuForm::kCount:
      return idle_whole_gpus(devices) >= task.gpu_count;
    case GpuForm::kAll:
    case GpuForm::kNeuron:
      return task.gpu_containers.size() == 1 && are_all_idle(devices, task.wants_neuron());
    case GpuForm::kFraction:
      return fraction_device(devices, task.gpu_fraction_millionths).has_value();
    case GpuForm::kMps:
      return mps_device(devices, task.mps_memory).has_value();
  }
  return false;
}

void add_gpu_shortfall(const std::vector<GpuDevice>& devices, const TaskRequirement& task, Shortfall& shortfall) {
  switch (task.gpu_form) {
    case GpuForm::kNone:
      return;
    case GpuForm::kCount:
      shortfall.gpus = task.gpu_count - idle_whole_gpus(devices);
      return;
    case GpuForm::kAll:
    case GpuForm::kNeuron: {
      const std::int64_t there = std::count_if(
          devices.begin(), devices.end(), [&](const auto& device) { return device.is_neuron == task.wants_neuron(); });
      const std::int64_t idle = task.wants_neuron() ? idle_neuron_devices(devices) : idle_gpus(devices);
      (task.wants_neuron() ? shortfall.neuron_devices : shortfall.gpus) = std::max<std::int64_t>(1, there - idle);
      return;
    }
    case GpuForm::kFraction: {
      std::int64_t most = 0;
      for (const auto& device : devices) {
        if (device.is_fraction()) most = std::max(most, device.remaining_fraction_millionths);
      }
      shortfall.gpu_fraction_millionths = task.gpu_fraction_millionths - most;
      return;
    }
    case GpuForm::kMps: {
      MiB most = 0;
      for (const auto& device : devices) {
        if (may_share(device)) most = std::max(most, device.remaining_memory);
      }
      shortfall.mps_memory = task.mps_memory - most;
      return;
    }
  }
}

std::vector<ContainerGpus> take_gpus(std::vector<GpuDevice>& devices, const TaskRequirement& task) {
  assert(gpus_fit(devices, task));
  switch (task.gpu_form) {
    case GpuForm::kNone:
      return {};
    case GpuForm::kCount:
      return take_whole(devices, task);
    case GpuForm::kAll:
    case GpuForm::kNeuron:
      return take_all(devices, task);
    case GpuForm::kFraction:
      return take_fraction(devices, task);
    case GpuForm::kMps:
      return take_mps(devices, task);
  }
  return {};
}

std::vector<std::uint32_t> list_devices(const TaskRequirement& task, const std::vector<ContainerGpus>& given) {
  std::vector<std::uint32_t> devices;
  if (!task.wants_devices()) return devices;
  for (const auto& container : given) devices.insert(devices.end(), container.devices.begin(), container.devices.end());
  std::sort(devices.begin(), devices.end());
  devices.erase(std::unique(devices.begin(), devices.end()), devices.end());
  return devices;
}

void give_back_gpus(std::vector<GpuDevice>& devices, const TaskRequirement& task,
                    const std::vector<std::uint32_t>& gpus) {
  for (const std::uint32_t gpu : gpus) give_back_device(devices[gpu], task);
}

}  // namespace bayplan::placement
