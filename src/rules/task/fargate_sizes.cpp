// Task sizes that Fargate does not have.
#include <string>

#include "base/json_writer.hpp"
#include "capacity/fargate_size.hpp"
#include "rules/task/platform.hpp"
#include "rules/topics.hpp"

namespace bayplan::rules {
namespace {

/// Whether the size is one for Linux and the task is for Windows.
bool is_no_windows_size(const Context& ctx, CpuUnits cpu) {
  const bool is_between = cpu >= capacity::kSmallestWindowsFargateCpu && cpu <= capacity::kLargestWindowsFargateCpu;
  return !is_between && capacity::fargate_sizes(cpu) != nullptr && is_windows(ctx);
}

void fargate_cpu_value(const Context& ctx, Emitter& emit) {
  if (!ctx.targets(model::Compatibility::kFargate) || !emit.knows(ctx.task.cpu)) return;
  const auto cpu = ctx.task.cpu_units();
  if (!cpu || capacity::fargate_sizes(*cpu) != nullptr) return;
  const std::string nearest = std::to_string(capacity::nearest_fargate_cpu(*cpu));
  emit.at(ctx.task.cpu)
      .says("invalid Fargate cpu {}", *cpu)
      .help("use \"{}\"; valid values are 256, 512, 1024, 2048, 4096, 8192, 16384 and 32768", nearest)
      .fix(ctx.task.cpu.span(), json_quoted(nearest), false);
}

void fargate_cpu_memory_pair(const Context& ctx, Emitter& emit) {
  const auto& task = ctx.task;
  if (!ctx.targets(model::Compatibility::kFargate) || !emit.knows(task.cpu) || !emit.knows(task.memory)) return;
  const auto cpu = task.cpu_units();
  const auto memory = task.memory_mib();
  if (!cpu || !memory) return;
  const capacity::FargateSizes* size = capacity::fargate_sizes(*cpu);
  if (size == nullptr || size->allows(*memory) || is_no_windows_size(ctx, *cpu)) return;

  auto report = emit.at(task.memory).related(task.cpu.node, "cpu is set here");
  report.says("invalid Fargate combination of cpu {} and memory {}", *cpu, *memory);
  const capacity::FargateSizes* larger = capacity::fargate_sizes_with(*cpu, *memory);
  if (larger != nullptr && larger != size) {
    report.help("cpu {} allows memory {}; memory {} requires cpu \"{}\"", *cpu, size->text(), *memory, larger->cpu);
  } else {
    const std::string nearest = std::to_string(size->nearest_above(*memory));
    report.help("use \"{}\"; cpu {} allows memory {}", nearest, *cpu, size->text())
        .fix(task.memory.span(), json_quoted(nearest), false);
  }
}

// Refused below 1024; that 8192 and more are for Linux was read in the table alone.
void fargate_windows_cpu(const Context& ctx, Emitter& emit) {
  if (!ctx.targets(model::Compatibility::kFargate) || !emit.knows(ctx.task.cpu)) return;
  const auto cpu = ctx.task.cpu_units();
  if (!cpu || !is_no_windows_size(ctx, *cpu)) return;
  const bool is_too_small = *cpu < capacity::kSmallestWindowsFargateCpu;
  const std::string nearest =
      std::to_string(is_too_small ? capacity::kSmallestWindowsFargateCpu : capacity::kLargestWindowsFargateCpu);
  auto report = emit.at(ctx.task.cpu);
  report.says("invalid cpu {} for Windows on Fargate", *cpu)
      .help("use \"{}\"; valid values for Windows are 1024, 2048 and 4096", nearest)
      .fix(ctx.task.cpu.span(), json_quoted(nearest), false)
      .related(ctx.platform.get().stated, "Windows is required here");
  if (*cpu > capacity::kLargestWindowsFargateCpu) report.severity(Severity::kWarning);
}

}  // namespace

std::span<const Rule> fargate_sizes_rules() {
  using enum Scope;
  static constexpr Rule kRules[] = {
      {"BAY112", kTaskDefinition, fargate_cpu_value, {.follows_from = {"BAY103"}}},
      {"BAY113", kTaskDefinition, fargate_cpu_memory_pair},
      {"BAY808", kTaskDefinition, fargate_windows_cpu},
  };
  return kRules;
}

}  // namespace bayplan::rules
