// What a live cluster says of an instance, a GPU and a service, figure by figure.
#include <algorithm>

#include "describe.hpp"
#include "scenario/loaded.hpp"

namespace live_figures_test {

using namespace bayplan;
using namespace bayplan::placement;
using namespace bayplan::scenario;
using describe::Instance;
using describe::Task;
using test::load_texts;
using test::Loaded;
using test::scenario_of;

namespace {

using Texts = std::map<std::string, std::string>;
using Lines = std::vector<std::string>;

std::unique_ptr<Loaded> load(std::vector<Instance> instances, std::vector<Task> tasks, Texts more = {}) {
  more["prod/instances.json"] = describe::page("containerInstances", instances);
  more["prod/tasks.json"] = describe::page("tasks", tasks);
  return load_texts({.cluster = "prod", .takes_services = true, .allow_partial = true, .may_be_idle = true},
                    std::move(more));
}

/// "subject: text" of the findings with the id.
Lines told(const Loaded& loaded, std::string_view id) {
  Lines lines;
  for (const auto& one : scenario_of(loaded).findings) {
    if (one.id == id) lines.push_back(one.subject + ": " + one.text);
  }
  return lines;
}

std::string service(const std::string& more) {
  return R"({"services": [{"serviceArn": ")" + describe::arn("service", "prod/log") +
         R"(", "serviceName": "log", "taskDefinition": ")" + describe::arn("task-definition", "log:1") + "\"" + more +
         "}]}";
}

/// Without a size of its own: what its container says counts.
Task sized_by(const std::string& container) {
  return {.cpu = 0,
          .memory = 0,
          .more = R"(, "overrides": {})",
          .container = R"(main", )" + container + R"(, "image": "x)"};
}

/// CPU units and MiB that are taken of an instance that does not say what remains.
std::pair<CpuUnits, MiB> taken_by(const Task& task) {
  Instance silent{.id = "a", .cpu = 32768, .memory = 240000, .cpu_left = 32768, .memory_left = 240000};
  auto text = describe::page("containerInstances", std::vector<Instance>{silent});
  const auto begin = text.find("\"remainingResources\"");
  text.erase(begin, text.find("\"attributes\"") - begin);
  auto loaded =
      load_texts({.cluster = "prod", .allow_partial = true, .may_be_idle = true},
                 {{"prod/instances.json", text}, {"prod/tasks.json", describe::page("tasks", std::vector{task})}});
  const auto& use = scenario_of(*loaded).in_use.at(0);
  return {use.cpu, use.memory};
}

using Taken = std::pair<CpuUnits, MiB>;

}  // namespace

TEST_CASE("a live task takes what it says, or what its containers say") {
  CHECK(taken_by({.cpu = 512, .memory = 2000}) == Taken{512, 2000});
  CHECK(taken_by(sized_by(R"("cpu": "256", "memory": "900")")) == Taken{256, 900});
  CHECK(taken_by(sized_by(R"("cpu": "256", "memory": "900", "memoryReservation": "300")")) == Taken{256, 300});
}

TEST_CASE("a live cluster says how many of its tasks and instances are listed and not described") {
  const auto listed = [](const std::string& arns) {
    return load({{}}, {}, {{"prod/list.json", R"({"taskArns": [)" + arns + "]}"}});
  };
  const auto task = [](const std::string& id) { return "\"" + describe::arn("task", "prod/" + id) + "\""; };
  CHECK(told(*listed(task("x")), "listed-not-described") ==
        Lines{"x: 1 task is listed and not described: its resources are unknown"});
  CHECK(told(*listed(task("x") + ", " + task("y")), "listed-not-described") ==
        Lines{"x: 2 tasks are listed and not described: their resources are unknown"});
  const auto instances =
      load({{}}, {}, {{"prod/list.json", R"({"containerInstanceArns": [")" + describe::instance_arn("x") + "\"]}"}});
  CHECK(told(*instances, "listed-not-described") ==
        Lines{"x: 1 instance is listed and not described: its tasks are unknown"});
}

