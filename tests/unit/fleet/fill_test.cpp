#include "environment.hpp"
#include "fleet/recommended/fill_fleet.hpp"

#include <algorithm>
#include <optional>
#include <random>

#include "catch.hpp"
#include "fleet/by_hand.hpp"
#include "fleet/ideal/zone_loss.hpp"
#include "fleet/recommended/candidate_policies.hpp"
#include "fleet/recommended/fleet_rank.hpp"
#include "fleet/recommended/launch_trials.hpp"
#include "placement/engine/engine.hpp"
#include "placement/model/random.hpp"
#include "placement/verify/verify.hpp"

namespace bayplan::fleet {
namespace {

using by_hand::usd;
using placement::Scenario;
using placement::build::needs;
using placement::build::run_task;
using placement::build::service;
using placement::build::with_gpus;

/// Places every task in every order with `placement::place`, and has each placement verified. How many orders fill.
std::uint64_t orders_filled(const Scenario& tasks, const Market& market, const FilledFleet& fleet,
                            std::uint64_t orders) {
  const Scenario scenario = with_policy(with_purchases(tasks, market, fleet.purchases, false), fleet.policy);
  std::uint64_t filled = 0;
  for (std::uint64_t order = 0; order < orders; ++order) {
    const Scenario launched = in_launch_order(scenario, order);
    const auto outcome = placement::place(launched);
    CHECK(placement::verify(launched, outcome).empty());
    if (outcome.failures.empty()) ++filled;
  }
  return filled;
}

bool is_filled(const Scenario& tasks, const Market& market, const FilledFleet& fleet, std::uint64_t orders) {
  return orders_filled(tasks, market, fleet, orders) == orders;
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
  const Fill filled = find_fill(tasks, market, question, ideal, {});
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
  const Fill filled = find_fill(tasks, market, question, ideal, {});
  REQUIRE(filled.recommended);
  CHECK(is_filled(tasks, market, *filled.recommended, 20));
  for (const auto& one : filled.by_policy) {
    UNSCOPED_INFO(one.policy.name << " " << static_cast<int>(one.policy.order) << " " << one.hourly_cost);
  }
  CHECK(filled.recommended->hourly_cost == usd(28.272));
  CHECK(filled.recommended->policy.order == placement::TaskOrder::kLargestFirst);
}

TEST_CASE("keeping tasks off one type closes the gap where services start in any order") {
  const Scenario tasks =
      by_hand::tasks({service("one", with_gpus(needs(2048, 7168), {1}), 24),
                      service("two", with_gpus(needs(8192, 32'768), {2}), 8), service("cpu", needs(1024, 2048), 8)});
  const Market market = by_hand::market(g4dn());
  const Question question = by_hand::question(tasks, market);
  const auto ideal = by_hand::ideal(question);
  const Fill filled = find_fill(tasks, market, question, ideal, {});
  REQUIRE(filled.recommended);
  CHECK(is_filled(tasks, market, *filled.recommended, 20));
  CHECK(filled.by_policy.front().hourly_cost > usd(28.272));
  REQUIRE_FALSE(filled.closing.empty());
  const FilledFleet& closing = filled.closing.front();
  CHECK(is_worth_writing(closing, filled.by_policy.front()));
  CHECK(filled.recommended->policy.constraints.size() == closing.policy.constraints.size());
  CHECK(closing.hourly_cost == usd(28.272));
  CHECK(is_filled(tasks, market, closing, 20));
  CHECK(closing.policy.constraints.size() == 1);
}

TEST_CASE("a fleet with constraints replaces one without where it saves enough and was tried in fresh orders") {
  FilledFleet without;
  without.hourly_cost = usd(100);
  without.confirmed = 20;
  FilledFleet with_constraints = without;
  with_constraints.hourly_cost = usd(97);
  CHECK(is_worth_writing(with_constraints, without));
  CHECK(is_worth_writing(with_constraints, std::nullopt));
  with_constraints.hourly_cost = usd(97.1);
  CHECK_FALSE(is_worth_writing(with_constraints, without));
  with_constraints.hourly_cost = usd(90);
  with_constraints.confirmed = 0;
  CHECK_FALSE(is_worth_writing(with_constraints, without));
  without.confirmed = 0;
  CHECK(is_worth_writing(with_constraints, without));
}

/// Two tasks that go to the dear type alone, and two that go anywhere: when these are launched first, a tie decides
/// whether the others find a place.
struct TiedTypes {
  Scenario tasks;
  Market market = by_hand::market({{"rack-a", 1.489885, 2048, 7800, 0}, {"rack-b", 0.1, 2048, 7801, 0}});
  Question question;

  TiedTypes() {
    auto picky = service("picky", needs(1500, 2600), 2);
    picky.constraints.push_back(placement::build::member_of("attribute:ecs.instance-type not_in [rack-b]"));
    tasks = by_hand::tasks({picky, service("easy", needs(1024, 1950), 2)});
    question = by_hand::question(tasks, market);
    question.problem.shapes[0].allowed = {true, false};
  }
};

TEST_CASE("a fleet is not recommended for having been lucky in the orders of the search") {
  const TiedTypes tied;
  const auto ideal = by_hand::ideal(tied.question);
  const Fill filled = find_fill(tied.tasks, tied.market, tied.question, ideal, {});
  REQUIRE(filled.recommended);
  REQUIRE_FALSE(filled.by_policy.empty());
  const FilledFleet& cheapest = filled.by_policy.front();
  CHECK(cheapest.purchases == Purchases{{0, "", 3}});
  CHECK(cheapest.confirmed == 200);
  CHECK(is_filled(tied.tasks, tied.market, cheapest, 500));
  // With a constraint no tie is left to decide.
  CHECK(filled.recommended->hourly_cost < cheapest.hourly_cost);
  CHECK(is_filled(tied.tasks, tied.market, *filled.recommended, 500));
}

TEST_CASE("each way to close a gap is told once, and holds in orders that the search had not seen") {
  const TiedTypes tied;
  const auto ideal = by_hand::ideal(tied.question);
  const Fill filled = find_fill(tied.tasks, tied.market, tied.question, ideal, {});
  REQUIRE(filled.closing.size() == 1);
  const FilledFleet& closing = filled.closing.front();
  CHECK(closing.purchases == Purchases{{0, "", 2}, {1, "", 1}});
  REQUIRE(closing.policy.constraints.size() == 1);
  CHECK(closing.policy.constraints[0].first == 1);
  CHECK(closing.policy.constraints[0].second.source == "attribute:ecs.instance-type == rack-b");
  CHECK(closing.confirmed == 200);
  CHECK(is_filled(tied.tasks, tied.market, closing, 500));
}

TEST_CASE("a fleet that was filled is confirmed, or not, on its own") {
  const TiedTypes tied;
  FilledFleet fleet;
  fleet.policy.strategies = {{placement::StrategyType::kBinpack, "cpu"}};
  fleet.orders = 20;
  fleet.purchases = {{0, "", 3}};
  CHECK(confirmed_orders(tied.tasks, tied.market, tied.question, fleet, {}) == 200);
  fleet.purchases = {{0, "", 2}, {1, "", 50}};
  CHECK(confirmed_orders(tied.tasks, tied.market, tied.question, fleet, {}) == std::nullopt);
  FillRequest little;
  little.effort = 100;
  fleet.purchases = {{0, "", 3}};
  CHECK(confirmed_orders(tied.tasks, tied.market, tied.question, fleet, little) == 10);
}

/// Every fourth order with ties against it.
bool is_filled_in_any(const Scenario& scenario, std::uint64_t orders) {
  const LaunchOrders launch_orders(scenario);
  for (std::uint64_t order = 0; order < orders; ++order) {
    Scenario launched = scenario;
    order % 4 == 3 ? launch_orders.set_against(launched, order) : launch_orders.set(launched, order);
    if (!placement::place(launched).failures.empty()) return false;
  }
  return true;
}

/// The cheapest of all fleets of at most `most` instances that some candidate policy fills in every order.
std::optional<MicroUsd> cheapest_by_trying(const Scenario& tasks, const Market& market, std::uint64_t orders,
                                           std::int64_t most) {
  std::optional<MicroUsd> best;
  std::vector<Purchases> fleets = {{}};
  for (std::uint32_t offer = 0; offer < market.offers.size(); ++offer) {
    for (std::size_t i = 0, known = fleets.size(); i < known; ++i) {
      for (std::int64_t count = 1; count + instances_of(fleets[i]) <= most; ++count) {
        fleets.push_back(fleets[i]);
        fleets.back().push_back({offer, "", count});
      }
    }
  }
  for (const Policy& policy : candidate_policies(tasks, 0, {})) {
    for (const Purchases& fleet : fleets) {
      const MicroUsd cost = hourly_cost(market, fleet);
      if (best && cost >= *best) continue;
      const Scenario scenario = with_policy(with_purchases(tasks, market, fleet, false), policy);
      if (is_filled_in_any(scenario, orders)) best = cost;
    }
  }
  return best;
}

/// A handful of tasks over three types.
class RandomCase {
 public:
  explicit RandomCase(std::uint64_t seed) : random_(seed) {}

  std::vector<by_hand::Kind> kinds() {
    std::vector<by_hand::Kind> kinds;
    for (const char* name : {"a.small", "b.large", "c.huge"}) {
      const std::int64_t size = 2 + number(7);
      kinds.push_back({name, static_cast<double>(size * (8 + number(5)) + number(3)) / 100, 1024 * size,
                       1024 * (size + number(2 * size)), number(3)});
    }
    return kinds;
  }

  Scenario tasks() {
    std::vector<placement::Workload> workloads;
    for (const char* name : {"w0", "w1", "w2"}) {
      const CpuUnits cpu = 512 * (1 + number(6));
      const MiB memory = 512 * (1 + number(8));
      auto task = needs(cpu, memory);
      if (number(3) == 0) task = with_gpus(task, {1});
      workloads.push_back(number(2) == 0 ? service(name, task, 1 + number(3))
                                         : run_task(name, task, 1 + number(3), {}));
    }
    std::stable_sort(workloads.begin(), workloads.end(), [](const auto& a, const auto& b) { return a.kind < b.kind; });
    return by_hand::tasks(std::move(workloads));
  }

 private:
  std::int64_t number(std::uint64_t bound) { return static_cast<std::int64_t>(placement::draw(random_, bound)); }
  std::mt19937_64 random_;
};

TEST_CASE("no fleet of a few instances that ECS fills is cheaper than the recommended one") {
  constexpr std::int64_t kMostInstances = 5;
  constexpr std::uint64_t kOrders = 400;  // more than any search heeds
  int compared = 0;
  int missed = 0;
  for (std::uint64_t seed = 1; seed <= random_cases(120); ++seed) {
    RandomCase random(seed);
    const Market market = by_hand::market(random.kinds());
    const Scenario tasks = random.tasks();
    const Question question = by_hand::question(tasks, market);
    const auto ideal = by_hand::ideal(question);
    const bool fits = std::all_of(ideal.left_over.begin(), ideal.left_over.end(), [](auto left) { return left == 0; });
    if (!fits || packing::bins_of(ideal.packing) > kMostInstances) continue;
    FillRequest request;
    request.orders = 6;
    const Fill filled = find_fill(tasks, market, question, ideal, request);
    INFO("seed " << seed);
    REQUIRE(filled.recommended);
    CHECK(filled.recommended->hourly_cost >= ideal.lower_bound);
    // Six orders of the search and sixty fresh ones let a fleet pass that fails one in twenty.
    CHECK(orders_filled(tasks, market, *filled.recommended, 60) >= 54);
    for (const auto& closing : filled.closing) {
      CHECK((filled.by_policy.empty() || closing.hourly_cost < filled.by_policy.front().hourly_cost));
      CHECK(closing.hourly_cost >= filled.recommended->hourly_cost * 97 / 100);
      CHECK(is_filled(tasks, market, closing, 6));
    }
    const auto cheapest = cheapest_by_trying(tasks, market, kOrders, kMostInstances);
    if (!cheapest) continue;
    ++compared;
    if (filled.recommended->hourly_cost > *cheapest) {
      ++missed;
      WARN("seed " << seed << ": " << filled.recommended->hourly_cost << " instead of " << *cheapest);
    }
  }
  CHECK(compared > at_least(50));
  CHECK(missed == 0);
}

}  // namespace
}  // namespace bayplan::fleet
