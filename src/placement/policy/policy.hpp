#pragma once
#include <cstdint>
#include <span>
#include <string_view>

#include "base/result.hpp"

/// Placement policies of the literature. ECS offers none of them: a policy takes the place of the strategies of every
/// workload in a simulation, and every filter of ECS (resources, ports, constraints) stays.
namespace bayplan::placement {

enum class Policy : std::uint8_t {
  kBestFit,
  kWorstFit,
  kFirstFit,
  kDotProduct,
  kGpuPacking,
  kGpuClustering,
  kFgd,
  kRandom,
};

/// A policy and the name by which `--policy` knows it. docs/policies.md says what each does, and which paper says so.
struct PolicyEntry {
  Policy policy = Policy::kBestFit;
  std::string_view name;
};

/// Returns every policy, in the order of the enumeration.
std::span<const PolicyEntry> policies();

std::string_view name_of(Policy policy);

/// Returns the policy of this name, or an error that suggests the nearest name and lists all of them.
Result<Policy> parse_policy(std::string_view name);

}  // namespace bayplan::placement
