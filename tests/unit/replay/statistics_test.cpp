#include "replay/statistics.hpp"

#include <cmath>

#include "catch.hpp"
#include "replay/agreement.hpp"

using namespace bayplan::replay;

namespace {

bool is_close(double value, double expected, double tolerance = 5e-5) {
  return std::abs(value - expected) <= tolerance;
}

/// A decision with so many eligible and best instances.
Ruling ruling(std::uint32_t eligible, std::uint32_t best, bool is_hit) {
  Ruling one;
  one.eligible = eligible;
  one.best = best;
  one.verdict = is_hit ? Verdict::kHit : Verdict::kMiss;
  one.equal = 1;
  return one;
}

}  // namespace

// Ten decisions whose figures were computed by an independent program.
TEST_CASE("the measures of ten decisions are those that were computed independently", "[replay]") {
  struct Decision {
    std::uint32_t eligible, best;
    bool is_hit;
  };
  constexpr Decision kDecisions[] = {{4, 1, true},  {4, 2, true}, {3, 1, true}, {3, 3, true}, {5, 1, true},
                                     {5, 1, false}, {4, 1, true}, {2, 1, true}, {4, 4, true}, {6, 2, true}};
  Agreement sums;
  std::uint32_t number = 0;
  for (const auto& one : kDecisions) {
    const auto own = ruling(one.eligible, one.best, one.is_hit);
    sums.add(own, own.chance(), number++);
  }
  CHECK(sums.judged == 10);
  CHECK(sums.eligible == 10);
  CHECK(sums.informative == 8);
  CHECK(sums.hits == 7);
  const auto figures = figures_of(sums);
  CHECK(is_close(figures.agreement, 0.875));
  CHECK(is_close(figures.baseline, 0.3208));
  CHECK(is_close(figures.skill, 0.816, 5e-4));
  CHECK(is_close(figures.p_value, 0.00145833, 1e-8));
  CHECK(is_close(figures.own_pick, 0.7315));
  CHECK(figures.interval.low <= 0.5292);
  CHECK(figures.interval.high >= 0.9775);
}

TEST_CASE("the interval of Wilson", "[replay]") {
  struct Case {
    std::int64_t hits, trials;
    double low, high;
  };
  for (const auto& one : {Case{7, 8, .5291, .9776}, Case{950, 1000, .9347, .9619}, Case{300, 300, .9874, 1},
                          Case{60, 60, .9398, 1}, Case{0, 60, 0, .0602}}) {
    const auto interval = wilson_interval(one.hits, one.trials);
    CHECK(is_close(interval.low, one.low));
    CHECK(is_close(interval.high, one.high));
  }
  CHECK(wilson_interval(0, 0).high == 1);
}

TEST_CASE("the chance of hits is exact for few trials and normal for many", "[replay]") {
  CHECK(is_close(chance_of_at_least({0.5, 0.5}, 2), 0.25, 1e-12));
  CHECK(is_close(chance_of_at_least({0.5, 0.25}, 1), 1 - 0.5 * 0.75, 1e-12));
  CHECK(chance_of_at_least({0.5}, 0) == 1);
  const std::vector<double> many(6000, 0.5);
  CHECK(is_close(chance_of_at_least(many, 3000), 0.5, 0.01));
  CHECK(chance_of_at_least(many, 3300) < 1e-10);
}

TEST_CASE("decisions that depend on each other widen the interval", "[replay]") {
  std::vector<TrialCluster> clusters;
  for (int i = 0; i < 40; ++i) clusters.push_back({i % 2 == 0 ? 10 : 5, 10});
  const auto clustered = clustered_interval(clusters);
  const auto wilson = wilson_interval(300, 400);
  CHECK(clustered.high - clustered.low > wilson.high - wilson.low);
  CHECK(clustered.low < 0.75);
  CHECK(clustered.high > 0.75);
}

TEST_CASE("p-values of several rules are adjusted by the method of Holm", "[replay]") {
  const auto adjusted = holm_adjusted({0.01, 0.04, 0.03});
  CHECK(is_close(adjusted[0], 0.03, 1e-12));
  CHECK(is_close(adjusted[1], 0.06, 1e-12));
  CHECK(is_close(adjusted[2], 0.06, 1e-12));
}
