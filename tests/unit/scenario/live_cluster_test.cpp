#include "environment.hpp"
#include "placement/engine/engine.hpp"
#include "placement/explain/cluster_findings.hpp"
#include "placement/explain/ecs_words.hpp"
#include "placement/verify/verify.hpp"
#include "scenario/describe.hpp"
#include "scenario/loaded.hpp"

namespace live_cluster_test {

using namespace bayplan;
using namespace bayplan::placement;
using namespace bayplan::scenario;
using describe::Instance;
using describe::page;
using describe::Task;
using test::load_texts;
using test::Loaded;
using test::placed_message;
using test::scenario_of;

namespace {

using Texts = std::map<std::string, std::string>;
using Lines = std::vector<std::string>;

std::unique_ptr<Loaded> load(Texts files, ScenarioRequest request = {}) {
  if (!request.cluster && request.scenario.empty()) request.cluster = "prod";
  request.allow_partial = true;
  files.emplace("web.json", R"({"family": "new", "containerDefinitions": [
    {"name": "main", "image": "x:1", "cpu": 1024, "memory": 1000}]})");
  files.emplace("gpu.json", R"({"family": "gpu", "containerDefinitions": [
    {"name": "main", "image": "x:1", "cpu": 1024, "memory": 1000, "resourceRequirements": [{"type": "GPU", "value": "1"}]}]})");
  return load_texts(request, std::move(files));
}

/// "file:line:column: message (help)"
Lines errors_of(const Loaded& loaded) {
  Lines lines;
  for (const auto& error : loaded.result.errors) lines.push_back(error.file + ":" + placed_message(error));
  return lines;
}

/// "id (subject): text"
Lines list_findings(const Loaded& loaded) {
  Lines lines;
  for (const auto& finding : scenario_of(loaded).findings)
    lines.push_back(finding.id + " (" + finding.subject + "): " + finding.text);
  return lines;
}

Lines collect_assumptions(const Loaded& loaded) {
  Lines lines;
  for (const auto& one : scenario_of(loaded).assumptions)
    lines.push_back(one.id + " (" + one.subject + "): " + one.text);
  return lines;
}

/// Places, holds the check against the engine, and says where each task went: "new#1 i-a", "new#2 RESOURCE:CPU".
Lines placed(const Scenario& scenario) {
  const auto outcome = place(scenario);
  CHECK(verify(scenario, outcome) == Lines{});
  Lines lines;
  for (const auto& one : outcome.placements)
    lines.push_back(task_id(scenario, one.attempt) + " " + scenario.instances[one.instance].id);
  for (const auto& one : outcome.failures)
    lines.push_back(task_id(scenario, one.attempt) + " " + failure_reason(scenario, explained(outcome, one)));
  return lines;
}

Texts with(std::vector<Instance> instances, std::vector<Task> tasks = {}, Texts more = {}) {
  more["prod/instances.json"] = page("containerInstances", instances);
  more["prod/tasks.json"] = page("tasks", tasks);
  return more;
}

}  // namespace

TEST_CASE("a live cluster offers what its instances register and what is left of it") {
  const auto loaded = load(with(
      {{.cpu_left = 30000,
        .memory_left = 200000,
        .gpus = {"G0", "G1"},
        .gpus_free = {"G1"},
        .ports_taken = {"22", "80"},
        .more = R"(, "capacityProviderName": "gpu", "versionInfo": {"agentVersion": "1.98.0"}, "runningTasksCount": 1,
                    "registeredAt": 1526920787.5)",
        .capabilities = {"ecs.capability.task-eni", "ecs.awsvpc-trunk-id"}}},
      {{.cpu = 2768,
        .memory = 40000,
        .gpus = {"G0"},
        .more = R"(, "attachments": [{"type": "ElasticNetworkInterface"}])"}}));
  const auto& scenario = scenario_of(*loaded);
  CHECK(scenario.cluster_name == "prod");
  CHECK(scenario.region == "us-east-2");
  REQUIRE(scenario.instances.size() == 1);
  CHECK(scenario.instances[0].id == "i-a");
  const auto& profile = scenario.profiles[0];
  CHECK(profile.instance_type == "p3.8xlarge");
  CHECK(profile.availability_zone == "us-east-2a");
  CHECK(profile.ec2_instance_id == "i-a");
  CHECK(profile.capacity_provider_name == "gpu");
  CHECK(profile.agent_version == "1.98.0");
  CHECK(profile.registered_at == 1526920787);
  CHECK(profile.cpu == 32768);
  CHECK(profile.memory == 240000);
  CHECK(profile.memory_basis == catalog::MemoryBasis::kStated);
  CHECK(profile.gpu_ids == Lines{"G0", "G1"});
  CHECK(profile.gpu_count == 2);
  CHECK(profile.awsvpc_trunking);
  CHECK_FALSE(profile.has_all_capabilities);
  CHECK_FALSE(profile.attributes.contains("ecs.os-type"));  // only what was described
  CHECK(profile.hourly_price == loaded->catalog.find("p3.8xlarge")->prices.in("us-east-2")->hourly);
  CHECK(profile.network_interfaces == 60);  // with the trunk
  CHECK(profile.reserved_tcp_ports == std::vector<std::uint16_t>{22});

  Groups groups;
  const auto state = starting_state(scenario, 0, groups);
  CHECK(state.cpu == 30000);
  CHECK(state.memory == 200000);
  CHECK(state.network_interfaces == 59);
  CHECK(state.tcp_ports == std::vector<std::uint16_t>{22, 80});
  CHECK(state.tasks == 1);
  CHECK(state.tasks_of(groups.number("service:web")) == 1);
  CHECK(state.gpus[0].state == GpuState::kDedicated);
  CHECK(state.gpus[1].state == GpuState::kIdle);
  REQUIRE(scenario.running.size() == 1);
  CHECK(scenario.running[0].id == "t1");
  CHECK(scenario.running[0].gpus == std::vector<std::uint32_t>{0});
  CHECK(gpu_id(scenario, 0, 1) == "G1");
  CHECK(list_findings(*loaded).empty());
}

