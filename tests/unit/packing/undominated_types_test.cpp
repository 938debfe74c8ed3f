#include "packing/undominated_types.hpp"

#include <random>
#include <vector>

#include "catch.hpp"

namespace undominated_types_test {

using namespace bayplan::packing;

namespace {

/// The definition, each type compared with each other one.
std::vector<std::uint32_t> compare_all(const PackingProblem& problem) {
  std::vector<std::uint32_t> kept;
  for (std::uint32_t b = 0; b < problem.types.size(); ++b) {
    bool is_dominated = !is_of_use(problem, b);
    for (std::uint32_t a = 0; a < problem.types.size() && !is_dominated; ++a)
      is_dominated = a != b && is_no_worse(problem, a, b) && (a < b || !is_no_worse(problem, b, a));
    if (!is_dominated) kept.push_back(b);
  }
  return kept;
}

/// Few different figures: equal types, equal prices and mutual limits are frequent.
PackingProblem draw(std::mt19937& random) {
  const auto pick = [&](int least, int most) { return std::uniform_int_distribution(least, most)(random); };
  PackingProblem problem;
  problem.dimensions = 2;
  const int types = pick(1, 24);
  for (int i = 0; i < types; ++i) {
    BinType type{{pick(0, 4), pick(0, 4)}, pick(1, 4)};
    if (pick(0, 5) == 0) type.limit = pick(1, 3);
    problem.types.push_back(type);
  }
  const int shapes = pick(1, 3);
  for (int i = 0; i < shapes; ++i) {
    Shape shape;
    shape.size = {pick(0, 3), pick(1, 3)};
    shape.count = pick(0, 2);
    if (pick(0, 1) == 0) {
      for (int type = 0; type < types; ++type) shape.allowed.push_back(pick(0, 3) > 0);
    }
    problem.shapes.push_back(shape);
  }
  if (pick(0, 3) == 0) {
    Budget budget;
    for (int type = 0; type < types; ++type) budget.weights.push_back(pick(0, 2));
    problem.budgets.push_back(budget);
  }
  return problem;
}

}  // namespace

TEST_CASE("types that no other dominates are those of the definition", "[packing]") {
  std::mt19937 random(7);
  std::size_t dropped = 0;
  for (int round = 0; round < 5'000; ++round) {
    const auto problem = draw(random);
    const auto kept = undominated_types(problem);
    INFO("round " << round);
    REQUIRE(kept == compare_all(problem));
    dropped += problem.types.size() - kept.size();
  }
  CHECK(dropped > 10'000);
}

}  // namespace undominated_types_test
