#include "study/scheduler/fleet_scheduler.hpp"

#include "catch.hpp"
#include "placement/build.hpp"

namespace bayplan::study::fleet_scheduler_test {
namespace {

using placement::Policy;
using placement::Scenario;
using placement::build::binpack;
using placement::build::instance;
using placement::build::needs;
using placement::build::run_task;
using placement::build::scenario_with;
using placement::build::service;
using placement::build::with_gpus;

fleet::Offer offer(placement::InstanceProfile profile, MicroUsd price) {
  fleet::Offer made;
  profile.hourly_price = price;
  made.profile = std::move(profile);
  made.hourly_price = price;
  return made;
}

/// A web service is on the small instance by its strategy. Inference tasks then fill what is left of the large one.
struct Case {
  Scenario scenario = scenario_with({}, {service("web", needs(1024, 4096), 1, {binpack("memory")}),
                                         run_task("infer", with_gpus(needs(256, 512), {1}), 1),
                                         run_task("train", with_gpus(needs(2048, 8192), {4}), 1)});
  fleet::Market market;
  FleetRequest request;
  FleetPlan plan;

  Case() {
    market.offers = {offer(instance("small", 1024, 4096, {0, 0}), 1'000'000),
                     offer(instance("large", 4096, 16'384, {5, 16'384}), 4'000'000)};
    plan.tasks = 3;
    for (std::uint32_t i = 0; i < 3; ++i) {
      fleet::ShapeOrigin shape;
      shape.workloads = {i};
      shape.counts = {1};
      plan.question.shapes.push_back(shape);
    }
    plan.ideal.purchases = {{0, {}, 1}, {1, {}, 1}};
    plan.ideal.hourly_cost = 5'000'000;
    fleet::FilledFleet filled;
    filled.purchases = {{1, {}, 2}};
    filled.hourly_cost = 8'000'000;
    plan.fill.recommended = filled;
  }

  auto found() const { return find_fleet_by_start_task(scenario, market, request, plan); }
};

}  // namespace

TEST_CASE("fleet scheduler: StartTask fills a cheaper fleet after the services") {
  const Case made;
  const auto found = made.found();
  REQUIRE(found);
  CHECK(found->mistakes.empty());
  CHECK(found->hourly_cost == 4'000'000);  // one instance less than the recommended fleet
  CHECK(found->purchases.size() == 1);
}

TEST_CASE("fleet scheduler: nothing is found where StartTask has no choice") {
  Case made;
  made.plan.lower_bound = 4'500'000;  // the single instance is then no fleet of the question
  CHECK(made.found()->hourly_cost == 5'000'000);
  made.request.deployable = true;
  CHECK_FALSE(made.found());
  made.request.deployable = false;
  made.scenario.workloads[0].kind = placement::WorkloadKind::kTasks;
  CHECK_FALSE(made.found());  // StartTask fills the ideal fleet
  made.scenario.workloads[0].kind = placement::WorkloadKind::kService;
  made.plan.ideal.hourly_cost = 8'000'000;
  CHECK_FALSE(made.found());
}

}  // namespace bayplan::study::fleet_scheduler_test