TEST_CASE("EBS volumes of running tasks take attachments of their instance") {
  const char* attached = R"(, "attachments": [{"type": "AmazonElasticBlockStorage", "status": "ATTACHED"},
      {"type": "AmazonElasticBlockStorage", "status": "DELETED"}, {"type": "ElasticNetworkInterface"}])";
  const auto loaded =
      load(with({{.type = "d3.8xlarge", .cpu_left = 31744, .memory_left = 239000}}, {{.more = attached}}));
  const auto& scenario = scenario_of(*loaded);
  CHECK(scenario.profiles[0].ebs_attachments == 2);
  CHECK(scenario.profiles[0].interfaces_take_attachments);
  Groups groups;
  const auto state = starting_state(scenario, 0, groups);
  CHECK(state.ebs_attachments == 1);
  CHECK(free_attachments(state) == 0);  // the interface has the other one
}

TEST_CASE("a live cluster is read from pages, lists, lines and single answers alike") {
  const std::string a = describe::print(Instance{.id = "a"}), b = describe::print(Instance{.id = "b"});
  const std::string pages = page("containerInstances", std::vector<Instance>{{.id = "a"}}) +
                            page("containerInstances", std::vector<Instance>{{.id = "b"}});
  const auto ids = [](const std::string& text) {
    const auto loaded = load({{"prod/x.json", text}});
    Lines found;
    for (const auto& instance : scenario_of(*loaded).instances) found.push_back(instance.id);
    return found;
  };
  CHECK(ids(pages) == Lines{"i-a", "i-b"});
  CHECK(ids("[" + a + ", " + b + "]") == Lines{"i-a", "i-b"});
  CHECK(ids(a + "\n" + b + "\n") == Lines{"i-a", "i-b"});
  CHECK(ids(R"({"containerInstance": )" + b + "}") == Lines{"i-b"});
  CHECK(ids("\xEF\xBB\xBF" + a) == Lines{"i-a"});
  std::string utf16 = "\xFF\xFE";
  for (const char c : pages) (utf16 += c) += '\0';
  CHECK(ids(utf16) == Lines{"i-a", "i-b"});
}

TEST_CASE("a described file that is there and cannot be read is told where it is named") {
  struct Locked : MemoryFiles {
    using MemoryFiles::MemoryFiles;
    Result<std::string> read(const std::string& path, std::size_t limit) const override {
      if (path == "prod/b.json") return Error{.message = "Permission denied", .file = path, .help = "ask its owner"};
      return MemoryFiles::read(path, limit);
    }
  };
  const auto errors = [](const ScenarioRequest& request) {
    Loaded loaded;
    const Locked files(Texts{{"prod/a.json", page("containerInstances", std::vector<Instance>{{}})},
                             {"prod/b.json", "{}"},
                             {"s.yaml", "settings: {}\ncluster: prod\n"}});
    loaded.result = load_scenario(request, files, loaded.catalog);
    return errors_of(loaded);
  };
  CHECK(errors({.cluster = "prod"}) == Lines{"prod/b.json:0:0: Permission denied (ask its owner)"});
  CHECK(errors({.scenario = "s.yaml"}) == Lines{"s.yaml:2:10: prod/b.json: Permission denied (ask its owner)"});
}

TEST_CASE("a folder of a described cluster that cannot be listed is told, or a part would pass for the whole") {
  struct Shut : MemoryFiles {
    using MemoryFiles::MemoryFiles;
    Result<std::vector<std::string>> list(const std::string& folder) const override {
      if (folder == shut) return Error{.message = "Permission denied", .file = folder};
      return MemoryFiles::list(folder);
    }
    std::string shut;
  };
  const auto errors = [](const ScenarioRequest& request, const std::string& shut) {
    Loaded loaded;
    Shut files(Texts{{"prod/a.json", page("containerInstances", std::vector<Instance>{{}})},
                     {"prod/b/b.json", page("containerInstances", std::vector<Instance>{{.id = "b"}})},
                     {"s.yaml", "settings: {}\ncluster: prod\n"}});
    files.shut = shut;
    loaded.result = load_scenario(request, files, loaded.catalog);
    return errors_of(loaded);
  };
  CHECK(errors({.cluster = "prod"}, "").empty());
  CHECK(errors({.cluster = "prod"}, "prod/b") == Lines{"prod/b:0:0: Permission denied"});
  CHECK(errors({.scenario = "s.yaml"}, "prod/b") == Lines{"s.yaml:2:10: prod/b: Permission denied"});
  CHECK(errors({.cluster = "prod"}, "prod").front() == "prod:0:0: Permission denied");
}

