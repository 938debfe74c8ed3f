#include "lint/config/ignore.hpp"

#include <fmt/core.h>

#include "base/date_time.hpp"

namespace bayplan::lint {

std::optional<Day> parse_day(std::string_view text) {
  constexpr std::int64_t kSecondsOfDay = 86'400;
  const auto begin = text.size() == std::string_view("2027-01-31").size() ? parse_date_time(text) : std::nullopt;
  if (!begin) return std::nullopt;
  return Day{std::string(text), *begin + kSecondsOfDay};
}

Error silences_nothing(const Ignore::Rule& rule) {
  Error note = rule.place;
  note.message = fmt::format("unused ignore: {}", rule.selector);
  return note;
}

Error ended(const Ignore& ignore) {
  Error note = ignore.until_place;
  note.message = fmt::format("ignore expired on {}", ignore.until->text);
  note.help = "delete it, or set a later date";
  return note;
}

}  // namespace bayplan::lint
