#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace bayplan {

/// Seconds since 1970 UTC of an ISO 8601 text: "2018-06-18", "2018-06-18T22:28:28", with a fraction (dropped), with "Z"
/// or
/// "+02:00". Without a zone it is UTC, without a time midnight. Nothing for other texts and for days that do not exist.
std::optional<std::int64_t> parse_date_time(std::string_view text);

/// "2018-06-18T22:28:28Z"
std::string format_date_time(std::int64_t seconds);

}  // namespace bayplan
