#include "study/fleet/spot_share.hpp"

#include <algorithm>
#include <map>
#include <random>
#include <set>

#include "catch.hpp"
#include "fleet/by_hand.hpp"
#include "study/payment/load_curve.hpp"

namespace bayplan::study {
namespace spot_share_test {

using fleet::Market;
using fleet::by_hand::usd;
using placement::Scenario;
using placement::build::needs;
using placement::build::run_task;

/// Of tasks that take 1 vCPU, and have memory enough everywhere.
Scenario tasks(std::int64_t count) {
  return fleet::by_hand::tasks({run_task("web", needs(1024, 512), count)});
}

FleetRequest in_zones(std::vector<std::string> zones) {
  FleetRequest request;
  request.effort = 100'000;
  request.orders = 2;
  request.zones = std::move(zones);
  return request;
}

Result<SpotPlan> planned(const Scenario& scenario, const Market& market, const SpotRequest& request,
                         const FleetRequest& fleet_request) {
  const auto rest = with_counts(scenario, on_demand_counts(scenario, request.percent));
  return plan_spot(scenario, market, request, fleet_request, market, plan_fleet(rest, market, fleet_request));
}

TEST_CASE("a share of the tasks is dealt equally to the cheapest pools", "[spot-share]") {
  // Two tasks on a small instance, eight on a large one.
  Market market = fleet::by_hand::market({{"m5.large", 0.10, 2048, 8000, 0}, {"m5.2xlarge", 0.32, 8192, 32'000, 0}});
  const auto plan = planned(tasks(20), market, {Percent::of(80), 4}, in_zones({"us-east-1a", "us-east-1b"}));
  REQUIRE(plan);
  CHECK(plan->tasks.front().on_demand == 4);
  CHECK(plan->spot_tasks() == 16);
  REQUIRE(plan->pools.size() == 4);
  std::set<std::string> names;
  for (const auto& pool : plan->pools) {
    names.insert(pool.instance_type + "@" + pool.availability_zone);
    CHECK(pool.tasks == 4);
    CHECK(pool.orders > 0);
    CHECK(pool.hourly_cost == pool.instances * pool.hourly_price);
  }
  CHECK(names.size() == 4);
  CHECK(plan->hourly_cost == 2 * usd(0.20) + 2 * usd(0.32));
  CHECK(plan->lower_bound == plan->hourly_cost);
  CHECK(plan->most_lost() == 4);
  CHECK(plan->mistakes.empty());
  CHECK(plan->withdrawn.empty());
  // The two large instances have room for four more each; the four tasks On-Demand fill theirs.
  CHECK(plan->pools.front().displaced == 0);
}

TEST_CASE("each share gets the pool in which all shares together cost the least", "[spot-share]") {
  std::mt19937 random(1);
  for (int round = 0; round < 30; ++round) {
    Market market = fleet::by_hand::market({{"m5.large", 0.10, 2048, 8000, 0},
                                            {"m5.xlarge", 0.20, 4096, 16'000, 0},
                                            {"m5.2xlarge", 0.40, 8192, 32'000, 0}});
    const std::vector<std::string> zones = {"us-east-1a", "us-east-1b"};
    std::map<std::string, MicroUsd> prices;
    std::map<std::string, std::int64_t> capacity = {{"m5.large", 2}, {"m5.xlarge", 4}, {"m5.2xlarge", 8}};
    for (auto& offer : market.offers) {
      for (const auto& zone : zones) {
        const MicroUsd price = 1000 * static_cast<MicroUsd>(20 + random() % 100);
        prices[offer.profile.instance_type + "@" + zone] = price;
        market.pool_prices[offer.profile.instance_type + "@" + zone] = {price, "2026-10-02", ""};
      }
    }
    const auto count = static_cast<std::int64_t>(2 + random() % 20);
    const auto plan = planned(tasks(count), market, {Percent::of(100), 2}, in_zones(zones));
    REQUIRE(plan);
    MicroUsd least = std::numeric_limits<MicroUsd>::max();
    const auto cost = [&](const std::string& pool, std::int64_t number) {
      const auto each = capacity.at(pool.substr(0, pool.find('@')));
      return prices.at(pool) * ((number + each - 1) / each);
    };
    for (const auto& [first, price] : prices) {
      for (const auto& [second, other] : prices) {
        if (first != second) least = std::min(least, cost(first, (count + 1) / 2) + cost(second, count / 2));
      }
    }
    CHECK(plan->hourly_cost == least);
    CHECK(plan->lower_bound == least);
    CHECK(plan->mistakes.empty());
    CHECK(plan->withdrawn.empty());
  }
}

TEST_CASE("pools are as many as there are shares with tasks, and a lack of pools is an error", "[spot-share]") {
  const Market market = fleet::by_hand::market({{"m5.large", 0.10, 2048, 8000, 0}});
  const auto two =
      planned(tasks(2), market, {Percent::of(100), 4}, in_zones({"us-east-1a", "us-east-1b", "us-east-1c"}));
  REQUIRE(two);
  CHECK(two->pools.size() == 2);
  const auto few = planned(tasks(40), market, {Percent::of(50), 4}, in_zones({"us-east-1a", "us-east-1b"}));
  REQUIRE_FALSE(few);
  CHECK(few.error().message.find("only 2 pools hold a share") != std::string::npos);
  const auto none = fleet::by_hand::tasks({run_task("large", needs(4096, 512), 10)});
  const auto nowhere = planned(none, market, {Percent::of(50), 1}, in_zones({"us-east-1a"}));
  REQUIRE_FALSE(nowhere);
  CHECK(nowhere.error().message.find("no pool holds") != std::string::npos);
  CHECK(refuse_spot(tasks(1), {Percent::of(50), 4}));
  CHECK_FALSE(refuse_spot(tasks(2), {Percent::of(50), 4}));
}

}  // namespace spot_share_test
}  // namespace bayplan::study
