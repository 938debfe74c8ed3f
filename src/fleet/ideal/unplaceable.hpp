#pragma once
#include "fleet/ideal/empty_bins.hpp"
#include "fleet/ideal/lots.hpp"
#include "fleet/ideal/packing_question.hpp"
#include "fleet/ideal/unseen_needs.hpp"

namespace bayplan::fleet {

/// Why no bin takes a task of the lot.
Unplaceable unplaceable_lot(const EmptyBins& bins, const UnseenNeeds& needs, const Lot& lot);

}  // namespace bayplan::fleet
