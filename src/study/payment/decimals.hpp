#pragma once
#include <cstdint>
#include <optional>
#include <string_view>

namespace bayplan::study {

/// Millionths of a plain decimal number of at least 0 with at most six decimals that are not 0: "0.25" is 250,000.
/// Nothing for signs, exponents and other texts.
std::optional<std::int64_t> parse_millionths(std::string_view text);

/// Millionths of a share: "28%" and "0.28" are 280,000.
std::optional<std::int64_t> parse_share(std::string_view text);

}  // namespace bayplan::study
