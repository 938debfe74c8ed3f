#include "study/scheduler/better_scheduler.hpp"

#include <algorithm>

#include "catch.hpp"
#include "placement/build.hpp"
#include "placement/engine/engine.hpp"
#include "placement/model/strategies.hpp"
#include "placement/verify/verify.hpp"

namespace bayplan::study::better_scheduler_test {
namespace {

using namespace placement;  // NOLINT: the study of placements is about nothing else
using build::binpack;
using build::instance;
using build::needs;
using build::run_task;
using build::scenario_with;
using build::service;
using build::spread;
using build::with_gpus;

SchedulerStudy study_of(const Scenario& scenario) {
  return find_better_scheduler(scenario, place(scenario));
}

/// A web service fills the small instance, whose GPU the inference task then takes of the large one.
Scenario stranded(std::vector<Strategy> of_web = {binpack("memory")}) {
  return scenario_with(
      {instance("small", 1024, 4096, {1, 16'384}), instance("large", 4096, 16'384, {4, 16'384})},
      {service("web", needs(1024, 4096), 1, std::move(of_web)), run_task("infer", with_gpus(needs(256, 512), {1}), 1),
       run_task("train", with_gpus(needs(2048, 8192), {4}), 1)});
}

}  // namespace

TEST_CASE("better scheduler: constraints come near a policy that keeps GPUs free") {
  const auto scenario = stranded();
  REQUIRE(place(scenario).failures.size() == 1);
  const auto study = study_of(scenario);
  REQUIRE(study.found);
  const auto& found = *study.found;
  CHECK(found.mistakes.empty());
  CHECK(found.policy == Policy::kFgd);  // best fit keeps the service on the small instance
  CHECK(found.result.placed == 3);
  CHECK(found.as_written.placed == 2);
  REQUIRE(found.ways.size() == 1);
  const auto& way = found.ways.front();
  CHECK_FALSE(way.start_task);
  CHECK_FALSE(way.strategy);
  REQUIRE(way.constraints.size() == 1);  // those of infer and train are not needed
  CHECK(scenario.workloads[way.constraints.front().first].name == "web");
  CHECK(way.constraints.front().second.source == "attribute:ecs.instance-type == large");
  CHECK(way.result == found.result);
}

TEST_CASE("better scheduler: a strategy of ECS that places every task is a fix and no finding") {
  const auto scenario = scenario_with(
      {instance("g", 4096, 16'384, {4, 16'384}), instance("g", 4096, 16'384, {4, 16'384})},
      {service("infer", with_gpus(needs(256, 512), {1}), 2), run_task("train", with_gpus(needs(256, 512), {4}), 1)});
  REQUIRE(place(scenario).failures.size() == 1);
  CHECK_FALSE(study_of(scenario).found);
  auto by_policy = stranded();
  by_policy.policy = Policy::kBestFit;
  CHECK_FALSE(study_of(by_policy).found);
}

TEST_CASE("better scheduler: a strategy that places more but not all is found without a policy") {
  // Spread takes a GPU of each instance; one task needs more than there is.
  const auto scenario = scenario_with(
      {instance("g", 4096, 16'384, {4, 16'384}), instance("g", 4096, 16'384, {4, 16'384})},
      {service("infer", with_gpus(needs(256, 512), {1}), 2), run_task("train", with_gpus(needs(256, 512), {4}), 2)});
  REQUIRE(place(scenario).failures.size() == 2);
  const auto study = study_of(scenario);
  REQUIRE(study.found);
  CHECK_FALSE(study.found->policy);
  CHECK(study.found->result.placed == 3);
  REQUIRE(study.found->ways.size() == 1);
  CHECK(study.found->ways.front().strategy == binpack("memory"));
}

TEST_CASE("better scheduler: StartTask leaves services to their strategies") {
  auto scenario = stranded({spread("instanceId")});
  scenario.policy = Policy::kFgd;
  const auto whole = place(scenario);
  CHECK(whole.placements.front().instance == 1);
  scenario.policy_by_start_task = true;
  const auto outcome = place(scenario);
  CHECK(verify(scenario, outcome).empty());
  CHECK(outcome.placements.front().instance == 0);
  scenario.workloads[0].kind = WorkloadKind::kTasks;
  CHECK(place(scenario).placements.front().instance == 1);
  scenario.workloads[0].capacity_providers = {{"provider", 0, 1}};
  CHECK_FALSE(is_startable(scenario.workloads[0]));
}

TEST_CASE("better scheduler: of placements of every task the cheapest instances count") {
  const auto priced = [](InstanceProfile profile, MicroUsd price) {
    profile.hourly_price = price;
    return profile;
  };
  std::vector<InstanceProfile> instances{priced(instance("large", 4096, 4096), 2'000'000)};
  for (int i = 0; i < 4; ++i) instances.push_back(priced(instance("small", 1024, 1024), 1'000'000));
  const auto scenario = scenario_with(instances, {service("web", needs(1024, 1024), 4)});
  const auto study = study_of(scenario);
  REQUIRE(study.found);
  const auto& found = *study.found;
  CHECK(found.mistakes.empty());
  CHECK(found.as_written == SchedulerResult{4, 4, 5'000'000});
  CHECK(found.result == SchedulerResult{4, 1, 2'000'000});
  REQUIRE(found.ways.size() == 2);
  CHECK(found.ways[0].strategy == binpack("memory"));
  CHECK(found.ways[0].result == SchedulerResult{4, 4, 4'000'000});  // as many instances, cheaper ones
  CHECK(found.ways[1].constraints.front().second.source == "attribute:ecs.instance-type == large");
  CHECK(found.ways[1].result == found.result);
  auto with_daemon = scenario;
  with_daemon.workloads.front().kind = WorkloadKind::kDaemon;
  CHECK_FALSE(study_of(with_daemon).found);
}

TEST_CASE("better scheduler: a large cluster is not searched") {
  auto scenario = stranded();
  scenario.workloads.back().count = 3000;
  for (int i = 0; i < 2000; ++i) scenario.instances.push_back({"more#" + std::to_string(i), 0});
  const auto study = study_of(scenario);
  CHECK(study.is_too_large);
  CHECK_FALSE(study.found);
}

}  // namespace bayplan::study::better_scheduler_test
