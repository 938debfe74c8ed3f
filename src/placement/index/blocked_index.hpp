#pragma once
#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

namespace bayplan::placement {

/// 128 bits: the free amounts of up to two resources above the number of the instance.
__extension__ using BlockedKey = unsigned __int128;
inline constexpr unsigned kInstanceBits = 32;

/// Instances in the order of their keys, each with a mask that says for which of 64 lanes (task classes) it counts.
/// Blocks of keys, and groups of blocks, know the lanes that may be inside: the first of a lane is found without
/// looking at the others. These masks are only an upper bound: a search that comes back empty puts them right, so
/// moving an instance costs the same whatever the number of lanes.
class BlockedIndex {
 public:
  struct Place {
    std::size_t block = 0;
    std::size_t slot = 0;
  };

  /// `keys` sorted, or none; no lanes yet.
  explicit BlockedIndex(const std::vector<BlockedKey>& keys);

  /// One instance more, that counts for the lanes of the mask.
  void put(BlockedKey key, std::uint64_t mask);
  /// It counts for these lanes too.
  void add(BlockedKey key, std::uint64_t mask);
  /// Gives the instance another key: it counts for no lane that is not `kept`, and for those of `mask`.
  void move(BlockedKey from, BlockedKey to, std::uint64_t kept, std::uint64_t mask);
  void set(BlockedKey key, unsigned lane, bool on);
  /// The lane holds exactly the instances of which `holds(instance)` is true.
  template <class Holds>
  void set_all(unsigned lane, Holds holds);

  BlockedKey key(Place place) const { return blocks_[place.block]->keys[place.slot]; }
  std::uint32_t instance(Place place) const { return static_cast<std::uint32_t>(key(place)); }

  /// The first instance of the lane of which `holds(instance)` is true; those before it leave the lane.
  template <class Holds>
  std::optional<Place> first(unsigned lane, Holds holds);

  /// Calls `visit(instance)` for the lane's instances after `place` with the same key but for the instance, until it
  /// returns false.
  template <class Visit>
  void for_equals_after(Place place, unsigned lane, Visit visit) const;

 private:
  static constexpr std::size_t kBlock = 64;
  static constexpr std::size_t kGroup = 32;

  /// Keys in their order, each with its mask; one place more than a block holds, before it is split.
  struct Block {
    std::size_t size = 0;
    std::array<std::uint64_t, kBlock + 1> masks;
    std::array<BlockedKey, kBlock + 1> keys;

    void insert(std::size_t slot, BlockedKey key, std::uint64_t mask);
    void erase(std::size_t slot);
  };

  Place find(BlockedKey key) const;
  std::uint64_t take(BlockedKey key);
  void split(std::size_t block);
  void mark(std::size_t block, std::uint64_t mask);
  void regroup();
  void regroup_from(std::size_t block);
  template <class Holds>
  std::optional<Place> first_in_block(std::size_t block, std::uint64_t bit, Holds& holds);

  std::vector<std::unique_ptr<Block>> blocks_;
  std::vector<BlockedKey>
      lowest_;  ///< The lower bound of each block: no key of it is smaller, and every key of the block before is.
  std::vector<std::uint64_t> block_masks_;
  std::vector<std::uint64_t> group_masks_;
};

template <class Holds>
void BlockedIndex::set_all(unsigned lane, Holds holds) {
  const std::uint64_t bit = std::uint64_t{1} << lane;
  for (std::size_t block = 0; block < blocks_.size(); ++block) {
    auto& own = *blocks_[block];
    block_masks_[block] &= ~bit;
    for (std::size_t slot = 0; slot < own.size; ++slot) {
      own.masks[slot] &= ~bit;
      if (holds(static_cast<std::uint32_t>(own.keys[slot]))) own.masks[slot] |= bit;
      block_masks_[block] |= own.masks[slot] & bit;
    }
  }
  regroup();
}

template <class Holds>
std::optional<BlockedIndex::Place> BlockedIndex::first(unsigned lane, Holds holds) {
  const std::uint64_t bit = std::uint64_t{1} << lane;
  for (std::size_t group = 0; group < group_masks_.size(); ++group) {
    if ((group_masks_[group] & bit) == 0) continue;
    for (std::size_t block = group * kGroup; block < (group + 1) * kGroup && block < blocks_.size(); ++block) {
      if ((block_masks_[block] & bit) == 0) continue;
      if (const auto found = first_in_block(block, bit, holds)) return found;
      block_masks_[block] &= ~bit;
    }
    group_masks_[group] &= ~bit;
  }
  return std::nullopt;
}

template <class Holds>
std::optional<BlockedIndex::Place> BlockedIndex::first_in_block(std::size_t block, std::uint64_t bit, Holds& holds) {
  auto& own = *blocks_[block];
  const auto is_of_lane = [bit](std::uint64_t mask) { return (mask & bit) != 0; };
  const auto end = own.masks.begin() + own.size;
  for (auto mask = std::find_if(own.masks.begin(), end, is_of_lane); mask != end;
       mask = std::find_if(mask + 1, end, is_of_lane)) {
    const auto slot = static_cast<std::size_t>(mask - own.masks.begin());
    if (holds(static_cast<std::uint32_t>(own.keys[slot]))) return Place{block, slot};
    *mask &= ~bit;
  }
  return std::nullopt;
}

template <class Visit>
void BlockedIndex::for_equals_after(Place place, unsigned lane, Visit visit) const {
  const std::uint64_t bit = std::uint64_t{1} << lane;
  const BlockedKey wanted = key(place) >> kInstanceBits;
  std::size_t slot = place.slot + 1;
  for (std::size_t block = place.block; block < blocks_.size(); ++block, slot = 0) {
    const auto& own = *blocks_[block];
    for (; slot < own.size; ++slot) {
      if (own.keys[slot] >> kInstanceBits != wanted) return;
      if ((own.masks[slot] & bit) != 0 && !visit(static_cast<std::uint32_t>(own.keys[slot]))) return;
    }
  }
}

}  // namespace bayplan::placement
