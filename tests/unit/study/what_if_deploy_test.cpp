#include "study/whatif/what_if_deploy.hpp"

#include <algorithm>
#include <sstream>
#include <string>
#include <vector>

#include "catch.hpp"
#include "placement/build.hpp"
#include "report/whatif/whatif_deployment.hpp"

namespace what_if_deploy_test {

using namespace bayplan;
using namespace bayplan::study;
using namespace bayplan::placement::build;
using placement::AddInstances;
using placement::DrainInstances;
using placement::RemoveInstances;
using placement::Scale;
using placement::Scenario;
using placement::TerminateInstances;

namespace {

constexpr std::uint32_t kNext = 1;  // the definition that is deployed

/// A service "api" of six tasks; `next` is what its second definition asks for. All at time 0.
Scenario api(std::size_t hosts, const capacity::TaskRequirement& now, const capacity::TaskRequirement& next,
             std::int64_t minimum, std::int64_t maximum, std::int64_t count = 6) {
  std::vector<placement::InstanceProfile> instances;
  for (std::size_t i = 0; i < hosts; ++i) {
    instances.push_back(instance("host", 2048, 4096, {}, i % 2 == 0 ? "us-east-2a" : "us-east-2b"));
    instances.back().hourly_price = 96'000;
  }
  auto service_now = service("api", now, count);
  service_now.minimum_healthy_percent = minimum;
  service_now.maximum_percent = maximum;
  auto result = scenario_with(std::move(instances), {service_now});
  auto definition = result.task_definitions[0];
  definition.name = "api:2";
  definition.revision = 2;
  definition.requirement = next;
  result.task_definitions.push_back(definition);
  result.timetable.tasks.resize(1);
  result.timetable.services.push_back({.workload = 0, .desired_count = count});
  return result;
}

Variant deploying() {
  Variant variant;
  variant.deployments = {{0, kNext}};
  return variant;
}

const auto kSmall = needs(256, 512);
const auto kPort = with_tcp(kSmall, {8080});

const DeploymentCourse& course(const DeployedVariant& deployed) {
  REQUIRE(deployed.mistakes.empty());
  REQUIRE(deployed.deployments.size() == 1);
  return deployed.deployments[0].course;
}

std::vector<std::string> waves(const DeployedVariant& deployed) {
  std::vector<std::string> lines;
  for (const auto& wave : course(deployed).waves) {
    lines.push_back(std::to_string(wave.at) + " s: may start " + std::to_string(wave.may_start) + ", starts " +
                    std::to_string(wave.started) + "; may stop " + std::to_string(wave.may_stop) + ", stops " +
                    std::to_string(wave.stopped));
  }
  return lines;
}

std::string told(const DeployedVariant& deployed) {
  const report::TimelineReport run(*deployed.scenario, deployed.history, std::nullopt, deployed.held);
  const report::DeploymentReport report(run, deployed.deployments);
  std::ostringstream out;
  out << report.headline() << '\n';
  report::ReportDocument document("whatif");
  document.has_all_lines = true;
  report.add_to(document);
  report::write_text(out, document, {});
  return out.str();
}

using Lines = std::vector<std::string>;

}  // namespace

TEST_CASE("deploy: a fixed host port on every host holds it up") {
  const auto deployed = deploy(api(6, kPort, kPort, 100, 150), deploying());
  CHECK_FALSE(deployed.finishes());
  CHECK(deployed.history.deployments[deployed.deployments[0].deployment].is_stuck);
  CHECK(waves(deployed) == Lines{"0 s: may start 3, starts 0; may stop 0, stops 0"});
  CHECK(course(deployed).new_tasks == 0);
  CHECK(course(deployed).old_tasks == 6);
  CHECK(course(deployed).fewest_healthy == 6);
  CHECK(course(deployed).most_tasks == 6);
  REQUIRE(deployed.held.size() == 1);
  CHECK(deployed.held[0].remedies.size() == 3);  // minimumHealthyPercent, hostPort 0, one more host
}

TEST_CASE("deploy: half as many more, in waves") {
  const auto deployed = deploy(api(6, kSmall, kSmall, 100, 150), deploying());
  CHECK(deployed.finishes());
  CHECK(waves(deployed) == Lines{"0 s: may start 3, starts 3; may stop 0, stops 0",
                                 "40 s: may start 0, starts 3; may stop 3, stops 3",
                                 "80 s: may start 0, starts 0; may stop 3, stops 3"});
  CHECK(course(deployed).fewest_healthy == 6);
  CHECK(course(deployed).most_tasks == 12);
}

TEST_CASE("deploy: half of them may stop first") {
  const auto deployed = deploy(api(6, kPort, kPort, 50, 100), deploying());
  CHECK(deployed.finishes());
  CHECK(waves(deployed).front() == "0 s: may start 0, starts 3; may stop 3, stops 3");
  CHECK(course(deployed).fewest_healthy == 3);
  CHECK(course(deployed).most_tasks == 6);
}

TEST_CASE("deploy: what the reports say") {
  CHECK(
      told(deploy(api(6, kPort, kPort, 100, 150), deploying())) ==
      "the deployment of api (api:2) never finishes: 3 new tasks cannot be placed: 0 of 6 instances have host port TCP "
      "8080 free; 6 old tasks cannot be stopped (minimumHealthyPercent 100)\n"
      "deployment of api: api:1 -> api:2, 6 tasks\n"
      "  wave 1     may start 3 (maximumPercent 150 of 6), placed 0: 0 of 6 instances\n"
      "             have host port TCP 8080 free\n"
      "             may stop 0 (minimumHealthyPercent 100)\n"
      "  STUCK      0 new tasks run, 6 old ones stay\n"
      "  Rollback once it is stuck: takes 0s, starts 0 tasks, at most 6 tasks are\n"
      "    placed at a time\n"
      "  Fix: minimumHealthyPercent 83 (at least 5 of 6 healthy); finishes in 7m\n"
      "  Fix: hostPort 0 (dynamic) instead of TCP 8080; finishes in 1m50s\n"
      "  Fix: 1 more host in us-east-2a (+$0.096/h, +$70/month); finishes in 7m\n");
  CHECK(told(deploy(api(6, kSmall, kSmall, 100, 150), deploying())) ==
        "the deployment of api (api:2) finishes in 1m50s, never fewer than 6 of 6 healthy\n"
        "deployment of api: api:1 -> api:2, 6 tasks\n"
        "  wave 1     may start 3 (maximumPercent 150 of 6), placed 3\n"
        "             may stop 0 (minimumHealthyPercent 100)\n"
        "  wave 2     after 40s: stops 3, starts 3\n"
        "  wave 3     after 1m20s: stops 3\n"
        "  COMPLETED  after 1m50s; never fewer than 6 of 6 healthy; at most 12 tasks are\n"
        "             placed at a time: 6 more than desired, 1.5 vCPU, 3 GiB\n"
        "  Rollback at its end: takes 1m50s, starts 6 tasks, at most 12 tasks are\n"
        "    placed at a time\n");
}

TEST_CASE("deploy: a deployment of one task is told in the singular") {
  const auto text = told(deploy(api(1, kPort, kPort, 100, 200, 1), deploying()));
  CHECK_THAT(text, Catch::Contains("0 new tasks run, 1 old one stays"));
  CHECK_THAT(text, Catch::Contains("minimumHealthyPercent 0 (temporarily 0 healthy)"));
}

TEST_CASE("deploy: no more waves than fit are told") {
  const auto text = told(deploy(api(6, kPort, kPort, 83, 100), deploying()));
  CHECK_THAT(text, Catch::Contains("  2 waves more, the last after 5m50s\n"));
}

TEST_CASE("deploy: the new definition is larger than what is left") {
  const auto deployed = deploy(api(2, needs(1024, 512), needs(2048, 512), 100, 200, 2), deploying());
  CHECK_FALSE(deployed.finishes());
  CHECK(waves(deployed) == Lines{"0 s: may start 2, starts 0; may stop 0, stops 0"});
  REQUIRE(deployed.held.size() == 1);
  CHECK(deployed.held[0].blocker == DeploymentBlocker::kNoPlace);
}

TEST_CASE("deploy: constraints are those of the new definition and of the service") {
  auto scenario = api(2, kSmall, kSmall, 0, 200, 2);
  scenario.task_definitions[0].constraints = {member_of("attribute:ecs.availability-zone == us-east-2a")};
  scenario.task_definitions[1].constraints = {member_of("attribute:ecs.availability-zone == us-east-2b")};
  auto& own = scenario.workloads[0].constraints;
  own = scenario.task_definitions[0].constraints;
  own.push_back(member_of("attribute:ecs.os-type == linux"));
  const auto deployed = deploy(scenario, deploying());
  CHECK(deployed.finishes());
  const auto& next = deployed.scenario->workloads[1].constraints;
  REQUIRE(next.size() == 2);
  CHECK(next[0].source == "attribute:ecs.availability-zone == us-east-2b");
  CHECK(next[1].source == "attribute:ecs.os-type == linux");
}

TEST_CASE("deploy: after the loss of a zone") {
  auto variant = deploying();
  variant.events = {TerminateInstances{{0, 2, 4}}};
  const auto stuck = deploy(api(6, kPort, kPort, 50, 100), variant);
  CHECK_FALSE(stuck.finishes());
  CHECK(waves(stuck) == Lines{"0 s: may start 3, starts 0; may stop 0, stops 0"});
  CHECK(course(stuck).old_tasks == 3);
  const auto fine = deploy(api(6, kSmall, kSmall, 50, 100), variant);
  CHECK(fine.finishes());
  CHECK(course(fine).fewest_healthy == 3);
}

TEST_CASE("deploy: an instance that drains keeps its old task until a new one stands in for it") {
  auto variant = deploying();
  variant.events = {DrainInstances{{0}}};
  const auto deployed = deploy(api(3, kPort, kPort, 100, 200, 2), variant);
  CHECK(deployed.history.instances[0].draining_at.has_value());
  CHECK(course(deployed).old_tasks == 2);  // both have moved to the hosts that are left
}

TEST_CASE("deploy: an instance more is room for it") {
  auto scenario = api(6, kPort, kPort, 100, 150);
  auto variant = deploying();
  variant.events = {AddInstances{{scenario.profiles[0]}, {{"host#7", 0}}}};
  const auto deployed = deploy(scenario, variant);
  CHECK(deployed.finishes());
  CHECK(deployed.history.instances.back().id == "host#7");
  CHECK(course(deployed).waves.size() == 7);  // one task at a time, and the last old one
}

TEST_CASE("deploy: the instance with the fewest tasks is given back") {
  auto scenario = api(3, kSmall, kSmall, 100, 200, 2);
  auto variant = deploying();
  variant.events = {RemoveInstances{"host", 1}};
  auto deployed = deploy(scenario, variant);
  CHECK(deployed.history.instances[2].terminated_at.has_value());  // nothing runs there
  variant.events = {RemoveInstances{"host", 2}};
  deployed = deploy(scenario, variant);
  CHECK_FALSE(deployed.history.instances[0].terminated_at.has_value());
  CHECK(deployed.history.instances[1].terminated_at.has_value());  // of two alike the last
  CHECK(deployed.finishes());
}

TEST_CASE("deploy: a service with fewer tasks") {
  auto variant = deploying();
  variant.events = {Scale{{0}, 5}};
  const auto deployed = deploy(api(6, kPort, kPort, 100, 150), variant);
  CHECK(deployed.finishes());
  CHECK(course(deployed).terms.desired == 5);
}

namespace {

/// Two hosts, a service of one task, and `count` standalone tasks of half a host.
Scenario with_jobs(std::int64_t count, bool all_or_nothing = false) {
  auto scenario = api(2, kSmall, needs(512, 512), 100, 200, 1);
  auto job = run_task("job", needs(1024, 512), count, {binpack("memory")});
  job.all_or_nothing = all_or_nothing;
  job.task_definition = 0;
  scenario.workloads.push_back(job);
  scenario.timetable.tasks.resize(2);
  return scenario;
}

std::int64_t standing_jobs(const DeployedVariant& deployed) {
  return std::count_if(deployed.history.tasks.begin(), deployed.history.tasks.end(), [](const timeline::Task& task) {
    return task.workload == 1 && task.placed_at && !task.stopped_at;
  });
}

}  // namespace

TEST_CASE("deploy: standalone tasks that lose their instance run again before it begins") {
  auto variant = deploying();
  variant.events = {TerminateInstances{{0}}};
  const auto deployed = deploy(with_jobs(1), variant);
  CHECK(standing_jobs(deployed) == 1);
  CHECK(course(deployed).new_tasks == 1);
  REQUIRE(deployed.mistakes.empty());
}

TEST_CASE("deploy: standalone tasks without a place find one on what is added") {
  auto scenario = with_jobs(5);
  auto variant = deploying();
  CHECK(standing_jobs(deploy(scenario, variant)) == 3);
  variant.events = {AddInstances{{scenario.profiles[0]}, {{"host#3", 0}}}};
  CHECK(standing_jobs(deploy(scenario, variant)) == 5);
}

TEST_CASE("deploy: a call that is placed as a whole starts anew as a whole") {
  auto scenario = with_jobs(2, true);
  auto variant = deploying();
  variant.events = {TerminateInstances{{0}}};
  CHECK(standing_jobs(deploy(scenario, variant)) == 0);
  variant.events.push_back(AddInstances{{scenario.profiles[0]}, {{"host#3", 0}}});
  CHECK(standing_jobs(deploy(scenario, variant)) == 2);
}

TEST_CASE("deploy: fewer and more standalone tasks") {
  auto variant = deploying();
  variant.events = {Scale{{1}, 1}};
  CHECK(standing_jobs(deploy(with_jobs(5), variant)) == 1);
  variant.events = {Scale{{1}, 3}};
  CHECK(standing_jobs(deploy(with_jobs(1), variant)) == 3);
}

TEST_CASE("deploy: a capacity provider that scales by itself launches nothing") {
  auto scenario = api(1, needs(1500, 512), needs(1500, 512), 100, 200, 1);
  scenario.profiles[0].capacity_provider_name = "gpu";
  scenario.workloads[0].capacity_providers = {{"gpu", 0, 1}};
  scenario.managed_providers = {"gpu"};
  const auto deployed = deploy(scenario, deploying());
  CHECK(deployed.history.deployments[deployed.deployments[0].deployment].is_stuck);
}

TEST_CASE("deploy: tasks that run in a live cluster are the old ones") {
  auto scenario = api(2, kPort, kPort, 50, 100, 2);
  scenario.workloads[0].count = 0;
  for (std::uint32_t i = 0; i < 2; ++i) {
    scenario.in_use.push_back({.cpu = 256, .memory = 512, .tcp_ports = {8080}, .tasks = 1});
    placement::RunningTask task;
    task.id = "task" + std::to_string(i);
    task.instance = i;
    task.group = "service:api";
    task.task_definition = "api:1";
    scenario.running.push_back(task);
  }
  const auto deployed = deploy(scenario, deploying());
  CHECK(deployed.finishes());
  CHECK(course(deployed).fewest_healthy == 1);
  CHECK(course(deployed).waves.size() == 2);
  CHECK(course(deployed).old_tasks == 0);
}

TEST_CASE("deploy: a daemon goes from host to host") {
  auto scenario = api(3, kPort, kPort, 66, 100);
  scenario.workloads[0].kind = placement::WorkloadKind::kDaemon;
  const auto deployed = deploy(scenario, deploying());
  CHECK(deployed.finishes());
  CHECK(course(deployed).terms.desired == 3);
  CHECK(course(deployed).fewest_healthy == 2);
}

}  // namespace what_if_deploy_test
