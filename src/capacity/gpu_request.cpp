#include "capacity/gpu_request.hpp"

#include <algorithm>

#include "base/ascii.hpp"
#include "base/strings.hpp"

namespace bayplan::capacity {
namespace {

constexpr std::int64_t kMillion = 1'000'000;
constexpr std::string_view kNeuronDevice = "NeuronDevice";  ///< API_ResourceRequirement, `type`.

/// Digits after the point as millionths; nothing when they say more than six places hold.
std::optional<std::int64_t> parse_millionths(std::string_view decimals) {
  while (!decimals.empty() && decimals.back() == '0') decimals.remove_suffix(1);
  if (decimals.empty()) return 0;
  if (decimals.size() > 6 || !is_digits(decimals)) return std::nullopt;
  std::int64_t result = *to_integer(decimals);
  for (std::size_t i = decimals.size(); i < 6; ++i) result *= 10;
  return result;
}

std::optional<GpuValue> parse_decimal(std::string_view text) {
  const auto point = text.find('.');
  if (point > 6 || point + 1 == text.size()) return std::nullopt;  // npos, no point at all, is larger still
  const std::string_view whole = text.substr(0, point);
  const auto decimals = parse_millionths(text.substr(point + 1));
  if (!decimals || (!whole.empty() && !is_digits(whole))) return std::nullopt;
  const std::int64_t units = whole.empty() ? 0 : *to_integer(whole);
  if (*decimals == 0) return GpuValue{GpuForm::kCount, units, 0};  // "1.0" asks for a whole GPU
  return GpuValue{GpuForm::kFraction, 0, units * kMillion + *decimals};
}

ContainerGpu request_of(const model::ResourceRequirement& wanted) {
  ContainerGpu gpu;
  // ALL is the only value (BAY418), so that one that is not known yet changes nothing.
  if (*wanted.type == kNeuronDevice) {
    gpu.form = GpuForm::kNeuron;
    return gpu;
  }
  if (wanted.nvidia_mps) {
    gpu.form = GpuForm::kMps;
    gpu.mps_memory = std::clamp<std::int64_t>(wanted.nvidia_mps->memory.value.value_or(0), 0, kLargestSize);
    return gpu;
  }
  const auto value = wanted.value ? parse_gpu_value(*wanted.value) : std::nullopt;
  if (!value || (value->form == GpuForm::kCount && value->count == 0)) return gpu;
  gpu.form = value->form;
  gpu.count = value->count;
  gpu.fraction_millionths = value->fraction_millionths;
  return gpu;
}

/// Neuron devices win, then ALL, then a count: what is the hardest to find decides where the task can go.
GpuForm wider(GpuForm a, GpuForm b) {
  const auto rank = [](GpuForm form) {
    switch (form) {
      case GpuForm::kNeuron:
        return 5;
      case GpuForm::kAll:
        return 4;
      case GpuForm::kCount:
        return 3;
      case GpuForm::kMps:
        return 2;
      case GpuForm::kFraction:
        return 1;
      case GpuForm::kNone:
        return 0;
    }
    return 0;
  };
  return rank(a) >= rank(b) ? a : b;
}

void add(ContainerGpu gpu, TaskRequirement& requirement) {
  requirement.gpu_form = wider(requirement.gpu_form, gpu.form);
  requirement.gpu_count += gpu.count;
  requirement.gpu_fraction_millionths += gpu.fraction_millionths;
  requirement.mps_memory += gpu.mps_memory;
  requirement.gpu_containers.push_back(std::move(gpu));
}

}  // namespace

std::optional<GpuValue> parse_gpu_value(std::string_view text) {
  text = trim(text);
  if (equal_ignoring_case(text, "ALL")) return GpuValue{GpuForm::kAll, 0, 0};
  if (!is_digits(text)) return parse_decimal(text);
  const auto count = to_integer(text);
  return count && *count <= kMillion ? std::optional(GpuValue{GpuForm::kCount, *count, 0}) : std::nullopt;
}

void add_gpus(const model::TaskDefinition& task, TaskRequirement& requirement, std::vector<UnknownMember>& unknown) {
  for (std::size_t i = 0; i < task.container_definitions.size(); ++i) {
    const auto& container = task.container_definitions[i];
    add_unknown_elements(container.resource_requirements.node, member_name(container, i, "resourceRequirements"),
                         unknown);
    for (const auto& wanted : container.resource_requirements) {
      if (!wanted.type || (*wanted.type != "GPU" && *wanted.type != kNeuronDevice)) continue;
      const bool is_mps_unknown = wanted.nvidia_mps && wanted.nvidia_mps->memory.unknown();
      if (*wanted.type == "GPU" && (wanted.value.unknown() || is_mps_unknown)) {
        unknown.push_back({member_name(container, i, "resourceRequirements"),
                           is_mps_unknown ? wanted.nvidia_mps->memory.node : wanted.value.node});
      }
      ContainerGpu gpu = request_of(wanted);
      if (gpu.form == GpuForm::kNone) continue;
      gpu.container = i;
      gpu.name = std::string(container.name.value.value_or(""));
      add(std::move(gpu), requirement);
    }
  }
}

}  // namespace bayplan::capacity
