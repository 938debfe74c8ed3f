#include "fleet/ideal/zone_loss.hpp"

#include "catch.hpp"
#include "fleet/by_hand.hpp"
#include "placement/engine/engine.hpp"

namespace bayplan::fleet {
namespace {

using by_hand::usd;
using placement::Scenario;
using placement::build::needs;
using placement::build::run_task;
using placement::build::service;
using placement::build::with_gpus;

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
  const Fill once = find_fill(tasks, market, question, ideal, request);
  REQUIRE(once.recommended);
  CHECK(once.recommended->purchases == Purchases{{0, "", 25}});
  request.zones = {"a", "b", "c"};
  request.survives_zone_loss = true;
  const Fill twice = find_fill(tasks, market, question, ideal, request);
  REQUIRE(twice.recommended);
  CHECK(twice.recommended->purchases == Purchases{{0, "a", 13}, {0, "b", 13}, {0, "c", 12}});
  CHECK(twice.recommended->hourly_cost == usd(148.656));
}

TEST_CASE("what ran in the lost zone is launched anew on the others, the rest stays where it is") {
  const Scenario scenario =
      placement::build::scenario_with({placement::build::instance("m5.large", 2048, 8000, {}, "a"),
                                       placement::build::instance("m5.large", 2048, 8000, {}, "b")},
                                      {service("web", needs(1024, 1000), 3), run_task("job", needs(512, 500), 1)});
  const auto outcome = placement::place(scenario);
  REQUIRE(outcome.failures.empty());
  const LostZone lost = lose_zone(scenario, outcome, "a");
  std::size_t in_b = 0;
  for (const auto& placement : outcome.placements) in_b += placement.instance == 1 ? 1 : 0;
  CHECK(lost.standing == std::vector<std::uint32_t>(in_b, 1));
  std::int64_t attempts = 0;
  for (const auto& call : lost.scenario.calls) attempts += call.count;
  CHECK(attempts == 4);
  CHECK(lost.scenario.profiles[0].status == placement::InstanceStatus::kInactive);
  CHECK(lost.scenario.profiles[1].status == placement::InstanceStatus::kActive);
}

TEST_CASE("no fleet in one zone outlives it") {
  const Scenario tasks = by_hand::tasks({run_task("train", needs(1024, 6144), 4)});
  const Market market = by_hand::market({{"m5.xlarge", 0.192, 4096, 15'500, 0}});
  const Question question = by_hand::question(tasks, market);
  FillRequest request;
  request.zones = {"a"};
  request.survives_zone_loss = true;
  CHECK_FALSE(find_fill(tasks, market, question, by_hand::ideal(question), request).recommended);
}

}  // namespace
}  // namespace bayplan::fleet
