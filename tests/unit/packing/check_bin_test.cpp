#include "packing/check_bin.hpp"

#include <algorithm>

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

}  // namespace

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
