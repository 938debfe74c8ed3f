#include <nlohmann/json.hpp>

#include "base/memory_files.hpp"
#include "base/strings.hpp"
#include "catch.hpp"
#include "cli/ran.hpp"
#include "report_schema.hpp"

namespace {

using namespace bayplan;
using cli::Ran;
using cli::run_with;
using cli::says;
using Json = nlohmann::json;

const std::string kTrain = R"({"family": "train", "containerDefinitions": [{"name": "trainer", "image": "train:1",
  "cpu": 4096, "memory": 30000, "resourceRequirements": [{"type": "GPU", "value": "1"}]}]})";

std::string scenario_with(std::string_view duration, std::string_view settings = "{whenFull: wait}") {
  return "cluster: {containerInstances: [{instanceType: p3.2xlarge, count: 2}]}\n"
         "taskDefinitions: [train.json]\n"
         "tasks: [{taskDefinition: train, count: 5, duration: " +
         std::string(duration) +
         ", placementStrategy: [{type: binpack, field: memory}]}]\nsettings: " + std::string(settings) + "\n";
}

class Desk {
 public:
  Desk() { files.content = {{"train.json", kTrain}, {"s.yaml", scenario_with("30m")}}; }

  Ran place(const std::vector<std::string>& arguments) {
    std::vector<std::string> line{"place"};
    line.insert(line.end(), arguments.begin(), arguments.end());
    return run_with(files, line);
  }

  MemoryFiles files;
};

}  // namespace

TEST_CASE("place over time - exit codes") {
  Desk desk;
  CHECK(desk.place({"s.yaml"}).code == 0);
  CHECK(desk.place({"s.yaml", "--until", "40m"}).code == 1);
  CHECK(desk.place({"s.yaml", "--until", "3h"}).code == 0);
  CHECK(desk.place({"s.yaml", "--until", "soon"}).code == 2);
  desk.files.content["full.yaml"] = scenario_with("30m", "{whenFull: fail}");
  const auto full = desk.place({"full.yaml"});
  CHECK(full.code == 1);
  CHECK(says(full.out, "NO  3 of 5 tasks failed; train#3-5: 0 of 2 instances have 1 free GPU"));
}

TEST_CASE("place over time - every output at once") {
  Desk desk;
  const auto ran = desk.place({"s.yaml", "--output", "text", "--output", "json=r.json", "--output", "csv=r.csv"});
  REQUIRE(ran.code == 0);
  CHECK(says(ran.out, "YES 5 of 5 tasks ran; the last ended at 1h30m\n"));
  const auto report = Json::parse(desk.files.content["r.json"]);
  CHECK(report["timeline"]["end"] == 5400);
  CHECK(report["placements"][4]["startedAt"] == 3600);
  CHECK(report["summary"]["totalCost"] == 9.18);
  CHECK(says(desk.files.content["r.csv"], "from,to,instancesActive"));
}

TEST_CASE("place over time - CSV is the series, at time 0 a row a task") {
  Desk desk;
  const auto at_once = desk.place({"--instances", "p3.2xlarge=1", "--task", "train.json=2", "--format", "csv"});
  CHECK(at_once.code == 1);
  CHECK(at_once.out.starts_with("task,taskDefinition,group,state,containerInstance,"));
  CHECK(says(at_once.out,
             "\r\ntrain#1,train:1,family:train,placed,p3.2xlarge#1,p3.2xlarge,,p3.2xlarge#1/gpu0,false,,,\r\n"));
  CHECK(says(at_once.out, "\r\ntrain#2,train:1,family:train,unplaced,,,,,,RESOURCE:GPU,p3.2xlarge#1,"));
  const auto run = desk.place({"s.yaml", "--format", "csv"});
  CHECK(run.code == 0);
  CHECK(says(run.out, "\r\n0,5,2,0,0,2,0,0,3,0,3,8192,16384,60000,"));
}

TEST_CASE("place over time - a continuation wants time") {
  Desk desk;
  const auto ran = desk.place({"--instances", "p3.2xlarge=2", "--task", "train.json=1", "--continue-from", "r.json"});
  CHECK(ran.code == 2);
  CHECK(says(ran.err, "this scenario places everything at time 0"));
}

TEST_CASE("place over time - a picture shows the cluster at the end") {
  Desk desk;
  desk.place({"s.yaml", "--until", "40m", "--output", "svg=r.svg"});
  CHECK(says(desk.files.content["r.svg"], "cluster at 40m, 2 instances"));
}

TEST_CASE("place over time - a run goes on from its own report") {
  Desk desk;
  desk.place({"s.yaml", "--until", "40m", "--no-placements", "--output", "json=part.json"});
  const auto whole = desk.place({"s.yaml", "--format", "json"});
  const auto rest = desk.place({"s.yaml", "--continue-from", "part.json", "--format", "json"});
  CHECK(rest.code == 0);
  CHECK(rest.out == whole.out);
  const auto text = desk.place({"s.yaml", "--continue-from", "part.json"}).out;
  CHECK(says(text, "Continues part.json, which ends at 40m: all 18 events were reproduced\n"));
  CHECK(says(text, "Events since\n  1h  train#3-4 end\n"));
  CHECK(desk.place({"s.yaml", "--continue-from", "part.json", "--until", "10m"}).code == 2);
  CHECK(desk.place({"s.yaml", "--continue-from", "part.json", "--until", "50m"}).code == 1);
}

