#include "packing/level_bound.hpp"

#include <algorithm>
#include <random>

#include "catch.hpp"

namespace bayplan::packing {
namespace {

std::int64_t draw(std::mt19937_64& random, std::int64_t least, std::int64_t most) {
  return least + static_cast<std::int64_t>(random() % static_cast<std::uint64_t>(most - least + 1));
}

/// Of one resource, so that nothing but the levels counts; some items take nothing of it.
Knapsack random_knapsack(std::mt19937_64& random, std::int64_t most_copies) {
  Knapsack knapsack;
  knapsack.dimensions = 1;
  knapsack.capacity = {draw(random, 5, 40)};
  for (std::int64_t i = draw(random, 1, 4); i > 0; --i) {
    KnapsackItem item;
    item.size = {std::max<std::int64_t>(0, draw(random, -3, 12))};
    item.value = draw(random, 1, 1000);
    item.copies = draw(random, 1, most_copies);
    knapsack.items.push_back(item);
  }
  return knapsack;
}

std::int64_t best_from(const Knapsack& knapsack, std::size_t first, std::int64_t room) {
  if (first == knapsack.items.size()) return 0;
  const KnapsackItem& item = knapsack.items[first];
  std::int64_t best = 0;
  for (std::int64_t count = 0; count <= item.copies && count * item.size[0] <= room; ++count) {
    best = std::max(best, count * item.value + best_from(knapsack, first + 1, room - count * item.size[0]));
  }
  return best;
}

/// As many copies as there is room for; of what takes no room as many as there are.
Knapsack unlimited(Knapsack knapsack) {
  for (KnapsackItem& item : knapsack.items) {
    if (item.size[0] > 0) item.copies = 99;
  }
  return knapsack;
}

}  // namespace

TEST_CASE("packing levels - up to four copies are counted as they are") {
  std::mt19937_64 random(51);
  for (int round = 0; round < 300; ++round) {
    const Knapsack knapsack = random_knapsack(random, 4);
    const LevelBound bound(knapsack, 0, {});
    CAPTURE(round);
    for (std::int64_t room = 0; room <= knapsack.capacity[0]; ++room) {
      for (std::size_t first = 0; first <= knapsack.items.size(); ++first) {
        REQUIRE(bound(first, {room}) == best_from(knapsack, first, room));
      }
    }
  }
}

TEST_CASE("packing levels - of more copies there may be any number") {
  std::mt19937_64 random(52);
  for (int round = 0; round < 300; ++round) {
    const Knapsack knapsack = random_knapsack(random, 9);
    const LevelBound bound(knapsack, 0, {});
    CAPTURE(round);
    REQUIRE(bound(0, knapsack.capacity) >= best_from(knapsack, 0, knapsack.capacity[0]));
    REQUIRE(bound(0, knapsack.capacity) <= best_from(unlimited(knapsack), 0, knapsack.capacity[0]));
  }
}

TEST_CASE("packing levels - what is worth less than the other resources that it takes adds nothing") {
  std::mt19937_64 random(53);
  for (int round = 0; round < 300; ++round) {
    Knapsack knapsack = random_knapsack(random, 4);
    Knapsack surplus = knapsack;  // of the first resource alone
    knapsack.dimensions = 2;
    knapsack.capacity[1] = 50;
    for (std::size_t i = 0; i < knapsack.items.size(); ++i) {
      knapsack.items[i].size[1] = draw(random, 0, 50);
      surplus.items[i].value = std::max<std::int64_t>(0, knapsack.items[i].value - 20 * knapsack.items[i].size[1]);
    }
    const LevelBound bound(knapsack, 0, {7, 20});
    CAPTURE(round);
    for (std::int64_t room = 0; room <= knapsack.capacity[0]; ++room) {
      for (std::size_t first = 0; first <= knapsack.items.size(); ++first)
        REQUIRE(bound(first, {room, 30}) == best_from(surplus, first, room) + 20 * 30);
    }
  }
}

}  // namespace bayplan::packing
