#pragma once
#include <string_view>

namespace bayplan::rules {

/// Day of the newest part of the API model that the schemas hold; data/rules.json has it in `model`.
inline constexpr std::string_view kModelDate = "2026-11-06";

}  // namespace bayplan::rules
