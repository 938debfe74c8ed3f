#pragma once
#include <optional>
#include <string>

#include "base/units.hpp"

/// What Fargate sells (RegisterTaskDefinition, members cpu and memory, 2026-08; the row of 32 vCPU from the developer
/// guide, task-cpu-memory-error, 2026).
namespace bayplan::capacity {

/// The memory that goes with one cpu value.
struct FargateSizes {
  CpuUnits cpu;
  MiB smallest;
  MiB largest;
  MiB step;  ///< 0: the sizes are `smallest`, `middle` and `largest` only.
  MiB middle;

  bool allows(MiB memory) const;
  /// The smallest size that holds `memory`; the largest when none does.
  MiB nearest_above(MiB memory) const;
  std::string text() const;  ///< "2048 to 8192 in steps of 1024"
};

/// Null for a cpu value that Fargate does not have.
const FargateSizes* fargate_sizes(CpuUnits cpu);

/// The nearest cpu value of Fargate that is no less; the largest when none is.
CpuUnits nearest_fargate_cpu(CpuUnits cpu);

/// The smallest cpu value, from `cpu` up, that goes with at least `memory`; null when none does.
const FargateSizes* fargate_sizes_with(CpuUnits cpu, MiB memory);

/// Windows comes in these sizes only (developer guide, task-cpu-memory-error, 2026).
inline constexpr CpuUnits kSmallestWindowsFargateCpu = 1024;
inline constexpr CpuUnits kLargestWindowsFargateCpu = 4096;

struct FargateSize {
  CpuUnits cpu = 0;
  MiB memory = 0;
  bool operator==(const FargateSize&) const = default;
};

/// The cheapest size that has at least as much of both, which is the smallest: a larger cpu value never comes with
/// less memory than a smaller one. Nothing when the largest is too small.
std::optional<FargateSize> smallest_fargate_size(CpuUnits cpu, MiB memory, bool windows);

}  // namespace bayplan::capacity
