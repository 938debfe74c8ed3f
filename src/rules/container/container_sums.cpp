// Containers against the task that holds them.
#include <algorithm>

#include "rules/task/platform.hpp"
#include "rules/topics.hpp"

namespace bayplan::rules {
namespace {

using model::ContainerDefinition;

/// memory, the hard limit, does not count: six of 512 MiB were accepted in a Fargate task of 2048.
const model::IntegerField& reserved(const ContainerDefinition& container) {
  return container.memory_reservation;
}

std::string_view name_or(const ContainerDefinition& container, std::string_view otherwise) {
  return container.name && !container.name->empty() ? *container.name : otherwise;
}

/// Sum over the containers, with each summand as a related place; nothing when one is not known yet.
template <class FieldOf>
std::optional<std::int64_t> compute_sum(const Context& ctx, Emitter& emit, FieldOf field_of) {
  std::int64_t sum = 0;
  for (const auto& container : ctx.task.container_definitions) {
    const model::IntegerField& field = field_of(container);
    if (!field.present()) continue;
    if (!emit.knows(field)) return std::nullopt;
    sum += std::clamp<std::int64_t>(*field, 0, 1'000'000'000);
  }
  return sum;
}

template <class FieldOf>
void relate_summands(Report& report, const Context& ctx, FieldOf field_of) {
  for (const auto& container : ctx.task.container_definitions) {
    const model::IntegerField& field = field_of(container);
    if (field)
      report.related(field.node, std::string(name_or(container, "a container")) + " uses " + std::to_string(*field));
  }
}

void container_cpu_sum(const Context& ctx, Emitter& emit) {
  const auto cpu_of = [](const ContainerDefinition& container) -> const model::IntegerField& { return container.cpu; };
  if (is_windows(ctx) || !emit.knows(ctx.task.cpu)) return;
  const auto limit = ctx.task.cpu_units();
  const auto sum = limit ? compute_sum(ctx, emit, cpu_of) : std::nullopt;
  if (!sum || *sum <= *limit) return;
  auto report = emit.at(ctx.task.cpu);
  report.says("containers need {} CPU units, but the task has {}", *sum, *limit);
  report.help("raise the task cpu to {}, or lower the container cpu", *sum);
  relate_summands(report, ctx, cpu_of);
}

// Of Windows on EC2 no refusal was seen: AWS documents that the sizes of the task are ignored there.
void container_memory_over_task(const Context& ctx, Emitter& emit) {
  if (!emit.knows(ctx.task.memory)) return;
  const auto limit = ctx.task.memory_mib();
  const bool is_seen = !is_windows(ctx) || ctx.targets(model::Compatibility::kFargate);
  for (const auto& container : ctx.task.container_definitions) {
    if (!emit.knows(container.memory) || !limit || *container.memory <= *limit) continue;
    auto report = emit.at(container.memory);
    report.says("container memory {} MiB exceeds task memory {} MiB", *container.memory, *limit)
        .help("lower it, or raise the task memory")
        .related(ctx.task.memory.node, "memory of the task");
    if (!is_seen) report.severity(Severity::kWarning);
  }
}

void container_reservation_sum(const Context& ctx, Emitter& emit) {
  if (!emit.knows(ctx.task.memory)) return;
  const auto limit = ctx.task.memory_mib();
  const auto sum = limit ? compute_sum(ctx, emit, reserved) : std::nullopt;
  if (!sum || *sum <= *limit) return;
  const auto& containers = ctx.task.container_definitions;
  const bool one_alone_is_over =
      std::any_of(containers.begin(), containers.end(), [&](const ContainerDefinition& container) {
        return container.memory && *container.memory > *limit;  // BAY115 speaks
      });
  if (one_alone_is_over) return;
  auto report = emit.at(ctx.task.memory);
  report.says("containers reserve {} MiB, but the task has {} MiB", *sum, *limit);
  if (ctx.targets(model::Compatibility::kFargate)) report.severity(Severity::kError);  // seen refused there
  report.help("raise the task memory to {}, or lower the reservations", *sum);
  relate_summands(report, ctx, reserved);
}

}  // namespace

std::span<const Rule> container_sums_rules() {
  using enum Scope;
  static constexpr Rule kRules[] = {
      {"BAY114", kTaskDefinition, container_cpu_sum},
      {"BAY115", kTaskDefinition, container_memory_over_task},
      {"BAY116", kTaskDefinition, container_reservation_sum},
  };
  return kRules;
}

}  // namespace bayplan::rules
