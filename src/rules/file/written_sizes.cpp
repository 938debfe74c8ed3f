#include "rules/file/written_sizes.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <string>

#include "base/ascii.hpp"
#include "base/strings.hpp"
#include "base/units.hpp"

namespace bayplan::rules {
namespace {

/// A decimal number and what follows it: "0.5", "1 CPU", "500m".
struct NumberAndUnit {
  double number = 0;
  std::string unit;  ///< Lowered.
};

std::optional<NumberAndUnit> read_number_and_unit(std::string_view text) {
  text = trim(text);
  const auto end = std::min(text.size(), text.find_first_not_of("0123456789."));
  const auto number = to_number(text.substr(0, end));
  if (!number || *number <= 0 || *number > 1e6) return std::nullopt;
  return NumberAndUnit{*number, lower(trim(text.substr(end)))};
}

Quantity scaled(const NumberAndUnit& read, double scale) {
  const double amount = read.number * scale;
  return {static_cast<std::int64_t>(std::ceil(amount)), !read.unit.empty() && amount == std::floor(amount)};
}

constexpr std::array<std::string_view, 6> kCpuUnits{"cpu", "cpus", "vcpu", "vcpus", "core", "cores"};
constexpr std::array<std::string_view, 4> kGibibytes{"gb", "g", "gi", "gib"};
constexpr std::array<std::string_view, 4> kMebibytes{"mb", "m", "mi", "mib"};

constexpr std::array<std::string_view, 5> kInMebibytes{"memory", "memoryReservation", "sharedMemorySize", "maxSwap",
                                                       "size"};
constexpr std::array<std::string_view, 7> kInSeconds{"interval",
                                                     "timeout",
                                                     "startPeriod",
                                                     "startTimeout",
                                                     "stopTimeout",
                                                     "restartAttemptPeriod",
                                                     "healthCheckGracePeriodSeconds"};

std::int64_t seconds_in(std::string_view unit) {
  if (unit == "s" || unit == "sec" || unit == "seconds") return 1;
  if (unit == "m" || unit == "min" || unit == "minutes") return 60;
  return unit == "h" ? 3600 : 0;
}

std::size_t length_while(std::string_view text, bool (*belongs)(char)) {
  std::size_t length = 0;
  while (length < text.size() && belongs(text[length])) ++length;
  return length;
}

/// "30s", "1m30s", "30 seconds".
std::optional<std::int64_t> read_seconds(std::string_view text) {
  std::int64_t sum = 0;
  for (text = trim(text); !text.empty(); text = trim(text)) {
    const auto digits = length_while(text, is_digit);
    const auto amount = to_integer(text.substr(0, digits));
    text = trim(text.substr(digits));
    const auto letters = length_while(text, is_letter);
    const auto scale = seconds_in(lower(text.substr(0, letters)));
    if (!amount || *amount > 86400 || scale == 0) return std::nullopt;
    sum += *amount * scale;
    text.remove_prefix(letters);
  }
  return sum > 0 ? std::optional(sum) : std::nullopt;
}

std::optional<MeantInteger> certain_amount(const std::optional<Quantity>& quantity, std::string_view unit) {
  return quantity && quantity->is_certain ? std::optional(MeantInteger{quantity->amount, unit}) : std::nullopt;
}

}  // namespace

std::optional<Quantity> read_cpu(std::string_view text) {
  const auto read = read_number_and_unit(text);
  if (!read) return std::nullopt;
  if (read->unit == "m") return scaled(*read, static_cast<double>(kUnitsPerVcpu) / 1000);
  if (read->unit.empty() || is_among(read->unit, kCpuUnits)) return scaled(*read, static_cast<double>(kUnitsPerVcpu));
  return read->unit == "units" || read->unit == "unit" ? std::optional(scaled(*read, 1)) : std::nullopt;
}

std::optional<Quantity> read_memory(std::string_view text) {
  const auto read = read_number_and_unit(text);
  if (!read) return std::nullopt;
  if (is_among(read->unit, kGibibytes)) return scaled(*read, static_cast<double>(kMiBPerGiB));
  return read->unit.empty() || is_among(read->unit, kMebibytes) ? std::optional(scaled(*read, 1)) : std::nullopt;
}

std::optional<MeantInteger> read_integer_with_unit(std::string_view member, std::string_view text) {
  if (member == "cpu") return certain_amount(read_cpu(text), "CPU units (1024 per vCPU)");
  if (is_among(member, kInMebibytes)) return certain_amount(read_memory(text), "MiB");
  if (is_among(member, kInSeconds)) {
    const auto seconds = read_seconds(text);
    return seconds ? std::optional(MeantInteger{*seconds, "seconds"}) : std::nullopt;
  }
  auto gibibytes = member == "sizeInGiB" ? certain_amount(read_memory(text), "GiB") : std::nullopt;
  if (!gibibytes || gibibytes->amount % kMiBPerGiB != 0) return std::nullopt;
  gibibytes->amount /= kMiBPerGiB;
  return gibibytes;
}

}  // namespace bayplan::rules
