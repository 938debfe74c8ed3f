#include "fleet/recommended/type_pins.hpp"

#include "catch.hpp"
#include "fleet/by_hand.hpp"
#include "fleet/recommended/fleet_rank.hpp"

namespace bayplan::fleet {
namespace {

using by_hand::usd;
using placement::Scenario;
using placement::build::needs;
using placement::build::run_task;
using placement::build::service;
using placement::build::with_gpus;

std::string words(const std::vector<std::string>& allowed, const std::vector<std::string>& fleet) {
  const auto constraint = pin_to(allowed, fleet);
  REQUIRE(constraint.expression);
  return constraint.source.substr(std::string("attribute:ecs.instance-type ").size());
}

TEST_CASE("tasks are kept on types in the fewest words") {
  CHECK(words({"a.large"}, {"a.large", "b.large", "c.large"}) == "== a.large");
  CHECK(words({"a.large", "b.large"}, {"a.large", "b.large", "c.large"}) == "!= c.large");
  CHECK(words({"c5.large", "m5.large"}, {"c5.large", "g4dn.2xlarge", "g4dn.xlarge", "m5.large"}) == "!~ g4dn.*");
  CHECK(words({"g4dn.2xlarge", "g4dn.xlarge"}, {"g4dn.2xlarge", "g4dn.xlarge", "g5.xlarge", "m5.large"}) ==
        "=~ g4dn.*");
  CHECK(words({"m5.large", "m5.xlarge"}, {"m5.2xlarge", "m5.large", "m5.xlarge", "m5a.large"}) ==
        "in [m5.large, m5.xlarge]");
}

TEST_CASE("constraints that are not needed are left out") {
  const auto pin = [](std::uint32_t workload) { return std::pair(workload, placement::Constraint{}); };
  const Pins pins = {pin(0), pin(1), pin(2), pin(3), pin(4)};
  const auto needed = needed_pins(pins, [](const Pins& fewer) {
    bool has_one = false;
    bool has_four = false;
    for (const auto& [workload, constraint] : fewer) {
      has_one |= workload == 1;
      has_four |= workload == 4;
    }
    return has_one && has_four;
  });
  REQUIRE(needed.size() == 2);
  CHECK(needed[0].first == 1);
  CHECK(needed[1].first == 4);
}

TEST_CASE("a workload is kept on the types that the packing gives it, one that is on all of them is not") {
  const Scenario tasks =
      by_hand::tasks({run_task("gpu", with_gpus(needs(1024, 1024), {1}), 4), run_task("cpu", needs(1024, 1024), 4)});
  const Market market = by_hand::market({{"g.large", 1, 4096, 8192, 1}, {"m.large", 0.1, 4096, 8192, 0}});
  const Question question = by_hand::question(tasks, market);
  const packing::Packing packing = {{{0, {{0, 1}, {1, 1}}}, 4}, {{1, {{1, 2}}}, 1}};
  const Pins pins = find_type_pins(market, question, packing);
  REQUIRE(pins.size() == 1);
  CHECK(pins[0].first == 0);
  CHECK(pins[0].second.source == "attribute:ecs.instance-type == g.large");
  const auto apart = apart_from_gpus(question, market);
  REQUIRE(apart);
  CHECK(compute_purchases(question, market, *apart) == Purchases{{0, "", 4}, {1, "", 1}});
}

TEST_CASE("fleets keep limits, quotas and the number of types") {
  Market market = by_hand::market({{"g.large", 1, 4096, 8192, 1}, {"m.large", 0.1, 4096, 8192, 0}});
  market.offers[0].limit = 3;
  market.offers[1].quota = "Standard";
  market.quotas = {{"Standard", 8}};
  CHECK(is_allowed(market, {{0, "", 3}, {1, "", 2}}, 0));
  CHECK_FALSE(is_allowed(market, {{0, "", 4}}, 0));
  CHECK_FALSE(is_allowed(market, {{1, "", 3}}, 0));
  CHECK_FALSE(is_allowed(market, {{0, "", 1}, {1, "", 1}}, 1));
  CHECK(room_for_more(market, {{0, "", 1}, {1, "", 1}}, 0) == std::vector<std::int64_t>{2, 1});
  CHECK(room_for_more(market, {{0, "", 1}}, 1) == std::vector<std::int64_t>{2, 0});
  market.limits = {{"m.large", 1}};
  CHECK(room_for_more(market, {{1, "", 1}}, 0) == std::vector<std::int64_t>{3, 0});
}

TEST_CASE("a fleet of one type where no more are allowed") {
  const Scenario tasks =
      by_hand::tasks({service("small", needs(1024, 1024), 3), service("large", needs(4096, 4096), 1)});
  const Market market = by_hand::market({{"a.small", 0.1, 1024, 2048, 0}, {"b.large", 0.45, 4096, 8192, 0}});
  const Question question = by_hand::question(tasks, market);
  const auto ideal = by_hand::ideal(question);
  CHECK(ideal.cost == usd(0.75));
  FillRequest request;
  request.most_types = 1;
  const Fill filled = find_fill(tasks, market, question, ideal, request);
  REQUIRE(filled.recommended);
  CHECK(list_types(market, filled.recommended->purchases) == std::vector<std::string>{"b.large"});
}

}  // namespace
}  // namespace bayplan::fleet
