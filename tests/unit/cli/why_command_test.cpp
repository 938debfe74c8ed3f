#include <nlohmann/json.hpp>

#include "base/memory_files.hpp"
#include "catch.hpp"
#include "cli/ran.hpp"
#include "report_schema.hpp"
#include "scenario/describe.hpp"

namespace why_command_test {

namespace {

using namespace bayplan;
using cli::Ran;
using cli::run_with;
using cli::says;
using Json = nlohmann::json;

std::string definition(const std::string& family, const std::string& container, const std::string& more = "") {
  return R"({"family": ")" + family + "\", " + more + R"("containerDefinitions": [{"name": "main", "image": "x:1", )" +
         container + "}]}";
}

const std::map<std::string, std::string> kFiles{
    {"train.json", definition("train", R"("memory": 30000, "cpu": 4096,
       "resourceRequirements": [{"type": "GPU", "value": "1"}])")},
    {"t4.json", definition("t4", R"("memory": 100000, "resourceRequirements": [{"type": "GPU", "value": "4"}])")},
    {"t8.json", definition("t8", R"("memory": 100000, "resourceRequirements": [{"type": "GPU", "value": "8"}])")},
    {"web.json", definition("web", R"("memory": 1000, "portMappings": [{"containerPort": 80, "hostPort": 8080}])")},
    {"host.json",
     definition("host", R"("memory": 1000, "portMappings": [{"containerPort": 8080}])", R"("networkMode": "host", )")},
    {"eni.json", definition("eni", R"("memory": 128)", R"("networkMode": "awsvpc", )")},
    {"big.json", definition("big", R"("memory": 13000)")},
    {"half.json", definition("half", R"("memory": 6000)")},
};

Ran run_why(const std::vector<std::string>& arguments, const std::map<std::string, std::string>& texts = {}) {
  MemoryFiles files;
  files.content = kFiles;
  for (const auto& [name, text] : texts) files.content[name] = text;
  std::vector<std::string> line{"why"};
  line.insert(line.end(), arguments.begin(), arguments.end());
  return run_with(files, line);
}

/// The report as JSON; its shape is checked on the way.
Json ask(std::vector<std::string> arguments, const std::map<std::string, std::string>& texts = {}, int code = 1) {
  arguments.insert(arguments.end(), {"--format", "json"});
  const auto ran = run_why(arguments, texts);
  CHECK(ran.err == "");
  CHECK(ran.code == code);
  check_against_schema(ran.out, "why-report");
  return Json::parse(ran.out);
}

/// The remedy of that kind; null when there is none.
Json remedy(const Json& report, const std::string& kind) {
  for (const auto& one : report["remedies"]) {
    if (one["kind"] == kind) return one;
  }
  return nullptr;
}

std::string scenario_with(const std::string& instances, const std::string& definitions, const std::string& rest) {
  return "cluster: {containerInstances: [" + instances + "]}\ntaskDefinitions: [" + definitions + "]\n" + rest;
}

}  // namespace

TEST_CASE("why command - exit codes") {
  CHECK(run_why({"train.json", "--instances", "p3.2xlarge=1"}).code == 0);
  CHECK(run_why({"train.json", "--instances", "c5.large=1"}).code == 1);
  CHECK(run_why({"train.json"}).code == 2);
  CHECK(run_why({}).code == 2);
  CHECK(run_why({"missing.json", "--instances", "c5.large=1"}).code == 2);
  CHECK(run_why({"train.json", "--instances", "p3.2xlarge=1", "--count", "0"}).code == 2);
  CHECK(run_why({"train.json", "a.yaml", "b.yaml"}).code == 2);
  CHECK(run_why({"train.json", "--instances", "p3.3xlarge=1"}).code == 2);
  CHECK(run_why({"train.json", "--instances", "p3.2xlarge=1", "--strategy", "binpack:gpu"}).code == 2);
}

TEST_CASE("why command - where it goes and how the strategies chose") {
  const auto report = ask({"train.json", "--instances", "p3.2xlarge=2@us-east-1a", "--instances", "c5.large=1",
                           "--instances", "p3.8xlarge=1@us-east-1b", "--strategy", "binpack:memory"},
                          {}, 0);
  CHECK(report["placed"] == true);
  CHECK(report["containerInstance"] == "p3.2xlarge#1");
  CHECK(report["funnel"]["instances"] == 4);
  CHECK(report["funnel"]["candidates"] == 3);
  REQUIRE(report["ranking"].size() == 1);
  CHECK(report["ranking"][0]["before"] == 3);
  CHECK(report["ranking"][0]["after"] == 2);
  CHECK(report["tied"] == 2);
  CHECK(report["remedies"].empty());
  const auto text = run_why({"train.json", "--instances", "p3.2xlarge=2", "--strategy", "binpack:memory"}).out;
  CHECK(says(text, "YES train#1 is placed on p3.2xlarge#1, the first of 2 tied instances among 2"));
  CHECK(says(text, "2 -> 2  binpack:memory: least MEMORY remains"));
}

TEST_CASE("why command - the funnel in the order of checks each instances reasons with figures") {
  const auto report =
      ask({"s.train", "s.yaml", "--count", "1"},
          {{"s.train", kFiles.at("train.json")},
           {"s.yaml", scenario_with("{instanceType: p3.2xlarge, status: DRAINING}, {instanceType: c5.large}, "
                                    "{instanceType: p3.2xlarge, agentConnected: false}, "
                                    "{instanceType: r5.2xlarge, attributes: {stack: dev}}",
                                    "web.json", "tasks: [{taskDefinition: web}]\n")}});
  const auto& checks = report["funnel"]["checks"];
  REQUIRE(checks.size() == 4);
  CHECK(checks[0]["reason"] == "STATUS:DRAINING");
  CHECK(checks[1]["reason"] == "AGENT");
  CHECK(checks[2]["reason"] == "RESOURCE:CPU");
  CHECK(checks[3]["reason"] == "RESOURCE:GPU");
  CHECK(checks[3]["left"] == 0);
  CHECK(report["instances"].size() == 4);
  CHECK(report["instances"][3]["shortfall"] == Json{{"GPU", 1}});
  CHECK(report["closest"] == "r5.2xlarge#1");
  CHECK(report["nearestMiss"] == "r5.2xlarge#1, 1 GPU short");
  CHECK(remedy(report, "instance")["change"] == "connect the agent of p3.2xlarge#2");
}

TEST_CASE("why command - memberOf says which part fails and with what value") {
  const auto with = [](const std::string& expression) {
    return std::vector<std::string>{"web.json", "--instances", "c5.large=1@us-east-1a", "--placement-constraints",
                                    "type=memberOf,expression=\"" + expression + "\""};
  };
  const auto report = ask(with("attribute:ecs.instance-type =~ c5.* and attribute:stack == prod"));
  CHECK(report["instances"][0]["memberOf"][0]["because"] == "attribute stack is not set, must be prod");
  CHECK(remedy(report, "constraint")["change"] == "remove attribute:stack == prod from memberOf: placed on c5.large#1");
  const auto nested =
      ask(with("attribute:ecs.instance-type =~ c5.* and (attribute:a exists or not(attribute:b !exists))"));
  CHECK(remedy(nested, "constraint")["change"] ==
        "remove (attribute:a exists or not(attribute:b !exists)) from memberOf: placed on c5.large#1");
  // No one part is to blame.
  const auto whole = ask(with("attribute:stack == prod and not(attribute:ecs.instance-type =~ c5.*)"));
  CHECK(says(remedy(whole, "constraint")["change"].get<std::string>(), "attribute:stack == prod and"));
}

TEST_CASE("why command - a host port who holds it and a free one instead") {
  const auto taken = ask({"web.json", "--instances", "c5.large=1", "--count", "2"});
  CHECK(taken["instances"][0]["text"] == "TCP port 8080 is taken by web#1");
  CHECK(remedy(taken, "hostPort")["change"] == "use hostPort 0 (dynamic) instead of TCP 8080: placed on c5.large#1");
  const auto host = ask({"host.json", "--instances", "c5.large=1", "--count", "2"});
  CHECK(remedy(host, "hostPort")["change"] == "use TCP port 8081 instead of 8080: placed on c5.large#1");
  const auto agent = ask({"agent.json", "--instances", "c5.large=1"},
                         {{"agent.json", definition("agent", R"("memory": 1000, "portMappings": [{"containerPort": 80,
                            "hostPort": 51678}])")}});
  CHECK(agent["instances"][0]["text"] == "TCP port 51678 is taken by the instance itself");
}

TEST_CASE("why command - another strategy where the spread of earlier tasks leaves no room") {
  const auto report =
      ask({"big", "s.yaml"},
          {{"s.yaml",
            scenario_with("{instanceType: c5.2xlarge, count: 2, availabilityZone: us-east-1a}", "half.json, big.json",
                          "services: [{serviceName: api, taskDefinition: half, desiredCount: 2}]\n"
                          "tasks: [{taskDefinition: big}]\n")}});
  CHECK(remedy(report, "strategy")["change"] == "use binpack:memory for api: placed on c5.2xlarge#2");
  CHECK(report["remedies"][0]["kind"] == "strategy");
  const auto& move = remedy(report, "move");
  CHECK(move["change"] == "move api#1 from c5.2xlarge#1 to c5.2xlarge#2");
  CHECK(move["containerInstance"] == "c5.2xlarge#1");
  CHECK(remedy(report, "addInstance")["hourlyCost"].get<double>() > 0);
}

TEST_CASE("why command - fewer resources the most that fits for all tasks of the workload") {
  const auto one = ask({"big.json", "--instances", "c5.xlarge=1"});
  const auto report_memory = one["instances"][0]["shortfall"]["MEMORY"].get<int>();
  CHECK(remedy(one, "size")["change"] ==
        "memory 13000 -> " + std::to_string(13000 - report_memory) + " MiB: placed on c5.xlarge#1");
  // Two of 13,000 MiB where only one fits: both shrink to half of what the instance has.
  const auto two = ask({"big.json", "--instances", "c5.2xlarge=1", "--count", "2"});
  const auto place = Json::parse(run_why({"big.json", "--instances", "c5.2xlarge=1", "--format", "json"}).out);
  CHECK(place["placed"] == true);
  CHECK(says(remedy(two, "size")["change"].get<std::string>(), "memory 13000 -> 78"));
}

TEST_CASE("why command - network interfaces trunking where the type supports it") {
  const auto report = ask({"eni.json", "--instances", "c5.large=1", "--count", "3"});
  CHECK(report["reason"] == "RESOURCE:ENI");
  CHECK(remedy(report, "trunking")["change"] ==
        "enable awsvpcTrunking for c5.large and relaunch its instances: placed on c5.large#1");
  const auto without = ask({"eni.json", "--instances", "t3.small=1", "--count", "3"});
  CHECK(remedy(without, "trunking").is_null());
}

TEST_CASE("why command - standalone tasks end those of a service do not") {
  const auto runs = scenario_with("{instanceType: p3.16xlarge}", "t4.json, t8.json",
                                  "tasks: [{taskDefinition: t4}, {taskDefinition: t8}]\n");
  CHECK(remedy(ask({"t8", "s.yaml"}, {{"s.yaml", runs}}), "wait")["change"] == "wait for t4#1 on p3.16xlarge#1 to end");
  const auto serves = scenario_with("{instanceType: p3.16xlarge}", "t4.json, t8.json",
                                    "services: [{serviceName: s, taskDefinition: t4, desiredCount: 1}]\n"
                                    "tasks: [{taskDefinition: t8}]\n");
  CHECK(remedy(ask({"t8", "s.yaml"}, {{"s.yaml", serves}}), "wait").is_null());
}

TEST_CASE("why command - a scenarios own task is explained or one more of it") {
  const auto text = scenario_with("{instanceType: p3.2xlarge, count: 2}", "train.json",
                                  "services: [{serviceName: lab, taskDefinition: train, desiredCount: 3}]\n");
  for (const std::string name : {"lab", "train", "train:1", "train.json"}) {
    CAPTURE(name);
    const auto own = ask({name, "s.yaml"}, {{"s.yaml", text}});
    CHECK(own["task"] == "lab#3");
    CHECK(own["group"] == "service:lab");
  }
  const auto more = ask({"train", "s.yaml", "--count", "1"}, {{"s.yaml", text}});
  CHECK(more["task"] == "train#1");
  CHECK(more["group"] == "family:train");
  const auto daemon = scenario_with("{instanceType: c5.large}", "web.json",
                                    "services: [{serviceName: d, taskDefinition: web, schedulingStrategy: DAEMON}]\n");
  const auto refused = run_why({"d", "s.yaml"}, {{"s.yaml", daemon}});
  CHECK(refused.code == 2);
  CHECK(says(refused.err, "d is a DAEMON service"));
  const auto none =
      run_why({"lab", "s.yaml"}, {{"s.yaml", scenario_with("{instanceType: p3.2xlarge}", "train.json",
                                                           "services: [{serviceName: lab, taskDefinition: "
                                                           "train, desiredCount: 0}]\n")}});
  CHECK(none.code == 2);
  CHECK(says(none.err, "bayplan: s.yaml: the scenario has no task of lab"));
}

namespace {

using describe::Instance;
using describe::Task;

Instance machine(const std::string& id, std::int64_t cpu_left, std::int64_t memory_left,
                 std::vector<std::string> ports) {
  Instance one;
  one.id = id;
  one.type = "c5.xlarge";
  one.cpu = 4096;
  one.memory = 7600;
  one.cpu_left = cpu_left;
  one.memory_left = memory_left;
  one.ports_taken = std::move(ports);
  return one;
}

Task runs(const std::string& id, const std::string& instance, const std::string& family, std::int64_t memory) {
  Task one;
  one.id = id;
  one.instance = instance;
  one.definition = family + ":1";
  one.group = "service:" + family;
  one.cpu = 256;
  one.memory = memory;
  return one;
}

std::string service_of(const std::string& name, const std::string& more) {
  return R"({"serviceArn": ")" + describe::arn("service", "prod/" + name) + R"(", "serviceName": ")" + name +
         R"(", "clusterArn": ")" + describe::arn("cluster", "prod") + R"(", "taskDefinition": ")" +
         describe::arn("task-definition", name + ":1") +
         R"(", "desiredCount": 1, "runningCount": 1, "pendingCount": 0)" + more + "}";
}

