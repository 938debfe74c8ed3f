#pragma once
#include "placement/model/timetable.hpp"

namespace bayplan::placement {

/// The longest time that a scenario may state, a million hours: sums of a thousand million of them stay in 64 bits.
inline constexpr Seconds kLongestDuration = Seconds{1'000'000} * 3'600;

}  // namespace bayplan::placement
