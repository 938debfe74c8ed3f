// What Fargate sells (RegisterTaskDefinition, members cpu and memory, 2026-08; the row of 32 vCPU from the developer
// guide, task-cpu-memory-error, 2026).
#include <array>
#include <string>

#include "base/strings.hpp"
#include "rules/rule_functions.hpp"
#include "rules/task/platform.hpp"

namespace bayplan::rules {
namespace {

struct FargateSize {
  CpuUnits cpu;
  MiB smallest;
  MiB largest;
  MiB step;  ///< 0: the sizes are `smallest`, `middle` and `largest` only.
  MiB middle;

  bool allows(MiB memory) const {
    if (step == 0) return memory == smallest || memory == middle || memory == largest;
    return memory >= smallest && memory <= largest && (memory - smallest) % step == 0;
  }
  /// The smallest size that holds `memory`; the largest when none does.
  MiB nearest_above(MiB memory) const {
    if (memory <= smallest) return smallest;
    if (memory >= largest) return largest;
    if (step == 0) return memory <= middle ? middle : largest;
    return smallest + (memory - smallest + step - 1) / step * step;
  }
  std::string sizes() const {
    if (step == 0) return std::to_string(smallest) + ", " + std::to_string(middle) + " or " + std::to_string(largest);
    return std::to_string(smallest) + " to " + std::to_string(largest) + " in steps of " + std::to_string(step);
  }
};

constexpr std::array<FargateSize, 8> kFargateSizes{{{256, 512, 2048, 0, 1024},
                                                    {512, 1024, 4096, 1024, 0},
                                                    {1024, 2048, 8192, 1024, 0},
                                                    {2048, 4096, 16384, 1024, 0},
                                                    {4096, 8192, 30720, 1024, 0},
                                                    {8192, 16384, 61440, 4096, 0},
                                                    {16384, 32768, 122880, 8192, 0},
                                                    {32768, 61440, 249856, 0, 122880}}};

const FargateSize* find_fargate_size(CpuUnits cpu) {
  for (const auto& size : kFargateSizes) {
    if (size.cpu == cpu) return &size;
  }
  return nullptr;
}

CpuUnits nearest_cpu_above(CpuUnits cpu) {
  for (const auto& size : kFargateSizes) {
    if (size.cpu >= cpu) return size.cpu;
  }
  return kFargateSizes.back().cpu;
}

/// The smallest cpu that goes with at least `memory`, from `cpu` up.
const FargateSize* size_with_memory(CpuUnits cpu, MiB memory) {
  for (const auto& size : kFargateSizes) {
    if (size.cpu >= cpu && size.largest >= memory) return &size;
  }
  return nullptr;
}

/// Windows comes in these sizes only (developer guide, task-cpu-memory-error, 2026).
constexpr CpuUnits kSmallestWindowsCpu = 1024;
constexpr CpuUnits kLargestWindowsCpu = 4096;

/// Whether the size is one for Linux and the task is for Windows.
bool is_no_windows_size(const Context& ctx, CpuUnits cpu) {
  const bool is_between = cpu >= kSmallestWindowsCpu && cpu <= kLargestWindowsCpu;
  return !is_between && find_fargate_size(cpu) != nullptr && is_windows(ctx);
}

}  // namespace

void fargate_cpu_value(const Context& ctx, Emitter& emit) {
  if (!ctx.targets(model::Compatibility::kFargate) || !emit.knows(ctx.task.cpu)) return;
  const auto cpu = ctx.task.cpu_units();
  if (!cpu || find_fargate_size(*cpu) != nullptr) return;
  emit.at(ctx.task.cpu)
      .says("invalid Fargate cpu {}", *cpu)
      .help("use \"{}\"; valid values are 256, 512, 1024, 2048, 4096, 8192, 16384 and 32768", nearest_cpu_above(*cpu));
}

void fargate_cpu_memory_pair(const Context& ctx, Emitter& emit) {
  const auto& task = ctx.task;
  if (!ctx.targets(model::Compatibility::kFargate) || !emit.knows(task.cpu) || !emit.knows(task.memory)) return;
  const auto cpu = task.cpu_units();
  const auto memory = task.memory_mib();
  if (!cpu || !memory) return;
  const FargateSize* size = find_fargate_size(*cpu);
  if (size == nullptr || size->allows(*memory) || is_no_windows_size(ctx, *cpu)) return;

  auto report = emit.at(task.memory).related(task.cpu.node, "cpu is set here");
  report.says("invalid Fargate combination of cpu {} and memory {}", *cpu, *memory);
  const FargateSize* larger = size_with_memory(*cpu, *memory);
  if (larger != nullptr && larger != size) {
    report.help("cpu {} allows memory {}; memory {} requires cpu \"{}\"", *cpu, size->sizes(), *memory, larger->cpu);
  } else {
    report.help("use \"{}\"; cpu {} allows memory {}", size->nearest_above(*memory), *cpu, size->sizes());
  }
}

// Refused below 1024; that 8192 and more are for Linux was read in the table alone.
void fargate_windows_cpu(const Context& ctx, Emitter& emit) {
  if (!ctx.targets(model::Compatibility::kFargate) || !emit.knows(ctx.task.cpu)) return;
  const auto cpu = ctx.task.cpu_units();
  if (!cpu || !is_no_windows_size(ctx, *cpu)) return;
  auto report = emit.at(ctx.task.cpu);
  report.says("invalid cpu {} for Windows on Fargate", *cpu)
      .help("use \"{}\"; valid values for Windows are 1024, 2048 and 4096",
            *cpu < kSmallestWindowsCpu ? kSmallestWindowsCpu : kLargestWindowsCpu)
      .related(determine_platform(ctx).stated, "Windows is required here");
  if (*cpu > kLargestWindowsCpu) report.severity(Severity::kWarning);
}

}  // namespace bayplan::rules