/// Two instances: `a` holds api on port 80, `b` has less room; api may go to both, by its service's word.
std::map<std::string, std::string> live(const std::string& api_more = "") {
  auto a = machine("a", 3840, 6600, {"22", "80"});
  auto b = machine("b", 3840, 3600, {"22"});
  return {
      {"live/i.json", describe::page("containerInstances", std::vector{a, b})},
      {"live/t.json", describe::page("tasks", std::vector{runs("t1", "a", "api", 1000), runs("t2", "b", "db", 4000)})},
      {"live/d.jsonl", describe::definition("api", R"("cpu": 256, "memory": 1000, "portMappings": [{"containerPort": 80,
               "hostPort": 80, "protocol": "tcp"}])") +
                           describe::definition("db", R"("cpu": 256, "memory": 4000)")},
      {"live/s.json", R"({"services": [)" + service_of("api", api_more) + R"(], "failures": []})"}};
}

}  // namespace

TEST_CASE("why command - a live cluster, a running task that moves") {
  const auto port = definition("w", R"("memory": 5000, "portMappings": [{"containerPort": 80, "hostPort": 80}])");
  auto texts = live();
  texts["w.json"] = port;
  const auto report = ask({"w.json", "--cluster", "live"}, texts);
  CHECK(report["instances"][0]["text"] == "TCP port 80 is taken by t1");
  CHECK(report["instances"][1]["text"] == "1400 MiB short");
  CHECK(remedy(report, "move")["change"] == "move t1 (api:1) from i-a to i-b");
  CHECK(remedy(report, "wait").is_null());
  // The service's own constraint, or its zone, keeps it where it is.
  auto bound = live(R"(, "placementConstraints": [{"type": "memberOf", "expression": "ec2InstanceId == i-a"}])");
  bound["w.json"] = port;
  CHECK(remedy(ask({"w.json", "--cluster", "live"}, bound), "move")["change"] == "move t2 (db:1) from i-b to i-a");
  // Nobody describes the service: that it may move is told as an assumption.
  auto silent = live();
  silent["w.json"] = port;
  silent.erase("live/s.json");
  const auto told = ask({"w.json", "--cluster", "live"}, silent);
  CHECK_FALSE(remedy(told, "move").is_null());
  CHECK(told["assumptions"].back()["id"] == "service-constraints-unknown");
  CHECK(told["assumptions"].back()["subject"] == "api");
}

