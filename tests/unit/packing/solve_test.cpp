#include "packing/solve.hpp"

#include <algorithm>
#include <map>

#include "catch.hpp"
#include "packing/random_problem.hpp"
#include "packing/verify.hpp"

namespace bayplan::packing {
namespace {

/// The least cost, by trying every filling of the bin that takes the first task left.
class Oracle {
 public:
  explicit Oracle(const PackingProblem& problem) : problem_(problem) {}

  MicroUsd least(const std::vector<std::int64_t>& counts) {
    const auto first = std::find_if(counts.begin(), counts.end(), [](std::int64_t count) { return count > 0; });
    if (first == counts.end()) return 0;
    const auto known = known_.find(counts);
    if (known != known_.end()) return known->second;
    MicroUsd best = kUnlimited;
    for (std::size_t type = 0; type < problem_.types.size(); ++type) {
      fill(type, 0, static_cast<std::size_t>(first - counts.begin()), problem_.types[type].capacity, 0, counts, best);
    }
    return known_[counts] = best;
  }

 private:
  void fill(std::size_t type, std::size_t s, std::size_t first, Amounts room, std::uint64_t tokens,
            std::vector<std::int64_t> left, MicroUsd& best) {
    if (s == problem_.shapes.size()) {
      const MicroUsd rest = least(left);
      if (rest != kUnlimited) best = std::min(best, problem_.types[type].price + rest);
      return;
    }
    const Shape& shape = problem_.shapes[s];
    if (s != first) fill(type, s + 1, first, room, tokens, left, best);
    if (!shape.allowed.empty() && !shape.allowed[type]) return;
    for (std::int64_t count = 1; count <= shape.most_per_bin; ++count) {
      if (left[s] == 0 || (tokens & shape.tokens) != 0) return;
      for (std::size_t d = 0; d < problem_.dimensions; ++d) {
        room[d] -= shape.size[d];
        if (room[d] < 0) return;
      }
      --left[s];
      tokens |= shape.tokens;
      fill(type, s + 1, first, room, tokens, left, best);
    }
  }

  const PackingProblem& problem_;
  std::map<std::vector<std::int64_t>, MicroUsd> known_;
};

std::vector<std::int64_t> counts_of(const PackingProblem& problem) {
  std::vector<std::int64_t> counts;
  for (const Shape& shape : problem.shapes) counts.push_back(shape.count);
  return counts;
}

bool all_fit(const PackingProblem& problem) {
  return std::all_of(problem.shapes.begin(), problem.shapes.end(), [&](const Shape& shape) {
    for (std::size_t t = 0; t < problem.types.size(); ++t) {
      if (most_copies(problem, shape, t) > 0) return true;
    }
    return false;
  });
}

}  // namespace

TEST_CASE("tiny problems are packed and proven as every way to pack them says") {
  test::TinyProblems problems{std::mt19937_64(7)};
  int optimal = 0;
  int seen = 0;
  for (int round = 0; round < 300; ++round) {
    const PackingProblem problem = problems.next();
    if (!all_fit(problem)) continue;
    ++seen;
    const MicroUsd least = Oracle(problem).least(counts_of(problem));
    SolveLimits limits;
    limits.effort = 5'000'000;
    const Solution solution = solve(problem, limits);
    CAPTURE(round, least);
    CHECK(fault_of(problem, solution.packing) == std::nullopt);
    CHECK(solution.cost == cost_of(problem, solution.packing));
    CHECK(solution.lower_bound <= least);
    CHECK(solution.cost >= least);
    CHECK(check(problem, solution.certificate) == Verdict::kHolds);
    if (solution.optimal) CHECK(solution.cost == least);
    if (solution.optimal) ++optimal;
  }
  CHECK(seen > 150);
  CHECK(optimal >= seen * 95 / 100);
}

TEST_CASE("a certificate that promises too much is refused") {
  test::TinyProblems problems{std::mt19937_64(8)};
  int refused = 0;
  for (int round = 0; round < 50; ++round) {
    const PackingProblem problem = problems.next();
    if (!all_fit(problem)) continue;
    SolveLimits limits;
    limits.effort = 500'000;
    Certificate certificate = solve(problem, limits).certificate;
    ++certificate.bound;
    CHECK(check(problem, certificate) == Verdict::kFails);
    --certificate.bound;
    for (NanoUsd& worth : certificate.duals.worth) worth += worth / 2 + kNanoUsdPerUsd;
    if (check(problem, certificate) == Verdict::kFails) ++refused;
  }
  CHECK(refused > 30);
}

TEST_CASE("a packing with a fault is refused") {
  PackingProblem problem;
  problem.dimensions = 1;
  problem.types = {BinType{{10}, 100, 1}};
  problem.shapes = {Shape{{5}, 2}};
  const Packing right{{Pattern{0, {{0, 2}}}, 1}};
  CHECK(fault_of(problem, right) == std::nullopt);
  CHECK(fault_of(problem, {}) == "not each task once of shape 0");
  CHECK(fault_of(problem, {{Pattern{0, {{0, 1}}}, 2}}) == "too many bins of type 0");
  problem.types[0].capacity[0] = 9;
  CHECK(fault_of(problem, right) == "a bin too full of resource 0");
  problem.types[0].capacity[0] = 10;
  problem.shapes[0].most_per_bin = 1;
  CHECK(fault_of(problem, right) == "too many in one bin of shape 0");
}

TEST_CASE("the same problem gives the same packing") {
  test::TinyProblems problems{std::mt19937_64(9)};
  const PackingProblem problem = problems.next();
  SolveLimits limits;
  limits.effort = 200'000;
  const Solution one = solve(problem, limits);
  const Solution two = solve(problem, limits);
  CHECK(one.effort == two.effort);
  CHECK(one.cost == two.cost);
  CHECK(one.certificate.bound == two.certificate.bound);
}

TEST_CASE("a limited type is bought no more often than there are") {
  PackingProblem problem;
  problem.dimensions = 1;
  problem.types = {BinType{{10}, 100, 2}, BinType{{10}, 300}};
  problem.shapes = {Shape{{5}, 8}};
  const Solution solution = solve(problem, {});
  CHECK(fault_of(problem, solution.packing) == std::nullopt);
  CHECK(solution.cost == 800);
  CHECK(solution.lower_bound == 800);
  CHECK(check(problem, solution.certificate) == Verdict::kHolds);
}

}  // namespace bayplan::packing