TEST_CASE("a live cluster may lie in one file, in a scenario or in folders of a folder") {
  const auto file =
      load({{"all.json", page("containerInstances", std::vector<Instance>{{}})}}, {.cluster = "all.json"});
  CHECK(scenario_of(*file).instances.size() == 1);
  const auto scenario =
      load({{"s.yaml", "cluster: prod\ntaskDefinitions: [web.json]\ntasks: [{taskDefinition: new}]\n"},
            {"prod/deep/x.jsonl", page("containerInstances", std::vector<Instance>{{}})},
            {"prod/readme.md", "not read"}},
           {.scenario = "s.yaml"});
  CHECK(placed(scenario_of(*scenario)) == Lines{"new#1 i-a"});
  CHECK(list_findings(*scenario).empty());
}

TEST_CASE("distinctInstance, spread and task:group count what already runs") {
  const auto files = with({{.id = "a"}, {.id = "b", .zone = "us-east-2b"}, {.id = "c", .zone = "us-east-2b"}},
                          {{.id = "t1", .instance = "a", .group = "family:new"}, {.id = "t2", .instance = "b"}});
  const ScenarioRequest two{.cluster = "prod", .tasks = {"web.json=2"}};
  auto request = two;
  request.tasks = {"web.json=3"};
  request.strategies = {"binpack:memory"};
  request.constraints = {"distinctInstance"};
  CHECK(placed(scenario_of(*load(files, request))) ==
        Lines{"new#1 i-b", "new#2 i-c", "new#3 DistinctInstance placement constraint unsatisfied."});
  request = two;
  request.strategies = {"spread:attribute:ecs.availability-zone"};
  CHECK(placed(scenario_of(*load(files, request))) == Lines{"new#1 i-b", "new#2 i-a"});
  request.strategies = {"spread:instanceId"};
  CHECK(placed(scenario_of(*load(files, request))) == Lines{"new#1 i-b", "new#2 i-c"});
  request.constraints = {"type=memberOf,expression=\"task:group == service:web\""};
  CHECK(placed(scenario_of(*load(files, request))) == Lines{"new#1 i-b", "new#2 i-b"});
  request.constraints = {"type=memberOf,expression=\"runningTasksCount == 0\""};
  CHECK(placed(scenario_of(*load(files, request))) ==
        Lines{"new#1 i-c", "new#2 MemberOf placement constraint unsatisfied."});
}

TEST_CASE("a task on its way out takes room and counts in no group") {
  const auto files = with({{.cpu_left = 31744, .more = R"(, "runningTasksCount": 0)"}},
                          {{.group = "family:new", .more = R"(, "desiredStatus": "STOPPED")"},
                           {.id = "t2", .more = R"(, "lastStatus": "STOPPED", "desiredStatus": "STOPPED")"}});
  const auto loaded = load(files, {.cluster = "prod", .tasks = {"web.json=1"}, .constraints = {"distinctInstance"}});
  const auto& scenario = scenario_of(*loaded);
  CHECK(placed(scenario) == Lines{"new#1 i-a"});
  REQUIRE(scenario.running.size() == 1);
  CHECK(scenario.running[0].stopping);
  CHECK(scenario.in_use[0].tasks == 0);
}

TEST_CASE("GPUs that are held are not given again") {
  const auto loaded =
      load(with({{.cpu_left = 31744, .memory_left = 239000, .gpus = {"G0", "G1", "G2"}, .gpus_free = {"G2", "G0"}}},
                {{.gpus = {"G1"}}}),
           {.cluster = "prod", .tasks = {"gpu.json=3"}});
  const auto& scenario = scenario_of(*loaded);
  const auto outcome = place(scenario);
  REQUIRE(outcome.placements.size() == 2);
  CHECK(gpu_id(scenario, 0, outcome.placements[0].gpus[0].devices[0]) == "G0");
  CHECK(gpu_id(scenario, 0, outcome.placements[1].gpus[0].devices[0]) == "G2");
  CHECK(placed(scenario).back() == "gpu#3 RESOURCE:GPU");
}

