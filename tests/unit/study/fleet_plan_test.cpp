#include "study/fleet/fleet_plan.hpp"

#include "catch.hpp"
#include "fleet/by_hand.hpp"

namespace bayplan::study {
namespace {

using fleet::Market;
using fleet::by_hand::usd;
using placement::Scenario;
using placement::build::needs;
using placement::build::run_task;
using placement::build::with_gpus;

Market one_and_four() {
  return fleet::by_hand::market(
      {{"g4dn.xlarge", 0.526, 4096, 15'500, 1}, {"g4dn.12xlarge", 3.912, 49'152, 188'000, 4}});
}

Scenario forty() {
  return fleet::by_hand::tasks({run_task("one", with_gpus(needs(2048, 7168), {1}), 24),
                                run_task("two", with_gpus(needs(8192, 32'768), {2}), 8),
                                run_task("cpu", needs(1024, 2048), 8)});
}

const Alternative* alternative(const FleetPlan& plan, AlternativeKind kind, std::string_view type) {
  for (const auto& one : plan.alternatives.list) {
    if (one.kind == kind && one.instance_type == type) return &one;
  }
  return nullptr;
}

double compute_price(const FleetPlan& plan, std::string_view resource) {
  for (const auto& one : plan.resource_prices) {
    if (one.resource == resource) return one.usd;
  }
  return -1;
}

}  // namespace

TEST_CASE("plan of a fleet - forty tasks") {
  const auto plan = plan_fleet(forty(), one_and_four(), {});
  CHECK(plan.mistakes.empty());
  CHECK(plan.withdrawn.empty());
  CHECK(plan.tasks == 40);
  CHECK(plan.ideal.hourly_cost == usd(28.272));
  CHECK(plan.ideal.purchases == fleet::Purchases{{0, "", 24}, {1, "", 4}});
  CHECK(plan.lower_bound == usd(28.272));
  CHECK(plan.optimal);
  CHECK(plan.stopped_by == FleetStop::kProof);
  CHECK(plan.ideal.use.all.gpu.reserved == plan.ideal.use.all.gpu.registered);
  CHECK(plan.ideal.use.binding_resource() == "GPU");
  REQUIRE(plan.fill.recommended);
  CHECK(plan.review.use->all.instances == fleet::instances_of(plan.fill.recommended->purchases));
}

TEST_CASE("plan of a fleet - what it could be instead") {
  const auto plan = plan_fleet(forty(), one_and_four(), {});
  CHECK(plan.alternatives.impossible == std::vector<std::string>{"g4dn.xlarge"});
  const auto* alone = alternative(plan, AlternativeKind::kSingleType, "g4dn.12xlarge");
  REQUIRE(alone != nullptr);
  CHECK(alone->hourly_cost == usd(39.12));
  CHECK(alone->proven);
  CHECK(alone->use.all.instances == 10);
  CHECK(alone->filled.has_value());
  const auto* without = alternative(plan, AlternativeKind::kWithoutType, "g4dn.xlarge");
  REQUIRE(without != nullptr);
  CHECK(without->hourly_cost == usd(39.12));
  CHECK(alternative(plan, AlternativeKind::kWithoutType, "g4dn.12xlarge") == nullptr);
}

TEST_CASE("plan of a fleet - the resource that is used up has the price") {
  const auto tasks = fleet::by_hand::tasks({run_task("one", with_gpus(needs(1024, 6144), {1}), 100)});
  const auto plan = plan_fleet(tasks, one_and_four(), {});
  CHECK(compute_price(plan, "GPU") == Approx(0.526).margin(1e-6));
  CHECK(compute_price(plan, "CPU") == Approx(0).margin(1e-6));
  CHECK(compute_price(plan, "MEMORY") == Approx(0).margin(1e-6));
}

TEST_CASE("plan of a fleet - limits that leave tasks over") {
  auto market = one_and_four();
  market.offers.pop_back();
  market.offers.front().limit = 3;
  const auto tasks = fleet::by_hand::tasks({run_task("one", with_gpus(needs(1024, 6144), {1}), 5)});
  const auto plan = plan_fleet(tasks, market, {});
  CHECK(plan.left_over() == 2);
  CHECK_FALSE(plan.fill.recommended);
  CHECK(plan.mistakes.empty());
  CHECK(plan.withdrawn.empty());
}

TEST_CASE("plan of a fleet - few types bind the ideal fleet and the bound") {
  FleetRequest request;
  request.most_types = 1;
  const auto plan = plan_fleet(forty(), one_and_four(), request);
  CHECK(plan.mistakes.empty());
  CHECK(plan.withdrawn.empty());
  CHECK(plan.ideal.purchases == fleet::Purchases{{1, "", 10}});
  CHECK(plan.ideal.hourly_cost == usd(39.12));
  CHECK(plan.lower_bound == usd(39.12));
  CHECK(plan.optimal);
  CHECK(plan.bounded.sets == 1);  // and not a bound of any fleet
  CHECK(plan.contradiction.empty());
  for (const auto& one : plan.alternatives.list) CHECK(one.kind == AlternativeKind::kSingleType);
  request.most_types = 2;
  const auto two = plan_fleet(forty(), one_and_four(), request);
  CHECK(two.ideal.hourly_cost == usd(28.272));
  CHECK(two.optimal);
  CHECK(two.bounded.sets == 0);
}

TEST_CASE("plan of a fleet - what too few types cannot hold is named") {
  const auto market = fleet::by_hand::market({{"g.one", 1, 2048, 8'000, 1}, {"c.large", 1, 16'384, 64'000, 0}});
  const auto tasks = fleet::by_hand::tasks(
      {run_task("gpu", with_gpus(needs(1024, 1024), {1}), 3), run_task("big", needs(8192, 1024), 2)});
  FleetRequest request;
  request.most_types = 1;
  const auto plan = plan_fleet(tasks, market, request);
  CHECK(plan.contradiction == "no single type holds both gpu and big");
  CHECK(plan.left_over() == 2);
  CHECK_FALSE(plan.optimal);
  CHECK_FALSE(plan.fill.recommended);
  CHECK(plan.stopped_by == FleetStop::kProof);
  CHECK(plan.mistakes.empty());
  CHECK(plan.withdrawn.empty());
}

TEST_CASE("plan of a fleet - the least effort has a bound, and tasks a price") {
  FleetRequest request;
  request.effort = 1;
  const auto plan = plan_fleet(forty(), one_and_four(), request);
  CHECK_FALSE(plan.has_no_bound());
  CHECK(plan.lower_bound <= plan.ideal.hourly_cost);
  CHECK_FALSE(plan.resource_prices.empty());
}

TEST_CASE("plan of a fleet - nothing to place") {
  const auto plan = plan_fleet(fleet::by_hand::tasks({}), one_and_four(), {});
  CHECK(plan.tasks == 0);
  CHECK(plan.left_over() == 0);
  CHECK(plan.mistakes.empty());
  CHECK(plan.withdrawn.empty());
}

TEST_CASE("plan of a fleet - stopped at once it still says what ECS fills") {
  FleetRequest request;
  request.stop = [](const FleetProgress&) { return FleetStop::kTime; };
  const auto plan = plan_fleet(forty(), one_and_four(), request);
  CHECK(plan.stopped_by == FleetStop::kTime);
  CHECK(plan.fill.recommended);
  CHECK(plan.alternatives.list.empty());
  CHECK(plan.mistakes.empty());
  CHECK(plan.withdrawn.empty());
}

TEST_CASE("plan of a fleet - a constraint that looks at tasks is not heeded by a packing alone") {
  auto tasks = fleet::by_hand::tasks(
      {run_task("one", with_gpus(needs(1024, 6144), {1}), 4), run_task("two", with_gpus(needs(1024, 6144), {1}), 4)});
  tasks.workloads[1].constraints.push_back(placement::build::member_of("not(task:group == family:one)"));
  const auto plan = plan_fleet(tasks, one_and_four(), {});
  REQUIRE(plan.fill.recommended);
  CHECK(plan.optimal == (plan.fill.recommended->hourly_cost == plan.bounded.solution.lower_bound));
}

TEST_CASE("plan of a fleet - ten million alike tasks") {
  const auto tasks = fleet::by_hand::tasks({run_task("one", with_gpus(needs(1024, 6144), {1}), 10'000'000)});
  FleetRequest request;
  request.effort = 2'000'000;  // the last billionth of the bound is not worth more
  const auto plan = plan_fleet(tasks, one_and_four(), request);
  CHECK(plan.mistakes.empty());
  CHECK(plan.withdrawn.empty());
  CHECK(plan.ideal.hourly_cost - plan.lower_bound <= plan.ideal.hourly_cost / 100'000'000);
  CHECK(plan.fill.method == fleet::FillMethod::kAlikeTasks);
  REQUIRE(plan.fill.recommended);
  CHECK(plan.fill.recommended->purchases == fleet::Purchases{{0, "", 10'000'000}});
  CHECK(plan.fill.recommended->hourly_cost == 10'000'000 * usd(0.526));
  REQUIRE(plan.review.use);
  CHECK(plan.review.use->all.gpu.reserved == 10'000'000);
  for (const auto& one : plan.alternatives.list) CHECK(one.filled == true);
}

TEST_CASE("plan of a fleet - more tasks than are launched to see whether ECS fills it") {
  const auto tasks = fleet::by_hand::tasks({run_task("one", with_gpus(needs(1024, 6144), {1}), 200'000),
                                            run_task("two", with_gpus(needs(1024, 6144), {2}), 200'000)});
  const auto plan = plan_fleet(tasks, one_and_four(), {});
  CHECK(plan.mistakes.empty());
  CHECK(plan.withdrawn.empty());
  CHECK(plan.fill.method == fleet::FillMethod::kNone);
  CHECK_FALSE(plan.fill.recommended);
  CHECK(plan.ideal.hourly_cost > 0);
  CHECK(plan.lower_bound > 0);
  CHECK_FALSE(plan.alternatives.list.empty());
}

TEST_CASE("plan of a fleet - stopped while it is filled or compared it still has a fleet that ECS fills") {
  for (const auto phase : {FleetProgress::Phase::kFilling, FleetProgress::Phase::kComparing}) {
    FleetRequest request;
    request.stop = [&](const FleetProgress& progress) {
      return progress.phase == phase ? std::optional(FleetStop::kInterrupt) : std::nullopt;
    };
    const auto plan = plan_fleet(forty(), one_and_four(), request);
    CHECK(plan.stopped_by == FleetStop::kInterrupt);
    CHECK(plan.ideal.hourly_cost == usd(28.272));
    CHECK(plan.fill.recommended.has_value());
    CHECK(plan.mistakes.empty());
    CHECK(plan.withdrawn.empty());
  }
}

TEST_CASE("plan of a fleet - vCPUs by quota") {
  auto market = one_and_four();
  market.offers[0].quota = "G and VT";
  const auto vcpus = vcpus_by_quota(market, {{0, "a", 2}, {0, "b", 1}, {1, "", 1}});
  CHECK(vcpus == std::vector<std::pair<std::string, std::int64_t>>{{"", 48}, {"G and VT", 12}});
}

}  // namespace bayplan::study
