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
  for (int round = 0; round < 30'000; ++round) {
    auto& key = keys[dice() % keys.size()];
    switch (dice() % 4) {
      case 0: {  // Few values at a time: blocks are split there, and others become empty.
        const auto to = key_of(dice() % 10 + static_cast<std::uint64_t>(round) / 100, static_cast<std::uint32_t>(key));
        const std::uint64_t kept = dice(), mask = dice() & dice() & dice();
        if (plain.masks.contains(to)) break;
        index.move(key, to, kept, mask);
        plain.masks[to] = (plain.masks[key] & kept) | mask;
        plain.masks.erase(key);
        key = to;
        break;
      }
      case 1: {
        const auto lane = draw_lane();
        const bool on = dice() % 2 == 0;
        index.set(key, lane, on);
        const std::uint64_t bit = std::uint64_t{1} << lane;
        plain.masks[key] = on ? plain.masks[key] | bit : plain.masks[key] & ~bit;
        break;
      }
      case 2: {
        const std::uint64_t mask = dice() & dice();
        index.add(key, mask);
        plain.masks[key] |= mask;
        break;
      }
      default:
        if (round % 50 == 0) {
          keys.push_back(key_of(dice() % 1000, static_cast<std::uint32_t>(keys.size())));
          index.put(keys.back(), 1);
          plain.masks[keys.back()] = 1;
        }
    }
    const auto lane = draw_lane();
    const auto holds = [&](std::uint32_t instance) { return instance % 7 == lane % 7; };
    const auto place = index.first(lane, holds);
    const auto found = place ? std::optional(index.instance(*place)) : std::nullopt;
    REQUIRE(found == plain.first(lane, holds));
  }
}
