#include "packing/solve.hpp"

#include <algorithm>
#include <numeric>

#include "catch.hpp"
#include "environment.hpp"
#include "packing/oracle.hpp"
#include "packing/random_problem.hpp"
#include "packing/verify_packing.hpp"
#include "packing/volume_bound.hpp"

namespace bayplan::packing {
namespace {

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
  for (std::uint64_t round = 0; round < random_cases(300); ++round) {
    const PackingProblem problem = problems.next();
    if (!all_fit(problem)) continue;
    ++seen;
    const MicroUsd least = test::Oracle(problem).least();
    SolveLimits limits;
    limits.effort = 1'000'000;
    const Solution solution = solve(problem, limits);
    CAPTURE(round, least);
    CHECK(fault_of(problem, solution.packing) == std::nullopt);
    CHECK(solution.cost == compute_cost(problem, solution.packing));
    CHECK(solution.lower_bound <= least);
    CHECK(least_cost(problem, solution.certificate) <= least);
    if (solution.bound_method == BoundMethod::kCertificate) {
      CHECK(solution.lower_bound == least_cost(problem, solution.certificate));
    }
    CHECK(solution.optimal == (solution.cost == solution.lower_bound));
    CHECK(solution.cost >= least);
    CHECK(check(problem, solution.certificate) == Verdict::kHolds);
    if (solution.optimal) CHECK(solution.cost == least);
    if (solution.optimal) ++optimal;
  }
  CHECK(seen > at_least(150));
  CHECK(optimal >= seen * 95 / 100);
}

TEST_CASE("the whole solution of a node is taken though no dive from the root comes to it") {
  PackingProblem problem;
  problem.dimensions = 1;
  problem.types = {{{4}, 1'558'100}, {{3}, 1'380'500}};  // four tasks for 0.3895 each, three for 0.4602
  problem.shapes = {{{1}, 5}};
  SolveLimits limits;
  limits.effort = 1'000'000;
  const Solution solution = solve(problem, limits);
  CHECK(solution.cost == 2'761'000);
  CHECK(solution.lower_bound == 2'761'000);
  CHECK(solution.optimal);
  CHECK(fault_of(problem, solution.packing) == std::nullopt);
}

TEST_CASE("a rule that the LP keeps only in part is not tried again and again") {
  PackingProblem problem;
  problem.dimensions = 2;
  problem.types = {{{4096, 15'611}, 192'000}, {{4096, 31'715}, 252'000}};
  problem.shapes = {{{1900, 2000}, 4}, {{512, 1000}, 7}, {{256, 2000}, 6}};
  SolveLimits limits;
  limits.effort = 1'000'000;
  const Solution solution = solve(problem, limits);
  CHECK(solution.cost == 4 * 192'000);
  CHECK(solution.optimal);
  CHECK(solution.effort < limits.effort);
}

TEST_CASE("53 equal tasks, 26 to a bin of either type, are proven to take three bins") {
  PackingProblem problem;
  problem.dimensions = 2;
  problem.types = {{{2048, 7800}, 96'000}, {{2048, 3700}, 89'250}};
  problem.shapes = {{{78, 130}, 53}};
  SolveLimits limits;
  limits.effort = 1'000'000;
  const Solution solution = solve(problem, limits);
  CHECK(solution.cost == 3 * 89'250);
  CHECK(solution.lower_bound == 3 * 89'250);
  CHECK(solution.optimal);
}

TEST_CASE("prices of bins that no task may go to do not blur the bound") {
  PackingProblem problem;
  problem.dimensions = 1;
  problem.types = {{{8}, 192'000}};
  for (MicroUsd price = 10'007; price < 10'107; ++price) problem.types.push_back({{price}, price});
  problem.types.push_back({{0}, 1});
  Shape shape{{1}, 30, std::vector<bool>(problem.types.size())};
  shape.allowed.front() = shape.allowed.back() = true;
  problem.shapes = {shape};
  SolveLimits limits;
  limits.effort = 100'000;
  const Solution solution = solve(problem, limits);
  CHECK(solution.cost == 4 * 192'000);
  CHECK(solution.lower_bound == solution.cost);
  CHECK(solution.optimal);
  CHECK(least_cost(problem, solution.certificate) == solution.cost);
  CHECK(check(problem, solution.certificate) == Verdict::kHolds);
}

namespace {

/// Distinct tasks of one type of bin; each takes a part of every resource.
PackingProblem distinct_tasks(std::size_t count, std::size_t dimensions, std::int64_t least, std::int64_t most) {
  std::mt19937_64 random(11);
  PackingProblem problem;
  problem.dimensions = dimensions;
  BinType& type = problem.types.emplace_back();
  type.price = kMicroUsdPerUsd;
  for (std::size_t d = 0; d < dimensions; ++d) type.capacity[d] = 196'608;
  for (std::size_t s = 0; s < count; ++s) {
    Shape& shape = problem.shapes.emplace_back();
    shape.count = 1;
    for (std::size_t d = 0; d < dimensions; ++d)
      shape.size[d] = least + static_cast<std::int64_t>(random() % static_cast<std::uint64_t>(most - least));
  }
  return problem;
}

Solution solved(const PackingProblem& problem, std::int64_t effort) {
  SolveLimits limits;
  limits.effort = effort;
  return solve(problem, limits);
}

}  // namespace

TEST_CASE("no bound is below the volume of a resource, however little effort there is") {
  const PackingProblem problem = distinct_tasks(250, 3, 5'000, 97'000);
  const MicroUsd volume = volume_bound(problem, {0}).value();
  for (const std::int64_t effort : {1, 100'000, 3'000'000}) {
    const Solution solution = solved(problem, effort);
    CAPTURE(effort, solution.effort);
    CHECK(solution.lower_bound >= volume);
    CHECK(solution.lower_bound == least_cost(problem, solution.certificate));
    CHECK(check(problem, solution.certificate) == Verdict::kHolds);
    CHECK(fault_of(problem, solution.packing) == std::nullopt);
  }
}

TEST_CASE("no bound of tiny problems is below the volume of a resource in unlimited bins") {
  test::TinyProblems problems{std::mt19937_64(29)};
  for (std::uint64_t round = 0; round < random_cases(300); ++round) {
    const PackingProblem problem = problems.next();
    if (!all_fit(problem)) continue;
    const Solution solution = solved(problem, 1);
    for (std::size_t d = 0; d < problem.dimensions; ++d) {
      double demand = 0;
      for (const Shape& shape : problem.shapes) demand += static_cast<double>(shape.size[d] * shape.count);
      double rate = 1e300;
      for (const BinType& type : problem.types)
        rate = std::min(rate, static_cast<double>(type.price) / static_cast<double>(type.capacity[d]));
      CAPTURE(round, d);
      CHECK(static_cast<double>(solution.lower_bound) > demand * rate - 0.001);
    }
  }
}

TEST_CASE("tasks above half of a bin count as whole bins, and sizes for the part of a bin that they waste") {
  CHECK(solved(distinct_tasks(200, 2, 99'000, 190'000), 1).lower_bound == 200 * kMicroUsdPerUsd);
  // Two of each fit a bin: a half of it each, though the volume says two fifths.
  CHECK(solved(distinct_tasks(200, 1, 66'000, 90'000), 1).lower_bound == 100 * kMicroUsdPerUsd);
}

TEST_CASE("tiny problems with limits, budgets and free bins are packed as well as every way to pack them says") {
  test::TinyProblems problems{std::mt19937_64(17)};
  int optimal = 0;
  int whole = 0;
  int partly = 0;
  int fewest = 0;
  int infeasible = 0;
  for (std::uint64_t round = 0; round < random_cases(250); ++round) {
    const PackingProblem problem = problems.next_limited();
    const MicroUsd least = test::Oracle(problem).least();
    SolveLimits limits;
    limits.effort = 300'000;
    const Solution solution = solve(problem, limits);
    CAPTURE(round, least);
    PackingProblem packed = problem;
    for (std::size_t s = 0; s < problem.shapes.size(); ++s) packed.shapes[s].count -= solution.left_over[s];
    CHECK(fault_of(packed, solution.packing) == std::nullopt);
    CHECK(solution.cost == compute_cost(problem, solution.packing));
    CHECK(check(problem, solution.certificate) == Verdict::kHolds);
    const std::int64_t left_over =
        std::accumulate(solution.left_over.begin(), solution.left_over.end(), std::int64_t{0});
    CHECK(left_over >= least / test::Oracle::kLeftOver);
    if (left_over > 0) {
      CHECK_FALSE(solution.optimal);
      CHECK(solution.lower_bound == 0);
      if (solution.is_infeasible) ++infeasible;
      if (solution.is_infeasible) CHECK(least >= test::Oracle::kLeftOver);
      ++partly;
      if (left_over == least / test::Oracle::kLeftOver) ++fewest;
      continue;
    }
    ++whole;
    CHECK(solution.lower_bound <= least);
    CHECK(least_cost(problem, solution.certificate) <= least);
    if (solution.bound_method == BoundMethod::kCertificate) {
      CHECK(solution.lower_bound == least_cost(problem, solution.certificate));
    }
    CHECK(solution.optimal == (solution.cost == solution.lower_bound));
    CHECK(solution.cost >= least);
    if (solution.optimal) CHECK(solution.cost == least);
    if (solution.optimal) ++optimal;
  }
  CHECK(whole > at_least(100));
  CHECK(partly > at_least(60));
  CHECK(optimal >= whole * 95 / 100);
  CHECK(fewest >= partly * 95 / 100);
  CHECK(infeasible >= partly * 95 / 100);
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
  problem.shapes[0].most_per_bin = kUnlimited;
  problem.budgets = {Budget{{4}, 4}};
  CHECK(fault_of(problem, right) == std::nullopt);
  problem.budgets[0].limit = 3;
  CHECK(fault_of(problem, right) == "too much spent of budget 0");
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

TEST_CASE("the number of threads does not change what is found, also where the effort ends within a round") {
  std::mt19937_64 random(10);
  const auto draw = [&](std::int64_t least, std::int64_t most) {
    return least + static_cast<std::int64_t>(random() % static_cast<std::uint64_t>(most - least + 1));
  };
  PackingProblem problem;
  problem.dimensions = 2;
  for (std::int64_t cores = 2; cores <= 96; cores += 2) {
    const std::int64_t memory = cores * 1024 * draw(2, 8);
    problem.types.push_back({{cores * 1024, memory}, cores * 30'000 + memory * 3 + draw(0, 20'000)});
  }
  for (int s = 0; s < 40; ++s) problem.shapes.push_back({{draw(128, 8192), draw(256, 60'000)}, draw(1, 40)});
  std::vector<std::int64_t> efforts = {300'000, 1'000'000, 1'500'000};
  SECTION("tasks for dives") {
    efforts.push_back(search_effort(12'000'000));
  }
  SECTION("tasks for branch-and-price") {
    for (Shape& shape : problem.shapes) shape.count = 1;
    efforts.push_back(search_effort(30'000'000));
  }
  for (const std::int64_t effort : efforts) {
    SolveLimits limits;
    limits.effort = effort;
    int asked = 0;
    limits.go_on = [&](const Progress&) { return ++asked > 0; };
    const Solution one = solve(problem, limits);
    limits.threads = 4;
    const Solution four = solve(problem, limits);
    CAPTURE(effort);
    CHECK(asked > 0);
    CHECK(one.effort == four.effort);
    CHECK(one.packing == four.packing);
    CHECK(one.lower_bound == four.lower_bound);
    CHECK(one.certificate.bound == four.certificate.bound);
  }
}

TEST_CASE("bins of 8 vCPUs for tasks of which some have odd memory are proven closely, too") {
  constexpr std::int64_t kSizes[][2] = {
      {128, 128},   {128, 256},    {128, 382},    {128, 640},   {128, 896},    {256, 512},    {256, 768},
      {256, 1024},  {256, 1536},   {256, 1560},   {512, 512},   {512, 2048},   {512, 2522},   {512, 2560},
      {512, 3584},  {512, 4096},   {512, 4592},   {1024, 1024}, {1024, 1366},  {1024, 2048},  {1024, 3072},
      {1024, 4294}, {1024, 5120},  {1024, 6246},  {1024, 6349}, {2048, 14523}, {2048, 16384}, {2048, 16747},
      {4096, 8192}, {4096, 12382}, {4096, 32768}, {8192, 8491}, {8192, 8689},  {8192, 16384}, {8192, 32768}};
  PackingProblem problem;
  problem.dimensions = 2;
  problem.types = {{{2048, 3839}, 37'600},         {{2048, 1907}, 18'800},        {{2048, 7833}, 75'200},
                   {{4096, 15'823}, 150'400},      {{8192, 31'800}, 300'800},     {{8192, 63'756}, 452'000},
                   {{98'304, 767'758}, 5'424'000}, {{98'304, 380'686}, 4'128'000}};
  for (const auto& size : kSizes) problem.shapes.push_back({{size[0], size[1]}, 2000});
  SolveLimits limits;
  limits.effort = 20'000'000;
  const Solution solution = solve(problem, limits);
  CHECK(static_cast<double>(solution.cost) < 1.0005 * static_cast<double>(solution.lower_bound));
  CHECK(check(problem, solution.certificate) == Verdict::kHolds);
}

TEST_CASE("a search of more than 120 tasks ends at its gap") {
  std::mt19937_64 random(12);
  PackingProblem problem;
  problem.dimensions = 2;
  problem.types = {{{4096, 15'823}, 150'413}, {{8192, 31'800}, 300'817}, {{8192, 63'756}, 452'031}};
  for (int s = 0; s < 30; ++s) {
    const auto cpu = static_cast<std::int64_t>(128 + random() % 2000);
    problem.shapes.push_back({{cpu, cpu * static_cast<std::int64_t>(1 + random() % 7)}, 20});
  }
  SolveLimits limits;
  limits.effort = search_effort(20'000'000);
  const Solution exact = solve(problem, limits);
  REQUIRE(exact.stopped_by == StoppedBy::kEffort);
  limits.gap = 0.01;
  const Solution near = solve(problem, limits);
  CHECK(near.stopped_by == StoppedBy::kGap);
  CHECK(near.effort < exact.effort);
  CHECK_FALSE(near.optimal);
  CHECK(static_cast<double>(near.cost) <= 1.01 * static_cast<double>(near.lower_bound));
  limits.gap = 1e-9;
  CHECK(solve(problem, limits).stopped_by == StoppedBy::kEffort);
}

TEST_CASE("progress is the cost of all tasks, also while some bins are packed anew") {
  std::mt19937_64 random(11);
  PackingProblem problem;
  problem.dimensions = 2;
  problem.types = {{{100, 100}, 100}, {{60, 80}, 63}};
  for (int s = 0; s < 30; ++s) {
    problem.shapes.push_back(
        {{static_cast<std::int64_t>(10 + random() % 40), static_cast<std::int64_t>(10 + random() % 40)}, 3});
  }
  SolveLimits limits;
  limits.effort = 10'000'000;
  std::vector<MicroUsd> costs;
  limits.go_on = [&](const Progress& progress) {
    if (progress.cost > 0) costs.push_back(progress.cost);
    return true;
  };
  const Solution solution = solve(problem, limits);
  CHECK(costs.size() > 5);
  CHECK(std::is_sorted(costs.rbegin(), costs.rend()));
  CHECK(costs.back() >= solution.cost);
}

TEST_CASE("a search tree is grown where tasks shun their like, and others too") {
  PackingProblem problem;
  problem.dimensions = 2;
  problem.types = {BinType{{2048, 3785}, 85'000}, BinType{{4096, 7727}, 170'000}, BinType{{2048, 7811}, 96'000}};
  problem.shapes = {Shape{{400, 900}, 2, {}, 1, 1}, Shape{{600, 1200}, 1, {}, 1, 3}, Shape{{300, 1100}, 2, {}, 1, 2},
                    Shape{{800, 1300}, 4}};
  const Solution ports = solve(problem, {});
  CHECK(ports.cost == 340'000);
  CHECK(ports.optimal);
  for (Shape& shape : problem.shapes) shape.tokens = 0;
  const Solution distinct = solve(problem, {});
  CHECK(distinct.cost == test::Oracle(problem).least());
  CHECK(distinct.optimal);
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

TEST_CASE("a budget over several types is charged for") {
  PackingProblem problem;
  problem.dimensions = 1;
  problem.types = {BinType{{4}, 100}, BinType{{8}, 180}, BinType{{8}, 500}};
  problem.shapes = {Shape{{4}, 4}};
  problem.budgets = {Budget{{4, 8, 0}, 8}};
  const Solution solution = solve(problem, {});
  CHECK(fault_of(problem, solution.packing) == std::nullopt);
  CHECK(solution.cost == 680);
  CHECK(solution.optimal);
  CHECK(solution.certificate.duals.budget_charge.front() > 0);
  CHECK(check(problem, solution.certificate) == Verdict::kHolds);
}

TEST_CASE("bins that cost nothing are taken first, as many as there are") {
  PackingProblem problem;
  problem.dimensions = 1;
  problem.types = {BinType{{10}, 300}, BinType{{10}, 0, 2}};
  problem.shapes = {Shape{{5}, 7}};
  const Solution solution = solve(problem, {});
  CHECK(fault_of(problem, solution.packing) == std::nullopt);
  CHECK(solution.cost == 600);
  CHECK(solution.optimal);
  problem.types[1].limit = 9;
  const Solution free = solve(problem, {});
  CHECK(free.cost == 0);
  CHECK(free.optimal);
  CHECK(fault_of(problem, free.packing) == std::nullopt);
}

TEST_CASE("tasks for which no bin is left are told") {
  PackingProblem problem;
  problem.dimensions = 1;
  problem.types = {BinType{{10}, 300, 2}};
  problem.shapes = {Shape{{5}, 7}, Shape{{11}, 1}};
  const Solution solution = solve(problem, {});
  CHECK(solution.left_over == std::vector<std::int64_t>{3, 1});
  CHECK(solution.cost == 600);
  CHECK(solution.lower_bound == 0);
  CHECK_FALSE(solution.optimal);
}

TEST_CASE("a limit that leaves tasks over is no long search") {
  PackingProblem problem;
  problem.dimensions = 3;
  problem.types = {BinType{{2048, 7801, 2}, 100'000, 2}, BinType{{4096, 31'500, 0}, 2'029'217},
                   BinType{{16'384, 31'500, 4}, 2'718'081}};
  problem.shapes = {Shape{{1500, 1950, 1}, 4, {true, false, false}}, Shape{{0, 2600, 0}, 1}};
  const Solution solution = solve(problem, {});
  CHECK(solution.left_over == std::vector<std::int64_t>{2, 0});
  CHECK(solution.is_infeasible);
  CHECK(solution.stopped_by == StoppedBy::kProof);
  CHECK(solution.effort < 100'000);
}

TEST_CASE("budgets of which only parts of bins have room are no long search") {
  PackingProblem problem;
  problem.dimensions = 4;
  problem.types = {BinType{{10, 12, 13, 19}, 80'000}};
  problem.shapes = {Shape{{4, 5, 4, 6}, 2}, Shape{{5, 5, 5, 1}, 1, {}, kUnlimited, 3},
                    Shape{{1, 1, 5, 6}, 1, {}, kUnlimited, 3}, Shape{{3, 5, 4, 5}, 3}};
  problem.budgets = {Budget{{3}, 8}};
  const Solution one = solve(problem, {});
  CHECK(std::accumulate(one.left_over.begin(), one.left_over.end(), std::int64_t{0}) == 2);
  CHECK(one.effort < 500'000);
  problem.types = {BinType{{12, 8, 17, 16}, 80'000}, BinType{{7, 8, 19, 11}, 40'000, 3}};
  problem.shapes = {Shape{{2, 2, 0, 5}, 3, {true, false}}, Shape{{0, 6, 4, 3}, 3}, Shape{{2, 6, 4, 6}, 2},
                    Shape{{6, 5, 3, 6}, 2}};
  problem.shapes[2].tokens = 1;
  problem.budgets = {Budget{{0, 3}, 2}, Budget{{2, 1}, 9}};
  const Solution two = solve(problem, {});
  CHECK(std::accumulate(two.left_over.begin(), two.left_over.end(), std::int64_t{0}) == 3);
  CHECK(two.effort < 500'000);
}

TEST_CASE("no tasks cost nothing") {
  PackingProblem problem;
  problem.dimensions = 1;
  problem.types = {BinType{{10}, 300}};
  const Solution solution = solve(problem, {});
  CHECK(solution.packing.empty());
  CHECK(solution.optimal);
}

}  // namespace bayplan::packing
