#include <nlohmann/json.hpp>
#include <sstream>

#include "base/files.hpp"
#include "base/memory_files.hpp"
#include "catch.hpp"
#include "cli/application.hpp"
#include "model/placeholder.hpp"
#include "shape/check.hpp"
#include "text/read.hpp"

namespace {

using namespace bayplan;
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

struct Ran {
  int code;
  std::string out;
  std::string err;
};

Ran run_why(const std::vector<std::string>& arguments, const std::map<std::string, std::string>& texts = {}) {
  MemoryFiles files;
  files.content = kFiles;
  for (const auto& [name, text] : texts) files.content[name] = text;
  std::vector<std::string> line{"why"};
  line.insert(line.end(), arguments.begin(), arguments.end());
  std::istringstream in;
  std::ostringstream out;
  std::ostringstream err;
  const int code = cli::run(line, {in, out, err, files});
  return {code, out.str(), err.str()};
}

bool says(const std::string& text, std::string_view words) {
  return text.find(words) != std::string::npos;
}

void check_against_schema(const std::string& json) {
  const auto schema_text = DiskFiles().read(BAYPLAN_SOURCE_DIR "/schemas/why-report.schema.json", 1 << 20);
  REQUIRE(schema_text.ok());
  const auto schema = shape::Schema::load(*schema_text);
  REQUIRE(schema.ok());
  const auto document = text::read_document(json);
  for (const auto& finding : shape::check(*schema, document->root(), model::Placeholders()))
    FAIL_CHECK(finding.node.pointer() << ": " << shape::name_of(finding.problem) << " " << finding.key);
}

/// The report as JSON; its shape is checked on the way.
Json ask(std::vector<std::string> arguments, const std::map<std::string, std::string>& texts = {}, int code = 1) {
  arguments.insert(arguments.end(), {"--format", "json"});
  const auto ran = run_why(arguments, texts);
  CHECK(ran.err == "");
  CHECK(ran.code == code);
  check_against_schema(ran.out);
  return Json::parse(ran.out);
}

/// The remedy of that kind; null when there is none.
Json remedy(const Json& report, const std::string& kind) {
  for (const auto& one : report["remedies"]) {
    if (one["kind"] == kind) return one;
  }
  return nullptr;
}

std::string scenario(const std::string& instances, const std::string& definitions, const std::string& rest) {
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
  CHECK(run_why({"train.json", "--instances", "p9.2xlarge=1"}).code == 2);
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
  CHECK(says(text, "YES train#1 goes to p3.2xlarge#1, the first of 2 equals among 2"));
  CHECK(says(text, "2 -> 2  binpack:memory: least MEMORY remains"));
}

TEST_CASE("why command - the funnel in the order of checks each instances reasons with figures") {
  const auto report =
      ask({"s.train", "s.yaml", "--count", "1"},
          {{"s.train", kFiles.at("train.json")},
           {"s.yaml", scenario("{instanceType: p3.2xlarge, status: DRAINING}, {instanceType: c5.large}, "
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
  CHECK(report["nearestMiss"] == "r5.2xlarge#1 would take it but for one thing: 1 GPU short");
  CHECK(remedy(report, "instance")["change"] == "connect the agent of p3.2xlarge#2");
}

TEST_CASE("why command - memberOf says which part fails and with what value") {
  const auto report =
      ask({"web.json", "--instances", "c5.large=1@us-east-1a", "--placement-constraints",
           "type=memberOf,expression=\"attribute:ecs.instance-type =~ c5.* and attribute:stack == prod\""});
  CHECK(report["instances"][0]["memberOf"][0]["because"] == "attribute stack is not set, wanted prod");
  CHECK(
      says(remedy(report, "constraint")["change"].get<std::string>(), "without memberOf attribute:ecs.instance-type"));
}

TEST_CASE("why command - a host port who holds it and a free one instead") {
  const auto taken = ask({"web.json", "--instances", "c5.large=1", "--count", "2"});
  CHECK(taken["instances"][0]["text"] == "TCP port 8080 is taken by web#1");
  CHECK(remedy(taken, "hostPort")["change"] == "hostPort 0 (dynamic) in place of TCP 8080: goes to c5.large#1");
  const auto host = ask({"host.json", "--instances", "c5.large=1", "--count", "2"});
  CHECK(remedy(host, "hostPort")["change"] == "TCP port 8081 in place of 8080: goes to c5.large#1");
  const auto agent = ask({"agent.json", "--instances", "c5.large=1"},
                         {{"agent.json", definition("agent", R"("memory": 1000, "portMappings": [{"containerPort": 80,
                            "hostPort": 51678}])")}});
  CHECK(agent["instances"][0]["text"] == "TCP port 51678 is taken by the instance itself");
}

TEST_CASE("why command - another strategy where the spread of earlier tasks leaves no room") {
  const auto report = ask(
      {"big", "s.yaml"},
      {{"s.yaml", scenario("{instanceType: c5.2xlarge, count: 2, availabilityZone: us-east-1a}", "half.json, big.json",
                           "services: [{serviceName: api, taskDefinition: half, desiredCount: 2}]\n"
                           "tasks: [{taskDefinition: big}]\n")}});
  CHECK(remedy(report, "strategy")["change"] == "binpack:memory for api: goes to c5.2xlarge#2");
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
        "memory 13000 -> " + std::to_string(13000 - report_memory) + " MiB: goes to c5.xlarge#1");
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
        "awsvpcTrunking for c5.large, instances launched anew: goes to c5.large#1");
  const auto without = ask({"eni.json", "--instances", "t3.small=1", "--count", "3"});
  CHECK(remedy(without, "trunking").is_null());
}

TEST_CASE("why command - standalone tasks end those of a service do not") {
  const auto runs = scenario("{instanceType: p3.16xlarge}", "t4.json, t8.json",
                             "tasks: [{taskDefinition: t4}, {taskDefinition: t8}]\n");
  CHECK(remedy(ask({"t8", "s.yaml"}, {{"s.yaml", runs}}), "wait")["change"] == "wait for t4#1 on p3.16xlarge#1 to end");
  const auto serves = scenario("{instanceType: p3.16xlarge}", "t4.json, t8.json",
                               "services: [{serviceName: s, taskDefinition: t4, desiredCount: 1}]\n"
                               "tasks: [{taskDefinition: t8}]\n");
  CHECK(remedy(ask({"t8", "s.yaml"}, {{"s.yaml", serves}}), "wait").is_null());
}

TEST_CASE("why command - a scenarios own task is explained or one more of it") {
  const auto text = scenario("{instanceType: p3.2xlarge, count: 2}", "train.json",
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
  const auto daemon = scenario("{instanceType: c5.large}", "web.json",
                               "services: [{serviceName: d, taskDefinition: web, schedulingStrategy: DAEMON}]\n");
  const auto refused = run_why({"d", "s.yaml"}, {{"s.yaml", daemon}});
  CHECK(refused.code == 2);
  CHECK(says(refused.err, "d is a DAEMON service"));
  const auto none = run_why({"lab", "s.yaml"}, {{"s.yaml", scenario("{instanceType: p3.2xlarge}", "train.json",
                                                                    "services: [{serviceName: lab, taskDefinition: "
                                                                    "train, desiredCount: 0}]\n")}});
  CHECK(none.code == 2);
  CHECK(says(none.err, "places no task of lab"));
}

TEST_CASE("why command - the same bytes again quiet is one line an empty cluster has an answer") {
  const std::vector<std::string> arguments{"t8.json", "--instances", "p3.16xlarge=1", "--count", "2"};
  CHECK(run_why(arguments).out == run_why(arguments).out);
  auto quiet = arguments;
  quiet.push_back("-q");
  const auto line = run_why(quiet).out;
  CHECK(line.find("NO  t8#2 has no place: 0 of 1 instances have 8 free GPUs") == 0);
  CHECK(says(line, "nearest") == false);
  const auto empty = ask({"web", "s.yaml"}, {{"s.yaml", scenario("", "web.json", "tasks: [{taskDefinition: web}]\n")}});
  CHECK(empty["answer"] == "NO  web#1 has no place: the cluster has no container instances");
  CHECK(remedy(empty, "addInstance")["containerInstance"] == "new");
}