TEST_CASE("place over time - a run that had ended goes no further") {
  Desk desk;
  desk.place({"s.yaml", "--output", "json=whole.json"});
  const auto again = desk.place({"s.yaml", "--continue-from", "whole.json"});
  CHECK(again.code == 0);
  CHECK(says(again.out, "That run had already ended: nothing more can happen\n"));
}

TEST_CASE("place over time - another scenario is no continuation") {
  Desk desk;
  desk.place({"s.yaml", "--until", "40m", "--output", "json=part.json"});
  const auto differs = [&](const std::string& text) {
    desk.files.content["other.yaml"] = text;
    const auto ran = desk.place({"other.yaml", "--continue-from", "part.json"});
    CHECK(ran.code == 2);
    return ran.err;
  };
  CHECK(says(differs(scenario_with("20m")),
             "at 30m the report has train#1 TASK_STOPPED (p3.2xlarge#1), this scenario at 20m train#1 TASK_STOPPED"));
  CHECK(says(differs(scenario_with("2h")),
             "at 30m the report has train#1 TASK_STOPPED (p3.2xlarge#1), this scenario nothing more until 40m"));
  auto later = scenario_with("30m");
  later.insert(later.find("]\nsettings"), ", {taskDefinition: train, startAt: 35m}");
  CHECK(says(differs(later), "at 35m here train#6 TASK_ARRIVED, and in the report nothing more until 40m"));
  auto after = scenario_with("30m");
  after.insert(after.find("]\nsettings"), ", {taskDefinition: train, startAt: 45m, duration: 1m}");
  desk.files.content["other.yaml"] = after;
  CHECK(desk.place({"other.yaml", "--continue-from", "part.json"}).code == 0);
}

TEST_CASE("place over time - what is no report of a run is refused with its place") {
  Desk desk;
  desk.place({"s.yaml", "--until", "40m", "--output", "json=part.json"});
  const auto refused = [&](const std::string& text) {
    desk.files.content["bad.json"] = text;
    const auto ran = desk.place({"s.yaml", "--continue-from", "bad.json"});
    CHECK(ran.code == 2);
    CHECK(ran.out.empty());
    return ran.err;
  };
  CHECK(says(refused(desk.files.content["part.json"].substr(0, 2000)), "bad.json:"));
  CHECK(says(refused(kTrain), "bad.json:1:1: this is not a report of bayplan place"));
  CHECK(says(refused(R"({"schema": "bayplan/why-report/1"})"), "bad.json:1:12: this is not a report of bayplan place"));
  CHECK(says(refused(R"({"schema": "bayplan/place-report/1", "events": []})"), "this report is a placement at time 0"));
  CHECK(says(refused(R"({"schema": "bayplan/place-report/1", "timeline": {"end": 5}})"), "has no list of events"));
  CHECK(says(refused(R"({"schema": "bayplan/place-report/1", "timeline": {}, "events": []})"), "where it ends"));
  CHECK(says(refused(R"({"schema": "bayplan/place-report/1", "timeline": {"end": 5}, "events": [{"at": 1}]})"),
             "bad.json:1:73: this event has no 'at' or no 'eventName'"));
  CHECK(says(refused("[]"), "this is not a report of bayplan place"));
  CHECK(desk.place({"s.yaml", "--continue-from", "missing.json"}).code == 2);
}

TEST_CASE("place over time - a report of everything at once keeps to its schema") {
  Desk desk;
  desk.files.content["all.yaml"] =
      "cluster: {containerInstances: [{instanceType: p3.8xlarge, count: 2, availabilityZones: [us-east-1a, "
      "us-east-1b]}]}\n"
      "taskDefinitions: [train.json]\n"
      "capacityProviders:\n"
      "  - {name: gpu, autoScalingGroup: {instanceTypes: [p3.2xlarge], maxSize: 2, availabilityZones: [us-east-1a]},\n"
      "     managedScaling: {status: ENABLED}}\n"
      "services: [{serviceName: infer, taskDefinition: train, desiredCount: 3}]\n"
      "tasks:\n"
      "  - {taskDefinition: train, count: 4, startAt: 1m, duration: 10m, allOrNothing: true}\n"
      "  - {taskDefinition: train, count: 3, startAt: 2m, duration: 10m,\n"
      "     capacityProviderStrategy: [{capacityProvider: gpu, weight: 1}]}\n"
      "events:\n"
      "  - {at: 5m, stopTask: \"infer#1\"}\n"
      "  - {at: 30m, drain: \"p3.8xlarge#1\"}\n"
      "  - {at: 1h, loseAvailabilityZone: us-east-1b}\n"
      "settings: {whenFull: wait}\n";
  const auto ran = desk.place({"all.yaml", "--format", "json"});
  CHECK(ran.err == "");
  CHECK(ran.code == 1);
  check_against_schema(ran.out, "place-report");
  const auto report = Json::parse(ran.out);
  CHECK(report["timeline"]["jobs"].size() == 1);
  CHECK(report["timeline"]["groups"].size() == 1);
  CHECK(report["timeline"]["metrics"].size() > 0);
  CHECK(report["timeline"]["instances"].size() == 4);
  CHECK(report["failures"].size() == 2);
  CHECK(says(desk.place({"all.yaml"}).out, "NO  2 of "));
  CHECK(says(desk.place({"all.yaml", "--format", "json"}).out, "\"capacityProviderName\": \"gpu\""));
}
