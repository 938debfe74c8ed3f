#include "packing/volume_bound.hpp"

#include "catch.hpp"
#include "packing/oracle.hpp"
#include "packing/random_problem.hpp"

namespace bayplan::packing {

TEST_CASE("a bound by volume takes whole bins and the best rate of any") {
  PackingProblem problem;
  problem.dimensions = 2;
  problem.types = {BinType{{10, 0}, 100}, BinType{{4, 8}, 60}, BinType{{10, 10}, 0, 1}};
  problem.shapes = {Shape{{3, 1}, 8}};
  CHECK(volume_bound(problem, {0}) == std::nullopt);
  CHECK(volume_bound(problem, {1}) == 6 * 60);
  CHECK(volume_bound(problem, {0, 1}) == 3 * 100 - 60);
  CHECK(volume_bound(problem, {1, 2}) == 4 * 60);
  CHECK(volume_bound(problem, {2}) == std::nullopt);
}

TEST_CASE("no packing costs less than its volume") {
  test::TinyProblems problems{std::mt19937_64(5)};
  int tight = 0;
  for (int round = 0; round < 150; ++round) {
    const PackingProblem problem = problems.next_limited();
    std::vector<std::uint32_t> all;
    for (std::uint32_t type = 0; type < problem.types.size(); ++type) all.push_back(type);
    const MicroUsd least = test::Oracle(problem).least();
    const auto bound = volume_bound(problem, all);
    CAPTURE(round, least);
    CHECK((bound ? *bound <= least : least >= test::Oracle::kLeftOver));
    if (bound == least) ++tight;
  }
  CHECK(tight > 10);
}

}  // namespace bayplan::packing
