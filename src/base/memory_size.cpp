#include "base/memory_size.hpp"

#include <cmath>

#include "base/strings.hpp"

namespace bayplan {
namespace {

constexpr double kBytesPerMiB = 1 << 20;

/// What M, G and T without an i mean.
enum class UnitSystem { kBinary, kDecimal };

/// MiB of one unit; nothing for an unknown unit.
std::optional<double> unit_size(std::string_view unit, UnitSystem system) {
  std::string name = lower(unit);
  if (name.empty()) return 1;
  if (name.ends_with('b')) name.pop_back();
  const bool is_binary = name.ends_with('i') || system == UnitSystem::kBinary;
  if (name.ends_with('i')) name.pop_back();
  const double step = is_binary ? kMiBPerGiB : 1000;
  const double mega = is_binary ? 1 : 1e6 / kBytesPerMiB;
  if (name == "m") return mega;
  if (name == "g") return mega * step;
  if (name == "t") return mega * step * step;
  return std::nullopt;
}

std::optional<MiB> parse_size(std::string_view text, UnitSystem system) {
  constexpr double kLargest = 1e12;
  constexpr double kRounding = 1e-6;  // of the product of two decimals
  text = trim(text);
  const auto end = text.find_first_not_of("0123456789.");
  const auto number = to_number(text.substr(0, end));
  const auto unit = unit_size(end == std::string_view::npos ? "" : trim(text.substr(end)), system);
  if (!number || !unit) return std::nullopt;
  const double size = std::floor(*number * *unit + kRounding);
  if (size < 1 || size > kLargest) return std::nullopt;
  return static_cast<MiB>(size);
}

}  // namespace

std::optional<MiB> parse_memory_size(std::string_view text) {
  return parse_size(text, UnitSystem::kBinary);
}

std::optional<MiB> parse_gpu_memory_size(std::string_view text) {
  return parse_size(text, UnitSystem::kDecimal);
}

bool has_memory_unit(std::string_view text) {
  text = trim(text);
  return text.find_first_not_of("0123456789.") != std::string_view::npos;
}

}  // namespace bayplan