TEST_CASE("an instance lacks a daemon where its constraints let it go and nowhere else") {
  const auto without = [](const std::string& constraints) {
    const auto loaded =
        load({{.id = "a"}, {.id = "b", .zone = "us-east-2b"}}, {},
             {{"prod/services.json",
               service(R"(, "schedulingStrategy": "DAEMON", "placementConstraints": [)" + constraints + "]")},
              {"prod/log.json", describe::definition("log", R"("memory": 100)")},
              {"prod/web.json", describe::definition("web", R"("memory": 100)")}});
    Lines subjects;
    for (const auto& line : told(*loaded, "instance-without-daemon"))
      subjects.push_back(line.substr(0, line.find(':')));
    return subjects;
  };
  CHECK(without("").size() == 1);
  CHECK(without(R"({"type": "memberOf", "expression": "attribute:ecs.availability-zone == us-east-2b"})") ==
        Lines{"i-b"});
  CHECK(without(R"({"type": "memberOf", "expression": "attribute:ecs.availability-zone = us-east-2b"})").empty());
  CHECK(without(R"({"type": "memberOf", "expression": "task:group == service:web"})").empty());
}

TEST_CASE("a described service has the percents of its kind") {
  const auto percents = [](const std::string& more) {
    const auto loaded = load(
        {{}}, {},
        {{"prod/services.json", service(more)}, {"prod/log.json", describe::definition("log", R"("memory": 100)")}});
    const auto& only = scenario_of(*loaded).services.at(0);
    return std::pair(only.minimum_healthy_percent, only.maximum_percent);
  };
  CHECK(percents("") == std::pair<std::int64_t, std::int64_t>{100, 200});
  CHECK(percents(R"(, "schedulingStrategy": "DAEMON")") == std::pair<std::int64_t, std::int64_t>{0, 100});
}

TEST_CASE("a daemon goes where its own definition lets it, whatever others say") {
  const auto without = [](const std::string& constraint_of_log, const std::string& constraint_of_web) {
    const auto limited = [](const std::string& family, const std::string& constraint) {
      std::string text = describe::definition(family, R"("memory": 100)");
      return text.replace(text.find(R"("revision": 1)"), 13,
                          R"("revision": 1, "placementConstraints": [)" + constraint + "]");
    };
    const auto loaded = load({{.id = "a"}, {.id = "b", .zone = "us-east-2b"}}, {},
                             {{"prod/services.json", service(R"(, "schedulingStrategy": "DAEMON")")},
                              {"prod/log.json", limited("log", constraint_of_log)},
                              {"prod/web.json", limited("web", constraint_of_web)}});
    Lines subjects;
    for (const auto& line : told(*loaded, "instance-without-daemon"))
      subjects.push_back(line.substr(0, line.find(':')));
    return subjects;
  };
  const std::string in_b = R"({"type": "memberOf", "expression": "attribute:ecs.availability-zone == us-east-2b"})";
  CHECK(without(in_b, "") == Lines{"i-b"});
  CHECK(without("", in_b) == without("", ""));
}

TEST_CASE("a described service is tied to the zones of its subnets where all are known") {
  const auto zones = [](const std::string& subnets) {
    const Instance known{.type = R"(p3.8xlarge"}, {"name": "ecs.subnet-id", "value": "subnet-a)"};
    const auto loaded =
        load({known}, {},
             {{"prod/services.json",
               service(R"(, "networkConfiguration": {"awsvpcConfiguration": {"subnets": [)" + subnets + "]}}")},
              {"prod/log.json", describe::definition("log", R"("memory": 100)")}});
    return scenario_of(*loaded).services.at(0).availability_zones;
  };
  using Zones = std::optional<std::vector<std::string>>;
  CHECK(zones(R"("subnet-a")") == Zones{{"us-east-2a"}});
  CHECK(zones(R"("subnet-a", "subnet-x")") == Zones{});
  CHECK(zones("") == Zones{});
}

