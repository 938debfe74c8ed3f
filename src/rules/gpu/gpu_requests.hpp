#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "capacity/gpu_request.hpp"
#include "rules/context.hpp"
#include "rules/emitter.hpp"

namespace bayplan::rules {

/// One entry of resourceRequirements that asks for a GPU.
struct GpuRequest {
  const model::ContainerDefinition* container = nullptr;
  std::size_t position = 0;  ///< Position of the container.
  const model::ResourceRequirement* entry = nullptr;
  /// What `value` asks for; nothing when it is absent, unknown or not readable. More GPUs than any number can say are
  /// the largest one.
  std::optional<capacity::GpuValue> value;

  bool shares() const { return static_cast<bool>(entry->sharing_strategy) && !entry->sharing_strategy.is_null(); }
  /// "0" or an empty text: how templates write that no GPU is wanted.
  bool is_none() const;
};

/// "GPU", or a word that was meant to say so: gpu, gpus, nvidia, nvidia.com/gpu.
bool means_gpu(const model::StringField& type);

/// Requests of all containers in file order, misspelt types included.
std::vector<GpuRequest> gpu_requests(const Context& ctx);
std::vector<GpuRequest> gpu_requests(const model::ContainerDefinition& container);

/// Whole GPUs that the requests sum up to; nothing when one of them is unknown, ALL, a fraction or shared.
std::optional<std::int64_t> whole_gpus(const std::vector<GpuRequest>& requests);

/// Whether the container asks for a GPU, in any form but "0".
bool wants_gpu(const model::ContainerDefinition& container);
/// Whether a launch type is meant that can give GPUs and that knows instance types.
bool places_on_instances(const Context& ctx);

/// Entry of `environment`; with duplicates the last. Null when there is none.
const model::NamedValue* find_environment(const model::ContainerDefinition& container, std::string_view name);

/// A container that only looks at the GPU: its command runs nvidia-smi. It needs next to nothing.
bool only_looks_at_gpu(const model::ContainerDefinition& container);

/// `"value": "1"` or `value: "1"`, as the format of the document writes it.
std::string member_text(const text::Document& document, std::string_view key, std::string_view value);
/// The whole member resourceRequirements for `count` GPUs, likewise.
std::string requirements_text(const text::Document& document, std::string_view count);

/// `[type: GPU, value: "1"]` in YAML: the value of the requirement before became an element of its own.
bool is_torn_off(text::Value entry);

/// Whether a requirement without a type says by a key of another tool (count, deviceIds) that it means GPUs.
bool counts_gpus_by_other_key(text::Value entry);

/// A value that ECS reads, a whole number without a point: "1.0" -> "1".
std::string plain_gpu_value(std::string_view value);

/// How many GPUs a number, text or object of another tool's format means: "2", "ALL"; nothing when it does not say.
std::optional<std::string> gpu_count_meant(text::Value value);

}  // namespace bayplan::rules
