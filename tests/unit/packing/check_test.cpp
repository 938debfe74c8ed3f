#include <algorithm>
#include <filesystem>
#include <fstream>
#include <regex>

#include "catch.hpp"
#include "environment.hpp"
#include "packing/most_worth.hpp"
#include "packing/random_problem.hpp"
#include "packing/solve.hpp"
#include "packing/verify_packing.hpp"
#include "support/in_sources.hpp"

namespace bayplan::packing {
namespace {

NanoUsd compute_bound(const PackingProblem& problem, const Duals& duals) {
  NanoUsd bound = 0;
  for (std::size_t s = 0; s < problem.shapes.size(); ++s) bound += duals.worth[s] * problem.shapes[s].count;
  for (std::size_t t = 0; t < problem.types.size(); ++t) bound -= duals.charge[t] * problem.types[t].limit;
  return bound;
}

/// Any worths, and charges that make them just right: a bin of every type can be worth its price and charge, and no
/// more.
Certificate tight_certificate(PackingProblem& problem, test::TinyProblems& draws) {
  Certificate certificate;
  for (std::size_t s = 0; s < problem.shapes.size(); ++s) certificate.duals.worth.push_back(draws.draw(0, 5'000'000));
  for (std::size_t t = 0; t < problem.types.size(); ++t) {
    const NanoUsd most = test::most_worth(problem, certificate.duals, t);
    problem.types[t].price = draws.draw(0, most / kNanoUsdPerMicroUsd);
    problem.types[t].limit = draws.draw(0, 3);
    certificate.duals.charge.push_back(most - problem.types[t].price * kNanoUsdPerMicroUsd);
  }
  certificate.bound = compute_bound(problem, certificate.duals);
  return certificate;
}

std::int64_t mebibytes(test::TinyProblems& draws, std::int64_t cpu) {
  return cpu * draws.draw(1, 8) + draws.draw(0, 500);
}

/// Memory counted in single MiB, hundreds of tasks a bin: what no list of all fillings can hold.
PackingProblem fine_grained(test::TinyProblems& draws) {
  PackingProblem problem;
  problem.dimensions = 2;
  for (std::int64_t vcpus : {2, 4, 8, 16, 32, 64, 96, 192}) {
    problem.types.push_back({{vcpus * 1024, vcpus * 3789}, vcpus * 48'003});
    problem.types.push_back({{vcpus * 1024, vcpus * 7661}, vcpus * 63'001});
  }
  for (int s = 0; s < 30; ++s) {
    const std::int64_t cpu = 128 << draws.draw(0, 5);
    problem.shapes.push_back({{cpu, mebibytes(draws, cpu)}, draws.draw(1, 40)});
  }
  return problem;
}

Certificate certificate_of(const PackingProblem& problem, std::int64_t effort) {
  SolveLimits limits;
  limits.effort = effort;
  return solve(problem, limits).certificate;
}

}  // namespace

TEST_CASE("what no bin may hold is a fault of a packing") {
  PackingProblem problem;
  problem.dimensions = 1;
  problem.types = {BinType{{20}, 100}, BinType{{20}, 100}};
  problem.shapes = {Shape{{5}, 2, {true, false}}, Shape{{5}, 1, {}, kUnlimited, 1}, Shape{{5}, 1, {}, kUnlimited, 3}};
  const FilledBins first{Pattern{0, {{0, 2}, {1, 1}}}, 1};
  const FilledBins second{Pattern{1, {{2, 1}}}, 1};
  CHECK(fault_of(problem, {first, second}) == std::nullopt);
  CHECK(fault_of(problem, {{Pattern{0, {{0, 2}, {1, 1}, {2, 1}}}, 1}}) == "a token used twice by shape 2");
  CHECK(fault_of(problem, {{Pattern{0, {{1, 2}}}, 1}}) == "a token used twice by shape 1");
  CHECK(fault_of(problem, {{Pattern{1, {{0, 2}}}, 1}}) == "a bin type rejected by shape 0");
  CHECK(fault_of(problem, {first, {Pattern{1, {{1, 0}, {2, 1}}}, 1}}) == "an empty entry of shape 1");
  CHECK(fault_of(problem, {{Pattern{0, {{0, 1}, {0, 1}}}, 1}}) == "repeated in one bin, or out of order, shape 0");
  CHECK(fault_of(problem, {first, second, {Pattern{1, {{2, 1}}}, 0}}) == "a pattern in no bin of type 1");
}

TEST_CASE("a certificate holds when every filling of every bin says so, and not by a billionth of a dollar more") {
  test::TinyProblems draws{std::mt19937_64(21)};
  for (int round = 0; round < 400; ++round) {
    PackingProblem problem = draws.next();
    const Certificate right = tight_certificate(problem, draws);
    CAPTURE(round);
    REQUIRE(check(problem, right) == Verdict::kHolds);
    Certificate wrong = right;
    ++wrong.bound;
    CHECK(check(problem, wrong) == Verdict::kFails);
    for (std::size_t s = 0; s < problem.shapes.size(); ++s) {
      wrong = right;
      ++wrong.duals.worth[s];
      bool breaks = false;
      for (std::size_t t = 0; t < problem.types.size(); ++t) {
        breaks = breaks || test::most_worth(problem, wrong.duals, t) > test::most_worth(problem, right.duals, t);
      }
      CHECK(check(problem, wrong) == (breaks ? Verdict::kFails : Verdict::kHolds));
    }
    for (std::size_t t = 0; t < problem.types.size(); ++t) {
      if (right.duals.charge[t] == 0) continue;
      wrong = right;
      --wrong.duals.charge[t];
      wrong.bound = compute_bound(problem, wrong.duals);
      CHECK(check(problem, wrong) == Verdict::kFails);
      wrong = right;
      ++wrong.duals.charge[t];
      wrong.bound = compute_bound(problem, wrong.duals);
      CHECK(check(problem, wrong) == Verdict::kHolds);
    }
  }
}

TEST_CASE("a certificate is decided where memory is counted in single MiB") {
  test::TinyProblems draws{std::mt19937_64(22)};
  for (int round = 0; round < (fewer_cases() > 1 ? 1 : 4); ++round) {
    const PackingProblem problem = fine_grained(draws);
    const Certificate right = certificate_of(problem, 6'000'000);
    CAPTURE(round);
    REQUIRE(right.bound > 0);
    CHECK(check(problem, right) == Verdict::kHolds);
    // One part in a thousand: no bin is that far from its price.
    Certificate wrong = right;
    for (NanoUsd& worth : wrong.duals.worth) worth += worth / 1000;
    CHECK(check(problem, wrong) == Verdict::kFails);
  }
}

TEST_CASE("a type that holds no more than another and costs no less is proven with it, unless it takes other tasks") {
  PackingProblem problem;
  problem.dimensions = 1;
  problem.types = {BinType{{10}, 100}, BinType{{8}, 120}};
  problem.shapes = {Shape{{5}, 4}, Shape{{4}, 4, {false, true}}};
  Certificate certificate;
  certificate.duals = {{50'000, 60'000}, {0, 0}};
  certificate.bound = 4 * 110'000;
  CHECK(check(problem, certificate) == Verdict::kHolds);
  certificate.duals.worth[1] = 60'001;
  CHECK(check(problem, certificate) == Verdict::kFails);
  problem.shapes[1].allowed = {};
  certificate.duals.worth[1] = 50'000;
  certificate.bound = 4 * 100'000;
  CHECK(check(problem, certificate) == Verdict::kHolds);
  problem.types[1] = {{8}, 99};
  CHECK(check(problem, certificate) == Verdict::kFails);
}

TEST_CASE("a certificate that lacks values fails") {
  PackingProblem problem;
  problem.dimensions = 1;
  problem.types = {BinType{{10}, 100}};
  problem.shapes = {Shape{{5}, 4}};
  problem.budgets = {Budget{{1}, 4}};
  CHECK(check(problem, {{{0}, {0}, {0}}, 0}) == Verdict::kHolds);
  CHECK(check(problem, {{{}, {0}, {0}}, 0}) == Verdict::kFails);
  CHECK(check(problem, {{{0}, {}, {0}}, 0}) == Verdict::kFails);
  CHECK(check(problem, {{{0}, {0}, {}}, 0}) == Verdict::kFails);
}

TEST_CASE("what a budget is charged for counts in each bin and against the bound") {
  PackingProblem problem;
  problem.dimensions = 1;
  problem.types = {BinType{{10}, 100}, BinType{{10}, 300}};
  problem.shapes = {Shape{{5}, 8}};
  problem.budgets = {Budget{{2, 0}, 4}};
  CHECK(check(problem, {{{50'000}, {0, 0}, {0}}, 400'000}) == Verdict::kHolds);
  CHECK(check(problem, {{{150'000}, {0, 0}, {0}}, 1'200'000}) == Verdict::kFails);
  CHECK(check(problem, {{{150'000}, {0, 0}, {99'999}}, 800'000}) == Verdict::kFails);
  CHECK(check(problem, {{{150'000}, {0, 0}, {100'000}}, 800'000}) == Verdict::kHolds);
  CHECK(check(problem, {{{150'000}, {0, 0}, {100'000}}, 800'001}) == Verdict::kFails);
  CHECK(check(problem, {{{50'000}, {0, 0}, {-1}}, 400'000}) == Verdict::kFails);
}

TEST_CASE("a bound is rounded up to what the prices of needed bins have in common") {
  PackingProblem problem;
  problem.dimensions = 1;
  problem.types = {BinType{{10}, 600}, BinType{{20}, 900}};
  problem.shapes = {Shape{{5}, 8}};
  const auto rounded = [&](NanoUsd bound) { return least_cost(problem, {{}, bound}); };
  CHECK(rounded(0) == 0);
  CHECK(rounded(-5) == 0);
  CHECK(rounded(1) == 300);
  CHECK(rounded(300'000) == 300);
  CHECK(rounded(300'001) == 600);
  // Twice the same, and one that is as large and costs no more: two bins that nobody needs.
  problem.types = {BinType{{10}, 600}, BinType{{10}, 600}, BinType{{9}, 601}};
  CHECK(rounded(1) == 600);
  problem.types[0].limit = 5;
  CHECK(rounded(1) == 600);
  problem.types[1].limit = 5;
  CHECK(rounded(1) == 1);
  problem.types = {BinType{{10}, 600}, BinType{{9}, 601}};
  problem.budgets = {Budget{{2, 1}, 9}};
  CHECK(rounded(1) == 1);
  problem.budgets[0].weights[1] = 2;
  CHECK(rounded(1) == 600);
  // A bin that no task may go to, be it the cheaper one.
  problem.shapes[0].allowed = {false, true};
  CHECK(rounded(1) == 601);
}

TEST_CASE("a certificate with a number below 0 fails") {
  PackingProblem problem;
  problem.dimensions = 1;
  problem.types = {BinType{{10}, 100, 3}};
  problem.shapes = {Shape{{5}, 4}, Shape{{5}, 4}};
  CHECK(check(problem, {{{0, 0}, {0}}, 0}) == Verdict::kHolds);
  CHECK(check(problem, {{{0, -1}, {0}}, -4}) == Verdict::kFails);
  CHECK(check(problem, {{{0, 0}, {-1}}, 3}) == Verdict::kFails);
}

TEST_CASE("a certificate of numbers beyond all money fails or is left open, and nothing overflows") {
  PackingProblem problem;
  problem.dimensions = 1;
  problem.types = {BinType{{10}, 100}};
  problem.shapes = {Shape{{1}, 9}};
  const NanoUsd huge = std::numeric_limits<NanoUsd>::max();
  CHECK(check(problem, {{{huge}, {0}}, huge}) == Verdict::kFails);
  problem.types[0].price = huge;
  CHECK(check(problem, {{{huge}, {0}}, huge}) == Verdict::kTooHard);
  problem.shapes.push_back(Shape{{1}, 9});
  problem.types[0].limit = huge;
  CHECK(check(problem, {{{huge, huge}, {huge}}, 0}) == Verdict::kFails);
}

TEST_CASE("a check that may keep no states leaves open what prices alone cannot tell") {
  test::TinyProblems draws{std::mt19937_64(23)};
  int open = 0;
  for (int round = 0; round < 400; ++round) {
    PackingProblem problem = draws.next();
    const Certificate certificate = tight_certificate(problem, draws);
    const Verdict verdict = check(problem, certificate, 0);
    CHECK(verdict != Verdict::kFails);
    if (verdict == Verdict::kTooHard) ++open;
  }
  CHECK(open > 10);
}

TEST_CASE("the check of a certificate shares no code with the search") {
  const std::filesystem::path folder = in_sources("src/packing");
  int files = 0;
  for (const auto& entry : std::filesystem::directory_iterator(folder)) {
    const std::string name = entry.path().filename().string();
    if (!name.starts_with("check_") && !name.starts_with("verify")) continue;
    ++files;
    std::ifstream in(entry.path());
    for (std::string line; std::getline(in, line);) {
      std::smatch match;
      if (!std::regex_match(line, match, std::regex("#include \"(.*)\""))) continue;
      CAPTURE(name, line);
      CHECK(std::regex_match(match[1].str(),
                             std::regex("packing/(check_.*|verify_packing|certificate|packing_problem|money)\\.hpp")));
    }
  }
  CHECK(files >= 5);
}

}  // namespace bayplan::packing
