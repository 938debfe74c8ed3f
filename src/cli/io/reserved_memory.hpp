#pragma once
#include <cstdint>
#include <optional>
#include <string>

#include "base/memory_size.hpp"
#include "base/result.hpp"

namespace bayplan::cli {

/// --reserved-memory: MiB as ECS_RESERVED_MEMORY has them, or a size with its unit; nothing where it is not given. The
/// limit is that of `reservedMemory` in a config.
inline Result<std::optional<MiB>> parse_reserved_memory(const std::optional<std::string>& text) {
  constexpr MiB kLargest = 1'000'000'000;
  if (!text) return std::optional<MiB>();
  const auto memory = *text == "0" ? std::optional<MiB>(0) : parse_memory_size(*text);
  if (memory && *memory <= kLargest) return memory;
  return Error{
      .message = "--reserved-memory must be MiB from 0 to " + std::to_string(kLargest) + ", not '" + *text + "'",
      .help = "For example: --reserved-memory 512, or 1GiB"};
}

}  // namespace bayplan::cli
