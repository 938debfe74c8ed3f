#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.hpp"

namespace bayplan::lint {

/// The last day on which something holds, in UTC.
struct Day {
  std::string text;      ///< "2027-01-31"
  std::int64_t end = 0;  ///< The second after it, since 1970.
};

/// Nothing when the text is no day of the calendar written YYYY-MM-DD.
std::optional<Day> parse_day(std::string_view text);

/// Rules that the user does not want to hear of in some place.
struct Ignore {
  struct Rule {
    std::string selector;
    Error place;  ///< Where it is written; no message yet.
  };

  std::vector<Rule> rules;
  std::string reason;
  std::optional<Day> until;
  Error until_place;

  bool has_ended(std::int64_t now) const { return until && now >= until->end; }
};

/// What is reported of an ignore.
Error silences_nothing(const Ignore::Rule& rule);
Error ended(const Ignore& ignore);

}  // namespace bayplan::lint