TEST_CASE("why command - one task more of a service of a live cluster") {
  const std::string apart = R"(, "placementConstraints": [{"type": "distinctInstance"}],
      "placementStrategy": [{"type": "binpack", "field": "MEMORY"}])";
  for (const auto& arguments : {std::vector<std::string>{"--service", "api", "--cluster", "live"},
                                std::vector<std::string>{"api", "--service", "api", "--cluster", "live"}}) {
    const auto report = ask(arguments, live(apart), 0);
    CHECK(report["group"] == "service:api");
    CHECK(report["task"] == "api#1");
    CHECK(report["containerInstance"] == "i-b");
    CHECK(report["instances"][0]["text"] == "TCP port 80 is taken by t1; has a task of service:api");
  }
  const auto text = run_why({"--service", "api", "--cluster", "live"}, live(apart)).out;
  CHECK(says(text, "binpack:memory;"));
  const auto own =
      run_why({"--service", "api", "--cluster", "live", "--strategy", "spread:instanceId"}, live(apart)).out;
  CHECK(says(own, "spread:instanceId;"));
  const auto wrong = run_why({"--service", "apj", "--cluster", "live"}, live());
  CHECK(wrong.code == 2);
  CHECK(says(wrong.err, "no service 'apj'"));
  CHECK(says(wrong.err, "did you mean 'api'?"));
  const auto nobody = run_why({"nope", "--cluster", "live"}, live());
  CHECK(nobody.code == 2);
  CHECK(nobody.err == "bayplan: no file, task definition or service 'nope'\n  There are api and db.\n");
  auto without = live();
  without["live/d.jsonl"] = describe::definition("db", R"("cpu": 256, "memory": 4000)");
  CHECK(says(run_why({"--service", "api", "--cluster", "live", "--allow-partial"}, without).err,
             "bayplan: live/s.json:1:1: the task definition of service 'api' is not described: api:1"));
}

