#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace bayplan {

/// A percentage in hundredths of a percent: 12.5% is 1250.
struct Percent {
  std::int64_t hundredths = 0;

  static constexpr Percent of(std::int64_t whole) { return {whole * 100}; }
  bool operator==(const Percent&) const = default;
  // clang-tidy 14 takes the 0 that it compares with for a pointer.
  auto operator<=>(const Percent&) const = default;  // NOLINT(modernize-use-nullptr)
};

inline constexpr Percent kHundredPercent = Percent::of(100);

/// "10", "10%", "12.5 %": at most two decimals. Nothing for other texts.
std::optional<Percent> parse_percent(std::string_view text);

/// "10", "12.5": without the sign.
std::string percent_text(Percent percent);

}  // namespace bayplan
