#pragma once
#include <cstdint>
#include <optional>

#include "base/result.hpp"

namespace bayplan::cli {

/// Why --reserved-memory cannot be so many MiB, nothing when it can: the limits of `reservedMemory` in a config.
inline std::optional<Error> refused_reserved_memory(std::int64_t memory) {
  constexpr std::int64_t kLargest = 1'000'000'000;
  if (memory >= 0 && memory <= kLargest) return std::nullopt;
  return Error{.message = "--reserved-memory must be MiB from 0 to " + std::to_string(kLargest) + ", not " +
                          std::to_string(memory)};
}

}  // namespace bayplan::cli