TEST_CASE("why command - daemons are first on an instance that comes up") {
  const std::string daemon = R"({"family": "agent", "networkMode": "host", "containerDefinitions": [{"name": "main",
      "image": "x:1", "memory": 100, "portMappings": [{"containerPort": 8080, "hostPort": 8080}]}]})";
  const auto text = scenario_with(
      "{instanceType: c5.large, availabilityZone: us-east-1a}, {instanceType: c5.large, "
      "availabilityZone: us-east-1a, agentConnected: false}",
      "agent.json, web.json",
      "services: [{serviceName: agent, taskDefinition: agent, schedulingStrategy: DAEMON}]\n"
      "tasks: [{taskDefinition: web}]\n");
  const auto report = ask({"web", "s.yaml"}, {{"agent.json", daemon}, {"s.yaml", text}});
  CHECK(remedy(report, "addInstance").is_null());
  CHECK(remedy(report, "instance").is_null());
  CHECK_FALSE(remedy(report, "hostPort").is_null());
  // Of a live cluster describe-services says which services are daemons.
  auto texts = live(R"(, "schedulingStrategy": "DAEMON")");
  texts["w.json"] = definition("w", R"("memory": 5000, "portMappings": [{"containerPort": 80, "hostPort": 80}])");
  CHECK(remedy(ask({"w.json", "--cluster", "live"}, texts), "addInstance").is_null());
  CHECK_FALSE(remedy(ask({"w.json", "--cluster", "live"},
                         [&] {
                           auto none = live();
                           none["w.json"] = texts["w.json"];
                           return none;
                         }()),
                     "addInstance")
                  .is_null());
}

