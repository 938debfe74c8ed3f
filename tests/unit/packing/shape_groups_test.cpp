#include "packing/shape_groups.hpp"

#include "catch.hpp"
#include "environment.hpp"
#include "packing/consolidation.hpp"
#include "packing/oracle.hpp"
#include "packing/pattern_rule.hpp"
#include "packing/random_problem.hpp"
#include "packing/solve.hpp"
#include "packing/verify_packing.hpp"

namespace bayplan::packing {
namespace {

PackingProblem many_shapes() {
  std::mt19937_64 random(5);
  PackingProblem problem;
  problem.dimensions = 2;
  problem.types = {BinType{{64, 64}, 100}, BinType{{64, 128}, 120}, BinType{{128, 256}, 250}};
  for (int s = 0; s < 200; ++s) {
    const auto cpu = static_cast<std::int64_t>(4 + random() % 28);
    problem.shapes.push_back(Shape{{cpu, cpu + static_cast<std::int64_t>(random() % 32)}, 1});
  }
  return problem;
}

}  // namespace

TEST_CASE("packing groups - rounding down is a bound, rounding up a packing") {
  test::TinyProblems problems{std::mt19937_64(21)};
  int merged = 0;
  for (std::uint64_t round = 0; round < random_cases(400); ++round) {
    const PackingProblem problem = problems.next();
    const ShapeGroups groups = group_shapes(problem, 2);
    if (groups.members.size() < problem.shapes.size()) ++merged;
    SolveLimits limits;
    limits.effort = 200'000;
    const PackingProblem down = rounded_down(problem, groups);
    const PackingProblem up = rounded_up(problem, groups);
    const MicroUsd least = test::Oracle(problem).least();
    CAPTURE(round);
    CHECK(test::Oracle(down).least() <= least);
    CHECK(test::Oracle(up).least() >= least);
    CHECK(check(problem, expanded(problem, groups, solve(down, limits).certificate)) == Verdict::kHolds);
    const Solution of_up = solve(up, limits);
    if (test::Oracle(up).least() >= test::Oracle::kLeftOver) continue;
    Packing packing = expanded(problem, groups, of_up.packing);
    CHECK(fault_of(problem, packing) == std::nullopt);
    CHECK(compute_cost(problem, packing) == of_up.cost);
    Effort effort;
    consolidate(problem, packing, effort);
    CHECK(fault_of(problem, packing) == std::nullopt);
    CHECK(compute_cost(problem, packing) <= of_up.cost);
  }
  CHECK(merged > at_least(80));
}

TEST_CASE("packing groups - what is alike goes together") {
  PackingProblem problem;
  problem.dimensions = 1;
  problem.types = {BinType{{100}, 100}, BinType{{100}, 100}};
  problem.shapes = {Shape{{10}, 5}, Shape{{40}, 5}, Shape{{11}, 5}, Shape{{42}, 5}, Shape{{10}, 5, {true, false}}};
  const ShapeGroups groups = group_shapes(problem, 3);
  CHECK(groups.members == std::vector<std::vector<std::uint32_t>>{{0, 2}, {1, 3}, {4}});
  CHECK(rounded_down(problem, groups).shapes[1].size[0] == 40);
  CHECK(rounded_up(problem, groups).shapes[1].size[0] == 42);
  CHECK(rounded_up(problem, groups).shapes[1].count == 10);
}

TEST_CASE("packing - hundreds of shapes are packed near a bound that holds") {
  SolveLimits limits;
  limits.effort = 4'000'000;
  const PackingProblem problem = many_shapes();
  const Solution solution = solve(problem, limits);
  CHECK(fault_of(problem, solution.packing) == std::nullopt);
  CHECK(static_cast<double>(solution.cost) < 1.08 * static_cast<double>(solution.lower_bound));
}

TEST_CASE("packing - branching is on dear types first, and proves what the LP does not") {
  PackingProblem problem;
  problem.dimensions = 1;
  problem.types = {BinType{{10}, 100'000}, BinType{{7}, 80'000}};
  problem.shapes = {Shape{{4}, 1}, Shape{{5}, 2}, Shape{{3}, 3}, Shape{{6}, 1}};
  const Solution solution = solve(problem, {});
  CHECK(solution.cost == test::Oracle(problem).least());
  CHECK(solution.optimal);
  const std::vector<Pattern> patterns{Pattern{0, {{0, 1}, {3, 1}}}, Pattern{1, {{1, 1}}}, Pattern{0, {{1, 2}}}};
  const auto undecided = most_fractional(problem, patterns, {0.5, 0.5, 0.75});
  REQUIRE(undecided);
  CHECK(undecided->rule.property == PatternRule::Property::kType);
  CHECK(undecided->rule.type == 1);
  const auto together = most_fractional(problem, patterns, {0.5, 1, 0.5});
  REQUIRE(together);
  CHECK(together->rule.property == PatternRule::Property::kTogether);
  CHECK(together->value == Approx(0.5));
  CHECK_FALSE(most_fractional(problem, patterns, {1, 0, 1}));
}

TEST_CASE("packing - two bins become one where that costs no more") {
  PackingProblem problem;
  problem.dimensions = 1;
  problem.types = {BinType{{10}, 200}, BinType{{5}, 100}, BinType{{5}, 100}};
  problem.shapes = {Shape{{5}, 3}};
  Packing packing{{Pattern{2, {{0, 1}}}, 3}};
  Effort effort;
  consolidate(problem, packing, effort);
  CHECK(packing == Packing{{Pattern{0, {{0, 2}}}, 1}, {Pattern{1, {{0, 1}}}, 1}});
}

TEST_CASE("packing - who says stop gets the best so far") {
  const PackingProblem problem = many_shapes();
  SolveLimits limits;
  int asked = 0;
  limits.go_on = [&](const Progress& progress) {
    CHECK(progress.effort >= 0);
    return ++asked < 3;
  };
  const Solution solution = solve(problem, limits);
  CHECK(fault_of(problem, solution.packing) == std::nullopt);
  CHECK(asked == 3);
  CHECK(solution.stopped_by == StoppedBy::kInterrupted);
}

}  // namespace bayplan::packing
