#include "base/memory_size.hpp"

#include <cmath>

#include "base/strings.hpp"

namespace bayplan {
namespace {

/// MiB of one unit; nothing for an unknown unit.
std::optional<MiB> unit_size(std::string_view unit) {
  const std::string name = lower(unit);
  if (name.empty() || name == "mib" || name == "mb" || name == "m") return 1;
  if (name == "gib" || name == "gb" || name == "g") return kMiBPerGiB;
  if (name == "tib" || name == "tb" || name == "t") return kMiBPerGiB * 1024;
  return std::nullopt;
}

}  // namespace

std::optional<MiB> parse_memory_size(std::string_view text) {
  constexpr double kLargest = 1e12;
  text = trim(text);
  const auto end = text.find_first_not_of("0123456789.");
  const auto number = to_number(text.substr(0, end));
  const auto unit = unit_size(end == std::string_view::npos ? "" : trim(text.substr(end)));
  if (!number || !unit) return std::nullopt;
  const double size = *number * static_cast<double>(*unit);
  if (size != std::floor(size) || size > kLargest) return std::nullopt;
  return static_cast<MiB>(size);
}

}  // namespace bayplan
