#pragma once
#include <cstdint>
#include <string>

#include "base/units.hpp"

/// Large numbers and prices as people read them.
namespace bayplan::report {

/// Hours that AWS counts in a month.
inline constexpr std::int64_t kHoursPerMonth = 730;

/// "20,639"
std::string with_separators(std::int64_t value);

/// "$28.272/h, about $20,639/month at 730 h"
std::string hourly_and_monthly(MicroUsd per_hour);

}  // namespace bayplan::report
