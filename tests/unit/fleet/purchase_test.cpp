#include "fleet/offers/purchase.hpp"

#include <algorithm>

#include "catch.hpp"

namespace bayplan::fleet::purchase_test {
namespace {

Offer make_offer(const std::string& type, MicroUsd price) {
  Offer offer;
  offer.profile.instance_type = type;
  offer.hourly_price = price;
  return offer;
}

Market market_of_two() {
  Market market;
  market.offers = {make_offer("g4dn.xlarge", 526'000), make_offer("m5.large", 96'000)};
  return market;
}

TEST_CASE("instances are dealt to the zones in turn across offers") {
  const Purchases fleet = {{0, "", 2}, {1, "", 2}};
  const Purchases expected = {{0, "a", 1}, {0, "b", 1}, {1, "a", 1}, {1, "c", 1}};
  CHECK(dealt(fleet, {"a", "b", "c"}) == expected);
  CHECK(dealt(fleet, {}) == fleet);
}

TEST_CASE("millions of instances are dealt as a few are") {
  const std::vector<std::string> zones = {"a", "b", "c"};
  for (std::int64_t first = 0; first < 7; ++first) {
    const Purchases one_by_one = dealt({{0, "", first}, {1, "", 4}}, zones);
    const Purchases many = dealt({{0, "", first + 3'000'000}, {1, "", 4}}, zones);
    for (const auto& one : one_by_one) {
      if (one.offer == 1) CHECK(std::count(many.begin(), many.end(), one) == 1);
    }
    CHECK(instances_of(many) == first + 3'000'004);
  }
  const Purchases expected = {{0, "a", 1'000'001}, {0, "b", 1'000'001}, {0, "c", 1'000'000}, {1, "a", 1}, {1, "c", 1}};
  CHECK(dealt({{0, "", 3'000'002}, {1, "", 2}}, zones) == expected);
}

TEST_CASE("instances bound to a zone stay there") {
  const Purchases expected = {{0, "a", 1}, {1, "b", 3}};
  CHECK(dealt({{0, "", 1}, {1, "b", 3}}, {"a", "b"}) == expected);
}

TEST_CASE("a fleet costs what its offers cost") {
  const Market market = market_of_two();
  CHECK(hourly_cost(market, {{0, "", 2}, {1, "", 3}}) == 2 * 526'000 + 3 * 96'000);
  CHECK(instances_of({{0, "", 2}, {1, "", 3}}) == 5);
}

TEST_CASE("bins become purchases but for those of instances that stand") {
  Market market = market_of_two();
  market.offers[1].standing = {0, 1};
  Question question;
  question.bins = {{0, "", false}, {0, "", true}, {1, "", false}};
  question.problem.shapes.resize(2);
  const packing::Packing packing = {{{0, {{0, 1}}}, 2}, {{1, {{1, 1}}}, 1}, {{2, {{1, 1}}}, 2}};
  CHECK(compute_purchases(question, market, packing) == Purchases{{0, "", 3}});
}

TEST_CASE("a packing of another problem is not bought") {
  const Market market = market_of_two();
  Question question;
  question.bins = {{0, "", false}, {1, "", false}};
  question.problem.shapes.resize(1);
  question.problem.shapes[0].allowed = {true, false};
  CHECK_NOTHROW(compute_purchases(question, market, {{{0, {{0, 1}}}, 1}}));
  CHECK_THROWS(compute_purchases(question, market, {{{0, {{1, 1}}}, 1}}));  // a shape that it does not have
  CHECK_THROWS(compute_purchases(question, market, {{{1, {{0, 1}}}, 1}}));  // a bin that the shape may not be in
  CHECK_THROWS(compute_purchases(question, market, {{{2, {}}, 1}}));        // a bin that it does not have
}

TEST_CASE("bins whose tasks may stand in every zone are bought for any") {
  const Market market = market_of_two();
  Question question;
  question.bins = {{0, "a", false}, {0, "b", false}, {0, "a", true}, {1, "a", false}};
  question.zones = {"a", "b"};
  question.problem.types.resize(4);
  question.problem.shapes.resize(2);
  question.problem.shapes[1].allowed = {true, false, true, true};
  const packing::Packing packing = {{{0, {{0, 1}}}, 2}, {{0, {{0, 1}, {1, 1}}}, 3}, {{2, {{0, 1}}}, 1}, {{3, {}}, 4}};
  const Purchases expected = {{0, "", 2}, {0, "a", 4}, {1, "a", 4}};
  CHECK(compute_purchases(question, market, packing) == expected);
  question.problem.types[1].capacity[0] = 1;
  CHECK(compute_purchases(question, market, packing)[0] == Purchase{0, "a", 6});
}

TEST_CASE("a scenario gets the instances bought in place of its own or behind them") {
  const Market market = market_of_two();
  placement::Scenario scenario;
  scenario.profiles.push_back(market.offers[1].profile);
  scenario.instances = {{"m5.large#1", 0}};
  scenario.in_use.resize(1);

  const auto anew = with_purchases(scenario, market, {{1, "us-east-1a", 2}}, false);
  REQUIRE(anew.instances.size() == 2);
  CHECK(anew.instances[0].id == "m5.large#1");
  CHECK(anew.in_use.empty());
  CHECK(anew.profiles[anew.instances[1].profile].attributes.at("ecs.availability-zone") == "us-east-1a");

  const auto more = with_purchases(scenario, market, {{1, "", 1}}, true);
  REQUIRE(more.instances.size() == 2);
  CHECK(more.instances[1].id == "m5.large#2");
  CHECK(more.profiles[more.instances[1].profile].hourly_price == 96'000);
}

}  // namespace
}  // namespace bayplan::fleet::purchase_test
