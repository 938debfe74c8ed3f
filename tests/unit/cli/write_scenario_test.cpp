#include <filesystem>
#include <nlohmann/json.hpp>

#include "base/memory_files.hpp"
#include "catch.hpp"
#include "cli/ran.hpp"
#include "scenario/describe.hpp"

namespace write_scenario_test {

namespace {

/// Files of the working directory /home, by path from there or from the root.
struct FilesAtHome : bayplan::MemoryFiles {
  bayplan::Result<std::string> read(const std::string& path, std::size_t limit) const override {
    return MemoryFiles::read(content.contains(normal(path)) ? normal(path) : absolute(path), limit);
  }
  bool exists(const std::string& path) const override {
    return MemoryFiles::exists(normal(path)) || MemoryFiles::exists(absolute(path));
  }
  static std::string normal(const std::string& path) { return std::filesystem::path(path).lexically_normal().string(); }
  std::string absolute(const std::string& path) const override {
    return path == "." ? "/home" : normal(path.starts_with('/') ? path : "/home/" + path);
  }
};

using namespace bayplan;
using cli::run_with;
using cli::says;
using Json = nlohmann::json;

const std::string kWeb = R"({"family": "web", "containerDefinitions": [{"name": "app", "image": "nginx:1.27",
  "cpu": 256, "memory": 256}]})";
const std::string kTemplate = R"(Resources:
  Job:
    Type: AWS::ECS::TaskDefinition
    Properties:
      Family: job
      ContainerDefinitions: [{Name: app, Image: "nginx:1.27", Cpu: 512, Memory: 512}]
  Worker:
    Type: AWS::ECS::Service
    Properties:
      ServiceName: worker
      TaskDefinition: !Ref Job
      DesiredCount: 3
      PlacementConstraints: [{Type: memberOf, Expression: "attribute:pool == a"}]
      PlacementStrategies: [{Type: binpack, Field: memory}]
)";

MemoryFiles some_files() {
  MemoryFiles files;
  files.content = {{"defs/web.json", kWeb}, {"stack.yaml", kTemplate}};
  return files;
}

Json placements(MemoryFiles& files, std::vector<std::string> line) {
  line.insert(line.begin(), "place");
  line.insert(line.end(), {"--output", "json"});
  return Json::parse(run_with(files, line).out)["placements"];
}

}  // namespace

TEST_CASE("place --write-scenario - the scenario places what the options placed") {
  auto files = some_files();
  const std::vector<std::string> options{"--instances",
                                         "m5.large=3@us-east-1a,us-east-1b,pool=a",
                                         "--task",
                                         "defs/web.json=4",
                                         "--task",
                                         "defs/web.json=2",
                                         "--strategy",
                                         "spread:attribute:ecs.availability-zone",
                                         "--placement-constraints",
                                         "type=memberOf,expression=attribute:pool == a",
                                         "--seed",
                                         "7"};
  auto line = options;
  line.insert(line.begin(), "place");
  line.insert(line.end(), {"--write-scenario", "defs/new.yaml"});
  const auto ran = run_with(files, line);
  CHECK(ran.code == 0);
  CHECK(ran.err == "bayplan: wrote defs/new.yaml\n");
  const auto& text = files.content["defs/new.yaml"];
  CHECK(says(text, "  - web.json\n"));
  CHECK(says(text, "        expression: \"attribute:pool == a\"\n"));
  CHECK(says(text, "  seed: 7\n"));
  const auto expected = placements(files, options);
  CHECK(expected.size() == 6);
  CHECK(placements(files, {"defs/new.yaml"}) == expected);
}

