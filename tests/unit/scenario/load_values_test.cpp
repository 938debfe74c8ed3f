// What a scenario's members become, member by member.
#include "scenario/loaded.hpp"

namespace load_values_test {

using namespace bayplan;
using namespace bayplan::placement;
using namespace bayplan::scenario;
using test::load_texts;
using test::Loaded;
using test::scenario_of;

namespace {

const std::string kStart =
    "cluster: {containerInstances: [{instanceType: m5.large, capacityProviderName: p}]}\n"
    "taskDefinitions:\n"
    "  - {family: t, memory: '900', containerDefinitions: [{name: c, image: i, cpu: 128, memory: 500},\n"
    "                                                      {name: d, image: i, memory: 100}]}\n"
    "  - {family: u, containerDefinitions: [{name: c, image: i, cpu: 128, memory: 500, memoryReservation: 200}]}\n";

std::unique_ptr<Loaded> load(const std::string& text, ScenarioRequest request = {}) {
  request.scenario = "s.yaml";
  return load_texts(request, {{"s.yaml", text}});
}

/// "line:column: message (help)" of each.
std::vector<std::string> errors_of(const std::string& text, ScenarioRequest request = {}) {
  const auto loaded = load(text, std::move(request));
  std::vector<std::string> lines;
  for (const auto& error : loaded->result.errors) {
    lines.push_back(std::to_string(error.line) + ":" + std::to_string(error.column) + ": " + error.message + " (" +
                    error.help + ")");
  }
  return lines;
}

/// CPU units and MiB of a task of the definition with these overrides.
std::pair<CpuUnits, MiB> needs_with(const std::string& definition, const std::string& overrides) {
  const auto loaded = load(kStart + "tasks: [{taskDefinition: " + definition + ", overrides: {" + overrides + "}}]\n");
  const auto& task = scenario_of(*loaded).workloads.front().requirement;
  return {task.cpu, task.memory};
}

using Needs = std::pair<CpuUnits, MiB>;
using Lines = std::vector<std::string>;

}  // namespace

TEST_CASE("an override replaces what it names and nothing else") {
  CHECK(needs_with("t", "") == Needs{128, 900});
  CHECK(needs_with("t", "memory: '700'") == Needs{128, 700});
  CHECK(needs_with("t", "cpu: '256'") == Needs{256, 900});
  CHECK(needs_with("u", "") == Needs{128, 200});
  CHECK(needs_with("u", "containerOverrides: [{name: c, cpu: 64}]") == Needs{64, 200});
  CHECK(needs_with("u", "containerOverrides: [{name: c, memory: 600}]") == Needs{128, 200});
  CHECK(needs_with("u", "containerOverrides: [{name: c, memoryReservation: 300}]") == Needs{128, 300});
}

TEST_CASE("how many failed tasks end a deployment is told in three ways") {
  const auto breaker = [](const std::string& threshold) {
    const auto loaded = load(kStart +
                             "services: [{serviceName: s, taskDefinition: t, desiredCount: 2, deploymentConfiguration: "
                             "{deploymentCircuitBreaker: {enable: true, rollback: false" +
                             threshold + "}}}]\nevents: [{at: 1h, addInstances: {instanceType: m5.large}}]\n");
    return scenario_of(*loaded).timetable.services.at(0).circuit_breaker;
  };
  const auto threshold = [&](const std::string& type) {
    return breaker(", thresholdConfiguration: {type: " + type + ", value: 150}").type;
  };
  CHECK(breaker("").type == ThresholdType::kBoundedPercent);
  CHECK(threshold("COUNT") == ThresholdType::kCount);
  CHECK(threshold("BOUNDED_PERCENT") == ThresholdType::kBoundedPercent);
  CHECK(threshold("UNBOUNDED_PERCENT") == ThresholdType::kUnboundedPercent);
}

TEST_CASE("a size of GPU memory that is none is told") {
  CHECK(
      errors_of("cluster: {containerInstances: [{instanceType: own, registeredResources: {CPU: 1, MEMORY: 1, GPU: 1},\n"
                "  gpuMemory: 0.5MiB}]}\n"
                "taskDefinitions: [{family: t, containerDefinitions: [{name: c, image: i, memory: 5}]}]\n"
                "tasks: [{taskDefinition: t}]\n") ==
      Lines{"2:14: gpuMemory cannot be '0.5MiB' (a size is a number of MiB, or a text such as 14GiB or 24GB)"});
}

TEST_CASE("what is not known of an instance's network interfaces is assumed, and told of no other") {
  const auto assumed = [](const std::string& instance) {
    const auto loaded = load("cluster: {containerInstances: [" + instance +
                             "]}\n"
                             "taskDefinitions: [{family: t, containerDefinitions: [{name: c, image: i, memory: 5}]}]\n"
                             "tasks: [{taskDefinition: t}]\n");
    Lines subjects;
    for (const auto& one : scenario_of(*loaded).assumptions) {
      if (one.id == "network-interfaces-unknown") subjects.push_back(one.subject);
    }
    return subjects;
  };
  CHECK(assumed("{instanceType: own, registeredResources: {CPU: 1024, MEMORY: 4000}}") == Lines{"own"});
  CHECK(assumed("{instanceType: m5.large}") == Lines{});
}

TEST_CASE("a task definition that is given twice is told at its revision") {
  const std::string twice =
      "cluster: {containerInstances: [{instanceType: m5.large}]}\n"
      "taskDefinitions:\n"
      "  - {family: t, revision: 3, containerDefinitions: [{name: c, image: i, memory: 5}]}\n"
      "  - {family: t, revision: 3, containerDefinitions: [{name: c, image: i, memory: 6}]}\n"
      "tasks: [{taskDefinition: t}]\n";
  CHECK(errors_of(twice) == Lines{"4:27: duplicate task definition 't:3' (first in s.yaml, line 3)"});
}

TEST_CASE("an event is told what there is to name") {
  const auto zone = errors_of(kStart + "tasks: [{taskDefinition: t}]\nevents: [{at: 1h, loseAvailabilityZone: a}]\n");
  CHECK(zone == Lines{"7:41: no instance and no group is in zone 'a' (none states its zone)"});
  const auto service =
      errors_of(kStart + "tasks: [{taskDefinition: t}]\nevents: [{at: 1h, updateService: {service: s}}]\n");
  CHECK(service == Lines{"7:44: no service 's' (list it under services)"});
}

TEST_CASE("an update of a service keeps the subnets that it does not name") {
  const auto zones = [](const std::string& update) {
    const auto loaded = load(
        "cluster: {containerInstances: [{instanceType: m5.large, availabilityZone: us-east-1a}]}\n"
        "subnets: {subnet-a: us-east-1a, subnet-b: us-east-1b}\n"
        "taskDefinitions: [{family: t, networkMode: awsvpc, containerDefinitions: [{name: c, image: i, memory: 5}]}]\n"
        "services: [{serviceName: s, taskDefinition: t, desiredCount: 1, networkConfiguration: {awsvpcConfiguration: "
        "{subnets: [subnet-a]}}}]\n"
        "events: [{at: 1h, updateService: {service: s, desiredCount: 2" +
        update + "}}]\n");
    return scenario_of(*loaded).workloads.back().availability_zones;
  };
  CHECK(zones("") == std::vector<std::string>{"us-east-1a"});
}

TEST_CASE("what takes time is told in the order of the file") {
  const auto lines = [](const std::string& text) {
    const auto loaded = load(kStart + text);
    std::vector<std::uint32_t> places;
    for (const auto& note : scenario_of(*loaded).over_time) places.push_back(note.line);
    return places;
  };
  const std::string events = "events: [{at: 1h, addInstances: {instanceType: m5.large}}]\n";
  const std::string tasks = "tasks: [{taskDefinition: t, startDelay: 5m}]\n";
  const std::string services =
      "services:\n  - {serviceName: s, taskDefinition: t, desiredCount: 1, startDelay: 5m,\n     duration: 1h}\n";
  CHECK(lines(events + tasks + services) == std::vector<std::uint32_t>{6, 7, 9, 10});
  CHECK(lines(services + tasks + events) == std::vector<std::uint32_t>{7, 8, 9, 10});
}

TEST_CASE("what is assumed of deployments is told over time") {
  const auto told = [](const std::string& service) {
    const auto loaded = load(kStart + "services: [{serviceName: s, taskDefinition: t, desiredCount: 1" + service +
                             "}]\nevents: [{at: 1h, addInstances: {instanceType: m5.large}}]\n");
    CHECK(scenario_of(*loaded).not_simulated.empty());
    Lines ids;
    for (const auto& one : scenario_of(*loaded).assumptions) {
      if (one.subject == "s") ids.push_back(one.id);
    }
    return ids;
  };
  CHECK(told("") == Lines{});
  CHECK(told(", deploymentConfiguration: {strategy: ROLLING}") == Lines{});
  CHECK(told(", deploymentConfiguration: {strategy: BLUE_GREEN, bakeTimeInMinutes: 5}") ==
        Lines{"both-revisions-kept"});
  CHECK(told(", deploymentConfiguration: {strategy: BLUE_GREEN, canaryConfiguration: {canaryPercent: 10}}") ==
        Lines{"deployment-settings-conflict", "both-revisions-kept"});
  CHECK(told(", deploymentController: {type: CODE_DEPLOY}") == Lines{"both-revisions-kept", "code-deploy-settings"});
  CHECK(told(", deploymentController: {type: EXTERNAL}") == Lines{"both-revisions-kept", "external-task-set"});
  CHECK(told(", deploymentConfiguration: {alarms: {alarmNames: [a], enable: true}}") == Lines{"alarms-stay-ok"});
}

}  // namespace load_values_test
