#pragma once
#include <cstddef>
#include <cstdint>
#include <limits>
#include <vector>

namespace bayplan::placement {

/// One key for each entry; the smallest keys are found without a sort, equal ones in the order
/// of the entries.
class Tournament {
 public:
  /// The key of an entry that takes no part.
  static constexpr std::uint64_t kNone = std::numeric_limits<std::uint64_t>::max();

  explicit Tournament(const std::vector<std::uint64_t>& keys);

  /// At least so many entries; new ones take no part yet.
  void grow(std::size_t entries);

  std::uint64_t key(std::size_t entry) const { return nodes_[leaves_ + entry]; }
  void set(std::size_t entry, std::uint64_t key);

  /// The entries of the `count` smallest keys, smallest first.
  std::vector<std::uint32_t> smallest(std::size_t count) const;

 private:
  std::size_t leaves_;                ///< A power of two.
  std::vector<std::uint64_t> nodes_;  ///< From 1: the smaller of nodes 2i and 2i + 1.
};

}  // namespace bayplan::placement