TEST_CASE("why command - a moved task stays with its capacity provider") {
  const std::string x = definition("x", R"("memory": 5000)");
  const auto with = [&](const std::string& provider) {
    return ask(
        {"s", "s.yaml"},
        {{"x.json", x},
         {"s.yaml",
          scenario_with("{instanceType: c5.xlarge, capacityProviderName: a}, {instanceType: c5.xlarge" + provider + "}",
                        "x.json",
                        "services: [{serviceName: s, taskDefinition: x, desiredCount: 2, "
                        "capacityProviderStrategy: [{capacityProvider: a, weight: 1}]}]\n")}});
  };
  const auto report = with("");
  CHECK(remedy(report, "move").is_null());
  CHECK(says(remedy(report, "addInstance")["change"].get<std::string>(), " in provider a"));
  CHECK(says(remedy(report, "capacityProvider")["change"].get<std::string>(), "launch type EC2"));
}

TEST_CASE("why command - of a family the daemon is passed over") {
  const auto report =
      ask({"web", "s.yaml"},
          {{"s.yaml", scenario_with("{instanceType: c5.large, availabilityZone: us-east-1a}", "web.json",
                                    "services: [{serviceName: d, taskDefinition: web, schedulingStrategy: "
                                    "DAEMON}]\ntasks: [{taskDefinition: web}]\n")}});
  CHECK(report["task"] == "web#1");
  CHECK(report["instances"][0]["text"] == "TCP port 8080 is taken by d#1");
  CHECK(remedy(report, "hostPort")["change"] ==
        "use hostPort 0 (dynamic) instead of TCP 8080, in a separate revision: placed on c5.large#1");
}

