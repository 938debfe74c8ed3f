#pragma once
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>

#include "base/units.hpp"
#include "text/document.hpp"

namespace bayplan::rules {

/// A compute capability or CUDA version in tenths: 7.5 is 75, 12.0 is 120.
using Tenths = std::int64_t;

enum class Interconnect : std::uint8_t { kPcie, kNvlink };

/// What a container needs of each of its GPUs; ECS itself has no words for it.
struct Needs {
  std::optional<MiB> gpu_memory;
  std::optional<Tenths> min_compute_capability;
  std::optional<Interconnect> interconnect;
};

/// Needs by family, or by "family/container" where that says more.
using NeedsByName = std::map<std::string, Needs, std::less<>>;

/// "14GiB", "14 GiB", "14336MiB", "15GB" (decimal, rounded up) as MiB.
std::optional<MiB> parse_gpu_memory(std::string_view text);
/// "7.5" as 75; "7" as 70.
std::optional<Tenths> parse_tenths(std::string_view text);
std::string text_of_tenths(Tenths version);
std::optional<Interconnect> parse_interconnect(std::string_view text);

/// The member `needs` of a config or scenario: {"train/trainer": {"gpuMemory": "14GiB", "minComputeCapability": "7.0",
/// "interconnect": "nvlink"}}. Its schema has been run; a bare number of gpuMemory counts MiB.
NeedsByName bind_needs(text::Value object);

}  // namespace bayplan::rules