TEST_CASE("a shared GPU has the memory left that ECS says, else what its tasks leave") {
  const auto definition = describe::definition(
      "infer",
      R"("cpu": 1024, "memory": 1000, "resourceRequirements": [{"type": "GPU", "sharingStrategy": {"nvidiaMps": {"memory": 4000}}}])");
  const auto state_with = [&](const std::string& devices, const Texts& more) {
    auto files =
        with({{.cpu_left = 30720, .memory_left = 238000, .gpus = {"G0", "G1"}, .gpus_free = {"G1"}, .more = devices}},
             {{.definition = "infer:1", .gpus = {"G0"}}, {.id = "t2", .definition = "infer:1", .gpus = {"G0"}}}, more);
    const auto loaded = load(files);
    Groups groups;
    CHECK(list_findings(*loaded).empty());
    return starting_state(scenario_of(*loaded), 0, groups).gpus;
  };
  const std::string devices = R"(, "gpuDevices": [
    {"gpuId": "G0", "sharingMode": "NVIDIA_MPS", "totalMemoryInMiB": 16000, "remainingMemoryInMiB": 7000},
    {"gpuId": "G1", "sharingMode": "IDLE", "totalMemoryInMiB": 16000, "remainingMemoryInMiB": 16000}])";
  const auto said = state_with(devices, {});
  CHECK(said[0].state == GpuState::kNvidiaMps);
  CHECK(said[0].memory == 16000);
  CHECK(said[0].remaining_memory == 7000);
  CHECK(said[1].state == GpuState::kIdle);
  const auto summed = state_with("", {{"prod/d.json", definition}});
  CHECK(summed[0].state == GpuState::kNvidiaMps);
  CHECK(summed[0].remaining_memory == summed[0].memory - 8000);
}

TEST_CASE("the definitions of a folder are those of the scenario, and ECS has accepted them") {
  const auto files = with(
      {{}}, {},
      {{"prod/d.json", describe::definition("web", R"("cpu": 10, "memory": 100)") +
                           describe::definition("train", R"("cpu": 10, "memory": 100)")},
       {"prod/own.json", R"({"family": "own", "containerDefinitions": [{"name": "m", "image": "x", "memory": 9}]})"}});
  const auto loaded = load(files, {.cluster = "prod", .tasks = {"train=1", "own=1"}});
  const auto& scenario = scenario_of(*loaded);
  REQUIRE(scenario.task_definitions.size() == 3);
  CHECK(scenario.task_definitions[1].name == "train:1");
  CHECK(scenario.task_definitions[1].is_registered);
  CHECK(scenario.task_definitions[1].origin.line == 2);
  CHECK_FALSE(scenario.task_definitions[2].is_registered);
  CHECK(placed(scenario).size() == 2);
}

TEST_CASE("a service that runs already gets what it lacks, a daemon the instances without it") {
  const auto files = with({{.id = "a"}, {.id = "b"}},
                          {{.id = "t1"},
                           {.id = "t2", .instance = "b"},
                           {.id = "t3", .instance = "a", .definition = "log:1", .group = "service:log"}},
                          {{"s.yaml",
                            "cluster: prod\ntaskDefinitions: [web.json]\nservices:\n"
                            "  - {serviceName: web, taskDefinition: new, desiredCount: 3}\n"
                            "  - {serviceName: log, taskDefinition: new, schedulingStrategy: DAEMON}\n"}});
  const auto loaded = load(files, {.scenario = "s.yaml"});
  CHECK(placed(scenario_of(*loaded)) == Lines{"log#1 i-b", "web#1 i-a"});
  CHECK(collect_assumptions(*loaded).back() ==
        "service-already-runs (web): 2 tasks of web already run; 1 more is placed to make 3");
}

TEST_CASE("a scenario over time names instances and tasks of a live cluster, and services with all that they want") {
  const auto with_events = [](const std::string& events) {
    return with({{.id = "a"}, {.id = "b"}}, {{.id = "t1"}, {.id = "t2", .instance = "b"}},
                {{"s.yaml",
                  "cluster: prod\ntaskDefinitions: [web.json]\nservices:\n"
                  "  - {serviceName: web, taskDefinition: new, desiredCount: 3}\nevents:\n" +
                      events}});
  };
  const auto loaded =
      load(with_events("  - {at: 1m, drain: i-a}\n  - {at: 2m, stopTask: t2}\n"), {.scenario = "s.yaml"});
  const auto& timetable = scenario_of(*loaded).timetable;
  REQUIRE(timetable.services.size() == 1);
  CHECK(timetable.services[0].desired_count == 3);
  CHECK(scenario_of(*loaded).workloads.at(timetable.services[0].workload).count == 1);
  CHECK(timetable.events.size() == 2);
  const auto wrong =
      load(with_events("  - {at: 1m, drain: i-c}\n  - {at: 2m, stopTask: t3}\n"), {.scenario = "s.yaml"});
  REQUIRE(wrong->result.errors.size() == 2);
  CHECK(wrong->result.errors[0].message == "no instance 'i-c'");
  CHECK(wrong->result.errors[1].message == "no task 't3'");
  CHECK(wrong->result.errors[1].line == 7);
}

TEST_CASE("an instance that lacks a daemon is told, where the daemon may go at all") {
  const auto services = [](const std::string& constraints) {
    return Texts{{"prod/services.json", R"({"services": [{"serviceArn": ")" + describe::arn("service", "prod/log") +
                                            R"(", "serviceName": "log", "schedulingStrategy": "DAEMON",
                                            "taskDefinition": ")" +
                                            describe::arn("task-definition", "log:1") +
                                            R"(", "placementConstraints": [)" + constraints + "]}]}"}};
  };
  const std::vector<Task> log = {{.id = "t1", .definition = "log:1", .group = "service:log"}};
  const std::vector<Instance> three = {{.id = "a", .cpu_left = 31744, .memory_left = 239000},
                                       {.id = "b", .zone = "us-east-2b"},
                                       {.id = "c", .more = R"(, "status": "DRAINING")"}};
  CHECK(list_findings(*load(with(three, log, services("")))) ==
        Lines{"instance-without-daemon (i-b): has no task of the daemon service log; ECS will start one as soon as "
              "there is room"});
  const std::string only_a = R"({"type": "memberOf", "expression": "attribute:ecs.availability-zone == us-east-2a"})";
  CHECK(list_findings(*load(with(three, log, services(only_a)))) == Lines{});
  CHECK(list_findings(*load(with(three, log, services(R"({"type": "memberOf", "expression": "task:group == x"})")))) ==
        Lines{});
}

