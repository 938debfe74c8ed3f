#pragma once
#include <cstddef>
#include <cstdint>
#include <map>

#include "placement/position_set.hpp"

namespace bayplan::placement {

/// Positions (Cells), each at one level at most.
class LevelSets {
 public:
  LevelSets() = default;
  /// `bound`, `counted`: of each set.
  LevelSets(std::size_t bound, bool counted) : bound_(bound), counted_(counted) {}

  bool has(std::size_t position) const;
  /// At this level and at no other.
  void put(std::size_t position, std::int64_t level);
  void erase(std::size_t position);

  /// Lowest first; some may be empty. Positions may be put while it is gone through.
  std::map<std::int64_t, PositionSet>& sets() { return sets_; }
  const PositionSet& at(std::int64_t level) const { return sets_.at(level); }
  /// Empty sets go.
  void tidy();

 private:
  std::size_t bound_ = 0;
  bool counted_ = false;
  std::map<std::int64_t, PositionSet> sets_;
};

}  // namespace bayplan::placement
