// What a container with a GPU needs in addition. Thresholds are the project's own judgment: the smallest GPU types
// carry 4 vCPU and 16 GiB for one GPU (g4dn.xlarge, g5.xlarge; instance data 2026-08).
#include <fmt/core.h>

#include "base/strings.hpp"
#include "rules/gpu/gpu_images.hpp"
#include "rules/gpu/gpu_requests.hpp"
#include "rules/topics.hpp"

namespace bayplan::rules {
namespace {

using capacity::GpuForm;

constexpr CpuUnits kLowCpuPerGpu = 512;
constexpr CpuUnits kModestCpuPerGpu = 1024;
constexpr CpuUnits kUsualCpuPerGpu = 4096;
constexpr MiB kLowMemory = 1024;

/// GPUs of a container in millionths, to weigh cpu against; ALL counts as one. Nothing when unknown or shared.
std::optional<std::int64_t> gpu_millionths(const model::ContainerDefinition& container) {
  std::int64_t sum = 0;
  for (const auto& request : gpu_requests(container)) {
    if (!request.value || request.shares() || request.value->count > 64) return std::nullopt;
    if (request.value->form == GpuForm::kFraction) sum += request.value->fraction_millionths;
    if (request.value->form == GpuForm::kCount) sum += request.value->count * 1'000'000;
    if (request.value->form == GpuForm::kAll) sum += 1'000'000;
  }
  return sum > 0 ? std::optional(sum) : std::nullopt;
}

std::string gpus_text(std::int64_t millionths) {
  if (millionths % 1'000'000 == 0) return count_of(millionths / 1'000'000, "GPU");
  std::string decimals = std::to_string(1'000'000 + millionths % 1'000'000).substr(1);
  decimals.erase(decimals.find_last_not_of('0') + 1);
  return fmt::format("{}.{} of a GPU", millionths / 1'000'000, decimals);
}

bool has_member(text::Value object, std::string_view key) {
  if (!object || !object.is_object()) return false;
  const text::Value member = object.find(key);
  return member && !member.is_null();
}

bool mounts_shared_memory(const model::ContainerDefinition& container) {
  const text::Value tmpfs =
      has_member(container.linux_parameters, "tmpfs") ? container.linux_parameters.find("tmpfs") : text::Value();
  if (tmpfs) {
    for (const text::Value mount : tmpfs.children()) {
      const text::Value path = mount.find("containerPath");
      if (path && path.text() == "/dev/shm") return true;
    }
  }
  for (const auto& mount : container.mount_points) {
    if (mount.container_path && *mount.container_path == "/dev/shm") return true;
  }
  return false;
}

void gpu_cpu_low(const Context& ctx, Emitter& emit) {
  if (!places_on_instances(ctx)) return;
  for (const auto& container : ctx.task.container_definitions) {
    const auto millionths = gpu_millionths(container);
    if (!millionths || only_looks_at_gpu(container) || !container.cpu.present()) continue;
    if (!emit.knows(container.cpu) || *container.cpu <= 0) continue;
    const CpuUnits cpu = *container.cpu;
    if (cpu > kModestCpuPerGpu * 64 || cpu * 1'000'000 >= kModestCpuPerGpu * *millionths) continue;
    const bool is_low = cpu * 1'000'000 < kLowCpuPerGpu * *millionths;
    const CpuUnits usual = std::max<CpuUnits>(1, kUsualCpuPerGpu * *millionths / 1'000'000);
    emit.at(container.cpu)
        .severity(is_low ? Severity::kWarning : Severity::kInfo)
        .says("cpu {} is low for {}; when the instance is busy, the GPU may wait for data", cpu, gpus_text(*millionths))
        .help("use {} to {}; on EC2, cpu is a share that matters only when other containers are busy", usual / 2,
              usual);
  }
}

void gpu_memory_low(const Context& ctx, Emitter& emit) {
  if (!places_on_instances(ctx)) return;
  for (const auto& container : ctx.task.container_definitions) {
    if (!wants_gpu(container) || only_looks_at_gpu(container)) continue;
    const bool has_limit = container.memory.present();
    const auto& memory = has_limit ? container.memory : container.memory_reservation;
    if (!memory.present() || !emit.knows(memory) || *memory <= 0 || *memory >= kLowMemory) continue;
    auto report = emit.at(memory);
    report.help("use 4096 or more");
    if (has_limit) {
      report.says(
          "memory {} MiB is low for a GPU program; CUDA and a framework commonly need more than 1024, and the "
          "container is killed at the limit",
          *memory);
    } else {
      report.severity(Severity::kInfo)
          .says("memoryReservation {} MiB is low for a GPU program; without a limit it can still use more", *memory);
    }
  }
}

void gpu_image_plain(const Context& ctx, Emitter& emit) {
  if (!places_on_instances(ctx)) return;
  for (const auto& container : ctx.task.container_definitions) {
    if (!wants_gpu(container) || only_looks_at_gpu(container) || !emit.knows(container.image)) continue;
    if (!is_plain_base(*container.image)) continue;
    emit.at(container.image)
        .says("image {} has no GPU software, but the container has a GPU requirement", *container.image)
        .help("use an image with CUDA, such as nvidia/cuda, or delete the GPU requirement");
  }
}

void gpu_shm_small(const Context& ctx, Emitter& emit) {
  if (!ctx.targets(model::Compatibility::kEc2)) return;
  if (ctx.task.ipc_mode && *ctx.task.ipc_mode == "host") return;
  for (const auto& container : ctx.task.container_definitions) {
    if (!wants_gpu(container) || only_looks_at_gpu(container)) continue;
    if (has_member(container.linux_parameters, "sharedMemorySize") || mounts_shared_memory(container)) continue;
    if (!emit.knows(container.image) || !is_training_image(*container.image)) continue;
    const bool has_parameters = container.linux_parameters && container.linux_parameters.is_object();
    (has_parameters ? emit.missing(container.linux_parameters, "sharedMemorySize")
                    : emit.missing(container.node, "linuxParameters"))
        .related(container.image.node, "the image")
        .says("/dev/shm of this container is 64 MiB, which PyTorch data loaders and similar programs exceed")
        .help("use {}",
              has_parameters ? "\"sharedMemorySize\": 4096" : "\"linuxParameters\": {\"sharedMemorySize\": 4096}");
  }
}

void gpu_no_log_or_health(const Context& ctx, Emitter& emit) {
  if (!places_on_instances(ctx)) return;
  for (const auto& container : ctx.task.container_definitions) {
    if (!wants_gpu(container) || only_looks_at_gpu(container) || !container.is_essential()) continue;
    if (has_member(container.node, "healthCheck")) continue;
    emit.missing(container.node, "healthCheck")
        .says("no health check detects when this container loses its GPU")
        .help("add \"healthCheck\": {\"command\": [\"CMD-SHELL\", \"nvidia-smi || exit 1\"]}");
  }
}

}  // namespace

std::span<const Rule> gpu_practice_rules() {
  using enum Scope;
  static constexpr Rule kRules[] = {
      {"BAY450", kTaskDefinition, gpu_cpu_low},          {"BAY451", kTaskDefinition, gpu_memory_low},
      {"BAY452", kTaskDefinition, gpu_image_plain},      {"BAY458", kTaskDefinition, gpu_shm_small},
      {"BAY459", kTaskDefinition, gpu_no_log_or_health},
  };
  return kRules;
}

}  // namespace bayplan::rules
