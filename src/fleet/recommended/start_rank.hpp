#pragma once
#include <cstdint>
#include <tuple>

#include "placement/model/scenario.hpp"

namespace bayplan::fleet {

/// distinctInstance among the workload's constraints.
bool is_distinct(const placement::Workload& workload);

/// Tasks that are to share an instance are started by rising rank: those that want no other of their group there, then
/// those with whole GPUs, then large shares of a GPU before small ones.
std::tuple<bool, std::int64_t, std::int64_t> start_rank(const placement::Workload& workload);

}  // namespace bayplan::fleet
