#pragma once
#include <optional>
#include <string>
#include <string_view>

#include "catalog/catalog.hpp"

namespace bayplan::catalog {

/// What a planner asks of a type; what is not set asks nothing.
struct TypeFilter {
  bool gpu_only = false;  ///< NVIDIA GPUs, which are those ECS counts.
  std::int64_t min_gpus = 0;
  MiB min_gpu_memory = 0;  ///< Per device, advertised.
  std::int64_t min_vcpus = 0;
  MiB min_memory = 0;         ///< Advertised.
  MiB min_local_storage = 0;  ///< Of all disks of the instance store together; unknown ones have none.
  std::string architecture;   ///< "x86_64" or "arm64"; empty = any.
  std::optional<std::int64_t> min_compute_capability;  ///< See compute_capability_rank.
  std::string region;                                  ///< Not known to be missing there; empty = any.

  bool accepts(const InstanceType& type) const;
};

/// "7.5" -> 705, "12.0" -> 1200, to compare by; nothing when the text is no such version.
std::optional<std::int64_t> compute_capability_rank(std::string_view text);

}  // namespace bayplan::catalog
