// Swap, devices, shared memory and tmpfs of linuxParameters.
#include "rules/topics.hpp"

namespace bayplan::rules {
namespace {

using model::Compatibility;
using model::ContainerDefinition;
using model::IntegerField;

/// LinuxParameters.swappiness, 2026-08.
constexpr std::int64_t kMostSwappiness = 100;

IntegerField integer_parameter(const Context& ctx, const ContainerDefinition& container, std::string_view key) {
  return model::integer_field(container.linux_parameters, key, ctx.placeholders);
}

/// A list that holds something; absent when it does not.
text::Value list_parameter(const ContainerDefinition& container, std::string_view key) {
  const text::Value list = container.linux_parameters ? container.linux_parameters.find(key) : text::Value();
  return list && list.is_array() && list.size() > 0 ? list : text::Value();
}

/// The launch type that takes no such setting: it comes first in the message. Empty when all that are asked for do.
std::string_view closed_host(const Context& ctx) {
  if (ctx.targets(Compatibility::kFargate)) return "Fargate";
  if (ctx.targets(Compatibility::kManagedInstances)) return "Managed Instances";
  return {};
}

/// Refused is what Fargate was seen to refuse; the rest is in the documentation only. Zero may say "not set".
bool is_seen_refused(const Context& ctx, const IntegerField& field) {
  return ctx.targets(Compatibility::kFargate) && *field != 0;
}

void refuse_member(const Context& ctx, Emitter& emit, const IntegerField& field, bool is_seen) {
  const auto host = closed_host(ctx);
  auto report = emit.at_key(field.node);
  report.says("{} is not supported on {}{}", field.node.key(), host, is_seen ? "" : " according to the documentation")
      .help("delete it, or run on EC2 only");
  if (!is_seen) report.severity(Severity::kWarning);
}

/// MiB that the container cannot pass: its own hard limit, else that of the task.
std::optional<MiB> memory_limit(const Context& ctx, const ContainerDefinition& container) {
  if (container.memory.present()) return container.memory.value;
  return ctx.task.memory_mib();
}

void swappiness_range(const Context& ctx, Emitter& emit) {
  if (!closed_host(ctx).empty()) return;
  for (const auto& container : ctx.task.container_definitions) {
    const auto swappiness = integer_parameter(ctx, container, "swappiness");
    if (emit.knows(swappiness) && (*swappiness < 0 || *swappiness > kMostSwappiness)) {
      emit.at(swappiness)
          .says("swappiness must be 0 to {} according to the documentation, got {}", kMostSwappiness, *swappiness)
          .help("use {}", *swappiness < 0 ? 0 : kMostSwappiness);
    }
    const auto swap = integer_parameter(ctx, container, "maxSwap");
    if (emit.knows(swap) && *swap < 0) {
      emit.at(swap)
          .says("maxSwap must be 0 (no swap) or more MiB according to the documentation, got {}", *swap)
          .help("use 0 for no swap, or delete it to use the swap of the instance");
    }
  }
}

void swappiness_alone(const Context& ctx, Emitter& emit) {
  if (!closed_host(ctx).empty()) return;
  for (const auto& container : ctx.task.container_definitions) {
    const auto swappiness = integer_parameter(ctx, container, "swappiness");
    if (!emit.knows(swappiness) || integer_parameter(ctx, container, "maxSwap").present()) continue;
    emit.at_key(swappiness.node)
        .says("swappiness has no effect without maxSwap")
        .help("add \"maxSwap\" (MiB), or delete swappiness");
  }
}

void swap_fargate(const Context& ctx, Emitter& emit) {
  if (closed_host(ctx).empty()) return;
  for (const auto& container : ctx.task.container_definitions) {
    const auto swap = integer_parameter(ctx, container, "maxSwap");
    if (emit.knows(swap)) refuse_member(ctx, emit, swap, is_seen_refused(ctx, swap));
    const auto swappiness = integer_parameter(ctx, container, "swappiness");
    if (emit.knows(swappiness)) refuse_member(ctx, emit, swappiness, false);
  }
}

void devices_fargate(const Context& ctx, Emitter& emit) {
  if (!ctx.targets(Compatibility::kFargate)) return;
  for (const auto& container : ctx.task.container_definitions) {
    const text::Value devices = list_parameter(container, "devices");
    if (!devices) continue;
    emit.at_key(devices).says("Fargate does not support host devices").help("delete devices, or run on EC2 only");
  }
}

void shm_fargate(const Context& ctx, Emitter& emit) {
  if (closed_host(ctx).empty()) return;
  for (const auto& container : ctx.task.container_definitions) {
    const auto size = integer_parameter(ctx, container, "sharedMemorySize");
    if (emit.knows(size)) refuse_member(ctx, emit, size, is_seen_refused(ctx, size));
  }
}

void shm_size(const Context& ctx, Emitter& emit) {
  if (!closed_host(ctx).empty()) return;
  for (const auto& container : ctx.task.container_definitions) {
    const auto size = integer_parameter(ctx, container, "sharedMemorySize");
    if (!emit.knows(size)) continue;
    const auto limit = memory_limit(ctx, container);
    if (*size < 1) {
      emit.at(size)
          .says("sharedMemorySize must be 1 MiB or more, got {}", *size)
          .help("use 1 or more, or delete it for the Docker default of 64 MiB");
    } else if (limit && *limit > 0 && *size > *limit) {
      const auto& field = container.memory;
      emit.at(size)
          .says("sharedMemorySize {} MiB exceeds the container memory of {} MiB, which includes it", *size, *limit)
          .help("use {} or less, or raise memory", *limit)
          .related(field ? field.node : ctx.task.memory.node, "the memory limit");
    }
  }
}

}  // namespace

std::span<const Rule> linux_parameter_rules() {
  using enum Scope;
  static constexpr Rule kRules[] = {
      {"BAY742", kTaskDefinition, swappiness_range},
      {"BAY743", kTaskDefinition, swappiness_alone},
      {"BAY744", kTaskDefinition, swap_fargate, {.loses_setting = true}},
      {"BAY745", kTaskDefinition, devices_fargate},
      {"BAY746", kTaskDefinition, shm_fargate, {.loses_setting = true}},
      {"BAY748", kTaskDefinition, shm_size},
  };
  return kRules;
}

}  // namespace bayplan::rules
