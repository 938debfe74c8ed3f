#include "packing/check_bin.hpp"

#include <algorithm>
#include <map>

#include "catch.hpp"
#include "packing/random_problem.hpp"

namespace bayplan::packing {
namespace {

std::int64_t best_of_all(const CheckedBin& bin, std::size_t i, Amounts room, std::uint64_t tokens) {
  if (i == bin.items.size()) return 0;
  const CheckedItem& item = bin.items[i];
  std::int64_t best = best_of_all(bin, i + 1, room, tokens);
  if ((tokens & item.tokens) != 0) return best;
  for (std::int64_t count = 1; count <= item.most; ++count) {
    for (std::size_t d = 0; d < bin.dimensions; ++d) {
      room[d] -= item.size[d];
      if (room[d] < 0) return best;
    }
    best = std::max(best, count * item.worth + best_of_all(bin, i + 1, room, tokens | item.tokens));
  }
  return best;
}

/// Items worth about as much as they take of everything: no price tells which go together.
CheckedBin random_bin(test::TinyProblems& draws, std::int64_t least, std::int64_t most) {
  CheckedBin bin;
  bin.dimensions = static_cast<std::size_t>(draws.draw(2, 4));
  for (std::size_t d = 0; d < bin.dimensions; ++d) bin.capacity[d] = 50;
  const std::int64_t items = draws.draw(6, 9);
  for (std::int64_t i = 0; i < items; ++i) {
    CheckedItem item;
    for (std::size_t d = 0; d < bin.dimensions; ++d) {
      item.size[d] = draws.draw(least, most);
      item.worth += item.size[d] * 1000;
    }
    item.worth += draws.draw(-2000, 2000);
    item.most = draws.draw(1, 2);
    if (draws.draw(0, 5) == 0) {
      item.tokens = static_cast<std::uint64_t>(draws.draw(1, 3));
      item.most = 1;
    }
    if (item.worth > 0) bin.items.push_back(item);
  }
  return bin;
}

/// The best of all fillings by every room of the first two resources; of items with one token the bin takes one.
std::int64_t best_by_room(const CheckedBin& bin) {
  std::map<std::uint64_t, std::vector<CheckedItem>> pools;
  for (const CheckedItem& item : bin.items) pools[item.tokens == 0 ? ~pools.size() : item.tokens].push_back(item);
  const std::int64_t width = bin.capacity[1] + 1;
  std::vector<std::int64_t> best(static_cast<std::size_t>((bin.capacity[0] + 1) * width));
  for (const auto& [tokens, pool] : pools) {
    const auto before = best;
    for (const CheckedItem& item : pool) {
      for (std::int64_t count = 1; count <= item.most; ++count) {
        for (std::int64_t a = count * item.size[0]; a <= bin.capacity[0]; ++a) {
          for (std::int64_t b = count * item.size[1]; b < width; ++b) {
            auto& own = best[static_cast<std::size_t>(a * width + b)];
            const std::int64_t left = (a - count * item.size[0]) * width + b - count * item.size[1];
            own = std::max(own, before[static_cast<std::size_t>(left)] + count * item.worth);
          }
        }
      }
    }
  }
  return best.back();
}

CheckedItem similar_item(test::TinyProblems& draws, std::int64_t largest, std::int64_t of_third) {
  CheckedItem item;
  item.size = {draws.draw(1, largest), draws.draw(1, largest), of_third == 0 ? 0 : draws.draw(1, of_third)};
  item.worth = (item.size[0] * 3 + item.size[1] * 2) * 1000 + draws.draw(-300, 300);
  return item;
}

/// Rooms of two resources that the items use up; of a third there is more than all of them take.
CheckedBin similar_bin(std::int64_t capacity, bool has_third) {
  CheckedBin bin;
  bin.dimensions = has_third ? 3 : 2;
  bin.capacity = {capacity, capacity, has_third ? 100'000 : 0};
  return bin;
}

void check_decided(CheckedBin bin, std::size_t most_states) {
  bin.most_worth = best_by_room(bin);
  CHECK(check_bin(bin, most_states) == Verdict::kHolds);
  --bin.most_worth;
  CHECK(check_bin(bin, most_states) == Verdict::kFails);
}

}  // namespace

TEST_CASE("prices and levels leave few states where many copies are about equally good") {
  test::TinyProblems draws{std::mt19937_64(32)};
  for (int round = 0; round < 12; ++round) {
    CAPTURE(round);
    CheckedBin bin = similar_bin(100, round % 2 == 1);
    for (int i = 0; i < 18; ++i) {
      CheckedItem item = similar_item(draws, 35, round % 2 == 1 ? 500 : 0);
      item.most = std::min({draws.draw(1, 6), 100 / item.size[0], 100 / item.size[1]});
      bin.items.push_back(item);
    }
    check_decided(bin, 100);
  }
}

TEST_CASE("of states with the same tokens those with less room are dropped") {
  test::TinyProblems draws{std::mt19937_64(33)};
  for (int round = 0; round < 6; ++round) {
    CAPTURE(round);
    CheckedBin bin = similar_bin(40, round % 2 == 1);
    for (int i = 0; i < 36; ++i) {
      CheckedItem item = similar_item(draws, 9, round % 2 == 1 ? 500 : 0);
      item.most = 1;
      item.tokens = std::uint64_t{1} << (i % 6);
      bin.items.push_back(item);
    }
    check_decided(bin, 10'000);
  }
}

TEST_CASE("a bin holds as much as the best of all its fillings and not one less") {
  test::TinyProblems draws{std::mt19937_64(31)};
  for (int round = 0; round < 3000; ++round) {
    CheckedBin bin = random_bin(draws, round % 5, 10 + round % 20);
    const std::int64_t best = best_of_all(bin, 0, bin.capacity, 0);
    if (best == 0) continue;
    CAPTURE(round);
    bin.most_worth = best;
    CHECK(check_bin(bin, 100'000) == Verdict::kHolds);
    bin.most_worth = best - 1;
    CHECK(check_bin(bin, 100'000) == Verdict::kFails);
  }
}

}  // namespace bayplan::packing
