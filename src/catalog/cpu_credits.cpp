#include "catalog/cpu_credits.hpp"

#include <cmath>

#include <fmt/core.h>

#include "base/strings.hpp"
#include "catalog/managed_instances.hpp"
#include "embedded/burstable_types.hpp"

namespace bayplan::catalog {

std::string Baseline::percent() const {
  return permille % 10 == 0 ? fmt::format("{}%", permille / 10) : fmt::format("{}.{}%", permille / 10, permille % 10);
}

std::optional<Baseline> find_baseline(const InstanceType& type) {
  enum Column : std::size_t { kType, kPercent, kMode, kSource, kColumns };
  if (type.is_own || !is_burstable(type)) return std::nullopt;
  for (const auto line : split(embedded::burstable_types(), '\n')) {
    if (!line.starts_with(type.name)) continue;
    const auto cells = split(line, ',');
    if (cells.size() != kColumns || cells[kType] != type.name) continue;
    return Baseline{std::llround(to_number(cells[kPercent]).value_or(0) * 10), cells[kMode] == "unlimited",
                    std::string(cells[kSource])};
  }
  return std::nullopt;
}

std::optional<ExtraPrice> credit_price(const InstanceType& type, std::string_view region) {
  if (!find_baseline(type)) return std::nullopt;
  return extra_price(fmt::format("cpu-credits-{}", type.family()), region);
}

}  // namespace bayplan::catalog
