#pragma once
#include "base/units.hpp"

namespace bayplan::catalog {

/// The most that an instance may cost an hour, in price files and scenarios: sums of many stay far within 64 bits.
inline constexpr MicroUsd kMaxHourly = 1'000'000 * kMicroUsdPerUsd;

}  // namespace bayplan::catalog
