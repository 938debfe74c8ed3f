#pragma once
#include <cstdint>
#include <string_view>

namespace bayplan {

/// FNV-1a, 64 bits.
inline std::uint64_t hash(std::string_view text, std::uint64_t state = 0xcbf29ce484222325u) {
  for (const char c : text) state = (state ^ static_cast<unsigned char>(c)) * 0x100000001b3u;
  return (state ^ 0xffu) * 0x100000001b3u;  // a separator, so that "ab","c" and "a","bc" differ
}

}  // namespace bayplan
