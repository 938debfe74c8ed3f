#include "placement/position_set.hpp"

#include <bit>
#include <limits>

namespace bayplan::placement {
namespace {

std::size_t lowest_bit(std::size_t value) {
  return value & (~value + 1);
}

}  // namespace

PositionSet::PositionSet(std::size_t bound, bool counted) {
  std::size_t words = bound;
  do {
    words = words / kWord + 1;
    levels_.emplace_back(words);
  } while (words > 1);
  if (counted) counts_.resize(levels_[0].size() + 1);
}

void PositionSet::insert(std::size_t position) {
  if (has(position)) return;
  count(position, 1);
  for (auto& level : levels_) {
    auto& word = level[position / kWord];
    const bool was_empty = word == 0;
    word |= std::uint64_t{1} << (position % kWord);
    if (!was_empty) return;
    position /= kWord;
  }
}

void PositionSet::erase(std::size_t position) {
  if (!has(position)) return;
  count(position, -1);
  for (auto& level : levels_) {
    auto& word = level[position / kWord];
    word &= ~(std::uint64_t{1} << (position % kWord));
    if (word != 0) return;
    position /= kWord;
  }
}

void PositionSet::count(std::size_t position, int change) {
  for (std::size_t i = position / kWord + 1; i < counts_.size(); i += lowest_bit(i)) {
    counts_[i] += static_cast<std::uint32_t>(change);
  }
}

// Up to the first level where a bit from the position on is set, then down to the lowest of its members.
std::size_t PositionSet::next(std::size_t position) const {
  for (std::size_t level = 0; level < levels_.size(); ++level) {
    const std::size_t word = position / kWord;
    if (word >= levels_[level].size()) break;
    const std::uint64_t rest = levels_[level][word] >> (position % kWord);
    if (rest == 0) {
      position = word + 1;
      continue;
    }
    position += static_cast<std::size_t>(std::countr_zero(rest));
    while (level > 0) {
      --level;
      position = position * kWord + static_cast<std::size_t>(std::countr_zero(levels_[level][position]));
    }
    return position;
  }
  return std::numeric_limits<std::size_t>::max();
}

std::size_t PositionSet::count_below(std::size_t position) const {
  std::size_t below = 0;
  for (std::size_t i = position / kWord; i > 0; i -= lowest_bit(i)) below += counts_[i];
  const std::uint64_t mask = (std::uint64_t{1} << (position % kWord)) - 1;
  return below + static_cast<std::size_t>(std::popcount(levels_[0][position / kWord] & mask));
}

std::size_t PositionSet::at_rank(std::size_t rank) const {
  std::size_t word = 0;
  for (std::size_t step = std::bit_floor(counts_.size()); step > 0; step /= 2) {
    if (word + step >= counts_.size() || counts_[word + step] > rank) continue;
    word += step;
    rank -= counts_[word];
  }
  std::uint64_t bits = levels_[0][word];
  for (; rank > 0; --rank) bits &= bits - 1;
  return word * kWord + static_cast<std::size_t>(std::countr_zero(bits));
}

}  // namespace bayplan::placement
