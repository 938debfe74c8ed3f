#include "packing/knapsack.hpp"

#include <algorithm>
#include <random>

#include "catch.hpp"

namespace bayplan::packing::knapsack_test {
namespace {

std::int64_t draw(std::mt19937_64& random, std::int64_t least, std::int64_t most) {
  return least + static_cast<std::int64_t>(random() % static_cast<std::uint64_t>(most - least + 1));
}

Knapsack random_knapsack(std::mt19937_64& random) {
  Knapsack knapsack;
  knapsack.dimensions = static_cast<std::size_t>(draw(random, 1, 4));
  for (std::size_t d = 0; d < knapsack.dimensions; ++d) knapsack.capacity[d] = draw(random, 5, 40);
  const std::int64_t items = draw(random, 1, 6);
  for (std::int64_t i = 0; i < items; ++i) {
    KnapsackItem item;
    for (std::size_t d = 0; d < knapsack.dimensions; ++d) item.size[d] = draw(random, 0, 12);
    item.value = draw(random, 1, 1000);
    item.copies = draw(random, 1, 3);
    if (draw(random, 0, 3) == 0) {
      item.tokens = static_cast<std::uint64_t>(draw(random, 1, 3));
      item.copies = 1;
    }
    item.shape = static_cast<std::uint32_t>(i);
    knapsack.items.push_back(item);
  }
  return knapsack;
}

std::int64_t best_of_all(const Knapsack& knapsack, std::size_t item, Amounts room, std::uint64_t tokens) {
  if (item == knapsack.items.size()) return 0;
  const KnapsackItem& of = knapsack.items[item];
  std::int64_t best = best_of_all(knapsack, item + 1, room, tokens);
  if ((tokens & of.tokens) != 0) return best;
  for (std::int64_t count = 1; count <= of.copies; ++count) {
    for (std::size_t d = 0; d < knapsack.dimensions; ++d) {
      room[d] -= of.size[d];
      if (room[d] < 0) return best;
    }
    best = std::max(best, count * of.value + best_of_all(knapsack, item + 1, room, tokens | of.tokens));
  }
  return best;
}

std::int64_t worth(const Knapsack& knapsack, const Filling& filling) {
  Amounts used{};
  std::int64_t value = 0;
  for (const Copies& copies : filling.copies) {
    const KnapsackItem& item = knapsack.items[copies.shape];
    REQUIRE(copies.count <= item.copies);
    value += copies.count * item.value;
    for (std::size_t d = 0; d < knapsack.dimensions; ++d) used[d] += copies.count * item.size[d];
  }
  for (std::size_t d = 0; d < knapsack.dimensions; ++d) REQUIRE(used[d] <= knapsack.capacity[d]);
  return value;
}

/// As above with rules: they look at the whole filling.
std::int64_t best_with_rules(const Knapsack& knapsack, std::size_t item, Amounts room, std::uint64_t tokens,
                             Pattern& pattern, std::int64_t value) {
  if (item == knapsack.items.size()) {
    for (const KnapsackRule& rule : knapsack.rules) value += has_property(rule.rule, pattern) ? rule.value : 0;
    return value;
  }
  const KnapsackItem& of = knapsack.items[item];
  std::int64_t best = best_with_rules(knapsack, item + 1, room, tokens, pattern, value);
  if ((tokens & of.tokens) != 0) return best;
  for (std::int64_t count = 1; count <= of.copies; ++count) {
    for (std::size_t d = 0; d < knapsack.dimensions; ++d) {
      room[d] -= of.size[d];
      if (room[d] < 0) return best;
    }
    pattern.copies.push_back({of.shape, count});
    best = std::max(best,
                    best_with_rules(knapsack, item + 1, room, tokens | of.tokens, pattern, value + count * of.value));
    pattern.copies.pop_back();
  }
  return best;
}

std::int64_t shared(const Filling& a, const Filling& b) {
  std::int64_t tasks = 0;
  for (const Copies& of_a : a.copies) {
    for (const Copies& of_b : b.copies) tasks += of_a.shape == of_b.shape ? std::min(of_a.count, of_b.count) : 0;
  }
  return tasks;
}

PatternRule random_rule(const Knapsack& knapsack, std::mt19937_64& random) {
  PatternRule rule;
  const auto last = static_cast<std::int64_t>(knapsack.items.size()) - 1;
  rule.shapes = {static_cast<std::uint32_t>(draw(random, 0, last))};
  const auto other = static_cast<std::uint32_t>(draw(random, 0, last));
  if (other > rule.shapes.front()) rule.shapes.push_back(other);
  for (std::size_t i = 0; i < rule.shapes.size(); ++i) rule.least.push_back(draw(random, 1, 2));
  return rule;
}

}  // namespace

TEST_CASE("rules of what stands together are priced as every filling says") {
  std::mt19937_64 random(5);
  Effort effort;
  int differs = 0;
  for (int round = 0; round < 1000; ++round) {
    Knapsack knapsack = random_knapsack(random);
    if (round % 3 == 0) knapsack.items.front().value = 0;
    const std::int64_t without = best_of_all(knapsack, 0, knapsack.capacity, 0);
    for (std::int64_t r = draw(random, 1, 4); r > 0; --r) {
      const std::int64_t value = draw(random, 0, 9) == 0 ? -1'000'000'000 : draw(random, -900, 900);
      knapsack.rules.push_back({random_rule(knapsack, random), value});
    }
    Pattern pattern;
    const std::int64_t best = best_with_rules(knapsack, 0, knapsack.capacity, 0, pattern, 0);
    if (best != without) ++differs;
    const KnapsackAnswer answer = solve_knapsack(knapsack, {0, 100'000, 1}, effort);
    CAPTURE(round);
    CHECK(answer.upper_bound == best);
    if (best > 0) CHECK(answer.fillings.front().value == best);
    CHECK(solve_knapsack(knapsack, {0, 2, 1}, effort).upper_bound >= best);
  }
  CHECK(differs > 300);
}

TEST_CASE("a wide search finds the best filling") {
  std::mt19937_64 random(1);
  Effort effort;
  for (int round = 0; round < 2000; ++round) {
    const Knapsack knapsack = random_knapsack(random);
    const std::int64_t best = best_of_all(knapsack, 0, knapsack.capacity, 0);
    const KnapsackAnswer answer = solve_knapsack(knapsack, {0, 100'000, 3}, effort);
    CAPTURE(round);
    CHECK(answer.upper_bound == best);
    REQUIRE(answer.fillings.empty() == (best == 0));
    if (best > 0) CHECK(worth(knapsack, answer.fillings.front()) == best);
    for (const Filling& filling : answer.fillings) CHECK(worth(knapsack, filling) == filling.value);
  }
}

TEST_CASE("a search with a table finds the best filling too, and others that share half of their tasks at most") {
  std::mt19937_64 random(6);
  Effort effort;
  std::size_t others = 0;
  for (int round = 0; round < 300; ++round) {
    const Knapsack knapsack = random_knapsack(random);
    const std::int64_t best = best_of_all(knapsack, 0, knapsack.capacity, 0);
    const KnapsackAnswer answer = solve_knapsack(knapsack, {0, 100'000, 4, 1000, true}, effort);
    CAPTURE(round);
    CHECK(answer.upper_bound == best);
    REQUIRE(answer.fillings.empty() == (best == 0));
    if (best == 0) continue;
    CHECK(answer.fillings.front().value == best);
    for (std::size_t i = 1; i < answer.fillings.size(); ++i, ++others) {
      for (std::size_t j = 0; j < i; ++j) {
        const Filling& filling = answer.fillings[i];
        CHECK(2 * shared(filling, answer.fillings[j]) <= tasks_of({0, filling.copies}));
      }
    }
    CHECK(solve_knapsack(knapsack, {0, 1, 1, 1000, true}, effort).upper_bound >= best);
  }
  CHECK(others > 100);
}

TEST_CASE("a narrow search is never below the best filling") {
  std::mt19937_64 random(2);
  Effort effort;
  int narrow = 0;
  for (int round = 0; round < 2000; ++round) {
    const Knapsack knapsack = random_knapsack(random);
    const std::int64_t best = best_of_all(knapsack, 0, knapsack.capacity, 0);
    const KnapsackAnswer answer = solve_knapsack(knapsack, {0, 1, 1}, effort);
    CAPTURE(round);
    CHECK(answer.upper_bound >= best);
    if (answer.fillings.empty() || answer.fillings.front().value < best) ++narrow;
  }
  CHECK(narrow > 0);
}

TEST_CASE("a search cut short is never below the best filling") {
  std::mt19937_64 random(4);
  for (int round = 0; round < 500; ++round) {
    const Knapsack knapsack = random_knapsack(random);
    Effort effort(draw(random, 1, 40));
    const KnapsackAnswer answer = solve_knapsack(knapsack, {0, 100'000, 1}, effort);
    CHECK(answer.upper_bound >= best_of_all(knapsack, 0, knapsack.capacity, 0));
  }
}

TEST_CASE("only fillings worth more than the target are handed back") {
  std::mt19937_64 random(3);
  Effort effort;
  for (int round = 0; round < 500; ++round) {
    const Knapsack knapsack = random_knapsack(random);
    const std::int64_t best = best_of_all(knapsack, 0, knapsack.capacity, 0);
    const KnapsackAnswer none = solve_knapsack(knapsack, {best, 100'000, 1}, effort);
    CHECK(none.fillings.empty());
    CHECK(none.upper_bound == best);
    if (best == 0) continue;
    const KnapsackAnswer one = solve_knapsack(knapsack, {best - 1, 100'000, 1}, effort);
    REQUIRE(one.fillings.size() == 1);
    CHECK(one.fillings.front().value == best);
  }
}

}  // namespace bayplan::packing::knapsack_test
