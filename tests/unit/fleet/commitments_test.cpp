#include "fleet/payment/commitments.hpp"

#include <random>

#include "catch.hpp"

namespace bayplan::fleet::commitments_test {
namespace {

constexpr MicroUsd kUsd = kMicroUsdPerUsd;

/// So many hours with instances of one USD an hour.
HourlyDemand hours_with(std::int64_t hours, std::int64_t instances, const std::string& type = "c6a.large",
                        MicroUsd price = kUsd) {
  return {hours, {{type, instances, price}}, 0};
}

Commitment savings_plan(double discount, std::optional<std::int64_t> amount = std::nullopt) {
  return {CommitmentType::kComputeSavingsPlan, "", static_cast<std::int64_t>(discount * 1e6 + 0.5), 0, amount};
}

Commitment family_plan(const std::string& family, double discount, std::optional<std::int64_t> amount = std::nullopt) {
  return {CommitmentType::kEc2InstanceSavingsPlan, family, static_cast<std::int64_t>(discount * 1e6 + 0.5), 0, amount};
}

Commitment reserved(const std::string& type, double discount, std::optional<std::int64_t> amount = std::nullopt,
                    MicroUsd price = kUsd) {
  return {CommitmentType::kReservedInstances, type, static_cast<std::int64_t>(discount * 1e6 + 0.5), price, amount};
}

constexpr NanoUsd nano(double usd) {
  return static_cast<NanoUsd>(usd * 1e9 + 0.5);
}

}  // namespace

TEST_CASE("a Savings Plan covers usage at On-Demand prices divided by what is paid of them") {
  // 0.72 USD at 28 % off cover 1 USD of usage; of 3 USD 2 are left.
  const auto paid = bill(hours_with(1, 3), {savings_plan(0.28, 720'000)});
  CHECK(paid.committed == nano(0.72));
  CHECK(paid.on_demand == nano(2));
  CHECK(paid.unused == 0);
  CHECK(paid.covered == std::vector<NanoUsd>{nano(1)});
  CHECK(paid.total() == nano(2.72));
}

TEST_CASE("a commitment is paid when nothing runs and more of it is not used up") {
  const auto idle = bill({1, {}, 0}, {savings_plan(0.28, 720'000)});
  CHECK(idle.total() == nano(0.72));
  CHECK(idle.unused == nano(0.72));
  const auto half = bill(hours_with(1, 1, "m5.large", kUsd / 2), {savings_plan(0.28, 720'000)});
  CHECK(half.total() == nano(0.72));
  CHECK(half.used == std::vector<NanoUsd>{nano(0.36)});
}

TEST_CASE("Reserved Instances cover first then plans of a family then those of everything") {
  // 5 c6a.large and 2 m5.large of 1 USD. Reserved: 2 c6a.large at 0.6. The family plan of 1 USD at 50 % covers 2 more,
  // the compute plan of 0.8 USD at 20 % covers 1. Left: 1 c6a.large and 2 m5.large less 1 = 2 USD.
  const HourlyDemand demand{1, {{"c6a.large", 5, kUsd}, {"m5.large", 2, kUsd}}, 0};
  const auto paid =
      bill(demand, {savings_plan(0.2, 800'000), family_plan("c6a", 0.5, kUsd), reserved("c6a.large", 0.4, 2)});
  CHECK(paid.covered == std::vector<NanoUsd>{nano(1), nano(2), nano(2)});
  CHECK(paid.committed == nano(0.8 + 1 + 1.2));
  CHECK(paid.on_demand == nano(2));
  CHECK(paid.total() == nano(5));
}

TEST_CASE("a commitment covers its own family and type alone") {
  const auto demand = hours_with(1, 2, "m5.large");
  CHECK(bill(demand, {family_plan("c6a", 0.5, kUsd)}).total() == nano(3));
  CHECK(bill(demand, {reserved("m5.xlarge", 0.5, 1)}).total() == nano(2.5));
  CHECK(bill(demand, {reserved("m5.large", 0.5, 3)}).total() == nano(1.5));
}

TEST_CASE("Spot Instances are covered by nothing") {
  const HourlyDemand demand{1, {}, 2 * kUsd};
  CHECK(bill(demand, {savings_plan(0.28, 720'000)}).total() == nano(2.72));
}

TEST_CASE("the cheapest commitment is a quantile of the hourly demand") {
  // 12 hours of 3 USD, 6 of 2, 6 of 1: at 28 % off an amount pays off where it is used in more than 72 % of the hours.
  // 1 USD runs in all, 2 USD in 75 %, 3 USD in 50 %. So 2 USD of usage: 1.44 USD.
  const std::vector<HourlyDemand> day = {hours_with(12, 3), hours_with(6, 2), hours_with(6, 1)};
  const auto found = cheapest_commitments(day, {savings_plan(0.28)});
  CHECK(found.front().amount == 1'440'000);
  // (24 * 1.44 + 12 * 1) / 24 = 1.94
  CHECK(mean_cost(day, found) == nano(1.94));
  CHECK(mean_cost(day, {}) == nano(2.25));
  // At 20 % off it is 1 USD of usage, which costs 0.8: (24 * 0.8 + 12 * 2 + 6 * 1) / 24 = 2.05.
  const auto less = cheapest_commitments(day, {savings_plan(0.2)});
  CHECK(less.front().amount == 800'000);
  CHECK(mean_cost(day, less) == nano(2.05));
  // At 60 % off, more than 40 % of the hours: all 3 USD for 1.2.
  CHECK(cheapest_commitments(day, {savings_plan(0.6)}).front().amount == 1'200'000);
}

TEST_CASE("a commitment that pays for no hour is 0") {
  // A job of 4 hours a day: 17 % of the hours is less than the 72 % that are paid.
  const std::vector<HourlyDemand> day = {hours_with(4, 5), {20, {}, 0}};
  CHECK(cheapest_commitments(day, {savings_plan(0.28)}).front().amount == 0);
}

TEST_CASE("the number of Reserved Instances is sought as that of a Savings Plan") {
  const std::vector<HourlyDemand> day = {hours_with(12, 3), hours_with(6, 2), hours_with(6, 1)};
  const auto found = cheapest_commitments(day, {reserved("c6a.large", 0.28)});
  CHECK(found.front().amount == 2);
  CHECK(mean_cost(day, found) == nano(1.94));
}

TEST_CASE("two commitments are sought together") {
  // c6a runs all the time, m5 by day: the family plan takes c6a, nothing pays for m5.
  const std::vector<HourlyDemand> day = {{12, {{"c6a.large", 2, kUsd}, {"m5.large", 1, kUsd}}, 0},
                                         {12, {{"c6a.large", 2, kUsd}}, 0}};
  const auto found = cheapest_commitments(day, {savings_plan(0.28), family_plan("c6a", 0.4)});
  CHECK(found[0].amount == 0);
  CHECK(found[1].amount == 1'200'000);
  CHECK(mean_cost(day, found) == nano(1.7));  // 1.2 and 1 USD in half of the hours
}

TEST_CASE("what is bought already is not sought again") {
  const std::vector<HourlyDemand> day = {hours_with(24, 3)};
  const auto found = cheapest_commitments(day, {savings_plan(0.4, 600'000), savings_plan(0.2)});
  CHECK(found[0].amount == 600'000);
  CHECK(found[1].amount == 1'600'000);  // the other 2 USD
  CHECK(mean_cost(day, found) == nano(2.2));
}

TEST_CASE("the bound of the mean is what the cheapest commitment would cost on the bounds of the hours") {
  const std::vector<BoundedHours> hours = {{12, 3 * kUsd}, {6, 2 * kUsd}, {6, kUsd}};
  CHECK(least_mean_cost(hours, {savings_plan(0.28)}) == nano(1.94));
  CHECK(least_mean_cost(hours, {}) == nano(2.25));
  CHECK(least_mean_cost({}, {}) == 0);
}

TEST_CASE("no fleets and amounts cost less than the bound") {
  std::mt19937_64 random(7);
  const auto draw = [&](std::int64_t most) {
    return static_cast<std::int64_t>(random() % static_cast<std::uint64_t>(most));
  };
  for (int round = 0; round < 200; ++round) {
    std::vector<HourlyDemand> demand;
    std::vector<BoundedHours> bounds;
    for (int level = 0; level < 6; ++level) {
      const HourlyDemand hour{
          1 + draw(9),
          {{"c6a.large", draw(6), 76'500}, {"c6a.xlarge", draw(4), 153'000}, {"m5.large", draw(5), 96'000}},
          0};
      MicroUsd sum = 0;
      for (const auto& one : hour.instances) sum += one.count * one.hourly_price;
      bounds.push_back({hour.hours, sum});
      demand.push_back(hour);
    }
    const std::vector<Commitment> stated = {
        reserved("c6a.large", 0.3, draw(3), 76'500),
        family_plan("c6a", 0.35, draw(2) == 0 ? std::nullopt : std::optional(draw(300'000))), savings_plan(0.28)};
    const auto found = cheapest_commitments(demand, stated);
    const auto cost = mean_cost(demand, found);
    CHECK(least_mean_cost(bounds, stated) <= cost);
    CHECK(cost <= mean_cost(demand, {reserved("c6a.large", 0.3, *stated[0].amount, 76'500)}) +
                      (stated[1].amount ? *stated[1].amount * 1000 : 0));
    for (int other = 0; other < 20; ++other) {  // no amount that is tried is cheaper, but for the step
      auto tried = found;
      for (std::size_t i = 0; i < tried.size(); ++i) {
        if (!stated[i].amount) tried[i].amount = draw(800'000) / kCommitmentStep * kCommitmentStep;
      }
      CHECK(cost <= mean_cost(demand, tried) + nano(0.0002));
    }
  }
}

}  // namespace bayplan::fleet::commitments_test
