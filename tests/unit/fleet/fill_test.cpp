#include "fleet/fill.hpp"

#include <random>

#include "catch.hpp"
#include "fleet/by_hand.hpp"
#include "fleet/fleet_rank.hpp"
#include "fleet/launch_trials.hpp"
#include "fleet/zone_loss.hpp"
#include "placement/engine.hpp"
#include "placement/random.hpp"
#include "placement/verify.hpp"

namespace bayplan::fleet {
namespace {

using by_hand::usd;
using placement::Scenario;
using placement::build::needs;
using placement::build::run_task;
using placement::build::service;
using placement::build::with_gpus;

/// Places every task in every order with `placement::place`, and has each placement verified.
bool is_filled(const Scenario& tasks, const Market& market, const FilledFleet& fleet, std::uint64_t orders) {
  const Scenario scenario = with_policy(with_purchases(tasks, market, fleet.purchases, false), fleet.policy);
  for (std::uint64_t order = 0; order < orders; ++order) {
    const Scenario launched = in_launch_order(scenario, order);
    const auto outcome = placement::place(launched);
    CHECK(placement::verify(launched, outcome).empty());
    if (!outcome.failures.empty()) return false;
  }
  return true;
}

/// Registered as the catalog's g4dn, m5 sizes do, prices of us-east-1.
std::vector<by_hand::Kind> g4dn() {
  return {{"g4dn.xlarge", 0.526, 4096, 15'500, 1},
          {"g4dn.2xlarge", 0.752, 8192, 31'400, 1},
          {"g4dn.4xlarge", 1.204, 16'384, 63'000, 1},
          {"g4dn.12xlarge", 3.912, 49'152, 188'000, 4}};
}

TEST_CASE("a fleet that every strategy fills is the ideal one") {
  const Scenario tasks = by_hand::tasks({run_task("train", with_gpus(needs(1024, 6144), {1}), 8)});
  const Market market = by_hand::market(g4dn());
  const Question question = by_hand::question(tasks, market);
  const auto ideal = by_hand::ideal(question);
  const Fill filled = fill(tasks, market, question, ideal, {});
  REQUIRE(filled.recommended);
  CHECK(filled.recommended->hourly_cost == usd(8 * 0.526));
  CHECK(filled.recommended->purchases == Purchases{{0, "", 8}});
  CHECK(filled.recommended->policy.is_as_written);
  CHECK(is_filled(tasks, market, *filled.recommended, 20));
}

TEST_CASE("tasks without a GPU that may take the GPU hosts cost more, unless the large are launched first") {
  const Scenario tasks =
      by_hand::tasks({run_task("one", with_gpus(needs(2048, 7168), {1}), 24),
                      run_task("two", with_gpus(needs(8192, 32'768), {2}), 8), run_task("cpu", needs(1024, 2048), 8)});
  const Market market = by_hand::market(g4dn());
  const Question question = by_hand::question(tasks, market);
  const auto ideal = by_hand::ideal(question);
  CHECK(ideal.cost == usd(28.272));
  const Fill filled = fill(tasks, market, question, ideal, {});
  REQUIRE(filled.recommended);
  CHECK(is_filled(tasks, market, *filled.recommended, 20));
  for (const auto& one : filled.by_policy) {
    UNSCOPED_INFO(one.policy.name << " " << static_cast<int>(one.policy.order) << " " << one.hourly_cost);
  }
  CHECK(filled.recommended->hourly_cost == usd(28.272));
  CHECK(filled.recommended->policy.order == placement::TaskOrder::kLargestFirst);
}

TEST_CASE("a fleet that outlives any zone costs at least what the bound says") {
  CHECK(zone_loss_bound(usd(97.8), 3) == usd(146.7));
  CHECK(zone_loss_bound(10, 2) == 20);
  CHECK(zone_loss_bound(10, 4) == 14);
  CHECK_FALSE(zone_loss_bound(10, 1));
}

TEST_CASE("100 one-GPU tasks need 25 g4dn.12xlarge, 38 when one zone of three may be lost") {
  const Scenario tasks = by_hand::tasks({run_task("train", with_gpus(needs(1024, 6144), {1}), 100)});
  const Market market = by_hand::market({{"g4dn.12xlarge", 3.912, 49'152, 188'000, 4}});
  const Question question = by_hand::question(tasks, market);
  const auto ideal = by_hand::ideal(question);
  FillRequest request;
  const Fill once = fill(tasks, market, question, ideal, request);
  REQUIRE(once.recommended);
  CHECK(once.recommended->purchases == Purchases{{0, "", 25}});
  request.zones = {"a", "b", "c"};
  request.survives_zone_loss = true;
  const Fill twice = fill(tasks, market, question, ideal, request);
  REQUIRE(twice.recommended);
  CHECK(twice.recommended->purchases == Purchases{{0, "a", 13}, {0, "b", 13}, {0, "c", 12}});
  CHECK(twice.recommended->hourly_cost == usd(148.656));
}

}  // namespace
}  // namespace bayplan::fleet
