#include "packing/exact_cover.hpp"

#include <random>

#include "catch.hpp"
#include "packing/oracle.hpp"
#include "packing/random_problem.hpp"
#include "packing/verify_packing.hpp"

namespace bayplan::packing::exact_cover_test {
namespace {

PackingProblem of_one_type(test::TinyProblems& problems) {
  PackingProblem problem = problems.next();
  problem.types.resize(1);
  for (Shape& shape : problem.shapes) {
    shape.allowed.clear();
    for (std::size_t d = 0; d < problem.dimensions; ++d) {
      shape.size[d] = std::min(shape.size[d], problem.types[0].capacity[d]);
    }
  }
  return problem;
}

/// A part of the bin's price for the part of the first resource that a task takes: no bin holds more.
std::vector<NanoUsd> worth_by_first_resource(const PackingProblem& problem) {
  std::vector<NanoUsd> worth;
  for (const Shape& shape : problem.shapes) {
    worth.push_back(problem.types[0].price * kNanoUsdPerMicroUsd * shape.size[0] / problem.types[0].capacity[0]);
  }
  return worth;
}

}  // namespace

TEST_CASE("exact cover - finds a packing of the fewest bins, and sees that none has fewer") {
  test::TinyProblems problems(std::mt19937_64(71));
  Effort effort;
  int several = 0;
  for (int round = 0; round < 400; ++round) {
    const PackingProblem problem = of_one_type(problems);
    const std::int64_t fewest = test::Oracle(problem).least() / problem.types[0].price;
    const std::vector<NanoUsd> worth =
        round % 2 == 0 ? worth_by_first_resource(problem) : std::vector<NanoUsd>(problem.shapes.size());
    CAPTURE(round, fewest);
    const ExactCover cover = cover_exactly(problem, all_of(problem), worth, fewest, effort);
    REQUIRE(cover.is_decided);
    REQUIRE_FALSE(fault_of(problem, cover.packing));
    CHECK(bins_of(cover.packing) == fewest);
    const ExactCover none = cover_exactly(problem, all_of(problem), worth, fewest - 1, effort);
    CHECK(none.is_decided);
    CHECK(none.packing.empty());
    if (fewest > 2) ++several;
  }
  CHECK(several > 50);
}

TEST_CASE("exact cover - packs what is left of a problem only") {
  PackingProblem problem{1, {{{10}, 100}}, {{{6}, 3}, {{4}, 5}}, {}};
  RemainingDemand rest = all_of(problem);
  rest.counts = {1, 2};
  Effort effort;
  const ExactCover cover = cover_exactly(problem, rest, {0, 0}, 2, effort);
  std::int64_t tasks = 0;
  for (const FilledBins& filled : cover.packing) tasks += filled.bins * tasks_of(filled.pattern);
  CHECK(tasks == 3);
  CHECK(bins_of(cover.packing) == 2);
}

TEST_CASE("exact cover - more tasks than it can handle are undecided") {
  PackingProblem problem{1, {{{10}, 100}}, {}, {}};
  for (std::int64_t size = 0; size < 65; ++size) problem.shapes.push_back({{1 + size % 9}, 1});
  Effort effort;
  const std::vector<NanoUsd> worth(problem.shapes.size());
  CHECK_FALSE(cover_exactly(problem, all_of(problem), worth, 40, effort).is_decided);
  problem.shapes.resize(64);  // and so are more fillings than it can list
  CHECK_FALSE(cover_exactly(problem, all_of(problem), {worth.begin(), worth.begin() + 64}, 64, effort).is_decided);
}

}  // namespace bayplan::packing::exact_cover_test
