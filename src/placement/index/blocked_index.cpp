#include "placement/index/blocked_index.hpp"

#include <algorithm>
#include <cassert>

namespace bayplan::placement {

BlockedIndex::BlockedIndex(const std::vector<BlockedKey>& keys) {
  constexpr std::size_t kFill = kBlock * 3 / 4;  // room to grow
  for (std::size_t i = 0; i < keys.size(); i += kFill) {
    const std::size_t end = std::min(keys.size(), i + kFill);
    Block block;
    block.keys.assign(keys.begin() + static_cast<std::ptrdiff_t>(i), keys.begin() + static_cast<std::ptrdiff_t>(end));
    block.masks.resize(end - i);
    lowest_.push_back(block.keys.front());
    blocks_.push_back(std::move(block));
  }
  if (blocks_.empty()) {
    blocks_.emplace_back();
    lowest_.push_back(~BlockedKey{0});
  }
  block_masks_.resize(blocks_.size());
  regroup();
}

BlockedIndex::Place BlockedIndex::find(BlockedKey key) const {
  const auto after = std::upper_bound(lowest_.begin(), lowest_.end(), key);
  const auto block = static_cast<std::size_t>(std::max<std::ptrdiff_t>(0, after - lowest_.begin() - 1));
  const auto& keys = blocks_[block].keys;
  return {block, static_cast<std::size_t>(std::lower_bound(keys.begin(), keys.end(), key) - keys.begin())};
}

void BlockedIndex::move(BlockedKey from, BlockedKey to, std::uint64_t kept, std::uint64_t mask) {
  const std::uint64_t own = take(from);
  put(to, (own & kept) | mask);
}

void BlockedIndex::add(BlockedKey key, std::uint64_t mask) {
  const Place place = find(key);
  assert(this->key(place) == key);
  blocks_[place.block].masks[place.slot] |= mask;
  mark(place.block, mask);
}

void BlockedIndex::set(BlockedKey key, unsigned lane, bool on) {
  const Place place = find(key);
  assert(this->key(place) == key);
  const std::uint64_t bit = std::uint64_t{1} << lane;
  auto& mask = blocks_[place.block].masks[place.slot];
  mask = on ? mask | bit : mask & ~bit;
  if (on) mark(place.block, bit);
}

std::uint64_t BlockedIndex::take(BlockedKey key) {
  const Place place = find(key);
  assert(this->key(place) == key);
  auto& block = blocks_[place.block];
  const std::uint64_t mask = block.masks[place.slot];
  block.keys.erase(block.keys.begin() + static_cast<std::ptrdiff_t>(place.slot));
  block.masks.erase(block.masks.begin() + static_cast<std::ptrdiff_t>(place.slot));
  if (block.keys.empty() && blocks_.size() > 1) {
    const auto at = static_cast<std::ptrdiff_t>(place.block);
    blocks_.erase(blocks_.begin() + at);
    lowest_.erase(lowest_.begin() + at);
    block_masks_.erase(block_masks_.begin() + at);
    regroup();
  }
  return mask;
}

void BlockedIndex::put(BlockedKey key, std::uint64_t mask) {
  const Place place = find(key);
  auto& block = blocks_[place.block];
  block.keys.insert(block.keys.begin() + static_cast<std::ptrdiff_t>(place.slot), key);
  block.masks.insert(block.masks.begin() + static_cast<std::ptrdiff_t>(place.slot), mask);
  lowest_[place.block] = std::min(lowest_[place.block], key);
  mark(place.block, mask);
  if (block.keys.size() > kBlock) split(place.block);
}

void BlockedIndex::split(std::size_t block) {
  const auto half = static_cast<std::ptrdiff_t>(blocks_[block].keys.size() / 2);
  auto& lower = blocks_[block];
  Block upper;
  upper.keys.assign(lower.keys.begin() + half, lower.keys.end());
  upper.masks.assign(lower.masks.begin() + half, lower.masks.end());
  lower.keys.resize(static_cast<std::size_t>(half));
  lower.masks.resize(static_cast<std::size_t>(half));
  const auto at = static_cast<std::ptrdiff_t>(block) + 1;
  lowest_.insert(lowest_.begin() + at, upper.keys.front());
  block_masks_.insert(block_masks_.begin() + at, block_masks_[block]);
  blocks_.insert(blocks_.begin() + at, std::move(upper));
  regroup();
}

void BlockedIndex::mark(std::size_t block, std::uint64_t mask) {
  block_masks_[block] |= mask;
  group_masks_[block / kGroup] |= mask;
}

void BlockedIndex::regroup() {
  group_masks_.assign((blocks_.size() + kGroup - 1) / kGroup, 0);
  for (std::size_t block = 0; block < blocks_.size(); ++block) group_masks_[block / kGroup] |= block_masks_[block];
}

}  // namespace bayplan::placement
