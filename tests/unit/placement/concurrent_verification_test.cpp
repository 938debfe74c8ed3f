#include <stdexcept>
#include <string>
#include <vector>

#include "catch.hpp"
#include "placement/build.hpp"
#include "placement/random_scenario.hpp"
#include "placement/verify/verify.hpp"

using namespace bayplan;
using namespace bayplan::placement;
using namespace bayplan::placement::build;

namespace {

/// Two services and calls of RunTask, of which many fail for different reasons and some are taken back.
Scenario many_attempts() {
  std::vector<InstanceProfile> instances(40, instance("a", 2048, 9000));
  for (int i = 0; i < 10; ++i) instances.push_back(instance("p", 4096, 60000, {4, 16384}, "us-east-1b"));
  auto whole = run_task("whole", needs(300, 300), 600);
  whole.all_or_nothing = true;
  auto given = scenario_with(instances, {service("web", needs(16, 10), 2000),                       //
                                         run_task("train", with_gpus(needs(16, 1000), {1}), 3000),  //
                                         run_task("small", needs(8, 16), 2000, {}),                 //
                                         run_task("big", needs(8000, 16), 1500), whole});
  for (int i = 0; i < 10; ++i) {
    given.calls.push_back({1, 300});
    given.calls.push_back({2, 200});
    given.calls.push_back({3, 150});
    given.calls.push_back({4, 60});
  }
  return given;
}

/// Passes on what it observes, and counts it.
class CountingObserver : public PlacementObserver {
 public:
  explicit CountingObserver(PlacementObserver& next) : next_(next) {}
  void follow(const OutcomeSoFar& outcome) override {
    ++followed;
    next_.follow(outcome);
  }
  void release() override {
    ++released;
    next_.release();
  }

  int followed = 0;
  int released = 0;

 private:
  PlacementObserver& next_;
};

/// What has become of the first `count` attempts.
OutcomeSoFar first_of(const Outcome& outcome, std::size_t count) {
  OutcomeSoFar part(outcome);
  const auto ends = [&](const auto& list) {
    std::size_t end = 0;
    while (end < list.size() && list[end].attempt.step < static_cast<std::int64_t>(count)) ++end;
    return list.first(end);
  };
  part.placements = ends(part.placements);
  part.failures = ends(part.failures);
  part.limits = ends(part.limits);
  while (!part.withdrawn.empty() && part.withdrawn.back().failure >= part.failures.size())
    part.withdrawn = part.withdrawn.first(part.withdrawn.size() - 1);
  return part;
}

/// Shows the outcome in parts of `step` attempts, each of them from another place in memory.
std::vector<std::string> mistakes_in_parts(const Scenario& scenario, const Outcome& outcome, std::size_t step) {
  ConcurrentVerification verification(scenario);
  std::vector<Outcome> copies;
  for (std::size_t count = step; count < OutcomeSoFar(outcome).attempts(); count += step) {
    verification.release();
    copies.assign(1, outcome);
    verification.follow(first_of(copies.front(), count));
  }
  verification.complete(outcome);
  return verification.get();
}

}  // namespace

TEST_CASE("a verification that follows the placement finds it right") {
  const auto given = many_attempts();
  Outcome outcome;
  ConcurrentVerification verification(given);
  CountingObserver observer(verification);
  outcome = place(given, &observer);
  verification.complete(outcome);
  CHECK(verification.get() == std::vector<std::string>{});
  CHECK(observer.followed >= 5);
  CHECK(observer.released >= 5);
  CHECK(outcome.placements == place(given).placements);
  CHECK(outcome.failures.size() > 1000);
  CHECK(outcome.withdrawn.size() > 0);
}

TEST_CASE("a verification that follows in parts finds the mistakes of one at the end") {
  const auto given = many_attempts();
  const auto right = place(given);
  std::vector<Outcome> wrong(4, right);
  wrong[0].placements[1500].instance = (wrong[0].placements[1500].instance + 1) % 40;
  wrong[1].failures[700].attempt.number += 1;
  wrong[2].placements.erase(wrong[2].placements.begin() + 2500);
  wrong[3].instances[3].memory += 1;
  for (const auto& outcome : wrong) {
    const auto mistakes = verify(given, outcome);
    CHECK(!mistakes.empty());
    for (const std::size_t step : {700u, 1000u, 4000u}) CHECK(mistakes_in_parts(given, outcome, step) == mistakes);
  }
  CHECK(mistakes_in_parts(given, right, 900) == std::vector<std::string>{});
}

TEST_CASE("a verification that follows every attempt of random scenarios agrees") {
  for (std::uint64_t seed = 0; seed < 200; ++seed) {
    const auto given = RandomScenario(seed, {8, 6, 8}).make();
    auto outcome = place(given);
    INFO("seed " << seed);
    REQUIRE(mistakes_in_parts(given, outcome, 1) == std::vector<std::string>{});
    if (outcome.placements.empty()) continue;
    outcome.placements.back().instance = 0;
    REQUIRE(mistakes_in_parts(given, outcome, 3) == verify(given, outcome));
  }
}

TEST_CASE("a verification that sees nothing before the end does everything then") {
  const auto given = many_attempts();
  auto outcome = place(given);
  outcome.placements[10].instance = 49;
  ConcurrentVerification verification(given);
  verification.complete(outcome);
  CHECK(verification.get() == verify(given, outcome));
}

TEST_CASE("a verification ends with a placement that is given up") {
  const auto given = many_attempts();
  class GivesUp : public PlacementObserver {
   public:
    explicit GivesUp(PlacementObserver& next) : next_(next) {}
    void follow(const OutcomeSoFar& outcome) override {
      next_.follow(outcome);
      if (++followed_ == 3) throw std::runtime_error("no memory");
    }
    void release() override { next_.release(); }

   private:
    PlacementObserver& next_;
    int followed_ = 0;
  };
  ConcurrentVerification verification(given);
  GivesUp observer(verification);
  CHECK_THROWS_AS(place(given, &observer), std::runtime_error);
  const ConcurrentVerification never_begun(given);
}
