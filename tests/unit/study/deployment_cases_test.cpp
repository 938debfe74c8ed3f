#include <algorithm>
#include <string>
#include <vector>

#include <fmt/core.h>

#include "base/memory_files.hpp"
#include "catch.hpp"
#include "model/deployment.hpp"
#include "scenario/load_scenario.hpp"
#include "study/whatif/what_if_deploy.hpp"
#include "text/read.hpp"
#include "timeline/deployment_stages.hpp"
#include "timeline/simulate.hpp"

namespace deployment_cases_test {

// Worked cases of deployments: the strategy enumeration, the rules and figures of the developer guide
// (deployment-type-ecs, blue-green-deployment-how-it-works, deployment-type-linear, early-success-criteria,
// deployment-circuit-breaker), the outcome by arithmetic. S slots, N tasks of which all run, and a deployment after ten
// minutes.

using namespace bayplan;
using namespace bayplan::study;
using timeline::Deployment;
using timeline::DeploymentFailure;
using timeline::History;

namespace {

constexpr placement::Seconds kMinute = 60;
constexpr placement::Seconds kDeployed = 10 * kMinute;

struct DeploymentCase {
  int slots = 0;
  int desired = 0;
  std::string configuration;  ///< Inside deploymentConfiguration.
  std::string service = {};   ///< More members of the service.
  std::string events = {};    ///< More events.
  std::string settings = {};  ///< The whole line of settings.
};

/// Each instance has room for one task.
placement::Scenario load(const DeploymentCase& given) {
  const std::string container = "containerDefinitions: [{name: c, image: i, cpu: 1024, memory: 1000}]";
  const std::string text = fmt::format(
      "cluster: {{containerInstances: [{{instanceType: slot, count: {}}}]}}\n"
      "instanceTypes: [{{instanceType: slot, registeredResources: {{CPU: 1024, MEMORY: 1000}}}}]\n"
      "taskDefinitions: [{{family: t, {}}}, {{family: t, {}}}]\n"
      "services: [{{serviceName: s, taskDefinition: 't:1', desiredCount: {}, deploymentConfiguration: {{{}}}{}}}]\n"
      "events: [{{at: 10m, updateService: {{service: s, taskDefinition: 't:2'}}}}{}]\n{}",
      given.slots, container, container, given.desired, given.configuration, given.service, given.events,
      given.settings);
  static auto catalog = catalog::Catalog::load();  // scenarios view it
  MemoryFiles files;
  files.content["s.yaml"] = text;
  auto loaded = scenario::load_scenario({.scenario = "s.yaml"}, files, catalog);
  for (const auto& error : loaded.errors) FAIL_CHECK(error.line << ":" << error.column << " " << error.message);
  REQUIRE(loaded.scenario);
  return std::move(*loaded.scenario);
}

/// The run, and the course of the deployment of t:2.
struct CaseRun {
  placement::Scenario scenario;
  History history;
  DeploymentCourse course;

  explicit CaseRun(const DeploymentCase& given)
      : scenario(load(given)), history(timeline::simulate(scenario)), course(trace_deployment(scenario, history, 1)) {}