TEST_CASE("a described subnet has the free addresses that EC2 counts, if it has IPv4") {
  const auto addresses = [](const std::string& more) {
    const auto loaded =
        load({Instance{}}, {},
             {{"prod/subnets.json",
               R"({"Subnets": [{"SubnetId": "subnet-y", "AvailabilityZone": "us-east-2a")" + more + "}]}"}});
    return scenario_of(*loaded).subnets.at("subnet-y").available_addresses;
  };
  CHECK(addresses(R"(, "AvailableIpAddressCount": 7, "Ipv6Native": false)") == 7);
  CHECK(addresses(R"(, "AvailableIpAddressCount": 0, "Ipv6Native": null)") == 0);
  CHECK(addresses(R"(, "AvailableIpAddressCount": 0, "Ipv6Native": true)") == std::nullopt);
  CHECK(addresses("") == std::nullopt);
}

namespace {

std::string interface_in(const std::string& subnet) {
  return R"(, "attachments": [{"type": "ElasticNetworkInterface", "details": [{"name": "subnetId", "value": ")" +
         subnet + R"("}]}])";
}

/// The zones of a service with these subnets, and what is assumed of them.
std::pair<std::optional<Lines>, Lines> zones_told(const std::string& subnets, const std::vector<Task>& tasks,
                                                  Texts more = {}) {
  more.emplace("prod/services.json",
               service(R"(, "networkConfiguration": {"awsvpcConfiguration": {"subnets": [)" + subnets + "]}}"));
  more.emplace("prod/log.json", describe::definition("log", R"("memory": 100)"));
  const auto loaded = load({{.id = "a"}, {.id = "b", .zone = "us-east-2b"}}, tasks, more);
  Lines assumed;
  for (const auto& one : scenario_of(*loaded).assumptions) {
    if (one.id.starts_with("subnet")) assumed.push_back(one.id + " (" + one.subject + "): " + one.text);
  }
  return {scenario_of(*loaded).services.at(0).availability_zones, assumed};
}

Lines refused(const std::vector<Task>& tasks, Texts more) {
  Lines lines;
  const auto loaded = load({{.id = "a"}, {.id = "b", .zone = "us-east-2b"}}, tasks, std::move(more));
  for (const auto& error : loaded->result.errors) lines.push_back(error.file + ":" + test::placed_message(error));
  return lines;
}

}  // namespace

TEST_CASE("the zone of a subnet is that of EC2's answer, of an instance and of a running task's interface") {
  const std::string subnets =
      R"({"Subnets": [{"SubnetId": "subnet-x", "AvailabilityZone": "us-east-2c", "VpcId": "vpc-1"}]})";
  using Zones = std::optional<Lines>;
  CHECK(zones_told(R"("subnet-x")", {}, {{"prod/subnets.json", subnets}}) == std::pair(Zones{{"us-east-2c"}}, Lines{}));
  CHECK(zones_told(R"("subnet-y")", {{.instance = "b", .more = interface_in("subnet-y")}}) ==
        std::pair(Zones{{"us-east-2b"}}, Lines{}));
  const std::string stated = R"(, "availabilityZone": "us-east-2d")" + interface_in("subnet-y");
  CHECK(zones_told(R"("subnet-y")", {{.instance = "", .more = stated}}).first == Zones{{"us-east-2d"}});
  CHECK(
      zones_told(R"("subnet-y", "subnet-z")", {{.instance = "b", .more = interface_in("subnet-y")}}) ==
      std::pair(Zones{}, Lines{"subnet-zone-unknown (subnet-z): the zone of subnet-z is not stated; log is not tied to "
                               "zones"}));
}

