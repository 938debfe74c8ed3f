#pragma once
#include <optional>
#include <string_view>

#include "base/units.hpp"

namespace bayplan {

/// "16384" or "16384MiB" as MiB, "16GiB" or "1.5 GiB" as 1024 times that; GB and G count as GiB, as in ECS. Nothing
/// when the text is no such size or no whole number of MiB.
std::optional<MiB> parse_memory_size(std::string_view text);

}  // namespace bayplan
