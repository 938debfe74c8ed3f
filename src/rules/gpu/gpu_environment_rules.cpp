// GPUs and driver parts that are requested without resourceRequirements (ECS developer guide, ecs-gpu; NVIDIA container
// toolkit user guide 1.11, section on driver capabilities).
#include <algorithm>
#include <array>

#include "base/strings.hpp"
#include "rules/gpu/gpu_images.hpp"
#include "rules/gpu/gpu_requests.hpp"
#include "rules/task/pinned_types.hpp"
#include "rules/topics.hpp"

namespace bayplan::rules {
namespace {

using model::Compatibility;

constexpr std::string_view kVisibleDevices = "NVIDIA_VISIBLE_DEVICES";
constexpr std::string_view kDriverCapabilities = "NVIDIA_DRIVER_CAPABILITIES";
constexpr std::array<std::string_view, 8> kCapabilities{"all",      "compute", "compat32", "display",
                                                        "graphics", "ngx",     "utility",  "video"};

bool gives_devices(std::string_view value) {
  const std::string word = lower(trim(value));
  return !word.empty() && word != "void" && word != "none";
}

/// The list as it was meant: commas between, lower case, each part known. Nothing when a part is not known.
std::optional<std::string> tidy_capabilities(std::string_view list) {
  std::vector<std::string> parts;
  std::string word;
  for (const char c : lower(list) + ",") {
    const bool separates = c == ',' || c == ';' || c == ' ' || c == ':' || c == '|' || c == '+';
    if (!separates) {
      word += c;
      continue;
    }
    if (word.empty()) continue;
    if (std::find(kCapabilities.begin(), kCapabilities.end(), word) == kCapabilities.end()) return std::nullopt;
    parts.push_back(std::exchange(word, {}));
  }
  return join(parts, ",");
}

bool are_known_capabilities(std::string_view list) {
  for (const std::string_view part : split(list, ',')) {
    if (std::find(kCapabilities.begin(), kCapabilities.end(), part) == kCapabilities.end()) return false;
  }
  return true;
}

void check_capabilities(const model::NamedValue& entry, Emitter& emit) {
  if (!entry.value.present() || !emit.knows(entry.value) || entry.value->empty()) return;
  if (are_known_capabilities(*entry.value)) return;
  auto report = emit.at(entry.value)
                    .says(
                        "invalid driver capabilities \"{}\"; must be a comma-separated list of compute, compat32, "
                        "graphics, utility, video, display, ngx or all",
                        *entry.value);
  const auto meant = tidy_capabilities(*entry.value);
  report.help("use {}", meant ? *meant : "compute,utility");
  if (meant) report.fix(entry.value.span(), "\"" + *meant + "\"");
}

/// CPU of all containers, or of the task when that is set; nothing when any of it is unknown.
std::optional<CpuUnits> cpu_of(const model::TaskDefinition& task) {
  if (task.cpu.present()) return task.cpu_units();
  CpuUnits sum = 0;
  for (const auto& container : task.container_definitions) {
    if (container.cpu.unknown()) return std::nullopt;
    sum += std::clamp<CpuUnits>(container.cpu.value.value_or(0), 0, 1'000'000);
  }
  return sum;
}

/// The workaround from before ECS supported GPUs: all CPU of a GPU type is requested, so that no other task is placed
/// there.
void check_stand_in(const Context& ctx, Emitter& emit) {
  constexpr CpuUnits kSmallestGpuType = 2048;  // g6f.large
  const auto cpu = cpu_of(ctx.task);
  if (!cpu || *cpu < kSmallestGpuType || ctx.task.placement_constraints.empty()) return;
  const auto chosen = chosen_types(ctx, emit);
  if (!chosen || !chosen->constraint) return;
  const bool takes_all = std::all_of(chosen->types.begin(), chosen->types.end(),
                                     [&](const auto* type) { return type->has_nvidia_gpu() && *cpu == type->cpu; });
  if (!takes_all) return;
  emit.at(chosen->constraint)
      .severity(Severity::kInfo)
      .says("task uses all {} CPU units of {} but has no GPU requirement", *cpu, chosen->names())
      .help("if it uses the GPU, add {} to the container, so that ECS reserves the GPU",
            requirements_text(ctx.document, "1"));
}

void gpu_env_override(const Context& ctx, Emitter& emit) {
  if (!places_on_instances(ctx)) return;
  for (const auto& container : ctx.task.container_definitions) {
    const auto* entry = wants_gpu(container) ? find_environment(container, kVisibleDevices) : nullptr;
    if (entry == nullptr) continue;
    emit.at(entry->node)
        .says("{} overrides the value that ECS sets to the GPUs it assigns", kVisibleDevices)
        .help("delete this variable");
  }
}

void gpu_env_without_request(const Context& ctx, Emitter& emit) {
  if (!ctx.targets(Compatibility::kEc2)) return;
  bool any_request = false;
  for (const auto& container : ctx.task.container_definitions) {
    any_request = any_request || container.resource_requirements.present();
    if (wants_gpu(container)) continue;
    const auto* devices = find_environment(container, kVisibleDevices);
    if (devices != nullptr) {
      if (!emit.knows(devices->value) || !gives_devices(*devices->value)) continue;
      if (container.image && is_gpu_monitor(*container.image)) continue;
      emit.at(devices->value)
          .says("{}={} exposes GPUs that ECS does not track and may assign to other tasks too", kVisibleDevices,
                *devices->value)
          .help("use {} instead; to share a GPU, use sharingStrategy", requirements_text(ctx.document, "1"));
    } else if (const auto* driver = find_environment(container, kDriverCapabilities)) {
      emit.at(driver->node)
          .severity(Severity::kInfo)
          .says("{} is set, but the container has no GPU requirement", kDriverCapabilities)
          .help("use {}, or delete the variable", requirements_text(ctx.document, "1"));
    }
  }
  if (!any_request) check_stand_in(ctx, emit);
}

void gpu_devices_by_hand(const Context& ctx, Emitter& emit) {
  if (!ctx.targets(Compatibility::kEc2)) return;
  for (const auto& container : ctx.task.container_definitions) {
    const text::Value parameters = container.linux_parameters;
    const text::Value devices = parameters && parameters.is_object() ? parameters.find("devices") : text::Value();
    if (!devices || !devices.is_array() || wants_gpu(container)) continue;
    for (const text::Value device : devices.children()) {
      const text::Value path = device.is_object() ? device.find("hostPath") : text::Value();
      if (!path || !path.text().starts_with("/dev/nvidia")) continue;
      emit.at(path)
          .says("{} is mapped manually; ECS does not track this GPU and may assign it to other tasks", path.text())
          .help("use {} instead of devices", requirements_text(ctx.document, "1"));
      break;
    }
  }
}

void driver_capabilities(const Context& ctx, Emitter& emit) {
  if (!ctx.targets(Compatibility::kEc2)) return;
  for (const auto& container : ctx.task.container_definitions) {
    if (const auto* entry = find_environment(container, kDriverCapabilities)) {
      check_capabilities(*entry, emit);
      continue;
    }
    if (!wants_gpu(container) || only_looks_at_gpu(container)) continue;
    if (!emit.knows(container.image) || !is_general_base(*container.image)) continue;
    emit.at(container.image)
        .severity(Severity::kInfo)
        .says(
            "neither image {} nor ECS sets {}; an old NVIDIA toolkit then enables utility only, so nvidia-smi works "
            "but CUDA does not",
            *container.image, kDriverCapabilities)
        .help("add {\"name\": \"NVIDIA_DRIVER_CAPABILITIES\", \"value\": \"compute,utility\"} to environment");
  }
}

}  // namespace

std::span<const Rule> gpu_environment_rules() {
  using enum Scope;
  static constexpr Rule kRules[] = {
      {"BAY453", kTaskDefinition, gpu_env_override},
      {"BAY454", kTaskDefinition, gpu_env_without_request},
      {"BAY457", kTaskDefinition, gpu_devices_by_hand},
      {"BAY466", kTaskDefinition, driver_capabilities},
  };
  return kRules;
}

}  // namespace bayplan::rules
