// From the scenario file to its timetable.
#include "placement/engine/not_placeable.hpp"
#include "placement/model/service_terms.hpp"
#include "scenario/loaded.hpp"

namespace load_timetable_test {

using namespace bayplan;
using namespace bayplan::placement;
using namespace bayplan::scenario;
using test::load_texts;
using test::Loaded;
using test::placed_message;
using test::scenario_of;

namespace {

const std::string kStart =
    "cluster:\n"
    "  containerInstances:\n"
    "    - {instanceType: p3.2xlarge, count: 2, availabilityZones: [us-east-1a, us-east-1b], capacityProviderName: "
    "gpu}\n"
    "taskDefinitions:\n"
    "  - {family: train, containerDefinitions: [{name: a, image: a, memory: 100, stopTimeout: 90},\n"
    "                                           {name: b, image: a, memory: 100}]}\n"
    "  - {family: web, containerDefinitions: [{name: a, image: a, memory: 100, stopTimeout: 5}]}\n"
    "  - {family: web, containerDefinitions: [{name: a, image: a, memory: 200}]}\n";

std::unique_ptr<Loaded> load(const std::string& text, ScenarioRequest request = {.scenario = "s.yaml"}) {
  return load_texts(request, {{request.scenario, text}});
}

std::string printed(const std::vector<Error>& errors) {
  std::string lines;
  for (const auto& error : errors) lines += placed_message(error) + "\n";
  return lines;
}

/// Of a scenario that cannot be used: its errors, lines counted from the first of `text`.
std::string errors_of(const std::string& text) {
  const auto loaded = load(kStart + text);
  CHECK_FALSE(loaded->result.scenario);
  auto errors = loaded->result.errors;
  for (auto& error : errors) error.line -= 8;
  return printed(errors);
}

}  // namespace

TEST_CASE("timetable takes times of tasks into their calls") {
  const auto loaded = load(kStart +
                           "tasks:\n"
                           "  - {taskDefinition: train, count: 2}\n"
                           "  - {taskDefinition: train, startAt: 1h, duration: 30m}\n"
                           "  - {startAt: 90s, taskDefinition: train, duration: 0s, count: 3}\n"
                           "  - {taskDefinition: train, startDelay: 4m}\n"
                           "  - {taskDefinition: 'web:1'}\n"
                           "  - {taskDefinition: web}\n");
  const auto& scenario = scenario_of(*loaded);
  REQUIRE(scenario.calls.size() == 6);
  CHECK(scenario.workloads.size() == 4);
  CHECK(scenario.workloads[0].count == 6);
  CHECK(scenario.calls[0].start_at == 0);
  CHECK(scenario.calls[0].duration == std::nullopt);
  CHECK(scenario.calls[1].workload == 0);
  CHECK(scenario.calls[1].start_at == 3'600);
  CHECK(scenario.calls[1].duration == 1'800);
  CHECK(scenario.calls[2].start_at == 90);
  CHECK(scenario.calls[2].duration == 0);
  CHECK(scenario.calls[2].count == 3);
  const auto& tasks = scenario.timetable.tasks;
  REQUIRE(tasks.size() == 4);
  CHECK(tasks[0].start_delay == 0);
  CHECK(tasks[1].start_delay == 240);
  CHECK(tasks[0].duration == std::nullopt);
  // Containers stop side by side: one that states nothing takes 30 seconds.
  CHECK(tasks[0].stop_delay == 90);
  CHECK(tasks[2].stop_delay == 5);
  CHECK(tasks[3].stop_delay == 30);
  CHECK(scenario.timetable.has_time);
  CHECK(printed(scenario.over_time) ==
        "11:38: not simulated in this version: startAt\n"
        "11:52: not simulated in this version: duration\n"
        "13:41: not simulated in this version: startDelay\n");
}

TEST_CASE("timetable reads requests of JSON while they come, and tells where the first takes time") {
  const std::string head =
      R"({"cluster": {"containerInstances": [{"instanceType": "m5.large"}]},)"
      "\n"
      R"("taskDefinitions": [{"family": "web", "containerDefinitions": [{"name": "c", "image": "i:1", "memory": 64}]}],)"
      "\n\"tasks\": [";
  const auto loaded = load(head + R"({"taskDefinition": "web"},
    {"taskDefinition": "web", "startAt": "5m", "duration": "10s"}, {"taskDefinition": "web", "startAt": "6m"}]})",
                           {.scenario = "s.json"});
  const auto& scenario = scenario_of(*loaded);
  CHECK(scenario.workloads.size() == 1);
  REQUIRE(scenario.calls.size() == 3);
  CHECK(scenario.calls[2].start_at == 360);
  CHECK(scenario.calls[2].duration == std::nullopt);
  CHECK(scenario.document->root().find("tasks").size() == 1);
  CHECK(printed(scenario.over_time) ==
        "4:42: not simulated in this version: startAt\n"
        "4:60: not simulated in this version: duration\n");
  const auto broken = load(head + R"({"taskDefinition": "web"}, {"taskDefinition": "web", "startAt": "5x"},
    {"taskDefinition": "web", "duration": "1000000h1s"}]})",
                           {.scenario = "s.json"});
  CHECK(printed(broken->result.errors) ==
        "3:75: startAt cannot be '5x' (use weeks, days, hours, minutes and seconds, such as 1h30m or 7d)\n");
  const auto endless = load(head + R"({"taskDefinition": "web"}, {"taskDefinition": "web", "startAt": "1h"},
    {"taskDefinition": "web", "duration": "1000000h1s"}]})",
                            {.scenario = "s.json"});
  CHECK(printed(endless->result.errors) == "4:43: duration is 1000000h1s, and can be at most 1000000h\n");
}

