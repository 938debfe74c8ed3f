#include "placement/index/blocked_index.hpp"

#include <algorithm>
#include <cassert>
#include <iterator>
#include <utility>

namespace bayplan::placement {
namespace {

/// Of `size` sorted keys the number of those that `is_before`. Without branches to be guessed: half of the guesses
/// would be wrong.
template <class IsBefore>
std::size_t count_before(const BlockedKey* keys, std::size_t size, IsBefore is_before) {
  const BlockedKey* first = keys;
  while (size > 0) {
    const std::size_t half = (size + 1) / 2;
    first += is_before(first[half - 1]) ? half : 0;
    size -= half;
  }
  return static_cast<std::size_t>(first - keys);
}

template <class T>
void insert_at(T* items, std::size_t size, std::size_t slot, T item) {
  std::move_backward(items + slot, items + size, items + size + 1);
  items[slot] = item;
}

}  // namespace

void BlockedIndex::Block::insert(std::size_t slot, BlockedKey key, std::uint64_t mask) {
  insert_at(keys.data(), size, slot, key);
  insert_at(masks.data(), size, slot, mask);
  ++size;
}

void BlockedIndex::Block::erase(std::size_t slot) {
  std::move(keys.data() + slot + 1, keys.data() + size, keys.data() + slot);
  std::move(masks.data() + slot + 1, masks.data() + size, masks.data() + slot);
  --size;
}

BlockedIndex::BlockedIndex(const std::vector<BlockedKey>& keys) {
  constexpr std::size_t kFill = kBlock * 3 / 4;  // room to grow
  for (std::size_t i = 0; i < keys.size(); i += kFill) {
    auto block = std::make_unique<Block>();
    block->size = std::min(keys.size() - i, kFill);
    std::copy_n(keys.begin() + static_cast<std::ptrdiff_t>(i), block->size, block->keys.begin());
    lowest_.push_back(block->keys.front());
    blocks_.push_back(std::move(block));
  }
  if (blocks_.empty()) {
    blocks_.push_back(std::make_unique<Block>());
    lowest_.push_back(~BlockedKey{0});
  }
  block_masks_.resize(blocks_.size());
  regroup();
}

BlockedIndex::Place BlockedIndex::find(BlockedKey key) const {
  const auto up_to = count_before(lowest_.data(), lowest_.size(), [key](BlockedKey lowest) { return lowest <= key; });
  const std::size_t block = std::max<std::size_t>(up_to, 1) - 1;
  const auto& own = *blocks_[block];
  return {block, count_before(own.keys.data(), own.size, [key](BlockedKey other) { return other < key; })};
}

void BlockedIndex::move(BlockedKey from, BlockedKey to, std::uint64_t kept, std::uint64_t mask) {
  const std::uint64_t own = take(from);
  put(to, (own & kept) | mask);
}

void BlockedIndex::add(BlockedKey key, std::uint64_t mask) {
  const Place place = find(key);
  assert(this->key(place) == key);
  blocks_[place.block]->masks[place.slot] |= mask;
  mark(place.block, mask);
}

void BlockedIndex::set(BlockedKey key, unsigned lane, bool on) {
  const Place place = find(key);
  assert(this->key(place) == key);
  const std::uint64_t bit = std::uint64_t{1} << lane;
  auto& mask = blocks_[place.block]->masks[place.slot];
  mask = on ? mask | bit : mask & ~bit;
  if (on) mark(place.block, bit);
}

std::uint64_t BlockedIndex::take(BlockedKey key) {
  const Place place = find(key);
  assert(this->key(place) == key);
  auto& block = *blocks_[place.block];
  const std::uint64_t mask = block.masks[place.slot];
  block.erase(place.slot);
  if (block.size == 0 && blocks_.size() > 1) {
    const auto at = static_cast<std::ptrdiff_t>(place.block);
    blocks_.erase(blocks_.begin() + at);
    lowest_.erase(lowest_.begin() + at);
    block_masks_.erase(block_masks_.begin() + at);
    regroup_from(place.block);
  }
  return mask;
}

void BlockedIndex::put(BlockedKey key, std::uint64_t mask) {
  const Place place = find(key);
  auto& block = *blocks_[place.block];
  block.insert(place.slot, key, mask);
  lowest_[place.block] = std::min(lowest_[place.block], key);
  mark(place.block, mask);
  if (block.size > kBlock) split(place.block);
}

void BlockedIndex::split(std::size_t block) {
  auto& lower = *blocks_[block];
  auto upper = std::make_unique<Block>();
  const std::size_t half = lower.size / 2;
  upper->size = lower.size - half;
  std::copy_n(lower.keys.begin() + half, upper->size, upper->keys.begin());
  std::copy_n(lower.masks.begin() + half, upper->size, upper->masks.begin());
  lower.size = half;
  const auto at = static_cast<std::ptrdiff_t>(block) + 1;
  lowest_.insert(lowest_.begin() + at, upper->keys.front());
  block_masks_.insert(block_masks_.begin() + at, block_masks_[block]);
  blocks_.insert(blocks_.begin() + at, std::move(upper));
  regroup_from(block + 1);
}

void BlockedIndex::mark(std::size_t block, std::uint64_t mask) {
  block_masks_[block] |= mask;
  group_masks_[block / kGroup] |= mask;
}

void BlockedIndex::regroup() {
  group_masks_.assign((blocks_.size() + kGroup - 1) / kGroup, 0);
  for (std::size_t block = 0; block < blocks_.size(); ++block) group_masks_[block / kGroup] |= block_masks_[block];
}

/// The blocks from `block` on have moved by one place: what may be new in a group is its first block or its last.
void BlockedIndex::regroup_from(std::size_t block) {
  group_masks_.resize((blocks_.size() + kGroup - 1) / kGroup);
  for (std::size_t group = block / kGroup; group < group_masks_.size(); ++group) {
    const std::size_t first = group * kGroup;
    const std::size_t last = std::min(first + kGroup, blocks_.size()) - 1;
    group_masks_[group] |= block_masks_[first] | block_masks_[last];
  }
}

}  // namespace bayplan::placement
