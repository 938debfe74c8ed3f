#pragma once
#include <cstddef>
#include <cstdint>
#include <vector>

namespace bayplan::placement {

/// One key for each of a fixed number of entries; the smallest keys are found without a sort, equal ones in the order
/// of the entries.
class Tournament {
 public:
  explicit Tournament(const std::vector<std::uint64_t>& keys);

  std::uint64_t key(std::size_t entry) const { return nodes_[leaves_ + entry]; }
  void set(std::size_t entry, std::uint64_t key);

  /// The entries of the `count` smallest keys, smallest first.
  std::vector<std::uint32_t> smallest(std::size_t count) const;

 private:
  std::size_t leaves_;                ///< A power of two.
  std::vector<std::uint64_t> nodes_;  ///< From 1: the smaller of nodes 2i and 2i + 1.
};

}  // namespace bayplan::placement
