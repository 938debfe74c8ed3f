#include "catch.hpp"
#include "packing/solve.hpp"
#include "packing/undominated_types.hpp"

namespace bayplan::packing {
namespace {

/// Three types of one resource, the second and third for the second shape alone.
PackingProblem three_types() {
  PackingProblem problem;
  problem.dimensions = 1;
  problem.types = {{{4}, 100}, {{8}, 150}, {{2}, 60}};
  problem.shapes = {{{2}, 2, {true, false, false}, kUnlimited, 0}, {{4}, 2, {true, true, false}, kUnlimited, 0}};
  return problem;
}

}  // namespace

TEST_CASE("a packing of a sub-problem is told in the numbers of the whole") {
  const auto whole = three_types();
  const auto sub = sub_problem(whole, {0, 1});
  REQUIRE(sub.problem.types.size() == 2);
  const auto solution = solve_in_whole(sub_problem(whole, {1, 0}), {});
  CHECK(solution.cost == 250);
  CHECK(compute_cost(whole, solution.packing) == 250);
  for (const auto& filled : solution.packing) {
    for (const auto& copies : filled.pattern.copies) CHECK(is_allowed(whole.shapes[copies.shape], filled.pattern.type));
  }
}

TEST_CASE("shapes of a sub-problem that are one of the whole are put together") {
  // Both kinds of task of the sub-problem are the second shape of the whole.
  SubProblem sub{three_types(), {0, 1, 2}, {1, 1}};
  const Packing whole = sub.in_whole({{{{1, {{0, 1}, {1, 1}}}, 3}}});
  REQUIRE(whole.size() == 1);
  CHECK(whole[0] == FilledBins{{1, {{1, 2}}}, 3});
  CHECK_THROWS(sub.in_whole({{{{7, {}}, 1}}}));
}

}  // namespace bayplan::packing