TEST_CASE("a subnet in two zones is an error where the second is said") {
  const auto subnets = [](const std::string& zone) {
    return R"({"Subnets": [{"SubnetId": "subnet-y", "AvailabilityZone": ")" + zone + "\"}]}";
  };
  CHECK(
      refused({{.instance = "b", .more = interface_in("subnet-y")}}, {{"prod/subnets.json", subnets("us-east-2a")}}) ==
      Lines{"prod/tasks.json:1:1: subnet subnet-y is in us-east-2b here and in us-east-2a elsewhere (see "
            "prod/subnets.json, line 1; a subnet is in one zone)"});
  CHECK(refused({}, {{"prod/a.json", subnets("us-east-2a")}, {"prod/b.json", subnets("us-east-2b")}}) ==
        Lines{"prod/b.json:1:14: Subnets[0]: subnet-y has two different descriptions (first in prod/a.json, line 1; "
              "keep one of them)"});
  CHECK(refused({}, {{"prod/a.json", R"({"Subnets": [{"SubnetId": "subnet-y"}]})"}})
            .front()
            .ends_with("Subnets[0]: AvailabilityZone is missing"));
}

TEST_CASE("EC2 says which instances are Spot Instances, and in which zone their subnets are") {
  const std::string ec2 = R"({"Instances": [
    {"InstanceId": "i-a", "InstanceType": "p3.8xlarge", "InstanceLifecycle": "spot", "SubnetId": "subnet-y",
     "AvailabilityZone": "us-east-2a"},
    {"InstanceId": "i-other", "InstanceLifecycle": "spot"},
    {"InstanceId": "i-b", "InstanceLifecycle": null, "SubnetId": "subnet-z", "Placement": {"AvailabilityZone": "us-east-2b"}}]})";
  const Texts files{{"prod/ec2.json", ec2}};
  CHECK(zones_told(R"("subnet-y", "subnet-z")", {}, files).first == std::optional<Lines>({"us-east-2a", "us-east-2b"}));
  const auto loaded = load({{.id = "a"}, {.id = "b", .zone = "us-east-2b"}}, {}, files);
  const auto& assumptions = scenario_of(*loaded).assumptions;
  const auto spot = std::find_if(assumptions.begin(), assumptions.end(),
                                 [](const auto& one) { return one.id == "spot-at-on-demand-price"; });
  REQUIRE(spot != assumptions.end());
  CHECK(spot->text == "1 instance is a Spot Instance and counts at the On-Demand price");
  CHECK(told(*loaded, "file-not-used") == Lines{});
}

TEST_CASE("instances of an Auto Scaling group that are not registered are told") {
  const auto group = [](const std::string& id, const std::string& state) {
    const std::string instance = R"({"InstanceId": ")" + id + R"(", "LifecycleState": ")" + state + "\"}";
    return load({{.id = "a"}}, {},
                {{"prod/groups.json",
                  R"({"AutoScalingGroups": [{"AutoScalingGroupName": "own", "Instances": [)" + instance + "]}]}"}});
  };
  CHECK(told(*group("i-x", "InService"), "group-instance-not-registered") ==
        Lines{"own: 1 instance is InService in this Auto Scaling group and not registered with the cluster: i-x"});
  CHECK(told(*group("i-a", "InService"), "group-instance-not-registered") == Lines{});
  CHECK(told(*group("i-x", "Terminating"), "group-instance-not-registered") == Lines{});
}

TEST_CASE("standalone awsvpc tasks and services that state no subnets are assumed to have them everywhere") {
  const auto assumed = [](const std::string& group) {
    Lines ids;
    const auto loaded = load({{}}, {{.group = group, .more = interface_in("subnet-y")}});
    for (const auto& one : scenario_of(*loaded).assumptions) {
      if (one.id == "subnets-assumed") ids.push_back(one.subject);
    }
    return ids;
  };
  CHECK(assumed("family:web") == Lines{"web"});
  CHECK(assumed("service:web") == Lines{});
}

TEST_CASE("a GPU that ECS calls DEDICATED is taken though no task is described") {
  const auto loaded = load(
      {{.gpus = {"G0"}, .gpus_free = {}, .more = R"(, "gpuDevices": [{"gpuId": "G0", "sharingMode": "DEDICATED"}])"}},
      {});
  CHECK(scenario_of(*loaded).in_use.at(0).gpus.at(0).dedicated);
}

