#include "replay/records/record_time.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <string>

#include <fmt/core.h>

#include "base/ascii.hpp"
#include "base/date_time.hpp"
#include "base/strings.hpp"

namespace bayplan::replay {
namespace {

/// Digits after the decimal point as milliseconds: "3" = 300, "824123" = 824.
Milliseconds milliseconds_of(std::string_view fraction) {
  Milliseconds value = 0;
  for (std::size_t i = 0; i < 3; ++i) value = value * 10 + (i < fraction.size() ? fraction[i] - '0' : 0);
  return value;
}

int two_digits(const char* at) {
  return (at[0] - '0') * 10 + (at[1] - '0');
}

/// Days from 1970-01-01 to a date of the Gregorian calendar (Howard Hinnant, days_from_civil).
constexpr std::int64_t days_from_civil(std::int64_t year, int month, int day) {
  year -= month <= 2 ? 1 : 0;
  const std::int64_t era = year / 400;
  const std::int64_t year_of_era = year - era * 400;
  const std::int64_t day_of_year = (153 * (month + (month > 2 ? -3 : 9)) + 2) / 5 + day - 1;
  return era * 146097 + year_of_era * 365 + year_of_era / 4 - year_of_era / 100 + day_of_year - 719468;
}

/// The form of EventBridge, which most records have: a date and a time in UTC. Other texts are for `parse_iso`.
std::optional<RecordTime> parse_event_time(std::string_view text) {
  constexpr std::string_view kForm = "dddd-dd-ddTdd:dd:dd";
  if (text.size() <= kForm.size() || text.back() != 'Z') return std::nullopt;
  for (std::size_t i = 0; i < kForm.size(); ++i) {
    if (kForm[i] == 'd' ? !is_digit(text[i]) : text[i] != kForm[i]) return std::nullopt;
  }
  const char* at = text.data();
  const std::int64_t year = two_digits(at) * 100 + two_digits(at + 2);
  const int month = two_digits(at + 5);
  const int day = two_digits(at + 8);
  const int hour = two_digits(at + 11);
  const int minute = two_digits(at + 14);
  const int second = two_digits(at + 17);
  if (month < 1 || month > 12 || day < 1 || day > 31 || hour > 23 || minute > 59 || second > 60) return std::nullopt;
  std::string_view rest = text.substr(kForm.size());
  RecordTime time;
  time.is_whole_second = rest.size() == 1;
  Milliseconds fraction = 0;
  if (!time.is_whole_second) {
    rest = rest.substr(1, rest.size() - 2);
    if (text[kForm.size()] != '.' || !is_digits(rest)) return std::nullopt;
    fraction = milliseconds_of(rest);
  }
  time.at = (((days_from_civil(year, month, day) * 24 + hour) * 60 + minute) * 60 + second) * 1000 + fraction;
  return time;
}

std::optional<RecordTime> parse_iso(std::string_view text) {
  const auto seconds = parse_date_time(text);
  if (!seconds) return std::nullopt;
  const auto point = text.find('.');
  RecordTime time{*seconds * 1000, point == std::string_view::npos};
  if (point == std::string_view::npos) return time;
  const auto digits = text.substr(point + 1);
  time.at += milliseconds_of(digits.substr(0, std::min(digits.find_first_not_of("0123456789"), digits.size())));
  return time;
}

std::optional<RecordTime> parse_epoch(std::string_view text) {
  if (text.empty() || !is_digit(text.front())) return std::nullopt;
  const auto number = to_number(text);
  constexpr double kMilliseconds = 1e11;  // larger numbers count milliseconds: CloudWatch Logs
  if (!number || *number > 1e14) return std::nullopt;
  const bool is_whole = text.find('.') == std::string_view::npos;
  if (*number >= kMilliseconds) return RecordTime{static_cast<Milliseconds>(std::llround(*number)), false};
  return RecordTime{static_cast<Milliseconds>(std::llround(*number * 1000)), is_whole};
}

/// "Mar 7, 2026, 12:51:06 AM"
std::optional<RecordTime> parse_us(std::string_view text) {
  constexpr std::array<std::string_view, 12> kMonths{"Jan", "Feb", "Mar", "Apr", "May", "Jun",
                                                     "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"};
  const auto month = std::find(kMonths.begin(), kMonths.end(), text.substr(0, 3));
  const auto parts = split(text, ' ');
  if (month == kMonths.end() || parts.size() != 5) return std::nullopt;
  const auto day = to_integer(parts[1].substr(0, parts[1].find(',')));
  const auto year = to_integer(parts[2].substr(0, parts[2].find(',')));
  const auto clock = split(parts[3], ':');
  const bool is_afternoon = parts[4] == "PM";
  if (!day || !year || clock.size() != 3 || (!is_afternoon && parts[4] != "AM")) return std::nullopt;
  const auto hour = to_integer(clock[0]);
  if (!hour || *hour < 1 || *hour > 12) return std::nullopt;
  return parse_iso(fmt::format("{:04}-{:02}-{:02}T{:02}:{}:{}", *year, month - kMonths.begin() + 1, *day,
                               *hour % 12 + (is_afternoon ? 12 : 0), clock[1], clock[2]));
}

}  // namespace

std::optional<RecordTime> parse_record_time(std::string_view text) {
  if (auto time = parse_event_time(text)) return time;
  if (auto time = parse_iso(text)) return time;
  if (auto time = parse_epoch(text)) return time;
  return parse_us(text);
}

}  // namespace bayplan::replay