TEST_CASE("why command - the same bytes again quiet is one line an empty cluster has an answer") {
  const std::vector<std::string> arguments{"t8.json", "--instances", "p3.16xlarge=1", "--count", "2"};
  CHECK(run_why(arguments).out == run_why(arguments).out);
  auto quiet = arguments;
  quiet.push_back("-q");
  const auto line = run_why(quiet).out;
  CHECK(line.find("NO  t8#2 cannot be placed (1 of 2 placed): 0 of 1 instances have 8 free GPUs") == 0);
  CHECK(says(line, "nearest") == false);
  const auto empty =
      ask({"web", "s.yaml"}, {{"s.yaml", scenario_with("", "web.json", "tasks: [{taskDefinition: web}]\n")}});
  CHECK(empty["answer"] == "NO  web#1 cannot be placed: the cluster has no container instances");
  CHECK(remedy(empty, "addInstance")["containerInstance"] == "new");
}

TEST_CASE("why command - a scenario is read once for a task of its own, and never more than twice") {
  /// Counts how often each file is read.
  class CountingFiles : public MemoryFiles {
   public:
    Result<std::string> read(const std::string& path, std::size_t limit) const override {
      ++reads[path];
      return MemoryFiles::read(path, limit);
    }
    mutable std::map<std::string, int> reads;
  };
  const auto reads = [](const std::string& task, const std::string& more) {
    CountingFiles files;
    files.content = kFiles;
    files.content["s.yaml"] =
        "cluster: {containerInstances: [{instanceType: m5.large}]}\ntaskDefinitions: [big.json, half.json]\n"
        "services: [{serviceName: front, taskDefinition: half, desiredCount: 1}]\n" +
        more;
    run_with(files, {"why", task, "s.yaml"});
    return files.reads["s.yaml"];
  };
  const std::string tasks = "tasks: [{taskDefinition: big}]\n";
  CHECK(reads("big", tasks) == 1);
  CHECK(reads("front", tasks) == 1);
  CHECK(reads("web.json", tasks) == 2);  // beside those of the scenario
  CHECK(reads("nobody", tasks) == 2);
  CHECK(reads("big", "tasks: [{taskDefinition: big, count: none}]\n") == 2);
}

}  // namespace why_command_test
