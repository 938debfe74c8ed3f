#include "packing/grid_bound.hpp"

#include <random>

#include "catch.hpp"

namespace bayplan::packing::grid_bound_test {
namespace {

std::int64_t draw(std::mt19937_64& random, std::int64_t least, std::int64_t most) {
  return least + static_cast<std::int64_t>(random() % static_cast<std::uint64_t>(most - least + 1));
}

Knapsack random_knapsack(std::mt19937_64& random, std::size_t dimensions, std::int64_t capacity,
                         std::int64_t most_value) {
  Knapsack knapsack;
  knapsack.dimensions = dimensions;
  for (std::size_t d = 0; d < dimensions; ++d) knapsack.capacity[d] = draw(random, capacity / 2, capacity);
  for (std::int64_t i = draw(random, 1, 5); i > 0; --i) {
    KnapsackItem item;
    for (std::size_t d = 0; d < dimensions; ++d) item.size[d] = draw(random, 0, capacity / 3);
    item.value = draw(random, 0, most_value);
    item.copies = draw(random, 1, 5);
    knapsack.items.push_back(item);
  }
  return knapsack;
}

std::int64_t best_from(const Knapsack& knapsack, std::size_t first, Amounts room) {
  if (first == knapsack.items.size()) return 0;
  const KnapsackItem& item = knapsack.items[first];
  std::int64_t best = best_from(knapsack, first + 1, room);
  for (std::int64_t count = 1; count <= item.copies; ++count) {
    for (std::size_t d = 0; d < knapsack.dimensions; ++d) {
      room[d] -= item.size[d];
      if (room[d] < 0) return best;
    }
    best = std::max(best, count * item.value + best_from(knapsack, first + 1, room));
  }
  return best;
}

Amounts random_room(std::mt19937_64& random, const Knapsack& knapsack) {
  Amounts room{};
  for (std::size_t d = 0; d < knapsack.dimensions; ++d) room[d] = draw(random, 0, knapsack.capacity[d]);
  return room;
}

}  // namespace

TEST_CASE("packing grid - where every level of room is on the grid the bound is the best filling") {
  std::mt19937_64 random(61);
  for (int round = 0; round < 60; ++round) {
    const Knapsack knapsack = random_knapsack(random, static_cast<std::size_t>(draw(random, 0, 3)), 30, 1000);
    const GridBound bound(knapsack);
    CAPTURE(round);
    for (int look = 0; look < 20; ++look) {
      const Amounts room = random_room(random, knapsack);
      const auto first = static_cast<std::size_t>(draw(random, 0, std::ssize(knapsack.items)));
      REQUIRE(bound(first, room) == best_from(knapsack, first, room));
    }
  }
}

TEST_CASE("packing grid - on a coarse grid the bound is never below the best filling, and seldom far above") {
  std::mt19937_64 random(62);
  double sum = 0;
  double best_sum = 0;
  for (int round = 0; round < 40; ++round) {
    const auto dimensions = static_cast<std::size_t>(draw(random, 2, 5));
    const Knapsack knapsack = random_knapsack(random, dimensions, 1'000'000, 1'000'000'000'000'000);
    const GridBound bound(knapsack);
    CAPTURE(round, dimensions);
    for (int look = 0; look < 20; ++look) {
      const Amounts room = random_room(random, knapsack);
      const auto first = static_cast<std::size_t>(draw(random, 0, std::ssize(knapsack.items)));
      const std::int64_t best = best_from(knapsack, first, room);
      REQUIRE(bound(first, room) >= best);
      sum += static_cast<double>(bound(first, room));
      best_sum += static_cast<double>(best);
    }
  }
  CHECK(sum < 1.2 * best_sum);
}

TEST_CASE("packing grid - items that share a row have the bound of the row's first") {
  std::mt19937_64 random(63);
  Knapsack knapsack{3, {100, 100, 100}, {}};
  for (int i = 0; i < 40; ++i) {
    KnapsackItem item;
    for (std::size_t d = 0; d < 3; ++d) item.size[d] = draw(random, 20, 60);
    item.value = draw(random, 1, 1000);
    item.copies = 1;
    knapsack.items.push_back(item);
  }
  const GridBound bound(knapsack);
  std::size_t shared = 0;
  for (std::size_t first = 0; first <= knapsack.items.size(); ++first) {
    CAPTURE(first);
    const std::int64_t best = best_from(knapsack, first, knapsack.capacity);
    REQUIRE(bound(first, knapsack.capacity) >= best);
    if (first == 0 || bound(first, knapsack.capacity) > best) ++shared;
    if (first > 0) REQUIRE(bound(first, knapsack.capacity) <= bound(first - 1, knapsack.capacity));
  }
  CHECK(bound(0, knapsack.capacity) == best_from(knapsack, 0, knapsack.capacity));
  CHECK(shared > 1);
}

TEST_CASE("packing grid - a resource is counted in the unit that loses least") {
  Knapsack knapsack{1, {31'800}, {}};
  knapsack.items.push_back({{2522}, 90, 3});
  for (const std::int64_t size : {9216, 4096, 2304, 1536, 160}) knapsack.items.push_back({{size}, size / 32 + 5, 4});
  const GridBound bound(knapsack, 1024);
  for (std::int64_t room = 0; room <= 31'800; room += 321) {
    CAPTURE(room);
    REQUIRE(bound(1, {room}) == best_from(knapsack, 1, {room}));
    REQUIRE(bound(0, {room}) >= best_from(knapsack, 0, {room}));
  }
}

TEST_CASE("packing grid - what one resource does not need of the cells the other gets") {
  Knapsack knapsack{2, {8192, 31'800}, {}};
  for (const std::int64_t memory : {2522, 1281, 901, 16'454}) knapsack.items.push_back({{1024, memory}, memory, 4});
  const GridBound bound(knapsack, 9 * 31'801);
  CHECK(bound(0, knapsack.capacity) == best_from(knapsack, 0, knapsack.capacity));
}

}  // namespace bayplan::packing::grid_bound_test
