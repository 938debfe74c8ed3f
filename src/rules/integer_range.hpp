#pragma once
#include <cstdint>
#include <string_view>

#include "rules/context.hpp"
#include "rules/emitter.hpp"

namespace bayplan::rules {

/// A member that takes whole numbers between two bounds.
struct IntegerRange {
  std::string_view key;
  std::int64_t lowest;
  std::int64_t highest;
  std::string_view unit;  ///< " seconds"; empty for plain counts.
  std::int64_t fallback;  ///< What ECS takes when the member is absent.

  bool holds(std::int64_t value) const { return value >= lowest && value <= highest; }
};

/// A number of more than 32 bits is BAY019's, whatever the member takes.
bool fits_32_bits(std::int64_t value);

/// Tells when the member of `object` is known and out of its range.
void check_range(const Context& ctx, Emitter& emit, text::Value object, const IntegerRange& range);

}  // namespace bayplan::rules
