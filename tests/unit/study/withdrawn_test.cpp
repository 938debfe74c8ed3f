#include "catch.hpp"
#include "fleet/by_hand.hpp"
#include "study/fleet/fleet_plan.hpp"
#include "study/fleet/spot_share.hpp"
#include "study/payment/payment_plan.hpp"
#include "study/repack/repack.hpp"

/// Claims of a result that failed their check: they are left out, and the rest stays.
namespace bayplan::study::withdrawn_test {
namespace {

using fleet::by_hand::usd;
using placement::build::needs;
using placement::build::run_task;
using placement::build::with_gpus;

FleetPlan planned(const FleetRequest& request = {}) {
  const auto market = fleet::by_hand::market({{"g4dn.xlarge", 0.526, 4096, 15'500, 1}});
  const auto tasks = fleet::by_hand::tasks({run_task("one", with_gpus(needs(2048, 7168), {1}), 4)});
  auto plan = plan_fleet(tasks, market, request);
  REQUIRE(plan.mistakes.empty());
  REQUIRE(plan.withdrawn.empty());
  REQUIRE(plan.fill.recommended);
  REQUIRE(plan.lower_bound > 0);
  REQUIRE(plan.optimal);
  return plan;
}

}  // namespace

TEST_CASE("withdrawn claims - a bound that holds stays") {
  auto plan = planned();
  const auto bound = plan.lower_bound;
  plan = with_checked_bound(std::move(plan));
  CHECK(plan.lower_bound == bound);
  CHECK(plan.withdrawn.empty());
}

TEST_CASE("withdrawn claims - a bound above the recommended fleet goes with all that rests on it") {
  auto plan = planned();
  const auto purchases = plan.fill.recommended->purchases;
  plan.bounded.solution.lower_bound = plan.lower_bound = plan.fill.recommended->hourly_cost + 1;
  plan = with_checked_bound(std::move(plan));
  CHECK(plan.withdrawn == std::vector<std::string>{"the recommended fleet costs less than the bound"});
  CHECK(plan.mistakes.empty());
  CHECK(plan.lower_bound == 0);
  CHECK(plan.has_no_bound());
  CHECK_FALSE(plan.optimal);
  CHECK(plan.has_withdrawn_bound());
  REQUIRE(plan.fill.recommended);
  CHECK(plan.fill.recommended->purchases == purchases);
}

TEST_CASE("withdrawn claims - without the part for a lost zone a bound may hold") {
  auto plan = planned();
  const auto certified = plan.bounded.solution.lower_bound;
  plan.lower_bound = plan.fill.recommended->hourly_cost + 1;
  plan = with_checked_bound(std::move(plan));
  CHECK(plan.withdrawn.size() == 1);
  CHECK(plan.lower_bound == certified);
  CHECK_FALSE(plan.has_no_bound());
  CHECK_FALSE(plan.has_withdrawn_bound());
}

TEST_CASE("withdrawn claims - of a payment no bound is left") {
  PaymentPlan payment;
  payment.hourly = 5;
  payment.lower_bound = 4;
  payment.levels.resize(2);
  payment.levels[1].fleet.lower_bound = 3;
  withdraw_failed_bounds(payment);
  CHECK(payment.lower_bound == 4);
  payment.withdrawn.emplace_back("the fleet of 3 tasks costs less than its bound");
  withdraw_failed_bounds(payment);
  CHECK(payment.lower_bound == 0);
  CHECK(payment.levels[1].fleet.lower_bound == 0);
  CHECK(payment.hourly == 5);
}

TEST_CASE("withdrawn claims - Spot pools lose a bound that they undercut") {
  SpotPlan plan;
  plan.hourly_cost = usd(2);
  plan.lower_bound = usd(2);
  check_lower_bound(plan);
  CHECK(plan.lower_bound == usd(2));
  plan.lower_bound = usd(2.5);
  check_lower_bound(plan);
  CHECK_FALSE(plan.lower_bound);
  CHECK(plan.withdrawn.size() == 1);
}

TEST_CASE("withdrawn claims - a plan that saves more than its limit keeps its steps") {
  RepackPlan plan;
  plan.saving = usd(1);
  plan.steps.resize(2);
  plan.limit = RepackLimit{usd(1), 1, {}};
  plan.is_best = true;
  check_limit(plan);
  CHECK(plan.limit);
  plan.saving = usd(1.5);
  check_limit(plan);
  CHECK_FALSE(plan.limit);
  CHECK_FALSE(plan.is_best);
  CHECK(plan.steps.size() == 2);
  CHECK(plan.withdrawn == std::vector<std::string>{"repack: the plan saves more than any can"});
}

}  // namespace bayplan::study::withdrawn_test
