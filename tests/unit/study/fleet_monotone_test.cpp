// More instance types and more effort never make a plan dearer: each plan has the searches of the smaller one.
#include <random>
#include <string>
#include <vector>

#include "catch.hpp"
#include "environment.hpp"
#include "fleet/by_hand.hpp"
#include "study/fleet/fleet_plan.hpp"
#include "study/fleet/offer_subsets.hpp"

namespace bayplan::study {
namespace {

using fleet::Market;
using placement::Scenario;
using placement::build::needs;
using placement::build::run_task;

/// Types of a random size each, at a price that is about what their size is worth.
Market random_market(std::mt19937_64& random, std::size_t types) {
  const std::vector<CpuUnits> sizes = {2048, 4096, 8192, 16'384, 49'152};
  const std::vector<std::string> names = {"a.one", "a.two", "b.one", "b.two", "c.one", "d.one"};
  Market market;
  for (std::size_t i = 0; i < types; ++i) {
    const CpuUnits cpu = sizes[random() % sizes.size()];
    const MiB memory = cpu * (2 + static_cast<MiB>(random() % 7)) - 300;
    const MicroUsd price = cpu * 20 + memory * 4 + static_cast<MicroUsd>(random() % 9) * cpu;
    auto one = fleet::by_hand::market({{names[i], 1.0, cpu, memory, 0}}).offers.front();
    one.hourly_price = price;
    market.region = "us-east-1";
    market.offers.push_back(std::move(one));
  }
  return market;
}

Scenario random_tasks(std::mt19937_64& random, std::size_t kinds, std::uint64_t most_each) {
  std::vector<placement::Workload> workloads;
  for (std::size_t i = 0; i < kinds; ++i) {
    const CpuUnits cpu = 128 << random() % 5;
    const MiB memory = cpu * (1 + static_cast<MiB>(random() % 6));
    workloads.push_back(
        run_task("w" + std::to_string(i), needs(cpu, memory), 1 + static_cast<std::int64_t>(random() % most_each)));
  }
  return fleet::by_hand::tasks(workloads);
}

std::optional<MicroUsd> cost_of_plan(const Scenario& tasks, const Market& market, FleetRequest request,
                                     std::int64_t effort) {
  request.orders = 3;
  request.effort = effort;
  const auto plan = plan_fleet(tasks, market, request);
  CHECK(plan.mistakes.empty());
  CHECK(plan.withdrawn.empty());
  std::int64_t wanted = 0;
  for (const auto& workload : tasks.workloads) wanted += workload.count.value_or(0);
  // A plan leaves out workloads that no type holds: it answers another question.
  if (plan.tasks < wanted || plan.left_over() > 0 || !plan.fill.recommended) return std::nullopt;
  if (request.deployable && !plan.review.rollouts.all_roll()) return std::nullopt;
  CHECK(plan.hourly_cost() >= plan.lower_bound);
  return plan.hourly_cost();
}

constexpr std::int64_t kLowestEffort = 400'000;
std::int64_t effort_of_plan() {
  return 10'000'000 / static_cast<std::int64_t>(fewer_cases());
}

/// The plan of all types against those of some parts of them, and against one with less effort. Returns how many of
/// these have a plan.
int check_parts(const Market& market, const Scenario& tasks, const FleetRequest& request, int parts,
                std::mt19937_64& random) {
  const std::size_t types = market.offers.size();
  const auto all = cost_of_plan(tasks, market, request, effort_of_plan());
  int compared = 0;
  for (int i = 0; i < parts; ++i) {
    const auto members = 1 + random() % ((1U << types) - 2);
    std::vector<std::uint32_t> part;
    for (std::uint32_t type = 0; type < types; ++type) {
      if ((members >> type & 1U) != 0) part.push_back(type);
    }
    const auto own = cost_of_plan(tasks, with_offers(market, part), request, effort_of_plan());
    if (!own) continue;
    CAPTURE(part);
    REQUIRE(all);
    CHECK(*all <= *own);
    ++compared;
  }
  const auto hasty = cost_of_plan(tasks, market, request, kLowestEffort);
  if (hasty) {
    REQUIRE(all);
    CHECK(*all <= *hasty);
    ++compared;
  }
  return compared;
}

int check_parts(std::uint64_t seed, std::size_t types, std::size_t kinds, std::uint64_t most_each) {
  CAPTURE(seed, types);
  std::mt19937_64 random(seed);
  const Market market = random_market(random, types);
  const Scenario tasks = random_tasks(random, kinds, most_each);
  return check_parts(market, tasks, {}, 6, random);
}

}  // namespace

TEST_CASE("plan of a fleet - more types and more effort never cost more") {
  int compared = 0;
  for (std::uint64_t seed = 1; seed <= random_cases(40); ++seed) compared += check_parts(seed, 4 + seed % 3, 3, 4);
  CHECK(compared > at_least(200));
}

TEST_CASE("plan of a fleet - more types and more effort never cost more, with many tasks") {
  CHECK(check_parts(1, 3, 8, 8) > 3);
}

TEST_CASE("plan of a fleet - more types and more effort never cost more, within limits and quotas") {
  int compared = 0;
  for (std::uint64_t seed = 101; seed <= 112; ++seed) {
    CAPTURE(seed);
    std::mt19937_64 random(seed);
    Market market = random_market(random, 4);
    market.quotas.push_back({"Standard", 24, 0});
    for (auto& offer : market.offers) {
      if (random() % 2 == 0) offer.limit = 1 + static_cast<std::int64_t>(random() % 3);
      if (random() % 2 == 0) offer.quota = "Standard";
    }
    const Scenario tasks = random_tasks(random, 3, 4);
    compared += check_parts(market, tasks, {}, 4, random);
  }
  CHECK(compared > 20);
}

TEST_CASE("plan of a fleet - more types and more effort never cost more, if a zone may be lost") {
  int compared = 0;
  for (std::uint64_t seed = 201; seed <= 204; ++seed) {
    CAPTURE(seed);
    std::mt19937_64 random(seed);
    const Market market = random_market(random, 3);
    const Scenario tasks = random_tasks(random, 2, 3);
    FleetRequest request;
    request.zones = {"us-east-1a", "us-east-1b"};
    request.survives_zone_loss = true;
    compared += check_parts(market, tasks, request, 3, random);
  }
  CHECK(compared > 8);
}

TEST_CASE("plan of a fleet - more types and more effort never cost more, if services are deployed") {
  int compared = 0;
  for (std::uint64_t seed = 301; seed <= 306; ++seed) {
    CAPTURE(seed);
    std::mt19937_64 random(seed);
    const Market market = random_market(random, 3);
    Scenario tasks = random_tasks(random, 2, 3);
    for (auto& workload : tasks.workloads) {
      workload.kind = placement::WorkloadKind::kService;
      workload.minimum_healthy_percent = 100;
      workload.maximum_percent = 200;
    }
    FleetRequest request;
    request.deployable = true;
    compared += check_parts(market, tasks, request, 3, random);
  }
  CHECK(compared > 12);
}

TEST_CASE("subsets of offers - all of three types, with bounds that hold") {
  std::mt19937_64 random(7);
  const Market market = random_market(random, 3);
  const Scenario tasks = fleet::by_hand::tasks({run_task("w", needs(256, 512), 10)});
  const auto question = fleet::make_packing_question(tasks, market, {});
  const auto subsets = offer_subsets(question, market, 0, true);
  CHECK(subsets.size() == 7);
  CHECK(subsets.front().types == 3);
  CHECK(offer_subsets(question, market, 1, true).size() == 3);
  CHECK(types_to_buy(market) == 3);
  for (const auto& subset : subsets) {
    CHECK(subset.at_least > 0);
    const auto cost = cost_of_plan(tasks, with_offers(market, subset.offers), {}, effort_of_plan());
    REQUIRE(cost);
    CHECK(subset.at_least <= *cost);
  }
}

}  // namespace bayplan::study