  const Deployment& deployment() const { return history.deployments.at(1); }
  bool is_completed() const { return deployment().state == Deployment::State::kCompleted; }
  placement::Seconds took() const { return deployment().ended_at.value_or(-1) - deployment().started_at; }
  std::string stages() const {
    std::string text;
    for (const auto& stage : deployment().stages)
      text += fmt::format("{} {}, ", name_of(stage.stage), stage.at - kDeployed);
    return text;
  }
  /// New tasks, placed and told to stop by nobody, when the deployment ended.
  std::int64_t count_new() const { return course.stages.empty() ? course.new_tasks : course.stages.back().new_tasks; }
};

std::string percents(int minimum, int maximum) {
  return fmt::format("minimumHealthyPercent: {}, maximumPercent: {}", minimum, maximum);
}

std::vector<std::string> conflicts(const std::string& service) {
  const auto document = text::read_document(std::string(service), {.format = text::Format::kYaml});
  std::vector<std::string> found;
  for (const auto& conflict : model::find_deployment_conflicts(document->root(), false))
    found.push_back(conflict.message);
  return found;
}

}  // namespace

TEST_CASE("case 1 ROLLING 100 to 200 with room for both finishes in one wave") {
  const CaseRun run({8, 4, percents(100, 200)});
  CHECK(run.is_completed());
  CHECK(run.course.most_tasks == 8);
  CHECK(run.course.fewest_healthy == 4);
  CHECK(run.took() == 40 + 30);  // healthy after 40 s; the old ones stop for 30 s
}

TEST_CASE("case 2 ROLLING 100 to 200 without room never finishes") {
  const CaseRun run({4, 4, percents(100, 200)});
  CHECK(run.deployment().is_stuck);
  CHECK(run.course.most_tasks == 4);
  const auto blocked = find_blocked_deployments(run.scenario, run.history);
  REQUIRE(blocked.size() == 1);
  CHECK(blocked[0].blocker == DeploymentBlocker::kNoPlace);
}

TEST_CASE("case 3 ROLLING 50 to 100 replaces two at a time") {
  const CaseRun run({4, 4, percents(50, 100)});
  CHECK(run.is_completed());
  CHECK(run.course.most_tasks == 4);
  CHECK(run.course.fewest_running == 2);
}

TEST_CASE("case 4 ROLLING 100 to 125 of three tasks may neither start nor stop any") {
  const CaseRun run({8, 3, percents(100, 125)});
  CHECK(run.deployment().is_stuck);
  CHECK(run.course.most_tasks == 3);
  const auto blocked = find_blocked_deployments(run.scenario, run.history);
  REQUIRE(blocked.size() == 1);
  CHECK(blocked[0].blocker == DeploymentBlocker::kHealthyPercents);
}

TEST_CASE("case 5 ROLLING 75 to 150 of two tasks goes one by one") {
  const CaseRun run({4, 2, percents(75, 150)});
  CHECK(run.is_completed());
  CHECK(run.course.most_tasks == 4);  // floor(2 x 150 %) = 3, and a task that stops holds its slot for 30 s
  CHECK(run.course.fewest_healthy == 2);
}

TEST_CASE("case 6 ROLLING 50 to 150 uses the room that there is - and makes more") {
  const CaseRun run({12, 10, percents(50, 150)});
  CHECK(run.is_completed());
  CHECK(run.course.most_tasks == 12);
}

TEST_CASE("case 7 BLUE_GREEN runs 2N tasks from the end of SCALE_UP to CLEAN_UP") {
  const CaseRun run({8, 4, "strategy: BLUE_GREEN, bakeTimeInMinutes: 30"});
  CHECK(run.is_completed());
  CHECK(run.course.most_tasks == 8);
  CHECK(run.stages() == "SCALE_UP 0, PRODUCTION_TRAFFIC_SHIFT 40, BAKE_TIME 40, CLEAN_UP 1840, ");
  CHECK(run.took() == 40 + 30 * kMinute + 30);
  CHECK(run.course.fewest_healthy == 4);
  for (const auto& stage : run.course.stages) {
    if (stage.stage != model::DeploymentStage::kCleanUp) CHECK(stage.old_tasks == 4);
  }
}

TEST_CASE("case 8 BLUE_GREEN without room for all new tasks rolls back after 24 hours - whatever the percents") {
  const CaseRun run({7, 4, "strategy: BLUE_GREEN, bakeTimeInMinutes: 30, " + percents(50, 100)});
  CHECK(run.deployment().state == Deployment::State::kFailed);
  CHECK(run.deployment().failure == DeploymentFailure::kStageLimit);
  CHECK(run.took() == 24 * 60 * kMinute);
  CHECK(run.course.most_tasks == 7);
  REQUIRE(run.course.stages.size() == 1);
  CHECK(run.course.stages[0].new_tasks == 3);
  CHECK(run.course.stages[0].old_tasks == 4);
  REQUIRE(run.history.deployments.size() == 3);  // the rollback
  CHECK(run.history.deployments[2].state == Deployment::State::kCompleted);
  CHECK(run.history.deployments[2].workload == run.history.deployments[0].workload);
}

TEST_CASE("case 9 LINEAR pauses between its steps - not after 100 percent") {
  const CaseRun run({10, 5,
                     "strategy: LINEAR, bakeTimeInMinutes: 15, "
                     "linearConfiguration: {stepPercent: 10.0, stepBakeTimeInMinutes: 6}",
                     ", serviceConnectConfiguration: {enabled: true}"});
  CHECK(run.is_completed());
  CHECK(run.course.most_tasks == 10);
  CHECK(run.stages() == "SCALE_UP 0, PRODUCTION_TRAFFIC_SHIFT 40, BAKE_TIME 3280, CLEAN_UP 4180, ");
  CHECK(4'180 - 40 == 69 * kMinute);
}

TEST_CASE("case 10 the circuit breaker counts tries that find no room - and rolls back") {
  const CaseRun run({4, 4, percents(100, 200) + ", deploymentCircuitBreaker: {enable: true, rollback: true}"});
  CHECK(run.deployment().state == Deployment::State::kFailed);
  CHECK(run.deployment().failure == DeploymentFailure::kCircuitBreaker);
  CHECK(run.deployment().failed_tasks == 3);  // ceil(50 % of 4) = 2, at least 3
  CHECK(run.took() == 42 * 60);               // 15 minutes after the first lack of room, and 27 after the second
  CHECK(run.course.most_tasks == 4);
  CHECK(run.count_new() == 0);
  CHECK(run.history.deployments.at(2).state == Deployment::State::kCompleted);
}

TEST_CASE("case 11 earlySuccessCriteria BLOCKING succeeds with 8 of 10 healthy once the old tasks are gone") {
  const std::string early =
      ", earlySuccessCriteria: {enable: true, healthyPercent: 80, sourceServiceRevisionCleanup: BLOCKING}";
  const CaseRun run({12, 10, percents(80, 120) + early, "", ", {at: 10m10s, terminate: 'slot#12'}"});
  CHECK(run.is_completed());
  CHECK(run.course.most_tasks == 12);
  const auto ended = *run.deployment().ended_at;
  const auto healthy = std::count_if(run.history.events.begin(), run.history.events.end(), [&](const auto& event) {
    return event.kind == timeline::EventKind::kTaskHealthy && event.at <= ended && event.at > kDeployed;
  });
  CHECK(healthy >= 8);
}

TEST_CASE("case 12 bake and step times of more than 33 hours are named") {
  const auto found = conflicts(
      "{serviceConnectConfiguration: {enabled: true}, deploymentConfiguration: {strategy: CANARY, bakeTimeInMinutes: "
      "1440, canaryConfiguration: {canaryBakeTimeInMinutes: 1440}}}");
  REQUIRE(found.size() == 1);
  CHECK(found[0] == "bake and step times are 2880 minutes, and CloudFormation rejects more than 1980 (33 hours)");
}

TEST_CASE("CANARY moves traffic - not tasks 2N from SCALE_UP on") {
  const CaseRun run({8, 4,
                     "strategy: CANARY, bakeTimeInMinutes: 5, canaryConfiguration: {canaryPercent: 5.0, "
                     "canaryBakeTimeInMinutes: 10}",
                     ", serviceConnectConfiguration: {enabled: true}"});
  CHECK(run.is_completed());
  CHECK(run.course.most_tasks == 8);
  CHECK(run.stages() == "SCALE_UP 0, PRODUCTION_TRAFFIC_SHIFT 40, BAKE_TIME 640, CLEAN_UP 940, ");
}

TEST_CASE("the circuit breaker ends a BLUE_GREEN deployment before the limit of the stage") {
  const CaseRun run(
      {7, 4, "strategy: BLUE_GREEN, bakeTimeInMinutes: 5, deploymentCircuitBreaker: {enable: true, rollback: true}"});
  CHECK(run.deployment().failure == DeploymentFailure::kCircuitBreaker);
  CHECK(run.took() < 24 * 60 * kMinute);
  CHECK(run.history.deployments.at(2).state == Deployment::State::kCompleted);
}

TEST_CASE("a BLUE_GREEN deployment that is stopped goes back without starting a task") {
  const CaseRun run({8, 4, "strategy: BLUE_GREEN, bakeTimeInMinutes: 30", "", ", {at: 20m, stopServiceDeployment: s}"});
  CHECK(run.deployment().failure == DeploymentFailure::kStopped);
  REQUIRE(run.history.deployments.size() == 3);
  CHECK(run.history.deployments[2].state == Deployment::State::kCompleted);
  CHECK(run.history.tasks.size() == 8);
}

TEST_CASE("an alarm fails a deployment that watches it - and rolls back where alarms.rollback is true") {
  const std::string alarms = ", alarms: {alarmNames: [errors], enable: true, rollback: true}";
  const CaseRun run({8, 4, percents(100, 200) + alarms, "", ", {at: 13m, raiseAlarm: errors}"});
  CHECK(run.deployment().failure == DeploymentFailure::kAlarm);
  CHECK(run.history.deployments.at(2).state == Deployment::State::kCompleted);
  // All new tasks are healthy after 40 s and the old ones gone after 70: the deployment watches its alarms on.
  const CaseRun quiet({8, 4, percents(100, 200) + alarms});
  CHECK(quiet.is_completed());
  CHECK(quiet.took() >= 5 * kMinute + 40);
}

TEST_CASE("blue tasks that are lost during the bake time are replaced in their own revision") {
  const CaseRun run({9, 4, "strategy: BLUE_GREEN, bakeTimeInMinutes: 30", "", ", {at: 20m, terminate: 'slot#1'}"});
  CHECK(run.is_completed());
  const auto blue = std::count_if(run.history.tasks.begin(), run.history.tasks.end(),
                                  [](const auto& task) { return task.deployment == 0; });
  CHECK(blue == 5);
}

TEST_CASE("CODE_DEPLOY and EXTERNAL run both revisions - too") {
  const CaseRun code_deploy({8, 4, "", ", deploymentController: {type: CODE_DEPLOY}"});
  CHECK(code_deploy.is_completed());
  CHECK(code_deploy.course.most_tasks == 8);
  CHECK(code_deploy.course.strategy == "CODE_DEPLOY");
  CHECK(code_deploy.took() == 40 + 60 * kMinute + 30);
  const CaseRun external({8, 4, "", ", deploymentController: {type: EXTERNAL}"});
  CHECK(external.is_completed());
  CHECK(external.took() == 40 + 30);
  const CaseRun stuck({7, 4, "", ", deploymentController: {type: CODE_DEPLOY}"});
  CHECK(stuck.deployment().failure == DeploymentFailure::kStageLimit);
  CHECK(stuck.took() == 60 * kMinute);
}

TEST_CASE("a load balancer adds the health of its targets and the deregistration delay") {
  const std::string balancer =
      ", loadBalancers: [{targetGroupArn: 'arn:aws:elasticloadbalancing:us-east-1:1:targetgroup/s/1', containerName: "
      "c, "
      "containerPort: 80}]";
  const CaseRun run({8, 4, percents(100, 200), balancer});
  CHECK(run.took() == 30 + 300 + 30);
  const CaseRun faster({8, 4, percents(100, 200), balancer, "",
                        "settings: {timing: {targetHealthyAfter: 5s, deregistrationDelay: 0s}}\n"});
  CHECK(faster.took() == 5 + 30);
}

TEST_CASE("earlySuccessCriteria DEFERRED completes before the old tasks go") {
  const std::string early =
      ", earlySuccessCriteria: {enable: true, healthyPercent: 50, sourceServiceRevisionCleanup: DEFERRED}";
  const CaseRun run({15, 10, percents(50, 150) + early});
  CHECK(run.is_completed());
  CHECK(run.took() == 40);
  const CaseRun never({15, 10, percents(50, 150)});
  CHECK(never.took() > 40);
}

TEST_CASE("required healthy tasks of earlySuccessCriteria round up - and are at least 1") {
  const auto required = [](std::int64_t desired, std::int64_t percent) {
    return model::EarlySuccess{true, percent, false}.required(desired);
  };
  CHECK(required(2, 50) == 1);
  CHECK(required(3, 50) == 2);
  CHECK(required(10, 80) == 8);
  CHECK(required(100, 90) == 90);
  CHECK(required(10, 0) == 1);
}

TEST_CASE("a step that does not divide 100 has one pause fewer than steps - as CloudFormation counts them") {
  model::DeploymentSettings settings;
  settings.strategy = model::DeploymentStrategy::kLinear;
  settings.step_tenths = 110;
  settings.step_bake_minutes = 1;
  CHECK(settings.traffic_steps() == 10);
  CHECK(settings.shift_minutes() == 9);
  settings.step_tenths = 1'000;
  CHECK(settings.shift_minutes() == 0);
}

TEST_CASE("stages take the time of the traffic routing and of hooks") {
  model::DeploymentSettings settings;
  settings.strategy = model::DeploymentStrategy::kBlueGreen;
  settings.bake_minutes = 5;
  settings.routing = model::TrafficRouting::kNetworkLoadBalancer;
  settings.has_test_traffic = true;
  placement::Timing timing;
  CHECK(timeline::time_of_both(timeline::stage_times(settings, timing)) == 25 * kMinute);
  settings.routing = model::TrafficRouting::kVpcLattice;
  settings.has_test_traffic = false;
  CHECK(timeline::time_of_both(timeline::stage_times(settings, timing)) == 5 * kMinute + 3 * kMinute + 90);
  settings.routing = model::TrafficRouting::kManaged;
  settings.hooks.push_back({.stages = {"POST_SCALE_UP", "PRE_PRODUCTION_TRAFFIC_SHIFT"}});
  timing.lifecycle_hook = 2 * kMinute;
  CHECK(timeline::time_of_both(timeline::stage_times(settings, timing)) == 5 * kMinute + 4 * kMinute);
  // A PAUSE hook that nobody continues goes on at its time-out, or the deployment rolls back then.
  settings.hooks = {{.is_pause = true, .stages = {"POST_SCALE_UP"}, .timeout_minutes = 1, .continues = true}};
  CHECK(timeline::time_of_both(timeline::stage_times(settings, timing)) == 5 * kMinute + 1 * kMinute);
  settings.hooks[0].continues = false;
  const auto stages = timeline::stage_times(settings, timing);
  REQUIRE(stages.size() == 5);
  CHECK(stages[1].stage == model::DeploymentStage::kPostScaleUp);
  CHECK(stages[1].limit == kMinute);
}

}  // namespace deployment_cases_test