TEST_CASE("timetable is without time when nothing takes any") {
  const auto loaded = load(kStart +
                           "tasks: [{taskDefinition: web, startAt: 0s, startDelay: 0s}]\n"
                           "services: [{serviceName: api, taskDefinition: web, desiredCount: 2, startDelay: 0s}]\n"
                           "capacityProviders:\n"
                           "  - {name: gpu, autoScalingGroup: {instanceTypes: [p3.2xlarge], maxSize: 4}}\n"
                           "  - {name: other, managedScaling: {status: ENABLED}}\n"
                           "events: []\n"
                           "settings: {whenFull: fail, timing: {bootTime: 5m}}\n");
  const auto& scenario = scenario_of(*loaded);
  CHECK_FALSE(scenario.timetable.has_time);
  CHECK(scenario.over_time.empty());
  CHECK(scenario.timetable.groups.empty());
  CHECK(scenario.profiles.size() == 2);
  CHECK(scenario.managed_providers == std::vector<std::string>{"other"});
}

TEST_CASE("timetable reaches to a time that the command line says") {
  const auto loaded = load(kStart + "tasks: [{taskDefinition: web}]\n", {.scenario = "s.yaml", .until = 7'200});
  CHECK(scenario_of(*loaded).timetable.has_time);
  CHECK(scenario_of(*loaded).timetable.until == 7'200);
}

TEST_CASE("timetable takes its constants from settings.timing") {
  const auto loaded = load(kStart +
                           "tasks: [{taskDefinition: web}]\n"
                           "settings: {timing: {healthyAfter: 1s, stopTimeout: 10s, bootTime: 4m, metricPeriod: 30s,\n"
                           "  scaleOutDataPoints: 2, scaleInDataPoints: 5, provisioningTimeout: 10m, "
                           "provisioningLimit: 100, launchRate: 50,\n"
                           "  restartDelay: 1s, restartDelayLimit: 1h, endlessAfter: 24h}}\n");
  const auto& timing = scenario_of(*loaded).timetable.timing;
  CHECK(timing.healthy_after == 1);
  CHECK(timing.stop_timeout == 10);
  CHECK(timing.boot_time == 240);
  CHECK(timing.metric_period == 30);
  CHECK(timing.scale_out_data_points == 2);
  CHECK(timing.scale_in_data_points == 5);
  CHECK(timing.provisioning_timeout == 600);
  CHECK(timing.provisioning_limit == 100);
  CHECK(timing.launch_rate == 50);
  CHECK(timing.restart_delay == 1);
  CHECK(timing.restart_delay_limit == 3'600);
  CHECK(timing.endless_after == 86'400);
  CHECK(scenario_of(*loaded).timetable.tasks.at(0).stop_delay == 10);
}

TEST_CASE("timetable has a plan for every service, in the order of the file") {
  const auto loaded = load(
      kStart +
      "services:\n"
      "  - {serviceName: api, taskDefinition: web, desiredCount: 4, startDelay: 20s, duration: 1h}\n"
      "  - {serviceName: agent, taskDefinition: 'web:1', schedulingStrategy: DAEMON}\n"
      "  - {serviceName: packed, taskDefinition: web, desiredCount: 2, availabilityZoneRebalancing: ENABLED,\n"
      "     placementStrategy: [{type: binpack, field: memory}], deploymentConfiguration: {deploymentCircuitBreaker:\n"
      "       {enable: true, rollback: true, resetOnHealthyTask: false, thresholdConfiguration: {type: COUNT, value: "
      "7}}}}\n"
      "  - {serviceName: still, taskDefinition: web, desiredCount: 2, availabilityZoneRebalancing: DISABLED}\n"
      "  - {serviceName: full, taskDefinition: web, desiredCount: 2, deploymentConfiguration: {maximumPercent: 100,\n"
      "     deploymentCircuitBreaker: {enable: true}}}\n"
      "  - {serviceName: tied, taskDefinition: web, desiredCount: 2, placementConstraints: [{type: memberOf,\n"
      "     expression: 'attribute:ecs.availability-zone == us-east-1a'}]}\n"
      "  - {serviceName: zones, taskDefinition: web, desiredCount: 2,\n"
      "     placementStrategy: [{type: spread, field: attribute:ecs.availability-zone}]}\n");
  const auto& scenario = scenario_of(*loaded);
  const auto& plans = scenario.timetable.services;
  REQUIRE(plans.size() == 7);
  std::vector<std::string> names;
  std::vector<bool> rebalances;
  for (const auto& plan : plans) {
    names.push_back(scenario.workloads.at(plan.workload).name);
    const auto& workload = scenario.workloads.at(plan.workload);
    rebalances.push_back(plan.rebalances && may_rebalance(workload, workload.maximum_percent));
  }
  CHECK(names == std::vector<std::string>{"api", "agent", "packed", "still", "full", "tied", "zones"});
  CHECK(rebalances == std::vector<bool>{true, false, false, false, false, false, true});
  CHECK(plans[0].desired_count == 4);
  CHECK(plans[0].workload == 1);  // daemons have their turn first
  CHECK(scenario.timetable.tasks.at(1).start_delay == 20);
  CHECK(scenario.timetable.tasks.at(1).duration == 3'600);
  CHECK_FALSE(plans[0].circuit_breaker.enabled);
  CHECK(plans[2].circuit_breaker.enabled);
  CHECK(plans[2].circuit_breaker.rollback);
  CHECK_FALSE(plans[2].circuit_breaker.reset_on_healthy_task);
  CHECK(plans[2].circuit_breaker.threshold(100) == 7);
  CHECK(plans[4].circuit_breaker.enabled);
  CHECK_FALSE(plans[4].circuit_breaker.rollback);
  CHECK(plans[4].circuit_breaker.reset_on_healthy_task);
  CHECK(plans[4].circuit_breaker.threshold(100) == 50);
}

TEST_CASE("timetable knows what an Auto Scaling group launches") {
  const auto loaded =
      load(kStart +
           "subnets: {subnet-a: us-east-1a, subnet-b: us-east-1b}\n"
           "tasks: [{taskDefinition: train, capacityProviderStrategy: [{capacityProvider: far, weight: 1}]}]\n"
           "capacityProviders:\n"
           "  - name: gpu\n"
           "    autoScalingGroup: {instanceTypes: [p3.2xlarge, g4dn.xlarge], minSize: 1, maxSize: 10, bootTime: 90s,\n"
           "      availabilityZones: [us-east-1b, us-east-1a], subnets: [subnet-a], attributes: {stack: gpu},\n"
           "      awsvpcTrunking: true, gpuSharing: true, reservedMemory: 256, reservedPorts: [22], gpuMemory: 15GiB}\n"
           "    managedScaling: {status: ENABLED, targetCapacity: 80, minimumScalingStepSize: 2, "
           "maximumScalingStepSize: 4,\n"
           "      instanceWarmupPeriod: 60}\n"
           "    managedTerminationProtection: ENABLED\n"
           "    managedDraining: DISABLED\n"
           "  - {name: far, autoScalingGroup: {instanceTypes: [m5.large], subnets: [subnet-b, subnet-a]}}\n");
  const auto& scenario = scenario_of(*loaded);
  REQUIRE(scenario.timetable.groups.size() == 2);
  const auto& gpu = scenario.timetable.groups[0];
  CHECK(gpu.capacity_provider == "gpu");
  CHECK(gpu.availability_zones == std::vector<std::string>{"us-east-1b", "us-east-1a"});
  REQUIRE(gpu.types.size() == 2);
  REQUIRE(gpu.types[1].profiles.size() == 2);
  const auto& profile = scenario.profiles.at(gpu.types[0].profiles[1]);
  CHECK(profile.instance_type == "p3.2xlarge");
  CHECK(profile.availability_zone == "us-east-1a");
  CHECK(profile.subnet_id == "subnet-a");
  CHECK(profile.attributes.at("ecs.subnet-id") == "subnet-a");
  CHECK(profile.attributes.at("ecs.availability-zone") == "us-east-1a");
  CHECK(profile.attributes.at("stack") == "gpu");
  CHECK(profile.capacity_provider_name == "gpu");
  CHECK(profile.network_interfaces > 3);
  CHECK(profile.gpu_sharing);
  CHECK(profile.gpu_memory == 15'360);
  CHECK(profile.memory == loaded->catalog.find("p3.2xlarge")->registered_memory - 256);
  CHECK(profile.reserved_tcp_ports == std::vector<std::uint16_t>{22});
  CHECK(profile.hourly_price == loaded->catalog.find("p3.2xlarge")->prices.in("us-east-1")->hourly);
  CHECK(scenario.profiles.at(gpu.types[0].profiles[0]).subnet_id.empty());
  CHECK(scenario.profiles.at(gpu.types[1].profiles[0]).instance_type == "g4dn.xlarge");
  CHECK(gpu.min_size == 1);
  CHECK(gpu.max_size == 10);
  CHECK(gpu.boot_time == 90);
  CHECK(gpu.is_managed);
  CHECK(gpu.target_capacity == 80);
  CHECK(gpu.minimum_scaling_step_size == 2);
  CHECK(gpu.maximum_scaling_step_size == 4);
  CHECK(gpu.instance_warmup_period == 60);
  CHECK(gpu.has_termination_protection);
  CHECK_FALSE(gpu.has_managed_draining);
  CHECK(gpu.origin.line == 12);
  const auto& far = scenario.timetable.groups[1];
  CHECK(far.availability_zones == std::vector<std::string>{"us-east-1b", "us-east-1a"});
  CHECK(scenario.profiles.at(far.types.at(0).profiles.at(0)).subnet_id == "subnet-b");
  CHECK(far.max_size == 0);
  CHECK_FALSE(far.is_managed);
  CHECK(far.instance_warmup_period == 300);
  CHECK(far.has_managed_draining);
  CHECK(scenario.instances.size() == 2);  // launched by the simulation, not before
  for (const auto& assumption : scenario.assumptions) CHECK(assumption.id != "boot-time-assumed");
}

TEST_CASE("timetable launches where the instances of the provider are when the group states no zone") {
  const auto loaded = load(kStart +
                           "tasks: [{taskDefinition: web}]\n"
                           "capacityProviders:\n"
                           "  - {name: gpu, managedScaling: {status: ENABLED},\n"
                           "     autoScalingGroup: {instanceTypes: [p3.2xlarge], maxSize: 3}}\n"
                           "  - {name: far, managedScaling: {status: ENABLED},\n"
                           "     autoScalingGroup: {instanceTypes: [p3.2xlarge], maxSize: 3}}\n"
                           "  - {name: odd, managedScaling: {status: ENABLED}, autoScalingGroup: {maxSize: 3,\n"
                           "     instanceTypes: [p3.2xlarge], availabilityZones: [us-east-1a, us-east-1a]}}\n");
  const auto& scenario = scenario_of(*loaded);
  REQUIRE(scenario.timetable.groups.size() == 3);
  CHECK(scenario.timetable.groups[0].availability_zones == std::vector<std::string>{"us-east-1a", "us-east-1b"});
  CHECK(scenario.timetable.groups[1].availability_zones == std::vector<std::string>{""});
  CHECK(scenario.timetable.groups[2].availability_zones == std::vector<std::string>{"us-east-1a"});
  std::vector<std::string> assumed;
  for (const auto& one : scenario.assumptions) {
    if (one.id == "group-zones-assumed") assumed.push_back(one.subject);
  }
  CHECK(assumed == std::vector<std::string>{"gpu"});
}

TEST_CASE("timetable takes providers as CreateCapacityProvider has them") {
  const auto loaded =
      load(kStart +
           "tasks: [{taskDefinition: web}]\n"
           "capacityProviders:\n"
           "  - name: a\n"
           "    autoScalingGroup: {instanceTypes: [m5.large], maxSize: 2}\n"
           "    autoScalingGroupProvider: {autoScalingGroupArn: x, managedTerminationProtection: ENABLED,\n"
           "      managedDraining: DISABLED, managedScaling: {status: ENABLED, targetCapacity: 70}}\n"
           "  - name: b\n"
           "    managedScaling: {status: ENABLED}\n"
           "    autoScalingGroup: {instanceTypes: [m5.large], maxSize: 2}\n"
           "    autoScalingGroupProvider: {managedScaling: {status: DISABLED, targetCapacity: 70}}\n");
  const auto& groups = scenario_of(*loaded).timetable.groups;
  REQUIRE(groups.size() == 2);
  CHECK(groups[0].is_managed);
  CHECK(groups[0].target_capacity == 70);
  CHECK(groups[0].has_termination_protection);
  CHECK_FALSE(groups[0].has_managed_draining);
  CHECK(groups[1].is_managed);
  CHECK(groups[1].target_capacity == 100);
}

TEST_CASE("timetable says what boot time it takes") {
  const auto assumed = [](const std::string& settings) {
    const auto loaded = load(kStart + "tasks: [{taskDefinition: web}]\n" + settings +
                             "capacityProviders:\n"
                             "  - name: gpu\n"
                             "    managedScaling: {status: ENABLED}\n"
                             "    autoScalingGroup: {instanceTypes: [p3.2xlarge], maxSize: 3}\n");
    std::string texts;
    for (const auto& one : scenario_of(*loaded).assumptions)
      if (one.id == "boot-time-assumed") texts += one.id + " " + one.subject + ": " + one.text + "\n";
    return texts;
  };
  CHECK(assumed("") == "boot-time-assumed gpu: instances of gpu are ACTIVE 180 seconds after their launch\n");
  CHECK(assumed("settings: {timing: {bootTime: 3m}}\n").empty());
}

TEST_CASE("timetable errors name the place") {
  const std::string task = "tasks: [{taskDefinition: web, startAt: 1s}]\n";
  const auto provider = [&](const std::string& members) {
    return errors_of(task + "capacityProviders:\n  - {name: gpu, " + members + "}\n");
  };
  CHECK(errors_of("tasks: [{taskDefinition: web, startDelay: 1000001h}]\n") ==
        "1:43: startDelay is 1000001h, and can be at most 1000000h\n");
  CHECK(errors_of("services: [{serviceName: a, taskDefinition: web, desiredCount: 1, duration: 9999999h}]\n") ==
        "1:77: duration is 9999999h, and can be at most 1000000h\n");
  CHECK(errors_of("services: [{serviceName: a, taskDefinition: web, desiredCount: 1, startAt: 1s}]\n") ==
        "1:67: unknown key 'startAt' (it belongs to tasks)\n");
  CHECK(errors_of(task + "settings: {timing: {metricPeriod: 0s, restartDelay: 30m}}\n") ==
        "2:35: metricPeriod is 0s, and must be at least 1s\n"
        "2:53: restartDelay is 30m, more than restartDelayLimit, which is 27m "
        "(the delay begins with the one and grows to the other)\n");
  const std::string units = " (use weeks, days, hours, minutes and seconds, such as 1h30m or 7d)\n";
  CHECK(errors_of("tasks: [{taskDefinition: web, duration: 30}]\n") ==
        "1:41: duration must be a string, got an integer" + units);
  CHECK(errors_of("tasks: [{taskDefinition: web, duration: '0'}]\n") == "1:41: duration cannot be '0'" + units);
  CHECK(errors_of("tasks: [{taskDefinition: web, duration: ''}]\n") == "1:41: duration is empty\n");
  CHECK(errors_of(task + "settings: {timing: {healthAfter: 1s}}\n") ==
        "2:21: unknown key 'healthAfter' (did you mean 'healthyAfter'?)\n");
  CHECK(provider("autoScalingGroup: {instanceTypes: [p3.2xlarge], minSize: 4, maxSize: 3}") ==
        "3:74: minSize is 4, more than maxSize, which is 3 (an Auto Scaling group keeps between the two)\n");
  CHECK(provider("autoScalingGroup: {instanceTypes: [p3.2xlarge], maxSize: 1}") ==
        "3:74: 2 instances of 'gpu' are there, and maxSize is 1 "
        "(an Auto Scaling group never exceeds maxSize: set 2 or more)\n");
  CHECK(provider("autoScalingGroup: {instanceTypes: [p3.2xlarge]}, managedScaling: {status: ENABLED}") ==
        "3:35: maxSize of the group of 'gpu' is missing (how many instances it may have, for example 10)\n");
  CHECK(provider("autoScalingGroup: {maxSize: 3}, managedScaling: {status: ENABLED}") ==
        "3:35: instanceTypes of the group of 'gpu' are missing "
        "(what it launches, for example instanceTypes: [p3.2xlarge])\n");
  CHECK(provider("autoScalingGroup: {instanceTypes: [p3.2xlage], maxSize: 3}") ==
        "3:52: unknown instance type 'p3.2xlage' (did you mean 'p3.2xlarge'?)\n");
  CHECK(provider("autoScalingGroup: {instanceTypes: [p3.2xlarge], maxSize: 3, bootTime: 169h}") ==
        "3:87: bootTime is 169h, and can be at most 168h\n");
  CHECK(provider("managedScaling: {minimumScalingStepSize: 3, maximumScalingStepSize: 2}, autoScalingGroup: {}") ==
        "3:58: minimumScalingStepSize is 3, more than maximumScalingStepSize, which is 2 "
        "(each step adds a number of instances between the two)\n");
  CHECK(provider("managedScaling: {targetCapacity: 101}") ==
        "3:50: targetCapacity must be between 1 and 100, got 101\n");
  CHECK(errors_of(task +
                  "subnets: {s: us-east-1c}\ncapacityProviders:\n  - {name: x, autoScalingGroup: {instanceTypes: "
                  "[m5.large], availabilityZones: [us-east-1a], subnets: [s]}}\n") ==
        "4:104: s is in us-east-1c, which availabilityZones does not name\n");
  CHECK(errors_of(task + "capacityProviders:\n  - name: gpu\n  - name: gpu\n") ==
        "4:11: duplicate capacity provider 'gpu' (first in line 11)\n");
  CHECK(errors_of(task + "services:\n  - {serviceName: a, taskDefinition: web, desiredCount: 1,\n"
                         "     deploymentConfiguration: {maximumPercent: 0}}\n"
                         "  - {serviceName: b, taskDefinition: web, desiredCount: 1,\n"
                         "     deploymentConfiguration: {minimumHealthyPercent: 250}}\n") ==
        "4:48: maximumPercent is 0: 'a' could never start a task "
        "(100 lets it run desiredCount tasks, 200 twice as many during a deployment)\n"
        "6:55: minimumHealthyPercent of 'b' is 250, more than maximumPercent, which is 200 "
        "(the first is the least share of healthy tasks, the second the most running tasks)\n");
}

TEST_CASE("timetable has no place for as many tasks as fit") {
  const auto loaded = load(kStart, {.scenario = "s.yaml", .tasks = {"web=max"}, .until = 60});
  CHECK(printed(loaded->result.errors) ==
        "0:0: 'max' of web means as many as fit at time 0, but the scenario runs over time (--task TASKDEF=COUNT)\n");
}

TEST_CASE("timetable orders events by time, those of one time as the file has them") {
  const auto loaded = load(
      kStart +
      "tasks: [{taskDefinition: train, count: 3}]\n"
      "events:\n"
      "  - {at: 2h, drain: 'p3.2xlarge#3'}\n"
      "  - {at: 1h, addInstances: {instanceType: p3.2xlarge, count: 2, availabilityZones: [us-east-1c, us-east-1d]}}\n"
      "  - {at: 1h, terminate: 'p3.2xlarge#4'}\n"
      "  - {at: 0s, loseAvailabilityZone: us-east-1d}\n"
      "  - {at: 1h, addInstances: {instanceType: m5.large, ec2InstanceId: i-7, attributes: {stack: x}}}\n"
      "  - {at: 1h, drain: i-7}\n"
      "  - {at: 3h, stopTask: 'train#3'}\n"
      "  - {at: 3h, terminate: 'x*'}\n");
  const auto& scenario = scenario_of(*loaded);
  const auto& events = scenario.timetable.events;
  REQUIRE(events.size() == 8);
  std::vector<std::uint32_t> lines;
  for (const auto& timed : events) lines.push_back(timed.origin.line);
  CHECK(lines == std::vector<std::uint32_t>{14, 12, 13, 15, 16, 11, 17, 18});
  CHECK(std::get<LoseAvailabilityZone>(events[0].event).zone == "us-east-1d");
  const auto& two = std::get<AddInstances>(events[1].event).instances;
  REQUIRE(two.size() == 2);
  CHECK(scenario.profiles.at(two[1].profile).availability_zone == "us-east-1d");
  CHECK(scenario.profiles.at(two[1].profile).attributes.at("ecs.instance-type") == "p3.2xlarge");
  CHECK(two[0].id.empty());
  const auto& named = std::get<AddInstances>(events[3].event).instances;
  CHECK(named.at(0).id == "i-7");
  CHECK(scenario.profiles.at(named.at(0).profile).attributes.at("stack") == "x");
  CHECK(std::holds_alternative<DrainInstances>(events[4].event));
  CHECK((named_subject(events[5].event) == "p3.2xlarge#3" && events[5].at == 7'200));
  CHECK(std::holds_alternative<StopTasks>(events[6].event));
  CHECK(scenario.instances.size() == 2);
  CHECK(printed(scenario.over_time) == "11:3: not simulated in this version: events\n");
}

TEST_CASE("timetable makes a deployment of an update that is forced or changes what tasks are") {
  const auto loaded = load(
      kStart +
      "services:\n"
      "  - {serviceName: api, taskDefinition: 'web:1', desiredCount: 2, startDelay: 5s}\n"
      "  - {serviceName: agent, taskDefinition: train, schedulingStrategy: DAEMON}\n"
      "tasks: [{taskDefinition: train}]\n"
      "events:\n"
      "  - {at: 5m, updateService: {service: api, forceNewDeployment: true, duration: 1h}}\n"
      "  - {at: 1m, updateService: {service: api, desiredCount: 5}}\n"
      "  - {at: 2m, updateService: {service: api, taskDefinition: web, deploymentConfiguration: {maximumPercent: 150,\n"
      "      minimumHealthyPercent: 50, deploymentCircuitBreaker: {enable: true, rollback: true}}}}\n"
      "  - {at: 3m, updateService: {service: api, taskDefinition: 'web:2'}}\n"
      "  - {at: 4m, updateService: {service: api, forceNewDeployment: true, placementStrategy: [{type: binpack,\n"
      "      field: cpu}]}}\n"
      "  - {at: 6m, updateService: {service: agent, forceNewDeployment: true, placementConstraints: [{type: memberOf,\n"
      "      expression: 'attribute:stack exists'}]}}\n");
  const auto& scenario = scenario_of(*loaded);
  std::vector<UpdateService> updates;
  for (const auto& timed : scenario.timetable.events) updates.push_back(std::get<UpdateService>(timed.event));
  REQUIRE(updates.size() == 6);
  REQUIRE(scenario.workloads.size() == 7);
  CHECK(scenario.timetable.tasks.size() == 7);
  CHECK(updates[0].workload == std::nullopt);
  CHECK(updates[0].desired_count == 5);
  CHECK(updates[0].service == 0);
  CHECK(updates[1].workload == 3);
  CHECK(updates[1].minimum_healthy_percent == 50);
  CHECK(updates[1].maximum_percent == 150);
  CHECK(updates[1].desired_count == std::nullopt);
  REQUIRE(updates[1].circuit_breaker);
  CHECK(updates[1].circuit_breaker->rollback);
  CHECK(updates[2].workload == std::nullopt);  // the definition that it has
  CHECK_FALSE(updates[2].circuit_breaker);
  CHECK(updates[3].workload == 4);
  CHECK(updates[4].workload == 5);
  CHECK(updates[5].workload == 6);
  CHECK(updates[5].service == 1);
  const auto& second = scenario.workloads[3];
  CHECK(second.name == "api");
  CHECK(second.group == "service:api");
  CHECK((second.kind == WorkloadKind::kService));
  CHECK(second.count == 5);
  CHECK(second.requirement.memory == 200);
  CHECK(second.maximum_percent == 150);
  CHECK(second.origin.line == 16);
  CHECK(scenario.workloads[5].strategies == std::vector<Strategy>{{StrategyType::kBinpack, "cpu"}});
  CHECK((scenario.workloads[6].kind == WorkloadKind::kDaemon));
  CHECK(scenario.timetable.tasks[3].start_delay == 5);
  CHECK(scenario.timetable.tasks[4].duration == std::nullopt);
  CHECK(scenario.timetable.tasks[5].duration == 3'600);
  CHECK(scenario.calls.size() == 1);
}

TEST_CASE("timetable lets an update repeat how its service is placed") {
  const auto loaded = load(kStart +
                           "services: [{serviceName: api, taskDefinition: web, desiredCount: 2,\n"
                           "  placementStrategy: [{type: random}]}]\n"
                           "events: [{at: 1m, updateService: {service: api, desiredCount: 3,\n"
                           "  placementStrategy: [{type: random}], placementConstraints: []}}]\n");
  const auto& scenario = scenario_of(*loaded);
  CHECK(scenario.workloads.size() == 1);
  CHECK(std::get<UpdateService>(scenario.timetable.events[0].event).workload == std::nullopt);
  CHECK(std::get<UpdateService>(scenario.timetable.events[0].event).desired_count == 3);
}

TEST_CASE("timetable puts strategies of the command line into every deployment") {
  const auto loaded = load(kStart +
                               "services: [{serviceName: api, taskDefinition: 'web:1', desiredCount: 2}]\n"
                               "events: [{at: 1m, updateService: {service: api, taskDefinition: web}}]\n",
                           {.scenario = "s.yaml", .strategies = {"binpack:cpu"}});
  const auto& workloads = scenario_of(*loaded).workloads;
  REQUIRE(workloads.size() == 2);
  CHECK(workloads[0].strategies == workloads[1].strategies);
  CHECK(workloads[1].strategies == std::vector<Strategy>{{StrategyType::kBinpack, "cpu"}});
}

TEST_CASE("timetable can begin without an instance") {
  const std::string rest =
      "taskDefinitions: [{family: web, containerDefinitions: [{name: a, image: a, memory: 100}]}]\n"
      "tasks: [{taskDefinition: web}]\n";
  CHECK(scenario_of(*load(rest + "events: [{at: 1s, addInstances: {instanceType: m5.large}}]\n")).instances.empty());
  CHECK(scenario_of(*load(rest + "capacityProviders: [{name: g, managedScaling: {status: ENABLED},\n"
                                 "  autoScalingGroup: {instanceTypes: [m5.large], maxSize: 2}}]\n"))
            .timetable.groups.size() == 1);
  CHECK(printed(load(rest)->result.errors) ==
        "0:0: no cluster to place tasks on (add cluster: to the scenario, or give --cluster or --instances)\n");
}

TEST_CASE("timetable events that say too little or too much are errors") {
  const auto event = [](const std::string& members) {
    return errors_of(
        "services:\n  - {serviceName: api, taskDefinition: web, desiredCount: 2}\n"
        "  - {serviceName: agent, taskDefinition: web, schedulingStrategy: DAEMON}\n"
        "tasks: [{taskDefinition: train, count: 5}]\nevents:\n  - {" +
        members + "}\n");
  };
  CHECK(event("at: 1h") ==
        "6:5: the event does not say what happens (add one of addInstances, drain, terminate, loseAvailabilityZone, "
        "updateService, stopTask, stopServiceDeployment, raiseAlarm, interruptSpotInstances, recommendRebalance, "
        "setDesiredCapacity or updateTaskProtection)\n");
  CHECK(event("at: 1h, drain: a, terminate: b") ==
        "6:35: an event must be one thing, but this is two: drain and terminate "
        "(write an event for each; those of one time happen in the order of the file)\n");
  CHECK(event("drain: 'p3.2xlarge#1'") == "6:5: at is missing\n");
  CHECK(event("at: 1000001h, drain: 'p3*'") == "6:10: at is 1000001h, and can be at most 1000000h\n");
  CHECK(event("at: 1h, drian: a") == "6:14: unknown key 'drian' (did you mean 'drain'?)\n");
  CHECK(event("at: 1h, drain: 'p3.2xlarge#3'") ==
        "6:21: no instance 'p3.2xlarge#3' (there are never more than 2 instances of p3.2xlarge)\n");
  CHECK(event("at: 1h, terminate: 'p3.2xlage#1'") ==
        "6:25: no instance 'p3.2xlage#1' (did you mean 'p3.2xlarge#1'?)\n");
  CHECK(event("at: 1h, drain: i-1}\n  - {at: 2h, addInstances: {instanceType: m5.large, ec2InstanceId: i-1}") ==
        "6:21: instance 'i-1' is added only at 2h (this event is at 1h)\n");
  CHECK(event("at: 90s, drain: 'm5.large#2'}\n  - {at: 1m, addInstances: {instanceType: m5.large}}\n"
              "  - {at: 1m30s, addInstances: {instanceType: m5.large}") ==
        "6:22: instance 'm5.large#2' is added by a later event of the same time "
        "(events of one time happen in the order of the file)\n");
  CHECK(event("at: 1h, addInstances: {instanceType: m5.large, ec2InstanceId: i-1}}\n"
              "  - {at: 2h, addInstances: {instanceType: m5.large, ec2InstanceId: i-1}") ==
        "7:68: duplicate ec2InstanceId 'i-1' (each instance has its own)\n");
  CHECK(event("at: 1h, addInstances: {instanceType: m5.lagre, status: DRAINING}") ==
        "6:43: unknown instance type 'm5.lagre' (did you mean 'm5.large'?)\n"
        "6:61: instances that are added are ACTIVE, not DRAINING (omit status; an event can drain them)\n");
  CHECK(event("at: 1h, loseAvailabilityZone: us-east-1x") ==
        "6:36: no instance and no group is in zone 'us-east-1x' (did you mean 'us-east-1a'?)\n");
  CHECK(event("at: 1h, stopTask: 'trian#1'") == "6:24: no task 'trian#1' (did you mean 'train'?)\n");
  CHECK(event("at: 1h, stopTask: train") == "6:24: no task 'train' (train#1 is one of them, train#* are all)\n");
  CHECK(event("at: 1h, stopTask: 'train#6'") ==
        "6:24: no task 'train#6' (there are never more than 5 tasks of train)\n");
  CHECK(event("at: 1h, updateService: {service: ap, desiredCount: 1}") ==
        "6:39: no service 'ap' (did you mean 'api'?)\n");
  CHECK(event("at: 1h, updateService: {service: api, taskDefinition: wbe}") ==
        "6:60: no task definition 'wbe' (did you mean 'web'?)\n");
  CHECK(event("at: 1h, updateService: {service: api, startDelay: 1s}") ==
        "6:56: startDelay is of the tasks of a new deployment, and this update starts none "
        "(add forceNewDeployment: true)\n");
  const std::string alone = ", and without one it is not simulated (add forceNewDeployment: true)\n";
  CHECK(event("at: 1h, updateService: {service: api, placementStrategy: [{type: random}]}") ==
        "6:63: ECS starts no deployment for a change of placementStrategy" + alone);
  CHECK(event("at: 1h, updateService: {service: api, placementConstraints: [{type: distinctInstance}]}") ==
        "6:66: ECS starts no deployment for a change of placementConstraints" + alone);
  CHECK(event("at: 1h, updateService: {service: agent, desiredCount: 3}") ==
        "6:60: 'agent' is a DAEMON service and has no desiredCount "
        "(it runs a task on each instance that its constraints allow)\n");
  CHECK(event("at: 1h, updateService: {service: api, deploymentConfiguration: {maximumPercent: 50}}") ==
        "6:86: minimumHealthyPercent of 'api' is 100, more than maximumPercent, which is 50 "
        "(the first is the least share of healthy tasks, the second the most running tasks)\n");
}

TEST_CASE("timetable events protect tasks of services for two hours unless they say otherwise") {
  const auto protect = [](const std::string& rest) {
    return kStart +
           "services: [{serviceName: api, taskDefinition: web, desiredCount: 2}]\n"
           "tasks: [{taskDefinition: train, count: 2}]\n"
           "events:\n  - {at: 1h, updateTaskProtection: {tasks: " +
           rest + "}}\n";
  };
  const auto lasts = [&](const std::string& rest) {
    const auto loaded = load(protect(rest));
    const auto& scenario = scenario_of(*loaded);
    CHECK(std::any_of(scenario.assumptions.begin(), scenario.assumptions.end(),
                      [](const auto& one) { return one.id == "protection-while-draining"; }));
    return std::get<UpdateTaskProtection>(scenario.timetable.events.at(0).event).expires_after;
  };
  CHECK(lasts("'api#1', protectionEnabled: true") == 7'200);
  CHECK(lasts("'api#*', protectionEnabled: true, expiresInMinutes: 2880") == 172'800);
  CHECK(lasts("'api#1', protectionEnabled: false, expiresInMinutes: 30") == 0);
  CHECK(
      printed(load(protect("'train#1', protectionEnabled: true"))->result.errors)
          .find("'train#1' belongs to no service (ECS protects tasks of services only: UpdateTaskProtection fails with "
                "TASK_NOT_VALID)") != std::string::npos);
  CHECK(printed(load(protect("'api#1', protectionEnabled: true, expiresInMinutes: 2881"))->result.errors) != "");
}

TEST_CASE("timetable events set a desired capacity within the sizes of an Auto Scaling group") {
  const auto scenario = [](const std::string& provider, const std::string& capacity) {
    return "tasks: [{taskDefinition: train, duration: 1h}]\n"
           "capacityProviders:\n"
           "  - {name: gpu, autoScalingGroup: {instanceTypes: [p3.2xlarge], minSize: 1, maxSize: 4}}\n"
           "  - {name: ec2, availabilityZones: [us-east-1a], managedInstancesProvider: {}}\n"
           "  - {name: far}\n"
           "events:\n  - {at: 1h, setDesiredCapacity: {capacityProvider: " +
           provider + ", desiredCapacity: " + capacity + "}}\n";
  };
  for (const std::string capacity : {"1", "4"}) {
    const auto loaded = load(kStart + scenario("gpu", capacity));
    const auto event = std::get<SetDesiredCapacity>(scenario_of(*loaded).timetable.events.at(0).event);
    CHECK(event.capacity_provider == "gpu");
    CHECK(std::to_string(event.desired_capacity) == capacity);
  }
  const auto set = [&](const std::string& provider, const std::string& capacity) {
    return errors_of(scenario(provider, capacity));
  };
  CHECK(set("gpu", "0") ==
        "7:75: desiredCapacity is 0, less than minSize of the group of 'gpu', which is 1 "
        "(set a number from 1 to 4, or another minSize of the group)\n");
  CHECK(set("gpu", "5") ==
        "7:75: desiredCapacity is 5, more than maxSize of the group of 'gpu', which is 4 "
        "(set a number from 1 to 4, or another maxSize of the group)\n");
  CHECK(set("gpo", "2") == "7:53: no capacity provider 'gpo' (did you mean 'gpu'?)\n");
  CHECK(set("far", "2") == "7:53: 'far' has no Auto Scaling group (set its autoScalingGroup)\n");
  CHECK(set("ec2", "2") ==
        "7:53: 'ec2' has no Auto Scaling group "
        "(Managed Instances have no desired capacity: they come for tasks that wait)\n");
}

TEST_CASE("timetable events may name what a group launches and what a service starts") {
  const auto loaded = load(kStart +
                           "services: [{serviceName: api, taskDefinition: web, desiredCount: 2}]\n"
                           "capacityProviders: [{name: g, managedScaling: {status: ENABLED},\n"
                           "  autoScalingGroup: {instanceTypes: [p3.2xlarge, m5.large], maxSize: 2}}]\n"
                           "events:\n"
                           "  - {at: 1h, terminate: 'p3.2xlarge#4'}\n"
                           "  - {at: 1h, terminate: 'm5.large#1'}\n"
                           "  - {at: 1h, stopTask: 'api#17'}\n");
  CHECK(scenario_of(*loaded).timetable.events.size() == 3);
}

}  // namespace load_timetable_test