TEST_CASE("several types under a provider that scales are told") {
  const auto provider = [](const std::string& status) {
    return Texts{{"prod/providers.json", R"({"capacityProviders": [{"name": "gpu", "capacityProviderArn": "x",
      "autoScalingGroupProvider": {"managedScaling": {"status": ")" +
                                             status + R"("}}}]})"}};
  };
  const std::string gpu = R"(, "capacityProviderName": "gpu")";
  const std::vector<Instance> two = {{.id = "a", .more = gpu}, {.id = "b", .type = "p3.2xlarge", .more = gpu}};
  const auto told = list_findings(*load(with(two, {}, provider("ENABLED"))));
  REQUIRE(told.size() == 1);
  CHECK(told.front().starts_with(
      "several-types-in-managed-provider (gpu): scales by itself and has p3.2xlarge, p3.8xlarge:"));
  CHECK(list_findings(*load(with(two, {}, provider("DISABLED")))) == Lines{});
  CHECK(list_findings(*load(with({two.front()}, {}, provider("ENABLED")))) == Lines{});
}

TEST_CASE("a cluster's default capacity providers take tasks that name nothing else") {
  const std::string provider = R"({"capacityProviders": [{"name": "gpu", "capacityProviderArn": "x",
    "autoScalingGroupProvider": {"managedScaling": {"status": "ENABLED"}}}]})";
  const auto cluster = [](const std::string& name) {
    return R"({"clusters": [{"clusterArn": "arn:aws:ecs:us-east-2:111122223333:cluster/prod", "clusterName": "prod",
      "defaultCapacityProviderStrategy": [{"capacityProvider": ")" +
           name + R"(", "weight": 1}]}]})";
  };
  const std::vector<Instance> instances = {{.id = "a"}, {.id = "b", .more = R"(, "capacityProviderName": "gpu")"}};
  const ScenarioRequest request{.cluster = "prod", .tasks = {"web.json=2"}, .strategies = {"spread:instanceId"}};
  const auto own = load(with(instances, {}, {{"prod/p.json", provider}, {"prod/c.json", cluster("gpu")}}), request);
  CHECK(placed(scenario_of(*own)) == Lines{"new#1 i-b", "new#2 i-b"});
  CHECK(collect_assumptions(*own) ==
        Lines{"default-capacity-providers (new): new names neither launch type nor capacity providers and goes to the "
              "cluster's default: gpu",
              "managed-scaling-not-simulated (gpu): gpu starts instances for what does not fit; new is placed on "
              "those that are there, the rest waits"});
  const auto fargate = load(with(instances, {}, {{"prod/c.json", cluster("FARGATE")}}), request);
  CHECK(placed(scenario_of(*fargate)) == Lines{"new#1 i-a", "new#2 i-b"});
}

TEST_CASE("an instance type that the catalog lacks is taken as described") {
  const auto files =
      with({{.type = "zz9.large", .gpus = {"G0"}, .gpus_free = {"G0"}}}, {},
           {{"prod/t.json", R"({"InstanceTypes": [{"InstanceType": "zz9.large", "VCpuInfo": {"DefaultVCpus": 2},
      "NetworkInfo": {"MaximumNetworkInterfaces": 4}, "ProcessorInfo": {"SupportedArchitectures": ["arm64"]},
      "GpuInfo": {"Gpus": [{"Name": "X", "Manufacturer": "NVIDIA", "Count": 1, "MemoryInfo": {"SizeInMiB": 20000}}]}}]})"}});
  const auto known = load(files);
  const auto& profile = scenario_of(*known).profiles[0];
  CHECK(profile.network_interfaces == 3);
  CHECK(profile.gpu_memory == 18600);
  CHECK(profile.cpu == 32768);
  CHECK_FALSE(profile.hourly_price);
  auto without = files;
  without.erase("prod/t.json");
  const auto unknown = load(without);
  CHECK(
      collect_assumptions(*unknown) ==
      Lines{
          "network-interfaces-unknown (zz9.large): the network interfaces of zz9.large are unknown and limit no task"});
  const auto findings = list_findings(*unknown);
  REQUIRE(findings.size() == 1);
  CHECK(findings.front().starts_with("instance-type-unknown (zz9.large): the catalog (EC2 data of "));
}