TEST_CASE("an instance that names a capability has those that it names, one that names none has all") {
  const auto has_all = [](std::vector<std::string> capabilities) {
    const auto loaded = load({{.capabilities = std::move(capabilities)}}, {});
    return scenario_of(*loaded).profiles.at(0).has_all_capabilities;
  };
  CHECK(has_all({}));
  CHECK_FALSE(has_all({"ecs.capability.task-eni"}));
}

TEST_CASE("what the catalog does not say of a type is as described") {
  const auto load_type = [](const std::string& type, bool is_current) {
    return load(
        {{.type = type}}, {},
        {{"prod/t.json", R"({"InstanceTypes": [{"InstanceType": ")" + type +
                             R"(", "VCpuInfo": {"DefaultVCpus": 2}, "Hypervisor": "other", "CurrentGeneration": )" +
                             (is_current ? "true" : "false") +
                             R"(, "ProcessorInfo": {"SupportedArchitectures": ["i386"]}}]})"}});
  };
  const auto current = load_type("zz9.large", true);
  const auto* type = scenario_of(*current).profiles.at(0).type;
  REQUIRE(type != nullptr);
  CHECK(type->architectures == Lines{"i386"});
  CHECK(type->hypervisor == "other");
  CHECK(type->generation == catalog::Generation::kCurrent);
  const auto previous = load_type("zz9.large", false);
  CHECK(scenario_of(*previous).profiles.at(0).type->generation == catalog::Generation::kPrevious);
  const auto known = load_type("p3.8xlarge", false);
  const auto* of_catalog = scenario_of(*known).profiles.at(0).type;
  CHECK(of_catalog->architectures == Lines{"x86_64"});
  CHECK(of_catalog->hypervisor != "other");
}

TEST_CASE("only who names nothing goes to the cluster's default capacity providers") {
  const auto assumed = [](const std::string& request) {
    Texts files{
        {"prod/c.json",
         R"({"clusters": [{"clusterArn": "arn:aws:ecs:us-east-2:111122223333:cluster/prod", "clusterName": "prod",
                   "defaultCapacityProviderStrategy": [{"capacityProvider": "gpu", "weight": 1}]}]})"},
        {"prod/p.json", R"({"capacityProviders": [{"name": "gpu", "capacityProviderArn": "x"}]})"},
        {"prod/instances.json",
         describe::page("containerInstances", std::vector<Instance>{{.more = R"(, "capacityProviderName": "gpu")"}})},
        {"prod/web.json", describe::definition("web", R"("memory": 100)")},
        {"s.yaml", "cluster: prod\n" + request}};
    const auto loaded = load_texts({.scenario = "s.yaml"}, std::move(files));
    return scenario_of(*loaded).workloads.at(0).capacity_providers.size();
  };
  CHECK(assumed("tasks: [{taskDefinition: web}]\n") == 1);
  CHECK(assumed("tasks: [{taskDefinition: web, launchType: EC2}]\n") == 0);
  CHECK(assumed("services: [{serviceName: s, taskDefinition: web, desiredCount: 1}]\n") == 1);
  CHECK(assumed("services: [{serviceName: s, taskDefinition: web, schedulingStrategy: DAEMON}]\n") == 0);
}

TEST_CASE("an instance that does not say what remains is told with what is known of its tasks") {
  const auto text_with = [](const std::vector<Task>& tasks) {
    auto instances = describe::page("containerInstances", std::vector<Instance>{{}});
    const auto begin = instances.find("\"remainingResources\"");
    instances.erase(begin, instances.find("\"attributes\"") - begin);
    const auto loaded =
        load_texts({.cluster = "prod", .allow_partial = true, .may_be_idle = true},
                   {{"prod/instances.json", instances}, {"prod/tasks.json", describe::page("tasks", tasks)}});
    return told(*loaded, "remaining-not-described");
  };
  CHECK(text_with({{}}) == Lines{"i-a: remainingResources are not described; what its tasks reserve is taken off"});
  CHECK(text_with({{.cpu = 0, .memory = 0}}) ==
        Lines{"i-a: remainingResources are not described, nor what its tasks reserve: it counts as empty"});
}

}  // namespace live_figures_test
