#include "cli/options/memory_option.hpp"

#include <fmt/core.h>

#include "base/memory_size.hpp"

namespace bayplan::cli {

Result<MiB> memory_option(std::string_view name, const std::string& text, std::optional<MiB> (*parse)(std::string_view),
                          std::string_view unit) {
  if (text.empty()) return MiB{0};
  const auto size = parse(text);
  if (size && has_memory_unit(text)) return *size;
  if (size) {
    return Error{.message = fmt::format("{} needs a unit: '{}' could be {} or MiB", name, text, unit),
                 .help = fmt::format("Write: {} {}{}", name, text, unit)};
  }
  return Error{.message = fmt::format("{} must be a size, not '{}'", name, text),
               .help = fmt::format("For example: {} 16{}", name, unit)};
}

}  // namespace bayplan::cli
