#pragma once
#include <optional>

#include "packing/packing_problem.hpp"

namespace bayplan::packing {

/// No packing into these bin types alone costs less: by each resource alone, as if tasks could be cut to fill every
/// bin. Nothing when all bins together lack some resource.
std::optional<MicroUsd> volume_bound(const PackingProblem& problem, const std::vector<std::uint32_t>& types);

}  // namespace bayplan::packing
