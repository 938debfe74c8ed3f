#pragma once
#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

namespace bayplan::query {

/// Parts of a dotted version: "1.14.5" = {1, 14, 5}; nothing when a part is no number of at most 18 digits.
std::optional<std::vector<std::int64_t>> parse_version(std::string_view text);

/// -1, 0 or 1; a missing part counts as 0.
int compare_versions(const std::vector<std::int64_t>& a, const std::vector<std::int64_t>& b);

/// -1, 0 or 1: as numbers when both are, else byte by byte.
int compare_attribute_values(std::string_view a, std::string_view b);

}  // namespace bayplan::query
