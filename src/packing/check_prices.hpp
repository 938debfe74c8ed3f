#pragma once
#include "packing/check_bin.hpp"

namespace bayplan::packing {

/// What a unit of each resource is worth in a bin filled with parts of items, from a simplex of a few rows. A valid
/// bound follows from any prices, so nothing rests on its arithmetic.
Amounts unit_prices(const CheckedBin& bin);

}  // namespace bayplan::packing
