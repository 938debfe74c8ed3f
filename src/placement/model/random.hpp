#pragma once
#include <cstdint>
#include <random>

namespace bayplan::placement {

/// Uniform in [0, bound) by rejection: std::uniform_int_distribution differs between standard libraries. One value of
/// the generator a try; none for a bound of 1, where there is nothing to draw.
inline std::uint64_t draw(std::mt19937_64& generator, std::uint64_t bound) {
  if (bound <= 1) return 0;
  const std::uint64_t biased = (0 - bound) % bound;  // 2^64 mod bound
  std::uint64_t value = generator();
  while (value < biased) value = generator();
  return value % bound;
}

}  // namespace bayplan::placement
