#include "study/payment/payment_plan.hpp"

#include <cstdlib>
#include <optional>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "catch.hpp"
#include "environment.hpp"
#include "fleet/by_hand.hpp"
#include "fleet/recommended/fleet_rank.hpp"

namespace bayplan::study::payment_plan_test {
namespace {

using fleet::Market;
using fleet::by_hand::usd;
using placement::Scenario;
using placement::build::needs;
using placement::build::run_task;

/// A small and a large type, the large one of four small ones at the price of three.
Market small_and_large() {
  auto market = fleet::by_hand::market({{"s.small", 1, 1024, 4'000, 0}, {"s.large", 3, 4096, 16'000, 0}});
  market.region = "us-east-1";
  return market;
}

LoadCurve curve_of(const std::vector<std::vector<std::int64_t>>& hours) {
  LoadCurve curve;
  for (const auto& counts : hours) {
    std::uint32_t level = 0;
    while (level < curve.levels.size() && curve.levels[level].counts != counts) ++level;
    if (level == curve.levels.size()) curve.levels.push_back({counts, 0});
    ++curve.levels[level].hours;
    curve.hours.push_back(level);
  }
  return curve;
}

PaymentPlan payment(const Scenario& tasks, const LoadCurve& curve, const PaymentTerms& terms,
                    const FleetRequest& request = {}) {
  const auto market = small_and_large();
  const auto peak = with_counts(tasks, curve.peak());
  const auto plan = plan_fleet(peak, market, request);
  CHECK(plan.mistakes.empty());
  CHECK(plan.withdrawn.empty());
  auto paid = plan_payment(peak, market, request, plan, curve, terms);
  CHECK(paid.mistakes.empty());
  CHECK(paid.withdrawn.empty());
  return paid;
}

PaymentTerms savings_plan(std::int64_t discount_millionths) {
  return {{{{fleet::CommitmentType::kComputeSavingsPlan, "", discount_millionths, 0, std::nullopt}, 1}}, {}, {}};
}

NanoUsd nano(double dollars) {
  return static_cast<NanoUsd>(dollars * 1e9 + 0.5);
}

PaidFleet paid_fleet(const Market& market, std::int64_t tasks, const PaymentTerms& terms) {
  const Scenario scenario = fleet::by_hand::tasks({run_task("w", needs(1024, 4'000), tasks)});
  const auto plan = plan_fleet(scenario, market, {});
  auto paid = plan_paid_fleet(scenario, market, {}, plan, constant_load(scenario), terms);
  CHECK(paid.plan.mistakes.empty());
  CHECK(paid.plan.withdrawn.empty());
  CHECK(paid.payment.mistakes.empty());
  CHECK(paid.payment.withdrawn.empty());
  CHECK(paid.payment.lower_bound <= paid.payment.hourly);
  CHECK(paid.payment.hourly_with_extras() <=
        plan_payment(scenario, market, {}, plan, constant_load(scenario), terms).hourly_with_extras());
  return paid;
}

std::string types_of(const Market& market, const PaidFleet& paid) {
  std::string words;
  for (const auto& type : fleet::list_types(market, paid.plan.purchases())) words += (words.empty() ? "" : " ") + type;
  return words;
}

}  // namespace

TEST_CASE("payment - each hour has its own fleet and the mean is proven") {
  // One task fills a small instance: 1, 4 and 5 tasks cost 1, 3 and 4 USD.
  const auto tasks = fleet::by_hand::tasks({run_task("web", needs(1024, 2048), 5)});
  const auto curve = curve_of({{1}, {1}, {1}, {4}, {5}, {5}, {5}, {1}});
  const auto paid = payment(tasks, curve, {});
  CHECK(paid.peak_hourly == usd(4));
  CHECK(paid.on_demand == nano((4 * 1 + 3 + 3 * 4) / 8.0));
  CHECK(paid.hourly == paid.on_demand);
  CHECK(paid.lower_bound == paid.hourly);
  CHECK(paid.gap() == 0);
  CHECK(paid.simulated == 3);
  CHECK(paid.levels[1].instances == 1);
  CHECK(paid.levels[1].fleet.orders == 20);
}

TEST_CASE("payment - a Savings Plan for the part that runs in most hours") {
  const auto tasks = fleet::by_hand::tasks({run_task("web", needs(1024, 2048), 5)});
  const auto curve = curve_of({{1}, {1}, {1}, {4}, {5}, {5}, {5}, {1}});
  // At 40 % off what runs in more than 60 % of the hours: 1 USD of usage for 0.6.
  const auto paid = payment(tasks, curve, savings_plan(400'000));
  REQUIRE(paid.commitments.size() == 1);
  CHECK(paid.commitments[0].commitment.amount == usd(0.6));
  CHECK(paid.commitments[0].is_sought);
  CHECK(paid.commitments[0].utilization == Approx(1));
  CHECK(paid.hourly == nano(0.6 + (2 + 3 * 3) / 8.0));
  CHECK(paid.lower_bound == paid.hourly);
}

TEST_CASE("payment - an hour without tasks costs its commitments alone") {
  const auto tasks = fleet::by_hand::tasks({run_task("web", needs(1024, 2048), 2)});
  auto terms = savings_plan(500'000);
  terms.commitments[0].commitment.amount = usd(0.5);
  const auto paid = payment(tasks, curve_of({{0}, {2}}), terms);
  CHECK(paid.levels[0].fleet.purchases.empty());
  CHECK(paid.levels[0].bill.total() == nano(0.5));
  CHECK(paid.levels[1].bill.total() == nano(1.5));
  CHECK(paid.commitments[0].utilization == Approx(0.5));
}

TEST_CASE("payment - extras are priced by the instances of each hour") {
  const auto tasks = fleet::by_hand::tasks({run_task("web", needs(1024, 2048), 4)});
  PaymentTerms terms;
  terms.root_volume = RootVolume{30, true, "gp3", std::nullopt};
  terms.public_addresses = PublicAddresses{1, 2, std::nullopt};
  const auto paid = payment(tasks, curve_of({{1}, {4}}), terms);  // one instance in both hours
  REQUIRE(paid.extras.size() == 2);
  CHECK(paid.extras[0].price == 3'287'671);  // 30 * 0.08 / 730
  CHECK(paid.extras[0].mean_count == Approx(1));
  CHECK(paid.extras[0].date == "2026-09-28");
  CHECK(paid.extras[1].mean_count == Approx(3));
  CHECK(paid.extras[1].mean_hourly == nano(0.015));
  CHECK(paid.hourly_with_extras() == paid.hourly + 3'287'671 + nano(0.015));
}

TEST_CASE("payment - a price that is not known is named and never zero") {
  const auto tasks = fleet::by_hand::tasks({run_task("web", needs(1024, 2048), 4)});
  auto market = small_and_large();
  market.region = "eu-west-1";
  const auto plan = plan_fleet(tasks, market, {});
  PaymentTerms terms;
  terms.root_volume = RootVolume{30, false, "gp3", std::nullopt};
  auto paid = plan_payment(tasks, market, {}, plan, constant_load(tasks), terms);
  CHECK_FALSE(paid.extras[0].price);
  CHECK_FALSE(paid.extras[0].mean_hourly);
  CHECK(paid.extras[0].missing == "gp3 per GB-month in eu-west-1");
  CHECK(paid.hourly_with_extras() == paid.hourly);
  terms.root_volume->price = nano(0.088);
  paid = plan_payment(tasks, market, {}, plan, constant_load(tasks), terms);
  CHECK(paid.extras[0].price == 3'616'438);  // 30 * 0.088 / 730
}

TEST_CASE("payment - many levels are packed each within its bound") {
  std::mt19937_64 random(3);
  const auto tasks = fleet::by_hand::tasks({run_task("a", needs(300, 900), 40), run_task("b", needs(700, 1'500), 30),
                                            run_task("c", needs(1000, 3'000), 20)});
  std::vector<std::vector<std::int64_t>> hours;
  for (int hour = 0; hour < 200; ++hour)
    hours.push_back({static_cast<std::int64_t>(random() % 40), static_cast<std::int64_t>(random() % 30),
                     static_cast<std::int64_t>(random() % 20)});
  const auto curve = curve_of(hours);
  REQUIRE(curve.levels.size() > kFewLevels);
  const auto paid = payment(tasks, curve, savings_plan(300'000));
  CHECK(paid.simulated >= 8);
  CHECK(paid.count_of(FleetEvidence::kPacked) > 150);
  for (std::size_t i = 0; i < paid.levels.size(); ++i) {
    const auto& fleet = paid.levels[i].fleet;
    CHECK(fleet.lower_bound <= fleet.hourly_cost);
    // An independent optimum: the level as a problem of its own, solved to the end.
    if (i % 20 != 0) continue;
    const auto question = fleet::by_hand::question(with_counts(tasks, curve.levels[i].counts), small_and_large());
    const auto best = fleet::by_hand::ideal(question);
    CHECK(fleet.lower_bound <= best.cost);
    CHECK(fleet.hourly_cost >= best.lower_bound);
  }
  CHECK(paid.lower_bound <= paid.hourly);
  CHECK(paid.gap() < 0.1);
}

TEST_CASE("payment - headroom applies in every hour") {
  const auto tasks = fleet::by_hand::tasks({run_task("web", needs(1024, 2048), 4)});
  FleetRequest request;
  request.headroom_percent = Percent::of(100);
  const auto paid = payment(tasks, curve_of({{1}, {4}}), {}, request);
  CHECK(paid.levels[0].fleet.hourly_cost == usd(2));  // two tasks
  CHECK(paid.levels[1].fleet.hourly_cost == usd(6));  // eight
}

TEST_CASE("payment - the bound of an hour counts types that are too small for the peak") {
  const auto tasks =
      fleet::by_hand::tasks({run_task("big", needs(4096, 4096), 1), run_task("web", needs(1024, 2048), 1)});
  FleetRequest request;
  request.most_types = 1;
  const auto paid = payment(tasks, curve_of({{0, 1}, {1, 1}}), {}, request);
  CHECK(paid.levels[1].fleet.lower_bound == usd(6));  // two large ones
  CHECK(paid.levels[0].fleet.lower_bound <= usd(1));  // a small one
  CHECK(paid.levels[0].fleet.lower_bound > 0);
}

TEST_CASE("payment - instances that are reserved are used before others are bought") {
  const auto market = small_and_large();
  CHECK(types_of(market, paid_fleet(market, 4, {})) == "s.large");
  const auto reserved = [](std::int64_t count) {
    return PaymentTerms{{{{fleet::CommitmentType::kReservedInstances, "s.small", 400'000, usd(1), count}, 1}}, {}, {}};
  };
  const auto all = paid_fleet(market, 4, reserved(4));
  CHECK(types_of(market, all) == "s.small");
  CHECK(all.payment.hourly == nano(2.4));
  CHECK(all.payment.commitments.front().utilization == 1);
  CHECK(all.plan.hourly_cost() == usd(4));
  // Six tasks take the two that are reserved, and the large one.
  const auto some = paid_fleet(market, 6, reserved(2));
  CHECK(types_of(market, some) == "s.large s.small");
  CHECK(some.payment.hourly == nano(0.6 * 2 + 3));
}

TEST_CASE("payment - a plan of a family is worth what its types then cost") {
  auto market = fleet::by_hand::market({{"s.one", 1, 1024, 4'000, 0}, {"t.one", 1.2, 1024, 4'000, 0}});
  market.region = "us-east-1";
  const auto family = [](std::optional<std::int64_t> amount) {
    return PaymentTerms{{{{fleet::CommitmentType::kEc2InstanceSavingsPlan, "t", 500'000, 0, amount}, 1}}, {}, {}};
  };
  const auto sought = paid_fleet(market, 3, family(std::nullopt));
  CHECK(types_of(market, sought) == "t.one");
  CHECK(sought.payment.hourly == nano(1.8));
  const auto stated = paid_fleet(market, 3, family(usd(1.8)));
  CHECK(types_of(market, stated) == "t.one");
  CHECK(stated.payment.hourly == nano(1.8));
}

TEST_CASE("payment - a plan of a family that is too small for all tasks is split exactly") {
  // What the plan pays holds four tasks on the dearer type; the others run on the cheaper one.
  auto market = fleet::by_hand::market({{"s.one", 1, 1024, 4'000, 0}, {"t.one", 1.2, 1024, 4'000, 0}});
  market.region = "us-east-1";
  const PaymentTerms terms{{{{fleet::CommitmentType::kEc2InstanceSavingsPlan, "t", 250'000, 0, usd(3.6)}, 1}}, {}, {}};
  const auto split = paid_fleet(market, 10, terms);
  CHECK(types_of(market, split) == "s.one t.one");
  REQUIRE(split.plan.purchases().size() == 2);
  CHECK(split.plan.purchases()[0].count == 6);
  CHECK(split.plan.purchases()[1].count == 4);
  CHECK(split.payment.hourly == nano(3.6 + 6));
  CHECK(split.payment.commitments.front().utilization == 1);
  // Each hour of this fleet with its commitment, against one of the cheaper type, On-Demand next to the plan.
  const auto& plan = split.plan;
  CHECK(paid_hourly(market, split.payment, plan.purchases(), plan.hourly_cost()) == usd(9.6));
  CHECK(paid_hourly(market, split.payment, {{0, "", 10}}, usd(10)) == usd(13.6));
}

TEST_CASE("payment - the amount of a plan for a load curve is not sought for each hour") {
  // A plan of $1 at half the On-Demand price covers $2 of an hour: two small instances, and the third is On-Demand.
  PaymentPlan paid;
  paid.commitments.push_back(
      {{fleet::CommitmentType::kComputeSavingsPlan, "", 500'000, 0, usd(1)}, true, 1, nano(1), 1, nano(2)});
  const auto market = small_and_large();
  CHECK(paid_hourly(market, paid, {{0, "", 3}}, usd(3)) == usd(1.5));  // a plan of $1.5 would cover all
  paid.has_curve = true;
  CHECK(paid_hourly(market, paid, {{0, "", 3}}, usd(3)) == usd(2));
}

/// Each task fills a small instance, and four a large one. Of one reserved or family plan that is sought, and of the
/// amounts that matter, the least mean cost: every hour then takes its cheapest fleet.
NanoUsd least_mean(const std::vector<std::int64_t>& tasks, const fleet::Commitment& sought) {
  const auto fleets_of = [](std::int64_t count) {
    std::vector<std::pair<std::int64_t, std::int64_t>> fleets;  // of small and large instances
    for (std::int64_t large = 0; large <= (count + 3) / 4; ++large)
      fleets.emplace_back(std::max<std::int64_t>(0, count - 4 * large), large);
    return fleets;
  };
  const auto demand_with = [](std::pair<std::int64_t, std::int64_t> fleet) {
    fleet::HourlyDemand demand;
    if (fleet.first > 0) demand.instances.push_back({"s.small", fleet.first, usd(1)});
    if (fleet.second > 0) demand.instances.push_back({"t.large", fleet.second, usd(3)});
    return demand;
  };
  std::optional<NanoUsd> least;
  for (const auto all : tasks) {
    for (const auto& covered : fleets_of(all)) {
      fleet::Commitment one = sought;
      one.amount = fleet::amount_for_all(one, demand_with(covered));
      NanoUsd sum = 0;
      for (const auto count : tasks) {
        std::optional<NanoUsd> hour;
        for (const auto& fleet : fleets_of(count)) {
          const NanoUsd cost = fleet::bill(demand_with(fleet), {one}).total();
          hour = std::min(hour.value_or(cost), cost);
        }
        sum += *hour;
      }
      const NanoUsd mean = sum / static_cast<NanoUsd>(tasks.size());
      least = std::min(least.value_or(mean), mean);
    }
  }
  return *least;
}

TEST_CASE("payment - the fleets of all hours are chosen together with what is committed to") {
  auto market = fleet::by_hand::market({{"s.small", 1, 1024, 4'000, 0}, {"t.large", 3, 4096, 16'000, 0}});
  market.region = "us-east-1";
  std::mt19937_64 random(20261201);
  int mixed = 0;
  for (std::uint64_t i = 0; i < random_cases(60); ++i) {
    std::vector<std::int64_t> tasks;
    const auto hours = 2 + random() % 4;
    for (std::uint64_t hour = 0; hour < hours; ++hour) tasks.push_back(1 + static_cast<std::int64_t>(random() % 14));
    const std::int64_t discount = 200'000 + 100'000 * static_cast<std::int64_t>(random() % 6);
    const bool is_reserved = random() % 2 == 0;
    const bool is_large = random() % 2 == 0;
    const fleet::Commitment sought =
        is_reserved ? fleet::Commitment{fleet::CommitmentType::kReservedInstances, is_large ? "t.large" : "s.small",
                                        discount, usd(is_large ? 3 : 1), std::nullopt}
                    : fleet::Commitment{fleet::CommitmentType::kEc2InstanceSavingsPlan, is_large ? "t" : "s", discount,
                                        0, std::nullopt};
    std::vector<std::vector<std::int64_t>> counts;
    for (const auto count : tasks) counts.push_back({count});
    const auto curve = curve_of(counts);
    const auto scenario = with_counts(fleet::by_hand::tasks({run_task("w", needs(1024, 4'000), 1)}), curve.peak());
    const PaymentTerms terms{{{sought, 1}}, {}, {}};
    const auto plan = plan_fleet(scenario, market, {});
    const auto paid = plan_paid_fleet(scenario, market, {}, plan, curve, terms);
    CHECK(paid.payment.mistakes.empty());
    CHECK(paid.payment.withdrawn.empty());
    CHECK(paid.payment.lower_bound <= paid.payment.hourly);
    std::string words = std::to_string(discount) + (is_reserved ? " RI " : " ESP ") + sought.covers;
    for (const auto count : tasks) words += " " + std::to_string(count);
    INFO(words << " hourly " << paid.payment.hourly);
    // A mean is rounded.
    CHECK(std::abs(paid.payment.hourly - least_mean(tasks, sought)) <= 1);
    CHECK(paid.payment.hourly <= plan_payment(scenario, market, {}, plan, curve, terms).hourly);
    const auto peak = curve.peak_level();
    REQUIRE(peak);
    CHECK(paid.payment.levels[*peak].fleet.purchases == paid.plan.purchases());
    if (paid.plan.purchases().size() == 2) ++mixed;
  }
  CHECK(mixed > 0);
}

TEST_CASE("payment - addresses belong to the price of a fleet") {
  // Two small instances cost less than a large one by a cent, and more with their addresses.
  auto market = fleet::by_hand::market({{"s.small", 1, 1024, 4'000, 0}, {"s.large", 2.01, 2048, 8'000, 0}});
  market.region = "us-east-1";
  CHECK(types_of(market, paid_fleet(market, 2, {})) == "s.small");
  PaymentTerms terms;
  terms.public_addresses = PublicAddresses{1, 0, 50'000'000};
  CHECK(types_of(market, paid_fleet(market, 2, terms)) == "s.large");
}

}  // namespace bayplan::study::payment_plan_test
