#include "study/repack/repack.hpp"

#include <algorithm>

#include "catch.hpp"
#include "environment.hpp"
#include "placement/engine/engine.hpp"
#include "study/plain_what_if.hpp"
#include "study/random_events.hpp"
#include "study/repack/repack_check.hpp"
#include "study/repack/repack_limit.hpp"
#include "study/repack/repack_search.hpp"
#include "study/service_cluster.hpp"

namespace bayplan::study::repack_test {
namespace {

using namespace placement;
using namespace placement::build;

Scenario random_cluster(std::uint64_t seed, RandomSize size) {
  if (seed % 2 == 0) return ServiceCluster(seed, size.instances - 1).make();
  RandomEvents random(seed, size);
  auto given = random.make();
  RandomEvents::count_and_name(given);
  if (seed % 4 != 0) RandomEvents::make_large(given);
  if (seed % 3 != 0) given = as_live(given, random.some());
  random.vary_percents(given);
  RandomEvents::set_prices(given);
  return given;
}

RepackRequest random_request(std::uint64_t seed) {
  RepackRequest request;
  request.effort = 300;
  if (seed % 5 == 1) request.max_moves = static_cast<std::int64_t>(seed % 7);
  request.keeps_zones = seed % 6 == 2;
  request.waits_for_tasks = seed % 4 == 3;
  request.together = seed % 7 == 4 ? 1 : 10;
  if (seed % 8 == 5) request.min_ratio = 0.5;
  return request;
}

MicroUsd compute_price(const Scenario& scenario, std::uint32_t instance) {
  return scenario.profiles[scenario.instances[instance].profile].hourly_price.value_or(0);
}

/// BAYPLAN_ENGINE_CASES=10000 tries more.
TEST_CASE("a repacked cluster holds every task and no step breaks the healthy percents") {
  const std::uint64_t seeds = from_environment("BAYPLAN_ENGINE_CASES", random_cases(600));
  std::int64_t steps = 0, moves = 0, joint = 0, ended = 0, staying = 0, zones = 0;
  for (std::uint64_t seed = 0; seed < seeds; ++seed) {
    constexpr RandomSize kSizes[] = {{9, 6, 6}, {6, 3, 12}, {24, 8, 16}};
    const auto given = random_cluster(seed, kSizes[seed % 3]);
    const auto request = random_request(seed);
    INFO("seed " << seed);
    const auto plan = repack(given, request);
    REQUIRE(plan.mistakes == std::vector<std::string>{});
    REQUIRE(plan.withdrawn == std::vector<std::string>{});
    MicroUsd saving = 0;
    std::vector<std::uint32_t> all;
    for (const auto& step : plan.steps) {
      for (const std::uint32_t instance : step.instances) saving += compute_price(given, instance);
      all.insert(all.end(), step.instances.begin(), step.instances.end());
      moves += step.moved;
      joint += step.instances.size() > 1 ? 1 : 0;
    }
    REQUIRE(plan.saving == saving);
    for (const auto& group : plan.staying) all.insert(all.end(), group.instances.begin(), group.instances.end());
    std::sort(all.begin(), all.end());
    REQUIRE(all.size() == given.instances.size());
    REQUIRE(std::adjacent_find(all.begin(), all.end()) == all.end());
    for (const auto& name : plan.names) {
      if (!name.is_service) {
        ended += name.ended;
        continue;
      }
      REQUIRE(name.fewest >= std::min(name.placed, name.must_run));
      if (request.keeps_zones) REQUIRE(name.zones_after.size() >= name.zones_before.size());
      zones += name.zones_after.size() < name.zones_before.size() ? 1 : 0;
    }
    if (request.max_moves) REQUIRE(plan.moves <= *request.max_moves);
    if (plan.limit) REQUIRE(plan.saving <= plan.limit->saving);
    steps += static_cast<std::int64_t>(plan.steps.size());
    staying += static_cast<std::int64_t>(plan.staying.size());
  }
  CHECK(steps > at_least(300));
  CHECK(moves > at_least(300));
  CHECK(joint > at_least(20));
  CHECK(ended > at_least(20));
  CHECK(staying > at_least(300));
  CHECK(zones > at_least(20));
}

/// Of all orders in which instances can drain, alone and together.
std::int64_t most_by_trying(Drains& drains, const std::vector<std::uint32_t>& left, std::int64_t moves_left) {
  std::int64_t most = drains.weight();
  for (std::uint32_t set = 1; set < (1U << left.size()); ++set) {
    std::vector<std::uint32_t> drained, rest;
    for (std::size_t i = 0; i < left.size(); ++i) ((set >> i & 1U) != 0 ? drained : rest).push_back(left[i]);
    const auto trial = drains.attempt(drained);
    if (!trial.is_possible() || trial.moves > moves_left) {
      drains.rollback();
      continue;
    }
    drains.commit();
    most = std::max(most, most_by_trying(drains, rest, moves_left - trial.moves));
    drains.revert();
  }
  return most;
}

/// What a script would do: the emptiest first, one after another.
std::int64_t emptiest_first(Drains& drains, const std::vector<std::uint32_t>& free, std::int64_t most_moves) {
  auto order = free;
  std::stable_sort(order.begin(), order.end(),
                   [&](std::uint32_t a, std::uint32_t b) { return drains.tasks_to_move(a) < drains.tasks_to_move(b); });
  for (const std::uint32_t instance : order) {
    const auto trial = drains.attempt({instance});
    if (trial.is_possible() && drains.moves() + trial.moves <= most_moves) {
      drains.commit();
    } else {
      drains.rollback();
    }
  }
  const auto weight = drains.weight();
  drains.revert_all();
  return weight;
}

TEST_CASE("repack finds what trying every order finds") {
  const std::uint64_t seeds = from_environment("BAYPLAN_ENGINE_CASES", random_cases(500));
  std::int64_t cases = 0, best = 0, above_naive = 0, limits = 0;
  for (std::uint64_t seed = 0; seed < seeds; ++seed) {
    const auto given = random_cluster(seed, {6, 6, 8});
    auto request = random_request(seed);
    request.effort = 2'000;
    const auto outcome = place(given);
    ClusterSimulation cluster(given, outcome);
    const RepackCandidates candidates(cluster, request);
    const auto free = candidates.free();
    if (free.size() < 2 || free.size() > 5) continue;
    Drains drains(cluster, candidates, request);
    const std::int64_t most_moves = request.max_moves.value_or(1'000'000);
    INFO("seed " << seed);
    const auto limit = find_limit(cluster, candidates);
    const auto naive = emptiest_first(drains, free, most_moves);
    const auto found = find_drains(drains, request, limit.weight, 1);
    const auto most = most_by_trying(drains, free, most_moves);
    REQUIRE(found.weight >= naive);
    REQUIRE(found.weight <= most);
    REQUIRE(most <= limit.weight);
    ++cases;
    best += found.weight == most ? 1 : 0;
    above_naive += found.weight > naive ? 1 : 0;
    limits += most == limit.weight ? 1 : 0;
  }
  WARN(cases << " clusters of 2 to 5 instances: best plan in " << best << ", better than the emptiest first in "
             << above_naive << ", limit reached by the best in " << limits);
  CHECK(cases > at_least(100));
  CHECK(best * 100 >= cases * 99);
  CHECK(above_naive > 0);
}

RepackPlan plan_of(const Scenario& scenario, const RepackRequest& request = {}) {
  auto plan = repack(scenario, request);
  REQUIRE(plan.mistakes == std::vector<std::string>{});
  REQUIRE(plan.withdrawn == std::vector<std::string>{});
  return plan;
}

InstanceProfile priced(MicroUsd price, MiB memory = 8'000, const std::string& zone = "z-1a") {
  auto profile = instance("x.large", 4'096, memory, {}, zone);
  profile.hourly_price = price;
  return profile;
}

const StayingInstances* staying_for(const RepackPlan& plan, StayReason why) {
  const auto found = std::find_if(plan.staying.begin(), plan.staying.end(),
                                  [&](const StayingInstances& own) { return own.why == why; });
  return found == plan.staying.end() ? nullptr : &*found;
}

TEST_CASE("instances that would hand each other their tasks drain together") {
  // Spread over instances: a task of the first that drains would go to the second, and move again with it.
  const auto given = scenario_with({priced(100'000), priced(100'000), priced(100'000)},
                                   {service("web", needs(256, 1'000), 6, {spread("instanceId")})});
  const auto plan = plan_of(given);
  REQUIRE(plan.steps.size() == 1);
  CHECK(plan.steps[0].instances.size() == 2);
  CHECK(plan.moves == 4);
  CHECK(plan.is_best);
  RepackRequest alone;
  alone.together = 1;
  const auto one_by_one = plan_of(given, alone);
  CHECK(one_by_one.steps.size() == 2);
  CHECK(one_by_one.moves == 5);
}

TEST_CASE("the dear instance goes rather than one that is emptier") {
  // Two tasks on the first, one on each of the others; four tasks fill two instances.
  const auto given = scenario_with({priced(1'000'000), priced(100'000), priced(100'000)},
                                   {service("web", needs(256, 4'000), 4, {spread("instanceId")})});
  const auto plan = plan_of(given);
  CHECK(plan.saving == 1'000'000);
  CHECK(plan.moves == 2);
  CHECK(plan.is_best);
  const auto* stays = staying_for(plan, StayReason::kNoPlace);
  REQUIRE(stays != nullptr);
  CHECK(stays->reason == "RESOURCE:MEMORY");
  CHECK(stays->instances == std::vector<std::uint32_t>{1, 2});
}

TEST_CASE("sizes and prices far beyond any instance are counted right") {
  constexpr MicroUsd kPrice = 20'000'000;
  constexpr MiB kMemory = 1'000'000'000'000;
  const auto given = scenario_with({priced(kPrice, kMemory), priced(kPrice, kMemory), priced(kPrice, kMemory)},
                                   {service("web", needs(256, kMemory / 5 * 2), 2, {spread("instanceId")})});
  const auto plan = plan_of(given);
  CHECK(plan.saving == 2 * kPrice);
  CHECK(plan.moves == 1);
  CHECK(plan.is_best);
}

TEST_CASE("a plan keeps within its moves") {
  const auto given = scenario_with({priced(300'000), priced(200'000), priced(100'000)},
                                   {service("web", needs(256, 1'000), 3, {spread("instanceId")})});
  RepackRequest request;
  request.max_moves = 1;
  const auto plan = plan_of(given, request);
  CHECK(plan.saving == 300'000);
  CHECK(plan.moves == 1);
  REQUIRE(staying_for(plan, StayReason::kMaxMoves) != nullptr);
  request.max_moves = 0;
  CHECK(plan_of(given, request).steps.empty());
}

TEST_CASE("a plan ends before the step that saves too little for its moves") {
  const auto given = scenario_with({priced(300'000), priced(200'000), priced(100'000)},
                                   {service("web", needs(256, 1'000), 3, {spread("instanceId")})});
  RepackRequest request;
  request.together = 1;
  const auto whole = plan_of(given, request);
  REQUIRE(whole.steps.size() == 2);
  REQUIRE(whole.before.hourly_cost == 600'000);
  REQUIRE(whole.service_tasks() == 3);
  std::vector<double> ratios;
  for (const auto& step : whole.steps) ratios.push_back(shares_of(whole, step).value().ratio().value());
  REQUIRE(ratios.at(0) == Approx(static_cast<double>(whole.steps.at(0).saving) / 600'000 * 3 /
                                 static_cast<double>(whole.steps.at(0).moved)));
  REQUIRE(ratios.at(1) < ratios.at(0));
  request.min_ratio = ratios.at(1);
  CHECK(plan_of(given, request).steps.size() == 2);
  request.min_ratio = (ratios.at(0) + ratios.at(1)) / 2;
  const auto ended = plan_of(given, request);
  CHECK(ended.steps.size() == 1);
  CHECK(ended.saving == whole.steps.at(0).saving);
  CHECK_FALSE(ended.is_best);
  const auto* staying = staying_for(ended, StayReason::kMinRatio);
  REQUIRE(staying != nullptr);
  CHECK(staying->instances.size() == 2);  // either could go next
}

TEST_CASE("zones are kept where that is asked for") {
  const auto given = scenario_with({priced(100'000, 8'000, "z-1a"), priced(100'000, 8'000, "z-1b")},
                                   {service("web", needs(256, 1'000), 2)});
  const auto plan = plan_of(given);
  CHECK(plan.instances == 1);
  CHECK(plan.names.at(0).zones_after.size() == 1);
  RepackRequest request;
  request.keeps_zones = true;
  const auto kept = plan_of(given, request);
  CHECK(kept.steps.empty());
  CHECK(staying_for(kept, StayReason::kZones) != nullptr);
}

TEST_CASE("instances with standalone tasks stay unless these are waited for") {
  const auto given = scenario_with({priced(100'000), priced(100'000)}, {run_task("job", needs(256, 1'000), 1)});
  const auto plan = plan_of(given);
  CHECK(plan.instances == 1);
  REQUIRE(staying_for(plan, StayReason::kStandalone) != nullptr);
  RepackRequest request;
  request.waits_for_tasks = true;
  const auto waited = plan_of(given, request);
  CHECK(waited.instances == 2);
  CHECK(waited.moves == 0);
  CHECK(waited.names.at(0).ended == 1);
}

TEST_CASE("what cannot drain stays with its reason") {
  SECTION("the healthy percents allow neither a start nor a stop") {
    auto given = scenario_with({priced(100'000), priced(100'000)},
                               {service("web", needs(256, 1'000), 2, {spread("instanceId")})});
    given.workloads[0].maximum_percent = 100;
    const auto plan = plan_of(given);
    CHECK(plan.steps.empty());
    CHECK(staying_for(plan, StayReason::kHeld) != nullptr);
  }
  SECTION("it drains already, with tasks, or without") {
    auto given =
        scenario_with({priced(100'000), priced(100'000), priced(100'000)}, {service("web", needs(256, 1'000), 1)});
    given.profiles[1].status = InstanceStatus::kDraining;
    given.profiles[2].status = InstanceStatus::kDraining;
    given.running.push_back({"t", 2, "service:old", "old:1", false, false, {}});
    given.in_use.resize(3);
    given.in_use[2].memory = 500;
    given.in_use[2].tasks = 1;
    const auto plan = plan_of(given);
    CHECK(plan.instances == 1);
    CHECK(plan.steps.at(0).instances == std::vector<std::uint32_t>{1});
    CHECK(staying_for(plan, StayReason::kDraining) != nullptr);
  }
  SECTION("more runs there than is described") {
    auto given = scenario_with({priced(100'000), priced(100'000)}, {});
    given.in_use.resize(2);
    given.in_use[1].memory = 500;
    given.in_use[1].tasks = 1;
    const auto plan = plan_of(given);
    CHECK(plan.instances == 1);
    CHECK(staying_for(plan, StayReason::kHidden) != nullptr);
  }
  SECTION("its group has no more than minSize") {
    auto given = scenario_with({priced(100'000), priced(100'000), priced(100'000)}, {});
    for (auto& profile : given.profiles) profile.capacity_provider_name = "pool";
    InstanceGroup group;
    group.capacity_provider = "pool";
    group.min_size = 2;
    given.timetable.groups.push_back(group);
    const auto plan = plan_of(given);
    CHECK(plan.instances == 1);
    REQUIRE(staying_for(plan, StayReason::kMinSize) != nullptr);
    CHECK(staying_for(plan, StayReason::kMinSize)->subject == "pool");
  }
}

TEST_CASE("instances without a price go too and nobody says what that saves") {
  auto given =
      scenario_with({priced(100'000), priced(100'000), priced(100'000)}, {service("web", needs(256, 1'000), 1)});
  given.profiles[1].hourly_price.reset();
  given.profiles[1].instance_type = "p2.xlarge";
  const auto plan = plan_of(given);
  CHECK(plan.instances == 2);
  CHECK(plan.saving == 100'000);
  CHECK(plan.unpriced == std::vector<std::string>{"p2.xlarge"});
  CHECK(!plan.limit);
}

TEST_CASE("a plan that lies is found out") {
  const auto given = scenario_with({priced(100'000), priced(100'000), priced(100'000)},
                                   {service("web", needs(256, 1'000), 4, {spread("instanceId")})});
  const auto outcome = place(given);
  const auto plan = plan_of(given);
  REQUIRE(!plan.steps.empty());
  const auto mistakes_of = [&](auto change) {
    auto lying = plan;
    change(lying);
    return check_repack(lying, {}, outcome).size();
  };
  CHECK(mistakes_of([](RepackPlan&) {}) == 0);
  CHECK(mistakes_of([](RepackPlan& own) { own.saving += 1; }) > 0);
  CHECK(mistakes_of([](RepackPlan& own) { own.moves += 1; }) > 0);
  CHECK(mistakes_of([](RepackPlan& own) { own.steps[0].moved += 1; }) > 0);
  CHECK(mistakes_of([](RepackPlan& own) { own.steps[0].transitions.clear(); }) > 0);
  CHECK(mistakes_of([](RepackPlan& own) { own.steps[0].transitions.pop_back(); }) > 0);
  CHECK(mistakes_of([](RepackPlan& own) {
          for (auto& motion : own.steps[0].transitions) motion.instance = own.steps[0].instances.front();
        }) > 0);
  CHECK(mistakes_of([](RepackPlan& own) {
          auto& transitions = own.steps[0].transitions;
          std::stable_partition(transitions.begin(), transitions.end(),
                                [](const ServiceTaskTransition& motion) { return !motion.is_start; });
        }) > 0);
}

}  // namespace
}  // namespace bayplan::study::repack_test
