#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/units.hpp"
#include "model/task_definition.hpp"

namespace bayplan::rules {

/// A compute capability or CUDA version in tenths: 7.5 is 75, 12.0 is 120.
using Tenths = std::int64_t;

enum class Interconnect : std::uint8_t { kPcie, kNvlink };

/// What a container says it needs of each of its GPUs, in dockerLabels; ECS itself has no words for it.
struct StatedNeeds {
  std::optional<MiB> gpu_memory;
  text::Value gpu_memory_label;  ///< The label's value; absent without.
  std::optional<Tenths> min_compute_capability;
  text::Value compute_capability_label;
  std::optional<Interconnect> interconnect;
  text::Value interconnect_label;
};

/// What is wrong with a label that starts with `bayplan.`.
struct NeedFault {
  text::Value label;
  bool at_key = false;  ///< The key is wrong, not the value.
  std::string message;
  std::string help;
};

/// Reads the labels `bayplan.gpu-memory: 14GiB`, `bayplan.min-compute-capability: "7.0"`, `bayplan.interconnect:
/// nvlink`. Labels that hold a placeholder count as absent.
StatedNeeds stated_needs(const model::ContainerDefinition& container, const model::Placeholders& placeholders);
std::vector<NeedFault> need_faults(const model::ContainerDefinition& container,
                                   const model::Placeholders& placeholders);

/// "14GiB", "14 GiB", "14336MiB", "15GB" (decimal, rounded up) as MiB.
std::optional<MiB> parse_gpu_memory(std::string_view text);
/// "7.5" as 75; "7" as 70.
std::optional<Tenths> parse_tenths(std::string_view text);
std::string text_of_tenths(Tenths version);

}  // namespace bayplan::rules
