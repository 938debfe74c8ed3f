#include "rules/integer_range.hpp"

#include <limits>

namespace bayplan::rules {

bool fits_32_bits(std::int64_t value) {
  using Limits = std::numeric_limits<std::int32_t>;
  return value >= Limits::min() && value <= Limits::max();
}

void check_range(const Context& ctx, Emitter& emit, text::Value object, const IntegerRange& range) {
  const auto field = model::integer_field(object, range.key, ctx.placeholders);
  if (!emit.knows(field) || range.holds(*field) || !fits_32_bits(*field)) return;
  emit.at(field)
      .says("{} must be {} to {}{}, got {}", range.key, range.lowest, range.highest, range.unit, *field)
      .help("use {}, or delete it for the default of {}", *field < range.lowest ? range.lowest : range.highest,
            range.fallback);
}

}  // namespace bayplan::rules
