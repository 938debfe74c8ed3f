#include "base/date_time.hpp"

#include <array>

#include <fmt/core.h>

#include "base/ascii.hpp"

namespace bayplan {

namespace {

/// Reads a text from the left; every step fails for good once one has failed.
class Reader {
 public:
  explicit Reader(std::string_view text) : text_(text) {}

  bool at_end() const { return text_.empty(); }

  bool accept(char c) {
    if (text_.empty() || text_.front() != c) return false;
    text_.remove_prefix(1);
    return true;
  }

  std::optional<std::int64_t> digits(std::size_t count) {
    if (text_.size() < count) return std::nullopt;
    std::int64_t value = 0;
    for (std::size_t i = 0; i < count; ++i) {
      if (!is_digit(text_[i])) return std::nullopt;
      value = value * 10 + (text_[i] - '0');
    }
    text_.remove_prefix(count);
    return value;
  }

  /// Digits after a decimal point; at least one.
  bool fraction() {
    if (text_.empty() || !is_digit(text_.front())) return false;
    while (!text_.empty() && is_digit(text_.front())) text_.remove_prefix(1);
    return true;
  }

 private:
  std::string_view text_;
};

bool is_leap(std::int64_t year) {
  return (year % 4 == 0 && year % 100 != 0) || year % 400 == 0;
}

std::int64_t days_of_month(std::int64_t year, std::int64_t month) {
  constexpr std::array<std::int64_t, 12> kDays = {31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31};
  return month == 2 && is_leap(year) ? 29 : kDays[static_cast<std::size_t>(month - 1)];
}

/// Days since 1970-01-01 in the Gregorian calendar (H. Hinnant, chrono-compatible low-level date algorithms).
std::int64_t days_since_epoch(std::int64_t year, std::int64_t month, std::int64_t day) {
  const std::int64_t y = month <= 2 ? year - 1 : year;
  const std::int64_t era = (y >= 0 ? y : y - 399) / 400;
  const std::int64_t year_of_era = y - era * 400;
  const std::int64_t day_of_year = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1;
  const std::int64_t day_of_era = year_of_era * 365 + year_of_era / 4 - year_of_era / 100 + day_of_year;
  return era * 146097 + day_of_era - 719468;
}

std::optional<std::int64_t> read_date(Reader& reader) {
  const auto year = reader.digits(4);
  if (!year || !reader.accept('-')) return std::nullopt;
  const auto month = reader.digits(2);
  if (!month || *month < 1 || *month > 12 || !reader.accept('-')) return std::nullopt;
  const auto day = reader.digits(2);
  if (!day || *day < 1 || *day > days_of_month(*year, *month)) return std::nullopt;
  return days_since_epoch(*year, *month, *day);
}

/// Seconds since midnight.
std::optional<std::int64_t> read_time(Reader& reader) {
  const auto hour = reader.digits(2);
  if (!hour || *hour > 23 || !reader.accept(':')) return std::nullopt;
  const auto minute = reader.digits(2);
  if (!minute || *minute > 59) return std::nullopt;
  std::int64_t second = 0;
  if (reader.accept(':')) {
    const auto read = reader.digits(2);
    if (!read || *read > 60) return std::nullopt;
    second = *read;
    if (reader.accept('.') && !reader.fraction()) return std::nullopt;
  }
  return (*hour * 60 + *minute) * 60 + second;
}

/// Seconds that the zone is ahead of UTC.
std::optional<std::int64_t> read_zone(Reader& reader) {
  if (reader.at_end() || reader.accept('Z')) return 0;
  const bool ahead = reader.accept('+');
  if (!ahead && !reader.accept('-')) return std::nullopt;
  const auto hour = reader.digits(2);
  reader.accept(':');
  const auto minute = reader.digits(2);
  if (!hour || !minute || *hour > 23 || *minute > 59) return std::nullopt;
  const std::int64_t seconds = (*hour * 60 + *minute) * 60;
  return ahead ? seconds : -seconds;
}

}  // namespace

std::optional<std::int64_t> parse_date_time(std::string_view text) {
  Reader reader(text);
  const auto day = read_date(reader);
  if (!day) return std::nullopt;
  std::int64_t seconds = *day * 86400;
  if (!reader.at_end()) {
    if (!reader.accept('T') && !reader.accept(' ')) return std::nullopt;
    const auto time = read_time(reader);
    const auto zone = time ? read_zone(reader) : std::nullopt;
    if (!zone || !reader.at_end()) return std::nullopt;
    seconds += *time - *zone;
  }
  return seconds;
}

// The inverse of days_since_epoch, by the same author.
std::string format_date_time(std::int64_t seconds) {
  const std::int64_t days = (seconds >= 0 ? seconds : seconds - 86399) / 86400;
  const std::int64_t time = seconds - days * 86400;
  const std::int64_t shifted = days + 719468;
  const std::int64_t era = (shifted >= 0 ? shifted : shifted - 146096) / 146097;
  const std::int64_t day_of_era = shifted - era * 146097;
  const std::int64_t year_of_era = (day_of_era - day_of_era / 1460 + day_of_era / 36524 - day_of_era / 146096) / 365;
  const std::int64_t day_of_year = day_of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
  const std::int64_t month_from_march = (5 * day_of_year + 2) / 153;
  const std::int64_t day = day_of_year - (153 * month_from_march + 2) / 5 + 1;
  const std::int64_t month = month_from_march < 10 ? month_from_march + 3 : month_from_march - 9;
  const std::int64_t year = year_of_era + era * 400 + (month <= 2 ? 1 : 0);
  return fmt::format("{:04}-{:02}-{:02}T{:02}:{:02}:{:02}Z", year, month, day, time / 3600, time / 60 % 60, time % 60);
}

}  // namespace bayplan
