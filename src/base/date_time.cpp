#include "base/date_time.hpp"

#include <chrono>

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

  std::optional<int> digits(std::size_t count) {
    if (text_.size() < count) return std::nullopt;
    int value = 0;
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

std::optional<std::chrono::sys_days> read_date(Reader& reader) {
  const auto year = reader.digits(4);
  if (!year || !reader.accept('-')) return std::nullopt;
  const auto month = reader.digits(2);
  if (!month || !reader.accept('-')) return std::nullopt;
  const auto day = reader.digits(2);
  if (!day) return std::nullopt;
  const std::chrono::year_month_day date{std::chrono::year(*year), std::chrono::month(static_cast<unsigned>(*month)),
                                         std::chrono::day(static_cast<unsigned>(*day))};
  if (!date.ok()) return std::nullopt;
  return std::chrono::sys_days(date);
}

/// Time since midnight.
std::optional<std::chrono::seconds> read_time(Reader& reader) {
  const auto hour = reader.digits(2);
  if (!hour || *hour > 23 || !reader.accept(':')) return std::nullopt;
  const auto minute = reader.digits(2);
  if (!minute || *minute > 59) return std::nullopt;
  int second = 0;
  if (reader.accept(':')) {
    const auto read = reader.digits(2);
    if (!read || *read > 60) return std::nullopt;
    second = *read;
    if (reader.accept('.') && !reader.fraction()) return std::nullopt;
  }
  return std::chrono::hours(*hour) + std::chrono::minutes(*minute) + std::chrono::seconds(second);
}

/// Time that the zone is ahead of UTC.
std::optional<std::chrono::minutes> read_zone(Reader& reader) {
  if (reader.at_end() || reader.accept('Z')) return std::chrono::minutes(0);
  const bool ahead = reader.accept('+');
  if (!ahead && !reader.accept('-')) return std::nullopt;
  const auto hour = reader.digits(2);
  reader.accept(':');
  const auto minute = reader.digits(2);
  if (!hour || !minute || *hour > 23 || *minute > 59) return std::nullopt;
  const std::chrono::minutes offset = std::chrono::hours(*hour) + std::chrono::minutes(*minute);
  return ahead ? offset : -offset;
}

}  // namespace

std::optional<std::int64_t> parse_date_time(std::string_view text) {
  Reader reader(text);
  const auto day = read_date(reader);
  if (!day) return std::nullopt;
  std::chrono::sys_seconds moment = *day;
  if (!reader.at_end()) {
    if (!reader.accept('T') && !reader.accept(' ')) return std::nullopt;
    const auto time = read_time(reader);
    const auto zone = time ? read_zone(reader) : std::nullopt;
    if (!zone || !reader.at_end()) return std::nullopt;
    moment += *time - *zone;
  }
  return moment.time_since_epoch().count();
}

std::string format_date_time(std::int64_t seconds) {
  const std::chrono::sys_seconds moment{std::chrono::seconds(seconds)};
  const auto day = std::chrono::floor<std::chrono::days>(moment);
  const std::chrono::year_month_day date(day);
  const std::chrono::hh_mm_ss time(moment - day);
  return fmt::format("{:04}-{:02}-{:02}T{:02}:{:02}:{:02}Z", static_cast<int>(date.year()),
                     static_cast<unsigned>(date.month()), static_cast<unsigned>(date.day()), time.hours().count(),
                     time.minutes().count(), time.seconds().count());
}

}  // namespace bayplan