TEST_CASE("what is contradictory in a live cluster is told") {
  const auto told = [](const Texts& files) { return list_findings(*load(files)); };
  CHECK(
      told(with({{.cpu_left = 32000}}, {{}})) ==
      Lines{
          "remaining-differs (i-a): 768 CPU units are taken and its 1 task reserves 1024: what ECS says remains counts",
          "remaining-differs (i-a): 0 MiB are taken and its 1 task reserves 1000: what ECS says remains counts"});
  CHECK(told(with({{.cpu_left = -100}})).front() ==
        "remaining-differs (i-a): 32868 CPU units are taken and no task described reserves any: what ECS says remains "
        "counts");
  CHECK(told(with({{.cpu_left = -100}})).back() ==
        "remaining-negative (i-a): CPU that remains is -100: more is reserved than it registers");
  CHECK(
      told(with({{.memory_left = 240001}})) ==
      Lines{"remaining-differs (i-a): MEMORY that remains (240001) is more than it registers (240000), which counts"});
  CHECK(told(with({{.more = R"(, "runningTasksCount": 2)"}})) ==
        Lines{"tasks-not-described (i-a): ECS counts 2 running tasks and 0 are described: of the others, only the "
              "resources are known, not their groups"});
  CHECK(told(with({{.cpu_left = 31744, .memory_left = 239000, .more = R"(, "runningTasksCount": 0)"}}, {{}})) ==
        Lines{"tasks-not-described (i-a): ECS counts 0 running tasks and 1 is described: the answers are of different "
              "times"});
  CHECK(told(with({{}}, {{.instance = "x"}, {.id = "t2", .instance = "x"}})) ==
        Lines{"task-instance-not-described (x): 2 tasks on an instance that is not described; ignored"});
  CHECK(told(with({{}}, {{.instance = "", .more = R"(, "lastStatus": "PROVISIONING")"}})) ==
        Lines{"tasks-waiting (prod): 1 task waits for an instance; ignored, although ECS will place it first"});
  CHECK(told(with({{.gpus = {"G0"}, .gpus_free = {}}})) ==
        Lines{"gpu-contradiction (i-a): G0 is not free, and no task described holds it"});
  CHECK(told(with({{.cpu_left = 31744, .memory_left = 239000, .gpus = {"G0"}, .gpus_free = {"G0"}}},
                  {{.gpus = {"G0"}}})) ==
        Lines{"gpu-contradiction (i-a): G0 is free by remainingResources and held by a task; it counts as taken"});
  CHECK(told(with({{.gpus = {"G0"}, .gpus_free = {"G0", "G7"}}})) ==
        Lines{"gpu-contradiction (i-a): remainingResources contains G7, which the instance does not register"});
  std::vector<Task> interfaces;
  for (const char* id : {"1", "2", "3", "4"})
    interfaces.push_back(
        {.id = id, .cpu = 1, .memory = 1, .more = R"(, "attachments": [{"type": "ElasticNetworkInterface"}])"});
  CHECK(told(with({{.type = "p3.2xlarge", .cpu_left = 32764, .memory_left = 239996}}, interfaces)) ==
        Lines{"interfaces-differ (i-a): 4 of its tasks have their own network interface, but p3.2xlarge has room for "
              "3: none is left"});
  CHECK(told(with({{.type = ""}})) == Lines{"instance-type-not-described (i-a): has no attribute ecs.instance-type: "
                                            "its price and network interfaces are unknown"});
  CHECK(told(with({{.more = R"(, "agentConnected": null)"}})) ==
        Lines{"state-not-described (i-a): agentConnected is not described; it counts as true"});
  CHECK(
      told(with({{}}, {},
                {{"prod/f.json", R"({"containerInstances": [], "failures": [{"arn": "arn:x", "reason": "MISSING"}]})"},
                 {"prod/g.json", R"({"name": "x"})"},
                 {"prod/h.json", ""}})) ==
      Lines{"describe-failure (arn:x): was asked for and not found: MISSING",
            "file-not-used (prod/g.json): holds nothing that aws ecs describe-... prints",
            "file-not-used (prod/h.json): is empty: correct only if there is nothing to describe"});
  CHECK(told(with({{}}, {},
                  {{"prod/c.json", R"({"clusters": [{"clusterArn": "arn:aws:ecs:us-east-2:111122223333:cluster/prod",
                                "registeredContainerInstancesCount": 3}]})"}})) ==
        Lines{"instances-not-described (prod): the cluster registers 3 instances, 1 is described"});
  CHECK(
      told(with({{}}, {},
                {{"prod/s.json", R"({"services": [{"serviceArn": "arn:aws:ecs:us-east-2:111122223333:service/prod/web",
                                "serviceName": "web", "desiredCount": 3, "runningCount": 1, "pendingCount": 1}]})"}})) ==
      Lines{"service-below-desired (web): has 2 of 3 tasks: ECS will place the others in room that counts as free here",
            "snapshot-incomplete (prod): service web counts 2 tasks, and 0 are described"});
}

TEST_CASE("the same contradiction on many instances is told a few times and counted") {
  std::vector<Instance> instances;
  for (const char* id : {"a", "b", "c", "d", "e"})
    instances.push_back({.id = id, .more = R"(, "runningTasksCount": 1)"});
  const auto told = list_findings(*load(with(instances)));
  REQUIRE(told.size() == 4);
  CHECK(told.back() == "tasks-not-described (2 more): the same");
}