TEST_CASE("place --write-scenario - a file elsewhere names what it reads from its own folder") {
  FilesAtHome files;
  files.content = {
      {"/home/web.json", kWeb}, {"/home/runs/old.txt", ""}, {"/srv/web.json", kWeb}, {"/srv/a/old.txt", ""}};
  const auto write = [&](const std::string& definition, const std::string& file) {
    return run_with(files,
                    {"place", "--instances", "m5.large=1", "--task", definition + "=1", "--write-scenario", file});
  };
  REQUIRE(write("/home/web.json", "/home/runs/s.yaml").code == 0);
  CHECK(says(files.content["/home/runs/s.yaml"], "  - ../web.json\n"));
  CHECK(run_with(files, {"place", "/home/runs/s.yaml"}).code == 0);
  REQUIRE(write("/srv/web.json", "/srv/s.yaml").code == 0);
  CHECK(run_with(files, {"place", "/srv/s.yaml"}).code == 0);

  // No project contains both: a scenario from someone else could read any file.
  const auto outside = write("/srv/web.json", "/home/runs/t.yaml");
  CHECK(outside.code == 2);
  CHECK(says(outside.err, "/home/runs/t.yaml would not work: "));
  CHECK(says(outside.err, "is outside the folder of this file"));
  CHECK_FALSE(files.exists("/home/runs/t.yaml"));
  files.content["/srv/.bayplan.yaml"] = "";
  REQUIRE(write("/srv/web.json", "/srv/a/t.yaml").code == 0);
  CHECK(run_with(files, {"place", "/srv/a/t.yaml"}).code == 0);
  files.content["web.json"] = kWeb;
  CHECK(says(write("web.json", "../srv/u.yaml").err, "../home/web.json is outside the folder"));
  CHECK(says(write("/home/web.json", "/nowhere/s.yaml").err, "/nowhere"));
  CHECK_FALSE(files.exists("/nowhere/s.yaml"));
}

TEST_CASE("place --write-scenario - what comes from standard input is in no file") {
  auto files = some_files();
  const auto refused = [&](const std::vector<std::string>& line, const std::string& input) {
    std::istringstream in(input);
    std::ostringstream out, err;
    cli::Streams io{in, out, err, files};
    CHECK(cli::run(line, io) == 2);
    return says(err.str(), "standard input: a scenario names files");
  };
  CHECK(refused({"place", "--instances", "m5.large=1", "--task", "-=1", "--write-scenario", "s.yaml"}, kWeb));
  CHECK(refused({"place", "-", "--instances", "m5.large=2", "--write-scenario", "s.yaml"}, kTemplate));
  CHECK_FALSE(files.exists("s.yaml"));
}

TEST_CASE("place --write-scenario - services of a template are written to be edited") {
  auto files = some_files();
  const auto ran = run_with(
      files, {"place", "stack.yaml", "--instances", "m5.large=2@us-east-1a,pool=a", "--write-scenario", "s.yaml"});
  CHECK(ran.code == 0);
  const auto& text = files.content["s.yaml"];
  CHECK(says(text, "taskDefinitions:\n  - stack.yaml#Job\n"));
  CHECK(says(text, "  - serviceName: worker\n    taskDefinition: job:1\n    desiredCount: 3\n"));
  CHECK(placements(files, {"s.yaml"}) ==
        placements(files, {"stack.yaml", "--instances", "m5.large=2@us-east-1a,pool=a"}));
}

TEST_CASE("place --write-scenario - a cluster of code needs its variables again, and the scenario says so") {
  auto files = some_files();
  files.content["main.tf"] = R"(variable "n" {}
resource "aws_launch_template" "a" {
  instance_type = "m5.large"
}
resource "aws_autoscaling_group" "a" {
  desired_capacity   = var.n
  max_size           = 9
  availability_zones = ["us-east-1a"]
  launch_template {
    id = aws_launch_template.a.id
  }
}
)";
  const auto ran = run_with(files, {"place", "--cluster", "main.tf", "--var", "n=2", "--task", "defs/web.json=2",
                                    "--write-scenario", "s.yaml"});
  CHECK(ran.code == 0);
  const auto& text = files.content["s.yaml"];
  CHECK(says(text, "bayplan place s.yaml --var 'n=2'\n"));
  CHECK(says(text, "bayplan place s.yaml --var 'n=2' --until 2h\n"));
  CHECK(placements(files, {"s.yaml", "--var", "n=2"}).size() == 2);
}

TEST_CASE("place --write-scenario - a snapshot is named, and subnets of a service that it knows stay") {
  auto files = some_files();
  files.content["live/container-instances.json"] =
      R"({"containerInstances": [)" + describe::print(describe::Instance{.id = "a", .zone = "us-east-2a"}) + ", " +
      describe::print(describe::Instance{.id = "b", .zone = "us-east-2b"}) + "]}";
  files.content["live/subnets.json"] = R"({"Subnets": [{"SubnetId": "subnet-b", "AvailabilityZone": "us-east-2b"}]})";
  files.content["stack.yaml"] += "      NetworkConfiguration: {AwsvpcConfiguration: {Subnets: [subnet-b]}}\n";
  auto& text = files.content["stack.yaml"];
  text.replace(text.find("      Family: job"), 0, "      NetworkMode: awsvpc\n");
  text.erase(text.find("      PlacementConstraints"),
             text.find("      PlacementStrategies") - text.find("      PlacementConstraints"));
  REQUIRE(run_with(files, {"place", "stack.yaml", "--cluster", "live", "--write-scenario", "s.yaml"}).code != 2);
  CHECK(says(files.content["s.yaml"], "cluster: live\n"));
  CHECK(says(files.content["s.yaml"], "subnets: [us-east-2b]\n"));
  const auto placed = placements(files, {"s.yaml"});
  REQUIRE_FALSE(placed.empty());
  for (const auto& one : placed) CHECK(one["availabilityZone"] == "us-east-2b");
  CHECK(placed == placements(files, {"stack.yaml", "--cluster", "live"}));
}

