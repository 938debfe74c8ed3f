#include "fleet/ideal/few_types.hpp"

#include <algorithm>
#include <numeric>

#include "catch.hpp"
#include "fleet/by_hand.hpp"
#include "fleet/ideal/type_sets.hpp"
#include "fleet/recommended/fleet_rank.hpp"
#include "packing/oracle.hpp"
#include "packing/random_problem.hpp"
#include "packing/undominated_types.hpp"
#include "packing/verify_packing.hpp"

namespace bayplan::fleet {
namespace {

/// One offer of a type of its own a bin type.
Market market_of(const packing::PackingProblem& problem) {
  Market market;
  for (const auto& type : problem.types) {
    Offer offer;
    offer.profile.instance_type = std::string(1, static_cast<char>('a' + market.offers.size()));
    offer.hourly_price = type.price;
    offer.limit = type.limit;
    market.offers.push_back(std::move(offer));
  }
  return market;
}

Question make_packing_question(const packing::PackingProblem& problem) {
  Question question;
  question.problem = problem;
  for (std::uint32_t bin = 0; bin < problem.types.size(); ++bin) question.bins.push_back({bin, "", false, {}});
  return question;
}

std::int64_t left_over(const BoundedPacking& few) {
  return std::accumulate(few.solution.left_over.begin(), few.solution.left_over.end(), std::int64_t{0});
}

/// By every way to pack the tasks into each set of types.
MicroUsd least_of_few(const packing::PackingProblem& problem, std::size_t most) {
  MicroUsd least = packing::kUnlimited;
  for (std::uint32_t set = 1; set < 1U << problem.types.size(); ++set) {
    std::vector<std::uint32_t> types;
    for (std::uint32_t type = 0; type < problem.types.size(); ++type) {
      if ((set >> type & 1U) != 0) types.push_back(type);
    }
    if (types.size() <= most)
      least = std::min(least, packing::test::Oracle(packing::with_types(problem, types)).least());
  }
  return least;
}

BoundedPacking solved(const packing::PackingProblem& problem, std::int64_t most, std::int64_t effort = 1'000'000) {
  packing::SolveLimits limits;
  limits.effort = effort;
  return solve_few_types(market_of(problem), make_packing_question(problem), most, limits);
}

}  // namespace

TEST_CASE("few types are as cheap as every way to pack into each set of them") {
  packing::test::TinyProblems problems{std::mt19937_64(23)};
  int whole = 0;
  int none = 0;
  int dearer = 0;
  int optimal = 0;
  for (int round = 0; round < 90; ++round) {
    const auto problem = round % 2 == 0 ? problems.next() : problems.next_limited();
    const std::int64_t most = round % 3 == 0 ? 2 : 1;
    const MicroUsd least = least_of_few(problem, static_cast<std::size_t>(most));
    const auto few = solved(problem, most);
    CAPTURE(round, most, least);
    if (least >= packing::test::Oracle::kLeftOver) {
      CHECK(left_over(few) > 0);
      CHECK(few.solution.lower_bound == 0);
      ++none;
      continue;
    }
    ++whole;
    CHECK(left_over(few) == 0);
    CHECK(few.contradiction.empty());
    CHECK(packing::fault_of(problem, few.solution.packing) == std::nullopt);
    CHECK(few.solution.cost >= least);
    CHECK(few.solution.lower_bound <= least);
    CHECK(few.solution.optimal == (few.solution.cost == few.solution.lower_bound));
    if (few.solution.optimal) ++optimal;
    for (const auto& part : few.parts) {
      const auto own = packing::with_types(problem, part.bins);
      CHECK(packing::check(own, part.certificate) == packing::Verdict::kHolds);
      CHECK((part.method == packing::BoundMethod::kBranchAndPrice ||
             part.lower_bound <= packing::least_cost(own, part.certificate)));
    }
    std::vector<std::uint32_t> used;
    for (const auto& filled : few.solution.packing) used.push_back(filled.pattern.type);
    std::sort(used.begin(), used.end());
    CHECK(std::unique(used.begin(), used.end()) - used.begin() <= most);
    CHECK(std::includes(few.bins.begin(), few.bins.end(), used.begin(), std::unique(used.begin(), used.end())));
    if (least > least_of_few(problem, problem.types.size())) ++dearer;
  }
  CHECK(whole > 40);
  CHECK(none > 10);
  CHECK(dearer > 5);
  CHECK(optimal >= whole * 95 / 100);
}

TEST_CASE("the fewest tasks that no set of types holds together are named") {
  packing::PackingProblem problem;
  problem.dimensions = 2;
  problem.types = {{{4, 1}, 10}, {{1, 4}, 10}, {{2, 2}, 10}};
  problem.shapes = {{{1, 1}, 5}, {{3, 0}, 2}, {{0, 3}, 1}, {{2, 2}, 1}};
  const auto one = solved(problem, 1);
  CHECK(one.contradiction == std::vector<std::uint32_t>{1, 2});
  CHECK(left_over(one) == 2);
  const auto two = solved(problem, 2);
  CHECK(two.contradiction == std::vector<std::uint32_t>{1, 2, 3});
  CHECK(left_over(two) == 1);
  const auto three = solved(problem, 3);
  CHECK(three.contradiction.empty());
  CHECK(three.solution.optimal);
}

TEST_CASE("where there are too many sets of types the bound is of any number of them") {
  packing::PackingProblem problem;
  problem.dimensions = 2;
  for (std::int64_t i = 0; i < 60; ++i)
    problem.types.push_back({{10 + i, 130 - 2 * i}, 100'000 + 1'000 * i + (i % 7) * 10});
  problem.shapes = {{{3, 40}, 20}, {{30, 3}, 20}, {{7, 7}, 40}, {{11, 25}, 10}};
  const auto market = market_of(problem);
  const auto question = make_packing_question(problem);
  CHECK_FALSE(type_sets(market, question, 4).is_complete);
  const auto few = solved(problem, 4, 2'000'000);
  CHECK(left_over(few) == 0);
  CHECK(packing::fault_of(problem, few.solution.packing) == std::nullopt);
  CHECK(list_types(market, compute_purchases(question, market, few.solution.packing)).size() <= 4);
  REQUIRE(few.parts.size() == 1);
  CHECK(few.parts.front().bins.size() == 60);
  CHECK(few.sets == 0);
  CHECK(few.solution.lower_bound > 0);
  CHECK(few.is_relaxed == (few.solution.cost > few.solution.lower_bound));
  CHECK(few.solution.effort < 4'000'000);
}

TEST_CASE("stopped at once few types still hold every task") {
  packing::PackingProblem problem;
  problem.dimensions = 1;
  problem.types = {{{4}, 10, 1}, {{6}, 20}, {{9}, 31}};
  problem.shapes = {{{3}, 7}};
  packing::SolveLimits limits;
  limits.go_on = [](const packing::Progress&) { return false; };
  for (const std::int64_t most : {1, 2}) {
    const auto few = solve_few_types(market_of(problem), make_packing_question(problem), most, limits);
    CHECK(left_over(few) == 0);
    CHECK(packing::fault_of(problem, few.solution.packing) == std::nullopt);
  }
  const auto hasty = solved(problem, 1, 1);
  CHECK(left_over(hasty) == 0);
}

TEST_CASE("owned types count and what stands does not") {
  packing::PackingProblem problem;
  problem.dimensions = 2;
  problem.types = {{{4, 0}, 0, 1}, {{2, 2}, 10}, {{0, 2}, 4}};
  problem.shapes = {{{2, 0}, 2}, {{0, 2}, 1}};
  Market market = market_of(problem);
  market.offers[0].is_owned = true;
  Question question = make_packing_question(problem);
  const auto owned = solve_few_types(market, question, 1, {});
  CHECK(owned.solution.cost == 20);
  market.offers[0].is_owned = false;
  market.offers[0].standing = {0};
  question.bins[0].standing = {0};
  const auto standing = solve_few_types(market, question, 1, {});
  CHECK(standing.solution.cost == 4);
  CHECK(standing.solution.optimal);
}

}  // namespace bayplan::fleet
