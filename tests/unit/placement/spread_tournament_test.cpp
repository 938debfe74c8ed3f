#include "placement/index/spread_tournament.hpp"

#include <algorithm>
#include <cstdint>
#include <random>
#include <vector>

#include "catch.hpp"
#include "placement/model/random.hpp"

using namespace bayplan;
using namespace bayplan::placement;

namespace {

/// Entrants with values of attributes, ranked by the tasks of each value in turn, then by an amount of their own.
struct Race {
  Race(std::uint64_t seed, std::size_t entrants, const std::vector<std::uint64_t>& bounds) : random(seed) {
    for (const std::uint64_t bound : bounds) {
      values.emplace_back();
      for (std::size_t i = 0; i < entrants; ++i)
        values.back().push_back(static_cast<std::uint32_t>(draw(random, bound)));
      counts.emplace_back(bound);
    }
    own.resize(entrants);
    for (auto& one : own) one = static_cast<std::int64_t>(draw(random, 4));
  }

  /// -1, 0 or 1.
  int compare(std::uint32_t a, std::uint32_t b) const {
    for (std::size_t i = 0; i < values.size(); ++i) {
      const auto left = counts[i][values[i][a]], right = counts[i][values[i][b]];
      if (left != right) return left < right ? -1 : 1;
    }
    return own[a] == own[b] ? 0 : own[a] < own[b] ? -1 : 1;
  }
  bool is_better(std::uint32_t a, std::uint32_t b) const {
    const int order = compare(a, b);
    return order != 0 ? order < 0 : a < b;
  }

  std::mt19937_64 random;
  std::vector<std::vector<std::uint32_t>> values;  // by attribute, then entrant
  std::vector<std::vector<std::int64_t>> counts;   // by attribute, then value
  std::vector<std::int64_t> own;
};

}  // namespace

TEST_CASE("a tournament finds the best entrant and its equals as a look at all of them does") {
  const std::vector<std::vector<std::uint64_t>> shapes{{}, {1}, {3}, {200}, {3, 200}, {200, 3}, {3, 40, 2}, {90, 90}};
  std::size_t equals = 0, alone = 0;
  for (std::uint64_t seed = 0; seed < 40; ++seed) {
    for (const std::size_t entrants : {1u, 2u, 7u, 64u, 150u}) {
      Race race(seed, entrants, shapes[seed % shapes.size()]);
      const auto is_better = [&](std::uint32_t a, std::uint32_t b) { return race.is_better(a, b); };
      SpreadTournament tournament(entrants, race.values);
      tournament.rebuild(is_better);
      for (int step = 0; step < 60; ++step) {
        INFO("seed " << seed << ", " << entrants << " entrants, step " << step);
        const std::uint32_t best = tournament.best(is_better);
        std::uint32_t plain = 0;
        std::size_t same = 0;
        for (std::uint32_t i = 1; i < entrants; ++i) plain = is_better(i, plain) ? i : plain;
        for (std::uint32_t i = 0; i < entrants; ++i) same += race.compare(i, plain) == 0 ? 1 : 0;
        REQUIRE(best == plain);
        REQUIRE(tournament.has_equal(best, [&](auto other) { return race.compare(best, other) == 0; }) == (same > 1));
        ++(same > 1 ? equals : alone);
        // Some entrants change, most often the best one, and with each the tasks of its values.
        std::vector<std::uint32_t> changed{best};
        while (draw(race.random, 3) == 0) changed.push_back(static_cast<std::uint32_t>(draw(race.random, entrants)));
        for (const std::uint32_t one : changed) {
          race.own[one] = static_cast<std::int64_t>(draw(race.random, 4));
          for (std::size_t i = 0; i < race.values.size(); ++i)
            race.counts[i][race.values[i][one]] += draw(race.random, 4) == 0 ? -1 : 1;
        }
        for (const std::uint32_t one : changed) tournament.update(one, is_better);
        for (const std::uint32_t one : changed) {
          for (std::size_t i = 0; i < race.values.size(); ++i)
            tournament.update_value(i, race.values[i][one], is_better);
        }
      }
    }
  }
  CHECK(equals > 100);
  CHECK(alone > 100);
}