TEST_CASE("place --write-scenario - a run over time needs its end again, and the scenario says so") {
  auto files = some_files();
  REQUIRE(run_with(files, {"place", "--instances", "m5.large=2", "--task", "defs/web.json=1", "--until", "2h",
                           "--write-scenario", "s.yaml"})
              .code == 0);
  CHECK(says(files.content["s.yaml"], "with: bayplan place s.yaml --until 2h\n"));
  CHECK(run_with(files, {"place", "s.yaml", "--until", "2h"}).code == 0);
}

TEST_CASE("place --write-scenario - its examples are events and variants of the cluster") {
  auto files = some_files();
  REQUIRE(run_with(files, {"place", "--instances", "m5.large=2@us-east-1a,us-east-1b", "--task", "defs/web.json=1",
                           "--write-scenario", "s.yaml"})
              .code == 0);
  std::string edited;
  bool is_example = false;
  for (std::string_view rest = files.content["s.yaml"]; !rest.empty();) {
    const auto line = rest.substr(0, rest.find('\n') + 1);
    rest.remove_prefix(line.size());
    is_example = line.starts_with("# events:") || line.starts_with("# variants:") || (is_example && line != "\n");
    edited += is_example ? line.substr(2) : line;
  }
  files.content["edited.yaml"] = edited;
  CHECK(run_with(files, {"place", "edited.yaml", "--until", "2h"}).code != 2);
  const auto compared = run_with(files, {"whatif", "edited.yaml", "--at", "0s"});
  CHECK(says(compared.out, "zone lost"));
}

TEST_CASE("place --write-scenario - what it cannot write is refused, and nothing is overwritten") {
  auto files = some_files();
  const auto err = [&](const std::vector<std::string>& more) {
    std::vector<std::string> line{"place", "--instances", "m5.large=2"};
    line.insert(line.end(), more.begin(), more.end());
    const auto ran = run_with(files, line);
    CHECK(ran.code == 2);
    return ran.err;
  };
  CHECK(says(err({"--task", "defs/web.json=max", "--write-scenario", "s.yaml"}), "requires a number of tasks"));
  CHECK(says(err({"--task", "defs/web.json=1", "--write-scenario", "s.json"}), "writes YAML, not 's.json'"));
  CHECK_FALSE(files.exists("s.yaml"));
  CHECK_FALSE(files.exists("s.json"));
  files.content["s.yaml"] = "mine";
  CHECK(says(err({"--task", "defs/web.json=1", "--write-scenario", "s.yaml"}), "s.yaml: already exists"));
  CHECK(files.content["s.yaml"] == "mine");
  files.content["old.yaml"] =
      "cluster: {containerInstances: [{instanceType: m5.large}]}\ntaskDefinitions: [defs/web.json]\n"
      "tasks: [{taskDefinition: web}]\n";
  CHECK(says(run_with(files, {"place", "old.yaml", "--write-scenario", "new.yaml"}).err, "is one already"));
  files.content["of-template.yaml"] =
      "cluster: {containerInstances: [{instanceType: m5.large}]}\ntaskDefinitions: [stack.yaml#Job]\n"
      "tasks: [{taskDefinition: job}]\n";
  CHECK(says(run_with(files, {"place", "of-template.yaml", "--write-scenario", "new.yaml"}).err, "is one already"));
  files.content["cluster.yaml"] = "containerInstances: [{instanceType: m5.large}]\n";
  CHECK(says(err({"--cluster", "cluster.yaml", "--task", "defs/web.json=1", "--write-scenario", "new.yaml"}),
             "a scenario names one cluster"));
  CHECK_FALSE(files.exists("new.yaml"));
}

}  // namespace write_scenario_test
