#pragma once
#include <cstddef>
#include <vector>

#include "rules/context.hpp"

namespace bayplan::rules {

/// One container waits for another before it starts.
struct Wait {
  enum class Kind : std::uint8_t { kDependsOn, kLink, kVolumes };
  std::size_t from = 0;  ///< Positions in containerDefinitions.
  std::size_t to = 0;
  text::Value place;  ///< Where the file says so.
  Kind kind = Kind::kDependsOn;
};

/// Waits in a ring: each begins where the one before it ends, the last ends where the first begins.
using Circle = std::vector<Wait>;

/// The circles of dependsOn, links and volumesFrom, each once and begun at its first container of the file; circles of
/// links alone (BAY322) and of volumes alone (BAY522) are left out. Every wait that lies on a circle is on one of them:
/// the shortest through it. Nobody who waits for himself is counted.
std::vector<Circle> find_circles(const Context& ctx);

}  // namespace bayplan::rules
