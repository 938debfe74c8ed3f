#pragma once
#include <optional>
#include <string>
#include <string_view>

#include "base/result.hpp"
#include "base/units.hpp"

namespace bayplan::cli {

/// The value of an option that is a size of instances, GPUs or disks: "" is no limit. A plain number is refused: those
/// sizes are stated in GiB or GB, and files have MiB. `parse`: what GB means; `unit`: of the example.
Result<MiB> memory_option(std::string_view name, const std::string& text, std::optional<MiB> (*parse)(std::string_view),
                          std::string_view unit);

}  // namespace bayplan::cli