TEST_CASE("an ARN on two pages counts once, the newer version where they differ") {
  const auto version = [](int number, std::int64_t left) {
    return Instance{.cpu_left = left, .more = R"(, "version": )" + std::to_string(number)};
  };
  const auto left = [](const Texts& files) {
    const auto loaded = load(files);
    Groups groups;
    REQUIRE(scenario_of(*loaded).instances.size() == 1);
    return starting_state(scenario_of(*loaded), 0, groups).cpu;
  };
  CHECK(left(with({version(3, 100), version(3, 100)})) == 100);
  CHECK(left(with({version(3, 100), version(4, 200)})) == 200);
  CHECK(left(with({version(4, 200), version(3, 100)})) == 200);
  CHECK(errors_of(*load(with({version(3, 100), version(3, 200)}))) ==
        Lines{"prod/instances.json:2:3: containerInstances[1]: " + describe::instance_arn("a") +
              " has two different descriptions (first in prod/instances.json, line 1; keep the newer answer)"});
  const auto mended = list_findings(*load(with({version(3, 100), version(4, 32768)})));
  CHECK(mended == Lines{"described-twice (prod): 1 element is described in two versions; the newer counts"});
}

TEST_CASE("an instance that registered anew keeps its name, its former self gets another") {
  const auto again = Instance{.id = "b", .more = R"(, "status": "INACTIVE")", .ec2_id = "i-a"};
  const auto loaded = load(with({{.id = "a"}, again}));
  CHECK(scenario_of(*loaded).instances[0].id == "i-a");
  CHECK(scenario_of(*loaded).instances[1].id == "b");
  CHECK(list_findings(*loaded) ==
        Lines{"duplicate-instance-id (i-a): two container instances have this id; the later is called b"});
}

TEST_CASE("what is wrong in a live cluster is an error with its place") {
  const auto refused = [](const Texts& files, const std::string& cluster = "prod") {
    return errors_of(*load(files, {.cluster = cluster}));
  };
  const std::string whole = page("containerInstances", std::vector<Instance>{{.id = "a"}, {.id = "b"}});
  CHECK(refused({{"prod/i.json", whole.substr(0, whole.size() - 30)}, {"prod/x.json", "{\"tasks\": [{}]}"}}) ==
        Lines{"prod/i.json:2:" + std::to_string(whole.size() - 30 - whole.find('\n')) +
                  ": containerInstances[1]: unexpected end of file, expected '\"' at the end of the string "
                  "(containerInstances[1] begins in line 2; "
                  "is the output whole?)",
              "prod/x.json:1:12: tasks[0]: taskArn is missing"});
  CHECK(refused({{"prod/i.json", "{\"containerInstances\": [\n {\"containerInstanceArn\": tru}]}"}}).front() ==
        "prod/i.json:2:27: containerInstances[0]: unexpected 'tru}', expected a value");
  CHECK(
      refused(with({{.id = "a"}, {.id = "b", .cluster = "test"}})) ==
      Lines{"prod:0:0: 2 clusters are described: prod in us-east-2 of account 111122223333 (prod/instances.json), test "
            "in us-east-2 of account 111122223333 (prod/instances.json) (use a separate folder for each)"});
  const std::string service = R"({"services": [{"serviceArn": "arn:aws:ecs:us-east-2:444455556666:service/prod/web",
                                 "serviceName": "web"}]})";
  CHECK(
      refused(with({{}}, {}, {{"prod/s.json", service}})) ==
      Lines{"prod:0:0: 2 clusters are described: prod in us-east-2 of account 111122223333 (prod/instances.json), prod "
            "in us-east-2 of account 444455556666 (prod/s.json) (use a separate folder for each)"});
  CHECK(
      refused(with({{}}, {}, {{"prod/c.json", R"({"clusters": [
                                {"clusterArn": "arn:aws:ecs:us-east-2:111122223333:cluster/test"}]})"}})) ==
      Lines{"prod/c.json:2:1: this is cluster test in us-east-2 of account 111122223333; the other files describe prod "
            "in us-east-2 of account 111122223333 (use a separate folder for each cluster)"});
  CHECK(refused({{"prod/t.json", page("tasks", std::vector<Task>{{}})}}) ==
        Lines{"prod:0:0: no container instances are described here, only 1 task (bayplan collect prints the commands "
              "that describe a cluster; of a template or plan name the file itself)"});
  CHECK(refused({{"f.json", R"({"containerInstances": [], "failures": [{"arn": "arn:x", "reason": "MISSING"}]})"}},
                "f.json") ==
        Lines{"f.json:0:0: no container instances are described here (arn:x: MISSING; wrong cluster or region?)"});
  CHECK(refused(with({{.more = R"(, "status": "SLEEPING")"}})) ==
        Lines{"prod/instances.json:1:1: " + describe::instance_arn("a") +
              ": status cannot be 'SLEEPING' (ACTIVE, DRAINING, REGISTERING ...)"});
  CHECK(refused(with({{.cpu = -1}}))
            .front()
            .ends_with(": containerInstances[0]: integerValue cannot be '-1' (a whole number from 0 to 100000000000)"));
  CHECK(refused({{"i.json", R"({"containerInstanceArn": ")" + describe::instance_arn("a") + "\"}"}}, "i.json") ==
        Lines{"i.json:1:1: " + describe::instance_arn("a") +
              ": registeredResources CPU is missing (without it, the capacity of the instance is unknown)"});
  CHECK(refused({{"prod/i.json", R"({"containerInstances": [{"instanceType": "p3.2xlarge"}]})"}}) ==
        Lines{"prod/i.json:1:25: containerInstances[0]: containerInstanceArn is missing"});
  CHECK(refused({{"prod/i.json", "An error occurred (AccessDenied)"}}) ==
        Lines{"prod/i.json:1:1: the AWS CLI failed: An error occurred (AccessDenied) (run the command again)"});
  CHECK(refused({{"prod/i.json", "Unable to locate credentials.\nMore\n"}}) ==
        Lines{"prod/i.json:1:1: this is not JSON; it begins with: Unable to locate credentials. (if this is a message "
              "of the AWS CLI, fix the cause and run the command again)"});
  CHECK(refused({{"prod/i.json", "\n"}}) == Lines{"prod:0:0: no container instances are described here (prod/i.json is "
                                                  "empty; did the AWS CLI say why when it was called?)"});
  CHECK(refused(with({{}}, {}, {{"prod/d.json", "{\"a\": 1}\n{\"containerDefinitions\": []}"}})) ==
        Lines{"prod/d.json:2:1: a task definition that is not registered must be in a separate file (registered ones "
              "have a "
              "taskDefinitionArn and a revision)"});
}

