// Surplus CPU credits in a packing problem and in a plan, against every way to put few tasks on instances.
#include <algorithm>
#include <map>
#include <random>

#include "catch.hpp"
#include "environment.hpp"
#include "fleet/by_hand.hpp"
#include "fleet/ideal/assignments.hpp"
#include "fleet/ideal/credit_steps.hpp"
#include "packing/verify_packing.hpp"
#include "study/fleet/fleet_plan.hpp"

namespace bayplan::study {
namespace {

using fleet::Market;
using fleet::by_hand::usd;
using placement::Scenario;
using placement::Workload;
using placement::build::needs;
using placement::build::run_task;

/// What 1 vCPU above the baseline costs an hour.
constexpr NanoUsd kVcpuHour = 50'000'000;

void make_burstable(Market& market, std::size_t offer, std::int64_t baseline_permille) {
  const auto& profile = market.offers[offer].profile;
  market.credits.rates[profile.instance_type] = {
      {baseline_permille, true, "test"}, profile.cpu, {kVcpuHour, "2026-09-20", "test"}};
}

/// A few types of which some are burstable, a few kinds of tasks, and a daemon in every third scenario.
struct RandomPlan {
  explicit RandomPlan(std::uint64_t seed, CpuUnits unit) : random(seed) {
    std::vector<fleet::by_hand::Kind> kinds;
    const auto types = 2 + number(3);
    for (std::int64_t i = 0; i < types; ++i) {
      kinds.push_back({"t" + std::to_string(i), 0.01 * static_cast<double>(2 + number(20)), 1024 * (1 + number(4)),
                       2000 * (1 + number(4))});
    }
    market = fleet::by_hand::market(kinds);
    market.credits.used = Percent::of(number(3) == 0 ? 50 : 100);
    for (std::size_t i = 0; i < kinds.size(); ++i) {
      if (number(3) > 0) make_burstable(market, i, 50 * (1 + number(8)));
      if (number(6) == 0) market.offers[i].limit = 1 + number(3);
    }
    std::vector<Workload> workloads;
    const auto names = 1 + number(3);
    for (std::int64_t i = 0; i < names; ++i) {
      const CpuUnits cpu = number(8) == 0 ? 0 : unit * (1 + number(1024 / unit));
      const MiB memory = 300 * (1 + number(6));
      workloads.push_back(run_task("w" + std::to_string(i), needs(cpu, memory), 1 + number(4)));
    }
    if (number(3) == 0) {
      // Daemons are launched first.
      auto daemon = placement::build::service("agent", needs(unit, 100), 1);
      daemon.kind = placement::WorkloadKind::kDaemon;
      daemon.count.reset();
      workloads.insert(workloads.begin(), std::move(daemon));
      daemon_cpu = unit;
    }
    tasks = fleet::by_hand::tasks(std::move(workloads));
  }

  std::int64_t number(std::int64_t end) {
    return static_cast<std::int64_t>(random() % static_cast<std::uint64_t>(end));
  }

  std::mt19937_64 random;
  Market market;
  Scenario tasks;
  CpuUnits daemon_cpu = 0;
};

/// The least cost of all fleets, by trying every filling of every instance; nothing where the tasks do not fit.
class EveryFleet {
 public:
  explicit EveryFleet(const RandomPlan& plan) : plan_(plan) {
    for (const auto& workload : plan.tasks.workloads) {
      if (workload.kind != placement::WorkloadKind::kDaemon) workloads_.push_back(&workload);
    }
  }

  std::optional<MicroUsd> least_cost() {
    std::vector<std::int64_t> left;
    for (const auto* workload : workloads_) left.push_back(*workload->count);
    std::vector<std::int64_t> limits;
    for (const auto& offer : plan_.market.offers) limits.push_back(std::min<std::int64_t>(offer.limit, 20));
    const auto cost = least(left, limits);
    return cost == kNone ? std::nullopt : std::optional(cost);
  }

 private:
  static constexpr MicroUsd kNone = std::numeric_limits<MicroUsd>::max() / 4;
  using Counts = std::vector<std::int64_t>;

  MicroUsd least(const Counts& left, const Counts& limits) {
    if (std::all_of(left.begin(), left.end(), [](auto count) { return count == 0; })) return 0;
    const auto [known, is_new] = known_.try_emplace({left, limits}, kNone);
    if (!is_new) return known->second;
    MicroUsd best = kNone;
    Counts taken(left.size());
    // The first kind that is left goes into the next instance: any order of instances is as good.
    const auto first = static_cast<std::size_t>(
        std::find_if(left.begin(), left.end(), [](auto count) { return count > 0; }) - left.begin());
    try_fillings(left, limits, first, 0, taken, best);
    return known_[{left, limits}] = best;
  }

