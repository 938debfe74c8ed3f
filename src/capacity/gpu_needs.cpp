#include "capacity/gpu_needs.hpp"

#include <algorithm>

#include <fmt/core.h>

#include "base/ascii.hpp"
#include "base/edit_distance.hpp"
#include "base/memory_size.hpp"
#include "base/strings.hpp"

namespace bayplan::capacity {
namespace {

using text::Value;

}  // namespace

std::optional<Interconnect> parse_interconnect(std::string_view text) {
  const std::string word = lower(trim(text));
  if (word == "nvlink" || word == "nvswitch") return Interconnect::kNvlink;
  return word == "pcie" ? std::optional(Interconnect::kPcie) : std::nullopt;
}

std::optional<UnmetNeed> unmet_neuron_devices(const TaskRequirement& task, const catalog::InstanceType& type) {
  if (task.mapped_neuron_devices <= type.neuron.devices) return std::nullopt;
  return UnmetNeed{fmt::format("/dev/neuron{}", task.mapped_neuron_devices - 1),
                   type.neuron.devices == 0 ? "no Neuron device" : count_of(type.neuron.devices, "Neuron device")};
}

std::optional<MiB> parse_gpu_memory(std::string_view text) {
  constexpr MiB kLargest = MiB{10'000'000} * kMiBPerGiB;
  const auto size = parse_gpu_memory_size(text);
  return size && has_memory_unit(text) && *size <= kLargest ? size : std::nullopt;
}

std::optional<Tenths> parse_tenths(std::string_view text) {
  text = trim(text);
  const auto point = text.find('.');
  const std::string_view whole = text.substr(0, point);
  const std::string_view tenth = point == std::string_view::npos ? "0" : text.substr(point + 1);
  if (!is_digits(whole) || whole.size() > 2 || !is_digits(tenth) || tenth.size() > 1) return std::nullopt;
  return *to_integer(whole) * 10 + *to_integer(tenth);
}

std::string text_of_tenths(Tenths version) {
  return std::to_string(version / 10) + "." + std::to_string(version % 10);
}

std::vector<UnmetNeed> unmet_needs(const GpuNeeds& needs, std::int64_t gpus, const catalog::InstanceType* type,
                                   MiB gpu_memory) {
  std::vector<UnmetNeed> unmet;
  const bool is_known = type != nullptr && type->gpu.has_value();
  const MiB memory = is_known && type->gpu->memory > 0 ? type->gpu->memory : gpu_memory;
  if (needs.gpu_memory && memory > 0 && memory < *needs.gpu_memory)
    unmet.push_back({fmt::format("{} MiB on each GPU", *needs.gpu_memory), fmt::format("{} MiB", memory)});
  if (!is_known) return unmet;
  const auto capability = parse_tenths(type->gpu->compute_capability);
  if (needs.min_compute_capability && capability && *capability < *needs.min_compute_capability) {
    unmet.push_back({fmt::format("compute capability {}", text_of_tenths(*needs.min_compute_capability)),
                     text_of_tenths(*capability)});
  }
  const std::string& link = type->gpu->interconnect;
  if (needs.interconnect != Interconnect::kNvlink || gpus < 2 || link.empty()) return unmet;
  if (link.find("NVLink") == std::string::npos) {
    unmet.push_back({"NVLink", link});
  } else if (link.find("hybrid") != std::string::npos && gpus < type->gpu->count) {
    unmet.push_back({"NVLink", "pairs of GPUs without it"});
  }
  return unmet;
}

NeedsByName bind_needs(Value object) {
  NeedsByName needs;
  if (!object || !object.is_object()) return needs;
  for (const Value entry : object.children()) {
    const Value memory = entry.find("gpuMemory");
    const Value capability = entry.find("minComputeCapability");
    const Value interconnect = entry.find("interconnect");
    GpuNeeds& own = needs[std::string(entry.key())];
    if (memory) own.gpu_memory = memory.integer() ? memory.integer() : parse_gpu_memory(memory.text());
    if (capability) own.min_compute_capability = parse_tenths(capability.text());
    if (interconnect) own.interconnect = parse_interconnect(interconnect.text());
  }
  return needs;
}

namespace {

constexpr std::string_view kPrefix = "bayplan.";
constexpr std::string_view kGpuMemory = "bayplan.gpu-memory";
constexpr std::string_view kComputeCapability = "bayplan.min-compute-capability";
constexpr std::string_view kInterconnect = "bayplan.interconnect";

template <class Function>
void for_each_need(const model::ContainerDefinition& container, const model::Placeholders& placeholders,
                   Function function) {
  if (!container.docker_labels || !container.docker_labels.is_object()) return;
  for (const Value label : container.docker_labels.children()) {
    if (label.key().starts_with(kPrefix) && !placeholders.holds(label)) function(label);
  }
}

std::optional<NeedFault> fault_of(Value label) {
  const std::string_view text = label.text();
  if (label.key() == kGpuMemory) {
    if (parse_gpu_memory(text)) return std::nullopt;
    const bool lacks_unit = is_digits(trim(text));
    return NeedFault{label, false, fmt::format("\"{}\" is not an amount of GPU memory with its unit", text),
                     fmt::format("write \"{}GiB\"; the units are GiB, MiB and GB", lacks_unit ? trim(text) : "14")};
  }
  if (label.key() == kComputeCapability) {
    if (parse_tenths(text)) return std::nullopt;
    return NeedFault{label, false, fmt::format("\"{}\" is not a compute capability", text),
                     "write it as NVIDIA does: \"7.0\" for V100, \"7.5\" for T4, \"8.0\" for A100"};
  }
  if (label.key() == kInterconnect) {
    if (parse_interconnect(text)) return std::nullopt;
    return NeedFault{label, false, fmt::format("\"{}\" is not an interconnect that bayplan knows", text),
                     "write \"nvlink\" or \"pcie\""};
  }
  const auto meant = nearest(label.key(), {kGpuMemory, kComputeCapability, kInterconnect});
  return NeedFault{label, true, fmt::format("\"{}\" is not a need that bayplan knows", label.key()),
                   meant ? fmt::format("write \"{}\"", *meant)
                         : fmt::format("the needs are {}, {} and {}", kGpuMemory, kComputeCapability, kInterconnect)};
}

/// What config or scenario say under `name`, where nothing closer said it before.
void add_given(const NeedsByName& all, std::string_view name, const model::ContainerDefinition& container,
               StatedNeeds& needs) {
  const auto found = all.find(name);
  if (found == all.end()) return;
  const Value requests = container.resource_requirements.node;
  const Value place = requests ? requests : container.node;
  const GpuNeeds& given = found->second;
  if (!needs.gpu_memory_place && given.gpu_memory) {
    needs.gpu_memory = given.gpu_memory;
    needs.gpu_memory_place = place;
  }
  if (!needs.compute_capability_place && given.min_compute_capability) {
    needs.min_compute_capability = given.min_compute_capability;
    needs.compute_capability_place = place;
  }
  if (!needs.interconnect_place && given.interconnect) {
    needs.interconnect = given.interconnect;
    needs.interconnect_place = place;
  }
}

}  // namespace

StatedNeeds stated_needs(const model::TaskDefinition& task, const model::ContainerDefinition& container,
                         const model::Placeholders& placeholders, const NeedsByName& given) {
  StatedNeeds needs;
  for_each_need(container, placeholders, [&](Value label) {
    if (label.key() == kGpuMemory) {
      needs.gpu_memory = parse_gpu_memory(label.text());
      needs.gpu_memory_place = label;
    } else if (label.key() == kComputeCapability) {
      needs.min_compute_capability = parse_tenths(label.text());
      needs.compute_capability_place = label;
    } else if (label.key() == kInterconnect) {
      needs.interconnect = parse_interconnect(label.text());
      needs.interconnect_place = label;
    }
  });
  if (given.empty() || !task.family || !container.name) return needs;
  add_given(given, std::string(*task.family) + "/" + std::string(*container.name), container, needs);
  add_given(given, *task.family, container, needs);
  return needs;
}

std::vector<NeedFault> need_faults(const model::ContainerDefinition& container,
                                   const model::Placeholders& placeholders) {
  std::vector<NeedFault> faults;
  for_each_need(container, placeholders, [&](Value label) {
    if (auto fault = fault_of(label)) faults.push_back(std::move(*fault));
  });
  return faults;
}

}  // namespace bayplan::capacity
