#pragma once
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/units.hpp"
#include "capacity/requirement.hpp"
#include "catalog/catalog.hpp"
#include "model/field.hpp"
#include "model/task_definition.hpp"
#include "text/document.hpp"

namespace bayplan::capacity {

/// A compute capability or CUDA version in tenths: 7.5 is 75, 12.0 is 120.
using Tenths = std::int64_t;

enum class Interconnect : std::uint8_t { kPcie, kNvlink };

/// What a container needs of each of its GPUs; ECS itself has no words for it.
struct GpuNeeds {
  std::optional<MiB> gpu_memory;
  std::optional<Tenths> min_compute_capability;
  std::optional<Interconnect> interconnect;

  bool any() const { return gpu_memory || min_compute_capability || interconnect; }
};

/// What a container needs, and what it gets instead.
struct UnmetNeed {
  std::string wanted;  ///< "NVLink", "20480 MiB on each GPU", "compute capability 7.5"
  std::string given;   ///< "PCIe", "16384 MiB", "7.0"
};

/// What `gpus` of a type's GPUs are short of. Figures that the catalog lacks meet every need; links matter from two
/// GPUs on. `gpu_memory`: of one GPU if the type does not say, 0 when unknown; `type` may be null.
std::vector<UnmetNeed> unmet_needs(const GpuNeeds& needs, std::int64_t gpus, const catalog::InstanceType* type,
                                   MiB gpu_memory = 0);

/// What the type is short of for devices that the task maps by hand (/dev/neuron0); nothing when it has them.
std::optional<UnmetNeed> unmet_neuron_devices(const TaskRequirement& task, const catalog::InstanceType& type);

/// Needs by family, or by "family/container" where that says more.
using NeedsByName = std::map<std::string, GpuNeeds, std::less<>>;

/// "14GiB", "14 GiB", "14336MiB", "15GB" (decimal, rounded up) as MiB.
std::optional<MiB> parse_gpu_memory(std::string_view text);
/// "7.5" as 75; "7" as 70.
std::optional<Tenths> parse_tenths(std::string_view text);
std::string text_of_tenths(Tenths version);
std::optional<Interconnect> parse_interconnect(std::string_view text);

/// The member `needs` of a config or scenario: {"train/trainer": {"gpuMemory": "14GiB", "minComputeCapability": "7.0",
/// "interconnect": "nvlink"}}. Its schema has been run; a bare number of gpuMemory counts MiB.
NeedsByName bind_needs(text::Value object);

/// What is said of a container's GPUs: by its dockerLabels, else by config or scenario.
struct StatedNeeds : GpuNeeds {
  text::Value gpu_memory_place;  ///< Position of a finding: the label's value, else the container's requests.
  text::Value compute_capability_place;
  text::Value interconnect_place;
};

/// What is wrong with a label that starts with `bayplan.`.
struct NeedFault {
  text::Value label;
  bool at_key = false;  ///< The key is wrong, not the value.
  std::string message;
  std::string help;
};

/// Reads the labels `bayplan.gpu-memory: 14GiB`, `bayplan.min-compute-capability: "7.0"`, `bayplan.interconnect:
/// nvlink`, and what `given` says of the family or of the container; a label wins. Labels that hold a
/// placeholder count as absent.
StatedNeeds stated_needs(const model::TaskDefinition& task, const model::ContainerDefinition& container,
                         const model::Placeholders& placeholders, const NeedsByName& given);
std::vector<NeedFault> need_faults(const model::ContainerDefinition& container,
                                   const model::Placeholders& placeholders);

}  // namespace bayplan::capacity
