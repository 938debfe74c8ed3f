#include <nlohmann/json.hpp>
#include <sstream>

#include "base/strings.hpp"
#include "base/utf8.hpp"
#include "catch.hpp"
#include "placement/build.hpp"
#include "report/place/place_report.hpp"
#include "study/why/remedies.hpp"

namespace place_report_test {

using namespace bayplan;
using namespace bayplan::placement;
using namespace bayplan::placement::build;
using nlohmann::json;

namespace {

std::string text_of(const Scenario& scenario, report::TextOptions options = {}) {
  const auto outcome = place(scenario);
  auto made = report::make_place_report(scenario, outcome);
  made.remedies = study::find_place_remedies(scenario, outcome, nullptr);
  std::ostringstream out;
  report::write_text(out, report::place_document(made), options);
  return out.str();
}

json json_of(const Scenario& scenario, report::PlaceJsonOptions options = {}) {
  const auto outcome = place(scenario);
  std::ostringstream out;
  report::write_place_json(out, report::make_place_report(scenario, outcome), options);
  return json::parse(out.str());
}

std::string first_line(const std::string& text) {
  return text.substr(0, text.find('\n'));
}

bool has_line(const std::string& text, std::string_view line) {
  const auto lines = split(text, '\n');
  return std::find(lines.begin(), lines.end(), line) != lines.end();
}

InstanceProfile p3_16xlarge() {
  auto profile = instance("p3.16xlarge", 65536, 490000, {8, 16384}, "us-east-2a");
  profile.hourly_price = 24'480'000;
  return profile;
}

Scenario two_sizes() {
  return scenario_with({p3_16xlarge(), p3_16xlarge()}, {run_task("t4", with_gpus(needs(8192, 20000), {4}), 1),
                                                        run_task("t8", with_gpus(needs(16384, 44000), {8}), 2)});
}

}  // namespace

TEST_CASE("the first line of place answers") {
  CHECK(text_of(two_sizes())
            .starts_with("NO  t8#2 not placed: 0 of 2 instances have 8 free GPUs (free 4 in total, largest\n"
                         "    block 4)\n"));
  CHECK(text_of(two_sizes(), {.quiet = true}) ==
        "NO  t8#2 not placed: 0 of 2 instances have 8 free GPUs (free 4 in total, largest block 4)\n");
  CHECK(first_line(text_of(scenario_with({p3_16xlarge()}, {run_task("t", needs(1, 1), 12)}))) ==
        "YES 12 of 12 tasks placed on 1 of 1 instance");
  CHECK(first_line(text_of(scenario_with({}, {run_task("t", needs(1, 1), 2)}))) ==
        "NO  t#1-2 not placed: the cluster has no container instances");
  CHECK(first_line(text_of(scenario_with({p3_16xlarge()}, {run_task("t", with_tcp(needs(1, 1), {80}), 3)}))) ==
        "NO  t#2-3 not placed: 0 of 1 instances have host port TCP 80 free");
  CHECK(first_line(text_of(
            scenario_with({p3_16xlarge(), instance("c5.large", 2048, 3700)},
                          {run_task("t", with_gpus(needs(1, 600000), {1}), 1), run_task("u", needs(0, 600001), 1)}))) ==
        "NO  2 of 2 tasks not placed; t#1: 0 of 2 instances have 600000 MiB left");
}

TEST_CASE("a row shows slots, bars and tasks") {
  const auto text = text_of(two_sizes());
  CHECK(has_line(text, "  instance       az  GPU              CPU          MEM          tasks"));
  CHECK(has_line(text, "  p3.16xlarge#1  2a  ■■■■□□□□ 4 free  █░░░░░  12%  █░░░░░   4%  t4#1"));
  CHECK(has_line(text, "Fix: add 1 p3.16xlarge in us-east-2a (+$24.48/h, +$17,870/month): --add"));
  const auto ascii = text_of(two_sizes(), {report::Style(false), report::Glyphs::ascii()});
  CHECK(has_line(ascii, "  p3.16xlarge#1  2a  ####.... 4 free  #.....  12%  #.....   4%  t4#1"));
  CHECK(std::all_of(ascii.begin(), ascii.end(), [](char sign) { return static_cast<unsigned char>(sign) < 128; }));
}

TEST_CASE("the table stays within 80 columns") {
  std::vector<Workload> tasks;
  for (int i = 0; i < 12; ++i)
    tasks.push_back(run_task("a-rather-long-family-name-" + std::to_string(i), needs(1, 1), 9));
  auto given = scenario_with({p3_16xlarge(), p3_16xlarge()}, tasks);
  for (auto& one : given.instances) one.id = "i-0123456789abcdef0";
  const auto text = text_of(given);
  for (const auto line : split(text, '\n')) {
    if (line.starts_with("  i-")) CHECK(display_width(line) <= 80);
  }
  CHECK(text.find("a-ra") != std::string::npos);
}

TEST_CASE("why a task is not placed is said within 80 columns") {
  auto service = run_task("a-service", with_gpus(needs(16384, 44000), {8}), 3);
  service.kind = WorkloadKind::kService;
  service.group = "service:a-service";
  const auto text =
      text_of(scenario_with({p3_16xlarge(), instance("c5.large", 2048, 3700)}, {service}), {.verbose = true});
  CHECK(text.find("\n    event: service a-service was unable to place a task because no container\n      instance") !=
        std::string::npos);
  for (const auto line : split(text, '\n')) CHECK(display_width(line) <= 80);
}

TEST_CASE("a large cluster is told by type") {
  std::vector<InstanceProfile> instances(40, p3_16xlarge());
  const auto text = text_of(scenario_with(instances, {run_task("t", with_gpus(needs(1, 1), {8}), 41)}));
  CHECK(text.find("p3.16xlarge   40    40") != std::string::npos);
  CHECK(text.find("0 of 320  0:40") != std::string::npos);
  CHECK(text.find("p3.16xlarge#7 ") == std::string::npos);
  CHECK(text_of(scenario_with(instances, {run_task("t", needs(1, 1), 1)}), {report::Style(false), {}, false, true})
            .find("p3.16xlarge#7 ") != std::string::npos);
}

TEST_CASE("the environment decides about block characters") {
  const auto with = [](const char* (*environment)(const char*)) { return report::glyphs_for(environment).full; };
  CHECK(with(nullptr) == "#");
  CHECK(with([](const char*) -> const char* { return nullptr; }) == "#");
  CHECK(with([](const char* name) -> const char* { return std::string_view(name) == "LANG" ? "C.UTF-8" : nullptr; }) !=
        "#");
  CHECK(with([](const char* name) -> const char* { return std::string_view(name) == "LC_ALL" ? "C" : "C.UTF-8"; }) ==
        "#");
}

TEST_CASE("the JSON report says what was placed and why the rest was not") {
  auto given = two_sizes();
  given.workloads.push_back(service("web", needs(100000, 1), 2));
  given.workloads.back().task_definition = 0;
  const auto report = json_of(given);
  CHECK(report["schema"] == "bayplan/place-report/1");
  CHECK(report["seed"] == 1);
  REQUIRE(report["placements"].size() == 2);
  CHECK(report["placements"][0] == json::parse(R"({"task": "t4#1", "taskDefinition": "t4:1", "group": "family:t4",
    "containerInstance": "p3.16xlarge#1", "instanceType": "p3.16xlarge", "availabilityZone": "us-east-2a",
    "containers": [{"name": "c0", "gpuIds": ["p3.16xlarge#1/gpu0", "p3.16xlarge#1/gpu1", "p3.16xlarge#1/gpu2", "p3.16xlarge#1/gpu3"]}],
    "startedAt": 0, "stoppedAt": null, "tied": true})"));
  REQUIRE(report["failures"].size() == 3);
  const auto& failure = report["failures"][0];
  CHECK(failure["task"] == "t8#2");
  CHECK(failure["reason"] == "RESOURCE:GPU");
  CHECK(failure["closest"] == "p3.16xlarge#1");
  CHECK(failure["instances"][0] == json::parse(R"({"containerInstance": "p3.16xlarge#1", "reasons": ["RESOURCE:GPU"],
    "shortfall": {"GPU": 4}})"));
  CHECK(failure["rejected"]["RESOURCE:GPU"] == 2);
  CHECK(failure["rejected"]["RESOURCE:MEMORY"] == 0);
  CHECK(report["failures"][1]["message"] ==
        "service web was unable to place a task because no container instance met all of its requirements. The closest "
        "matching container-instance p3.16xlarge#1 has insufficient CPU units available. For more information, see the "
        "Troubleshooting section of the Amazon ECS Developer Guide.");
  CHECK(report["failures"][2]["sameAs"] == "web#1");
  CHECK_FALSE(report["failures"][2].contains("instances"));
  const auto& second = report["containerInstances"][1];
  CHECK(second["registered"] == json::parse(R"({"CPU": 65536, "MEMORY": 490000, "GPU": 8, "ENI": 3})"));
  CHECK(second["remaining"]["GPU"] == 0);
  CHECK(second["gpus"][7] == json::parse(R"({"id": "p3.16xlarge#2/gpu7", "state": "DEDICATED", "memory": 16384,
    "remainingMemory": 0, "tasks": ["t8#1"]})"));
  const auto& summary = report["summary"];
  CHECK(summary["gpu"] == json::parse(R"({"total": 16, "free": 4, "largestFreeBlock": 4, "stranded": 0,
    "freeBlocks": [{"free": 4, "instances": 1}, {"free": 0, "instances": 1}],
    "room": [{"taskDefinition": "t4:1", "GPU": {"count": 4}, "copies": 1, "stranded": 0, "strandedBy": {}},
             {"taskDefinition": "t8:1", "GPU": {"count": 8}, "copies": 0, "stranded": 4,
              "strandedBy": {"RESOURCE:GPU": 4}}]})"));
  CHECK(summary["hourlyCost"] == 48.96);
  CHECK(summary["utilization"]["GPU"] == 0.75);
  CHECK(json_of(given, {false}).contains("placements") == false);
}

TEST_CASE("GPUs that a CPU-only task keeps from others are told") {
  auto cpu_task = run_task("cpu", needs(8000, 1), 1);
  const auto report = json_of(scenario_with({instance("p3.2xlarge", 8192, 61000, {1, 16384})},
                                            {cpu_task, run_task("train", with_gpus(needs(4096, 1), {1}), 1)}));
  CHECK(report["summary"]["gpu"]["stranded"] == 1);
  REQUIRE(report["clusterFindings"].size() == 1);
  CHECK(report["clusterFindings"][0]["id"] == "cpu-tasks-on-gpu-instances");
  CHECK(report["clusterFindings"][0]["text"] ==
        "1 task without a GPU (cpu) runs on an instance with GPUs and keeps 1 free GPU from the GPU tasks; "
        "a memberOf constraint would keep it off");
}

TEST_CASE("GPUs that the cluster has and nobody can use are told") {
  catalog::InstanceType type;
  type.name = "g6.xlarge";
  type.gpu.emplace();
  type.gpu->count = 1;
  type.gpu->manufacturer = "NVIDIA";
  auto no_driver = instance("g6.xlarge", 4096, 15000);
  no_driver.type = &type;
  auto draining = p3_16xlarge();
  draining.status = InstanceStatus::kDraining;
  const auto report =
      json_of(scenario_with({no_driver, draining, instance("c5.large", 2048, 3700)}, {service("web", needs(1, 1), 1)}));
  std::vector<std::string> ids;
  for (const auto& finding : report["clusterFindings"]) ids.push_back(finding["id"]);
  CHECK(ids == std::vector<std::string>{"gpu-not-registered", "unavailable-gpus"});
  CHECK(report["summary"]["gpu"]["free"] == 0);
}

TEST_CASE("a service that nothing keeps off GPU instances is told") {
  const auto cluster = std::vector<InstanceProfile>{p3_16xlarge(), instance("c5.large", 2048, 3700)};
  const auto web = service("web", needs(1, 1), 1);
  const auto ids = [&](const Workload& workload) {
    const auto report = json_of(scenario_with(cluster, {workload}));
    std::vector<std::string> found;
    for (const auto& finding : report["clusterFindings"]) found.push_back(finding["id"]);
    return found;
  };
  CHECK(ids(web) == std::vector<std::string>{"cpu-tasks-on-gpu-instances", "service-not-kept-off-gpus"});
  CHECK(ids(constrained(web, {member_of("attribute:ecs.instance-type == c5.large")})).empty());
}

TEST_CASE("a first screen keeps the fix, whatever else it cuts") {
  std::vector<InstanceProfile> profiles;
  for (int i = 0; i < 40; ++i) profiles.push_back(instance("m" + std::to_string(i) + ".large", 2048, 8000));
  std::vector<Workload> workloads;
  for (int i = 0; i < 60; ++i) workloads.push_back(run_task("w" + std::to_string(i), needs(1500 + i, 64 + i), 1));
  const auto text = text_of(scenario_with(std::move(profiles), std::move(workloads)));
  CHECK(split(text, '\n').size() <= 41);
  CHECK(text.find("more lines (-v)") != std::string::npos);
  CHECK(text.find("\nFix: add 20 m0.large") != std::string::npos);
}

TEST_CASE("a fix adds as many instances of a type as it takes") {
  const auto fixes = [](const Scenario& scenario) {
    const auto outcome = place(scenario);
    return study::find_place_remedies(scenario, outcome, nullptr);
  };
  const auto small = instance("m5.large", 2048, 8000);
  const auto three = fixes(scenario_with({small}, {run_task("t", needs(1500, 100), 4)}));
  REQUIRE(three.list.size() == 1);
  CHECK(std::get<AddInstances>(three.list.front().change).instances.size() == 3);
  CHECK(fixes(scenario_with({small}, {run_task("t", needs(2049, 100), 1)})).list.empty());
  CHECK(fixes(scenario_with({small}, {run_task("t", needs(1500, 100), 1)})).tried == 0);
}

}  // namespace place_report_test