TEST_CASE("a live cluster cut off or flipped anywhere is read or refused") {
  const std::string text =
      page("containerInstances", std::vector<Instance>{{.gpus = {"G0", "G1"}, .gpus_free = {"G1"}}}) +
      page("tasks", std::vector<Task>{{.gpus = {"G0"}}});
  catalog::Catalog catalog = catalog::Catalog::load();
  const auto read = [&](std::string damaged) {
    const auto loaded = load_scenario({.cluster = "p"}, MemoryFiles({{"p/x.json", std::move(damaged)}}), catalog);
    REQUIRE(loaded.scenario.has_value() == loaded.errors.empty());
    if (loaded.scenario) REQUIRE(verify(*loaded.scenario, place(*loaded.scenario)).empty());
  };
  for (std::size_t at = 0; at < text.size(); at += fewer_cases()) {
    read(text.substr(0, at));
    std::string flipped = text;
    flipped[at] = static_cast<char>(flipped[at] ^ 0x02);
    read(std::move(flipped));
  }
}

TEST_CASE("a live instance has the Neuron devices that it registers") {
  const std::string task =
      R"({"family": "neuron", "containerDefinitions": [{"name": "main", "image": "x:1", "cpu": 1024,
    "memory": 1000, "resourceRequirements": [{"type": "NeuronDevice", "value": "ALL"}]}]})";
  const auto resource = [](const std::string& name, const Lines& registered, const Lines& remaining) {
    Instance one{.type = "inf2.24xlarge"};
    std::string text = describe::print(one);
    const auto add = [&](const std::string& member, const Lines& ids) {
      const auto at = text.find("[", text.find(member)) + 1;
      text.insert(at, describe::set_of(name, ids) + ", ");
    };
    add("\"registeredResources\"", registered);
    add("\"remainingResources\"", remaining);
    return text;
  };
  const auto place_on = [&](const std::string& instance) {
    ScenarioRequest request;
    request.cluster = "prod";
    request.tasks = {"neuron.json=1"};
    return load({{"neuron.json", task},
                 {"prod/instances.json", R"({"containerInstances": [)" + instance + "]}"},
                 {"prod/tasks.json", R"({"tasks": []})"}},
                request);
  };
  const Lines three{"0", "1", "2"};
  const auto free = place_on(resource("NEURON_DEVICE", three, three));
  CHECK(scenario_of(*free).profiles[0].neuron_devices == 3);  // not the six of the type
  CHECK(placed(scenario_of(*free)) == Lines{"neuron#1 i-a"});
  CHECK(gpu_id(scenario_of(*free), 0, 2) == "2");

  const auto taken = place_on(resource("NEURON_DEVICE", three, {"0", "2"}));
  CHECK(placed(scenario_of(*taken)) == Lines{"neuron#1 RESOURCE:NEURON_DEVICE"});

  const Lines cores{"0", "1", "2", "3", "4", "5", "6", "7", "8", "9", "10", "11"};  // two a device
  const auto by_cores = place_on(resource("NEURON_CORES", cores, cores));
  CHECK(scenario_of(*by_cores).profiles[0].neuron_devices == 6);
  CHECK(placed(scenario_of(*by_cores)) == Lines{"neuron#1 i-a"});
  const auto one_taken = place_on(resource("NEURON_CORES", cores, {cores.begin() + 1, cores.end()}));
  CHECK(placed(scenario_of(*one_taken)) == Lines{"neuron#1 RESOURCE:NEURON_DEVICE"});

  const auto none = place_on(describe::print(Instance{.type = "inf2.24xlarge"}));
  CHECK(placed(scenario_of(*none)) == Lines{"neuron#1 RESOURCE:NEURON_DEVICE"});
}

}  // namespace live_cluster_test
