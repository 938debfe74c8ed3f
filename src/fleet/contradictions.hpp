#pragma once
#include <string>

#include "fleet/empty_bins.hpp"
#include "fleet/lots.hpp"
#include "fleet/unseen_needs.hpp"

namespace bayplan::fleet {

/// The fewest conditions of a task, three at most, that no bin meets together, where at least one of them is a
/// constraint: `memberOf "attribute:stack == prod" and 4 GPU hold together on nothing that is on offer`. Empty when
/// there is none, or when the task is too large by itself.
std::string contradiction_of(const EmptyBins& bins, const UnseenNeeds& needs, const Lot& lot);

}  // namespace bayplan::fleet
