#pragma once
#include <cstdint>
#include <cstdlib>
#include <string>

namespace bayplan {

/// A number by which somebody asks for more cases than a test's own, or for others: BAYPLAN_ENGINE_CASES=100000.
inline std::uint64_t from_environment(const char* name, std::uint64_t otherwise) {
  const char* text = std::getenv(name);
  return text == nullptr ? otherwise : std::stoull(text);
}

}  // namespace bayplan
