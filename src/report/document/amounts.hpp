#pragma once
#include <cstdint>
#include <optional>
#include <string>

#include "base/units.hpp"

/// Large numbers and prices as people read them.
namespace bayplan::report {

/// Hours that AWS counts in a month.
inline constexpr std::int64_t kHoursPerMonth = 730;
inline constexpr std::int64_t kHoursPerYear = 8'760;  ///< Twelve such months.

/// "20,639"
std::string with_separators(std::int64_t value);

/// "$20,639": of a month of 730 hours.
std::string monthly(MicroUsd per_hour);

/// "20,639": the same in a column with this unit.
std::string monthly_cell(MicroUsd per_hour);

/// "$28.272/h, about $20,639/month at 730 h"
std::string hourly_and_monthly(MicroUsd per_hour);

/// "$247,675": of a year of 8,760 hours.
std::string yearly(MicroUsd per_hour);
std::string yearly_cell(MicroUsd per_hour);  ///< "247,675"

/// "$3.912/h, $2,856/month": where a sentence has more to say.
std::string hourly_with_month(MicroUsd per_hour);

/// A difference of costs: "+$3.912/h, +$2,856/month", "-$3.912/h, -$2,856/month".
std::string signed_cost(MicroUsd difference);

/// What a change costs more: "+$3.912/h, +$2,856/month", "+$0/h", "price unknown".
std::string added_cost(const std::optional<MicroUsd>& per_hour);

}  // namespace bayplan::report