  void try_fillings(const Counts& left, const Counts& limits, std::size_t first, std::size_t kind, Counts& taken,
                    MicroUsd& best) {
    if (kind == left.size()) {
      if (taken[first] == 0) return;
      Counts rest = left;
      for (std::size_t i = 0; i < rest.size(); ++i) rest[i] -= taken[i];
      for (std::size_t offer = 0; offer < plan_.market.offers.size(); ++offer) {
        const auto own = cost_of_one(offer, taken);
        if (limits[offer] == 0 || own == kNone) continue;
        Counts fewer = limits;
        if (plan_.market.offers[offer].limit != packing::kUnlimited) --fewer[offer];
        best = std::min(best, own + least(rest, fewer));
      }
      return;
    }
    for (taken[kind] = 0; taken[kind] <= left[kind]; ++taken[kind])
      try_fillings(left, limits, first, kind + 1, taken, best);
    taken[kind] = 0;
  }

  /// Written apart from the program: dollars by the page of AWS.
  MicroUsd cost_of_one(std::size_t index, const Counts& taken) const {
    const auto& offer = plan_.market.offers[index];
    CpuUnits cpu = plan_.daemon_cpu;
    MiB memory = plan_.daemon_cpu > 0 ? 100 : 0;
    for (std::size_t i = 0; i < taken.size(); ++i) {
      cpu += taken[i] * workloads_[i]->requirement.cpu;
      memory += taken[i] * workloads_[i]->requirement.memory;
    }
    if (cpu > offer.profile.cpu || memory > offer.profile.memory) return kNone;
    const auto rate = plan_.market.credits.rates.find(offer.profile.instance_type);
    if (rate == plan_.market.credits.rates.end()) return offer.hourly_price;
    const double used =
        static_cast<double>(cpu) / 1024 * static_cast<double>(plan_.market.credits.used.hundredths) / 10'000;
    const double baseline =
        static_cast<double>(offer.profile.cpu) / 1024 * static_cast<double>(rate->second.baseline.permille) / 1000;
    return offer.hourly_price + static_cast<MicroUsd>(std::ceil(std::max(0.0, used - baseline) * 50'000 - 1e-6));
  }

  const RandomPlan& plan_;
  std::vector<const Workload*> workloads_;
  std::map<std::pair<Counts, Counts>, MicroUsd> known_;
};

}  // namespace

TEST_CASE("credits - the cost of an instance rises above its baseline") {
  auto market = fleet::by_hand::market({{"t3.medium", 0.0416, 2048, 3827}});
  make_burstable(market, 0, 200);
  const auto& profile = market.offers[0].profile;
  CHECK(fleet::surplus_credits(market.credits, profile, 409) == 0);
  CHECK(fleet::surplus_credits(market.credits, profile, 1024) == usd(0.03));
  CHECK(fleet::surplus_credits(market.credits, profile, 2048) == usd(0.08));
  market.credits.used = Percent::of(50);
  CHECK(fleet::surplus_credits(market.credits, profile, 2048) == usd(0.03));
  market.credits.used = Percent::of(0);
  CHECK(fleet::surplus_credits(market.credits, profile, 2048) == 0);
}

TEST_CASE("credits - steps are exact up to a number of sums, then cost no more than their instance") {
  const auto credits = [](CpuUnits cpu) { return std::max<MicroUsd>(0, cpu - 400); };
  const auto exact = fleet::credit_steps(2048, 2048, 256, credits);
  REQUIRE(exact.size() == 8);
  CHECK(exact.front().cpu == 256);
  CHECK(exact.front().credits == 0);
  CHECK(exact[1].cpu == 512);
  CHECK(exact[1].credits == 112);
  CHECK(exact.back().cpu == 2048);
  CHECK(exact.back().credits == 1648);
  const auto coarse = fleet::credit_steps(2048, 2048, 1, credits);
  CHECK(std::ssize(coarse) <= fleet::kMostCreditSteps + 1);
  for (std::size_t i = 1; i < coarse.size(); ++i) CHECK(coarse[i].credits == credits(coarse[i - 1].cpu + 1));
  CHECK(coarse.back().cpu == 2048);
  CHECK(fleet::credit_steps(2048, 300, 100, credits).size() == 1);
  CHECK(fleet::credit_steps(2048, 2048, 0, credits).size() == 1);
}

TEST_CASE("credits - no fleet for few tasks costs less than the bound, and the packing found is the cheapest") {
  std::int64_t with_credits = 0;
  std::int64_t exact = 0;
  for (std::uint64_t seed = 0; seed < random_cases(400); ++seed) {
    CAPTURE(seed);
    // Every fourth has sums of tasks beyond the steps.
    const RandomPlan given(seed, seed % 4 == 0 ? 1 : 128);
    const auto question = fleet::make_packing_question(given.tasks, given.market, {});
    const auto least = EveryFleet(given).least_cost();
    if (!question.unplaceable.empty()) {
      CHECK_FALSE(least);
      continue;
    }
    packing::SolveLimits limits;
    limits.effort = 3'000'000;
    const auto solution = packing::solve(question.problem, limits);
    const bool is_whole = std::all_of(solution.left_over.begin(), solution.left_over.end(),
                                      [](std::int64_t count) { return count == 0; });
    if (!is_whole) {
      CHECK_FALSE(least);
      continue;
    }
    REQUIRE(least);
    const auto packing = fleet::in_cheapest_steps(question, solution.packing);
    CHECK_FALSE(packing::fault_of(question.problem, packing));
    const auto cost = fleet::cost_of(given.market, question, packing);
    CHECK(cost >= *least);
    CHECK(solution.lower_bound <= *least);
    CHECK(packing::check(question.problem, solution.certificate) == packing::Verdict::kHolds);
    with_credits += question.has_credit_steps ? 1 : 0;
    if (seed % 4 == 0) continue;
    CHECK(packing::compute_cost(question.problem, packing) == cost);
    if (!solution.optimal) continue;
    CHECK(cost == *least);
    ++exact;
  }
  CHECK(with_credits > at_least(150));
  CHECK(exact > at_least(150));
}

TEST_CASE("credits - plans for few tasks hold their own checks") {
  std::int64_t filled = 0;
  for (std::uint64_t seed = 0; seed < random_cases(60); ++seed) {
    CAPTURE(seed);
    const RandomPlan given(seed, 128);
    const auto least = EveryFleet(given).least_cost();
    FleetRequest request;
    request.effort = 3'000'000;
    request.orders = 3;
    const auto plan = plan_fleet(given.tasks, given.market, request);
    CHECK(plan.mistakes == std::vector<std::string>{});
    if (!least || plan.tasks == 0 || plan.left_over() > 0 || !plan.question.unplaceable.empty()) continue;
    CHECK(plan.lower_bound <= *least);
    CHECK(plan.ideal.hourly_cost >= *least);
    if (plan.optimal) CHECK(plan.ideal.hourly_cost == *least);
    if (!plan.fill.recommended) continue;
    const auto& fleet = *plan.fill.recommended;
    CHECK(fleet.hourly_cost >= *least);
    CHECK(fleet.hourly_cost == fleet::hourly_cost(given.market, fleet.purchases) + plan.review.use->all.credits);
    ++filled;
  }
  CHECK(filled > at_least(30));
}

TEST_CASE("credits - they decide between a burstable type and another") {
  auto market = fleet::by_hand::market({{"t3.large", 0.0832, 2048, 7800}, {"m5.large", 0.096, 2048, 7800}});
  make_burstable(market, 0, 300);
  const auto busy = fleet::by_hand::tasks({run_task("web", needs(1024, 2000), 4)});
  auto plan = plan_fleet(busy, market, {});
  CHECK(plan.ideal.purchases == fleet::Purchases{{1, "", 2}});
  CHECK(plan.optimal);
  REQUIRE(plan.without_credits);
  CHECK(plan.without_credits->purchases == fleet::Purchases{{0, "", 2}});
  CHECK(plan.without_credits->hourly_price == usd(0.1664));
  CHECK(plan.without_credits->hourly_cost == usd(0.3064));
  market.credits.used = Percent::of(30);
  plan = plan_fleet(busy, market, {});
  CHECK(plan.ideal.purchases == fleet::Purchases{{0, "", 2}});
  CHECK(plan.ideal.hourly_cost == usd(0.1664));
  CHECK_FALSE(plan.without_credits);
}

TEST_CASE("credits - the recommended fleet costs what its tasks reserve as ECS places them") {
  auto market = fleet::by_hand::market({{"t3.large", 0.0832, 2048, 7800}});
  make_burstable(market, 0, 300);
  // Memory alone fits two: four tasks a machine, and 1,024 of 2,048 CPU units.
  const auto tasks = fleet::by_hand::tasks({run_task("web", needs(256, 1900), 8)});
  const auto plan = plan_fleet(tasks, market, {});
  REQUIRE(plan.fill.recommended);
  CHECK(plan.fill.recommended->purchases == fleet::Purchases{{0, "", 2}});
  CHECK(plan.fill.recommended->hourly_cost == usd(2 * (0.0832 + 0.02)));
  CHECK(plan.review.use->all.credits == usd(0.04));
  CHECK(plan.lower_bound == usd(0.2064));
  CHECK(plan.optimal);
}

}  // namespace bayplan::study
