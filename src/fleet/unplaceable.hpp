#pragma once
#include "fleet/empty_bins.hpp"
#include "fleet/lots.hpp"
#include "fleet/question.hpp"
#include "fleet/unseen_needs.hpp"

namespace bayplan::fleet {

/// Why no bin takes a task of the lot.
Unplaceable unplaceable_lot(const EmptyBins& bins, const UnseenNeeds& needs, const Lot& lot);

}  // namespace bayplan::fleet
