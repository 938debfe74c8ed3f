// memory and memoryReservation of a container, in MiB.
#include "rules/file/shape_findings.hpp"
#include "rules/file/spelling.hpp"
#include "rules/topics.hpp"

namespace bayplan::rules {
namespace {

using model::Compatibility;
using model::IntegerField;

/// Zero counts as absent (refusal of 0 MiB: "At least one of 'memory' or 'memoryReservation' must be specified").
bool may_say_memory(const IntegerField& field) {
  return field.unknown() || (field.present() && (!field.known() || *field != 0));
}

/// `--memory` of the command that registers the definition.
bool has_memory_option(const Context& ctx) {
  const auto given = ctx.deployment.given_members.find(ctx.kind);
  return given != ctx.deployment.given_members.end() && given->second.contains("memory");
}

/// Whether the task itself says its memory, or could: a bare list of containers does not show it.
bool task_may_set_memory(const Context& ctx) {
  return !ctx.sees_task() || ctx.task.memory.present() || ctx.deployment.assigns("/memory") || has_memory_option(ctx);
}

void memory_missing(const Context& ctx, Emitter& emit) {
  // On Fargate the missing task memory is the fault (BAY117).
  if (task_may_set_memory(ctx) || ctx.targets(Compatibility::kFargate) || names_images_alone(ctx)) return;
  for (const auto& container : ctx.task.container_definitions) {
    if (may_say_memory(container.memory) || may_say_memory(container.memory_reservation)) continue;
    if (is_spelled_otherwise(container.node, "memory", {}) ||
        is_spelled_otherwise(container.node, "memoryReservation", {}))
      continue;
    emit.missing(container.node, "memory")
        .says("neither the container nor the task sets memory")
        .help("add \"memory\" or \"memoryReservation\" (MiB) here, or \"memory\" to the task");
  }
}

void memory_under_minimum(const Context& ctx, Emitter& emit) {
  constexpr MiB kSmallest = 6;  // Docker 20.10 and later (ContainerDefinition.memory)
  const auto check = [&](const IntegerField& field, std::string_view key) {
    if (!emit.knows(field) || *field == 0 || *field >= kSmallest) return;
    emit.at(field).says("{} {} MiB is below the minimum of a container", key, *field).help("use {} or more", kSmallest);
  };
  for (const auto& container : ctx.task.container_definitions) {
    check(container.memory, "memory");
    check(container.memory_reservation, "memoryReservation");
  }
}

void reservation_over_memory(const Context& ctx, Emitter& emit) {
  for (const auto& container : ctx.task.container_definitions) {
    const auto& memory = container.memory;
    const auto& reservation = container.memory_reservation;
    if (!emit.knows(memory) || !emit.knows(reservation) || *memory == 0 || *reservation <= *memory) continue;
    emit.at(reservation)
        .says("memoryReservation {} exceeds memory {}", *reservation, *memory)
        .help("raise memory, the hard limit, to {} or more, or lower the reservation", *reservation)
        .related(memory.node, "the hard limit");
  }
}

void hard_limit_missing(const Context& ctx, Emitter& emit) {
  const bool applies = ctx.targets(Compatibility::kEc2) || ctx.targets(Compatibility::kExternal);
  if (!applies || task_may_set_memory(ctx) || ctx.targets(Compatibility::kFargate)) return;
  for (const auto& container : ctx.task.container_definitions) {
    if (may_say_memory(container.memory) || !container.memory_reservation || *container.memory_reservation == 0)
      continue;
    emit.at(container.memory_reservation)
        .says("only memoryReservation is set, so the container can use all memory of its instance")
        .help("add \"memory\" as the hard limit");
  }
}

}  // namespace

std::span<const Rule> container_memory_rules() {
  using enum Scope;
  static constexpr Rule kRules[] = {
      {"BAY207", kTaskDefinition, memory_missing},
      {"BAY208", kTaskDefinition, memory_under_minimum},
      {"BAY209", kTaskDefinition, reservation_over_memory},
      {"BAY210", kTaskDefinition, hard_limit_missing},
  };
  return kRules;
}

}  // namespace bayplan::rules
