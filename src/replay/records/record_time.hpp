#pragma once
#include <cstdint>
#include <limits>
#include <optional>
#include <string_view>

namespace bayplan::replay {

/// Milliseconds since 1970 UTC.
using Milliseconds = std::int64_t;
inline constexpr Milliseconds kNoTime = std::numeric_limits<Milliseconds>::min();

/// A time as a record states it.
struct RecordTime {
  Milliseconds at = kNoTime;
  bool is_whole_second = false;  ///< No fraction is written: the second is known, not the order inside of it.
};

/// Reads "2020-12-14T15:34:41.824Z" (EventBridge), "2026-03-07T00:51:06+00:00" (lookup-events), "Mar 7, 2026, 12:51:06
/// AM" (seen in CloudTrail records of other services) and seconds since 1970 ("1606607178.315"). Nothing for others.
std::optional<RecordTime> parse_record_time(std::string_view text);

}  // namespace bayplan::replay
