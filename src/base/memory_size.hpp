#pragma once
#include <optional>
#include <string_view>

#include "base/units.hpp"

namespace bayplan {

/// "16384" or "16384MiB" as MiB, "16GiB" or "22.3 Gi" as 1024 times that, rounded down to whole MiB; GB and G count as
/// GiB, as in ECS. Nothing when the text is no such size or less than 1 MiB.
std::optional<MiB> parse_memory_size(std::string_view text);

/// The same for the memory of a GPU, which vendors state in GB of 10^9 bytes: "24GB" are 22888 MiB, exactly what EC2
/// states for the A10G and the L4. GiB and MiB are binary.
std::optional<MiB> parse_gpu_memory_size(std::string_view text);

/// Whether the text ends in a unit: "64" may have been meant as GiB.
bool has_memory_unit(std::string_view text);

}  // namespace bayplan
