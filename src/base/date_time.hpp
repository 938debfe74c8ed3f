#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace bayplan {

/// Converts an ISO 8601 text to seconds since 1970 UTC: "2018-06-18", "2018-06-18T22:28:28", with a fraction (dropped),
/// with "Z" or "+02:00". Without a zone the text is UTC, without a time it is midnight. Other texts and days that do
/// not exist are nullopt. (libc++ 14 has no std::chrono::parse.)
std::optional<std::int64_t> parse_date_time(std::string_view text);

/// Formats seconds since 1970 UTC as "2018-06-18T22:28:28Z". The year must be one of std::chrono::year.
std::string format_date_time(std::int64_t seconds);

}  // namespace bayplan
