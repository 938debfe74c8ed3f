#include "report/document/figures.hpp"

#include <utility>

#include <fmt/core.h>

namespace bayplan::report {

std::string usd(MicroUsd amount) {
  std::string text = fmt::format("{:.4f}", usd_number(amount));
  for (int dropped = 0; dropped < 2 && text.back() == '0'; ++dropped) text.pop_back();
  const std::size_t digits = text.front() == '-' ? 1 : 0;
  for (std::size_t at = text.find('.'); at > digits + 3;) text.insert(at -= 3, ",");
  return text;
}

double usd_number(MicroUsd amount) {
  return static_cast<double>(amount) / static_cast<double>(kMicroUsdPerUsd);
}

std::string memory_size(MiB memory) {
  if (memory < kMiBPerGiB) return fmt::format("{} MiB", memory);
  const MiB tenths = memory * 10 / kMiBPerGiB;
  if (tenths < 1000 && tenths % 10 != 0) return fmt::format("{}.{} GiB", tenths / 10, tenths % 10);
  return fmt::format("{} GiB", tenths / 10);
}

std::string cpu_size(CpuUnits cpu) {
  if (cpu != 0 && cpu < kUnitsPerVcpu / 8) return fmt::format("{} CPU units", cpu);
  const std::int64_t hundredths = cpu * 100 / kUnitsPerVcpu;
  return fmt::format("{:g} vCPU", static_cast<double>(hundredths) / 100);
}

std::string percent(std::int64_t part, std::int64_t whole) {
  if (whole <= 0) return "-";
  return part > 0 && part * 100 < whole ? "<1%" : fmt::format("{}%", part * 100 / whole);
}

std::string percent(double part, double whole) {
  // A share of 0.29 times 100 is a little less than 29 in binary.
  constexpr double kRoundingError = 1e-9;
  if (whole <= 0) return "-";
  const double share = part * 100 / whole + kRoundingError;
  return part > 0 && share < 1 ? "<1%" : fmt::format("{}%", static_cast<std::int64_t>(share));
}

std::string duration(std::int64_t seconds) {
  if (seconds < 0) return "-" + duration(-seconds);
  constexpr std::int64_t kDay = 86'400;
  constexpr std::int64_t kYear = 365 * kDay;
  if (seconds >= 10 * kYear) return fmt::format("{}y{}d", seconds / kYear, seconds % kYear / kDay);
  constexpr std::pair<std::int64_t, char> kUnits[] = {{kDay, 'd'}, {3'600, 'h'}, {60, 'm'}, {1, 's'}};
  std::string text;
  for (const auto& [length, sign] : kUnits) {
    if (seconds >= length) text += fmt::format("{}{}", seconds / length, sign);
    seconds %= length;
  }
  return text.empty() ? "0s" : text;
}

std::string from_millionths(std::int64_t millionths) {
  return fmt::format("{:.10g}", static_cast<double>(millionths) / 1e6);
}

}  // namespace bayplan::report
