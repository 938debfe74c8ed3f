#pragma once
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "placement/position_set.hpp"

namespace bayplan::placement {

/// Positions (Cells), each at one level at most.
class LevelSets {
 public:
  LevelSets() = default;
  /// `bound`, `counted`: of each set.
  LevelSets(std::size_t bound, bool counted) : bound_(bound), counted_(counted) {}

  bool has(std::size_t position) const {
    return std::any_of(sets_.begin(), sets_.end(), [&](const auto& own) { return own.positions.has(position); });
  }
  /// At this level and at no other.
  void put(std::size_t position, std::int64_t level);
  void erase(std::size_t position);

  /// Lowest first; some may be empty. Sets of higher levels come behind when positions are put there.
  std::size_t size() const { return sets_.size(); }
  std::int64_t level(std::size_t index) const { return sets_[index].level; }
  const PositionSet& set(std::size_t index) const { return sets_[index].positions; }
  /// There must be one.
  const PositionSet& at(std::int64_t level) const { return place_of(level)->positions; }
  /// Empty sets go.
  void tidy();

 private:
  struct LevelSet {
    std::int64_t level = 0;
    PositionSet positions;
  };

  /// Where the level stands or belongs.
  std::vector<LevelSet>::const_iterator place_of(std::int64_t level) const {
    return std::find_if(sets_.begin(), sets_.end(), [level](const auto& own) { return own.level >= level; });
  }

  std::size_t bound_ = 0;
  bool counted_ = false;
  std::vector<LevelSet> sets_;  ///< By level.
};

}  // namespace bayplan::placement
