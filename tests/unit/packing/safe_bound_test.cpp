#include "packing/safe_bound.hpp"

#include "catch.hpp"
#include "packing/most_worth.hpp"
#include "packing/random_problem.hpp"
#include "packing/verify_packing.hpp"

namespace bayplan::packing {

TEST_CASE("whatever the duals, what is made of them holds to the last billionth of a dollar") {
  test::TinyProblems draws{std::mt19937_64(41)};
  int bounds = 0;
  for (int round = 0; round < 3000; ++round) {
    const PackingProblem problem = draws.next_limited();
    Duals duals = no_certificate(problem).duals;
    // Odd and small numbers too: each rounding counts.
    const NanoUsd most = draws.draw(0, 1) == 0 ? 9 : 30'000'000;
    for (NanoUsd& worth : duals.worth) worth = draws.draw(0, most);
    for (NanoUsd& charge : duals.budget_charge) charge = draws.draw(0, most / 9);
    std::vector<NanoUsd> upper_bounds;
    for (std::size_t t = 0; t < problem.types.size(); ++t) {
      upper_bounds.push_back(test::most_worth(problem, duals, t));
      if (problem.types[t].limit != kUnlimited) duals.charge[t] = draws.draw(0, most);
    }
    const Certificate certificate = best_certificate(problem, duals, upper_bounds);
    CAPTURE(round);
    CHECK(check(problem, certificate) == Verdict::kHolds);
    Certificate more = certificate;
    ++more.bound;
    CHECK(check(problem, more) == Verdict::kFails);
    if (certificate.bound > 0) ++bounds;
  }
  CHECK(bounds > 1000);
}

TEST_CASE("what a rule is worth is rounded down, below 0 too") {
  PackingProblem problem;
  problem.dimensions = 1;
  problem.types = {{.capacity = {1}, .price = 1}};
  problem.shapes = {{.size = {1}, .count = 1}};
  Duals duals = no_certificate(problem).duals;
  duals.rule_worth = {-5, 6};
  std::vector<PatternRule> rules(2);
  rules[0].limit = 10;
  rules[1].limit = 100;
  // Worth three times its price: all is divided by 3.
  const Certificate certificate = best_certificate(problem, duals, {3 * kNanoUsdPerMicroUsd}, rules);
  CHECK(certificate.duals.rule_worth == std::vector<NanoUsd>{-2, 2});
  CHECK(certificate.bound == -2 * 10 + 2 * 100);
}

}  // namespace bayplan::packing
