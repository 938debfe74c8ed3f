#pragma once
#include <cstdint>
#include <optional>
#include <string_view>

namespace bayplan::rules {

/// A size as people write it, in the unit that ECS counts.
struct Quantity {
  std::int64_t amount = 0;  ///< Rounded up.
  bool is_certain = false;  ///< It had a unit, and is a whole number without rounding.
};

std::optional<Quantity> read_cpu(std::string_view text);     ///< Converts to CPU units: "0.5 vCPU", "500m", "1 CPU".
std::optional<Quantity> read_memory(std::string_view text);  ///< Converts to MiB: "512MB", "1Gi", "2G".

/// A whole number that was written with its unit, as the member of this name counts it.
struct MeantInteger {
  std::int64_t amount = 0;
  std::string_view unit;  ///< What is counted: "MiB".
};

/// `"cpu": "0.5 vCPU"` is 512 CPU units, `"memory": "1GB"` 1024 MiB, `"interval": "1m30s"` 90 seconds.
std::optional<MeantInteger> read_integer_with_unit(std::string_view member, std::string_view text);

}  // namespace bayplan::rules
