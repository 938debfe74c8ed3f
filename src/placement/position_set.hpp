#pragma once
#include <cstddef>
#include <cstdint>
#include <vector>

namespace bayplan::placement {

/// A set of numbers below a bound. The next member is found in a few steps however far it is; one that is `counted`
/// also numbers its members.
class PositionSet {
 public:
  PositionSet() = default;
  PositionSet(std::size_t bound, bool counted);

  bool has(std::size_t position) const { return ((levels_[0][position / kWord] >> (position % kWord)) & 1) != 0; }
  bool empty() const { return levels_.back()[0] == 0; }
  void insert(std::size_t position);
  void erase(std::size_t position);

  /// The smallest member from `position` on; the bound or more when there is none.
  std::size_t next(std::size_t position) const;

  /// Members below `position`; only when counted.
  std::size_t count_below(std::size_t position) const;
  /// The member that has `rank` members below it; only when counted, and it must exist.
  std::size_t at_rank(std::size_t rank) const;

 private:
  static constexpr std::size_t kWord = 64;

  void count(std::size_t position, int change);

  /// A bit of a level says whether the word of that number one level below has any.
  std::vector<std::vector<std::uint64_t>> levels_;
  /// Fenwick tree over the words of the lowest level; entry 0 is not used.
  std::vector<std::uint32_t> counts_;
};

}  // namespace bayplan::placement
