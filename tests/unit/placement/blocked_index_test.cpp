#include "placement/index/blocked_index.hpp"

#include <algorithm>
#include <map>
#include <random>

#include "catch.hpp"

using namespace bayplan;
using namespace bayplan::placement;

namespace {

BlockedKey key_of(std::uint64_t left, std::uint32_t instance) {
  return BlockedKey{left} << kInstanceBits | instance;
}

/// The same by a plain look at every instance in the order of the keys.
class PlainIndex {
 public:
  std::map<BlockedKey, std::uint64_t> masks;

  template <class Holds>
  std::optional<std::uint32_t> first(unsigned lane, Holds holds) {
    for (auto& [key, mask] : masks) {
      if ((mask >> lane & 1) == 0) continue;
      if (holds(static_cast<std::uint32_t>(key))) return static_cast<std::uint32_t>(key);
      mask &= ~(std::uint64_t{1} << lane);
    }
    return std::nullopt;
  }
};

}  // namespace

TEST_CASE("the blocked index finds the first of each lane while thousands of instances move") {
  constexpr std::uint32_t kInstances = 4000;  // more than two groups of blocks
  std::mt19937_64 dice(7);
  std::vector<BlockedKey> keys;
  PlainIndex plain;
  for (std::uint32_t i = 0; i < kInstances; ++i) {
    keys.push_back(key_of(dice() % 1000, i));
    plain.masks[keys.back()] = 0;
  }
  std::vector<BlockedKey> sorted = keys;
  std::sort(sorted.begin(), sorted.end());
  BlockedIndex index(sorted);
  const auto draw_lane = [&] { return static_cast<unsigned>(dice() % 64); };
  // Few instances are of a lane: a group of blocks that is wrongly passed over is missed.
  const auto draw_mask = [&] { return dice() % 16 == 0 ? std::uint64_t{1} << draw_lane() : 0; };
  const auto move = [&](BlockedKey& key, BlockedKey to, std::uint64_t kept, std::uint64_t mask) {
    if (plain.masks.contains(to)) return;
    index.move(key, to, kept, mask);
    plain.masks[to] = (plain.masks[key] & kept) | mask;
    plain.masks.erase(key);
    key = to;
  };
  const auto check = [&] {
    const auto lane = draw_lane();
    const auto holds = [&](std::uint32_t instance) { return instance % 4 != lane % 4; };
    const auto place = index.first(lane, holds);
    const auto found = place ? std::optional(index.instance(*place)) : std::nullopt;
    REQUIRE(found == plain.first(lane, holds));
  };
  for (int round = 0; round < 30'000; ++round) {
    auto& key = keys[dice() % keys.size()];
    switch (dice() % 4) {
      case 0: {  // Few values at a time: blocks are split there.
        const auto to = key_of(dice() % 10 + static_cast<std::uint64_t>(round) / 100, static_cast<std::uint32_t>(key));
        move(key, to, dice() % 2 == 0 ? dice() : ~std::uint64_t{0}, draw_mask());
        break;
      }
      case 1: {
        const auto lane = draw_lane();
        const bool on = dice() % 16 == 0;
        index.set(key, lane, on);
        const std::uint64_t bit = std::uint64_t{1} << lane;
        plain.masks[key] = on ? plain.masks[key] | bit : plain.masks[key] & ~bit;
        break;
      }
      case 2: {
        const std::uint64_t mask = draw_mask();
        index.add(key, mask);
        plain.masks[key] |= mask;
        break;
      }
      default:
        if (round % 50 == 0) {
          keys.push_back(key_of(dice() % 1000, static_cast<std::uint32_t>(keys.size())));
          const std::uint64_t mask = draw_mask();
          index.put(keys.back(), mask);
          plain.masks[keys.back()] = mask;
        }
    }
    check();
  }
  std::sort(keys.begin(), keys.end());
  for (auto& key : keys) {  // Blocks become empty, from the first one on.
    move(key, key_of(5000 + dice() % 10, static_cast<std::uint32_t>(key)), ~std::uint64_t{0}, draw_mask());
    check();
  }
}
