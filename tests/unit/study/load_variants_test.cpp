#include "study/whatif/load_variants.hpp"

#include "base/memory_files.hpp"
#include "catch.hpp"
#include "placement/engine/engine.hpp"
#include "placement/verify/verify.hpp"
#include "scenario/describe.hpp"
#include "scenario/load_scenario.hpp"
#include "study/whatif/what_if.hpp"

namespace load_variants_test {

using namespace bayplan;
using namespace bayplan::study;
using placement::AddInstances;
using placement::DrainInstances;
using placement::InstantEvent;
using placement::RemoveInstances;
using placement::Scale;
using placement::Scenario;
using placement::TerminateInstances;

namespace {

constexpr std::string_view kScenario = R"(region: us-east-2
cluster:
  containerInstances:
    - {instanceType: p3.2xlarge, count: 3, availabilityZones: [us-east-2a, us-east-2b], attributes: {stack: gpu},
       capacityProviderName: gpu}
    - {instanceType: c5.2xlarge, count: 2, availabilityZone: us-east-2a}
    - {instanceType: rack, availabilityZone: us-east-2b, ec2InstanceId: i-0rack,
       registeredResources: {CPU: 4096, MEMORY: 8000}}
taskDefinitions: [defs/*.json]
services:
  - {serviceName: agent, taskDefinition: web, schedulingStrategy: DAEMON}
  - {serviceName: web, taskDefinition: web, desiredCount: 4}
  - {serviceName: train, taskDefinition: train, desiredCount: 1}
tasks:
  - {taskDefinition: train, count: 2}
  - {taskDefinition: batch, count: 1}
  - {taskDefinition: batch, count: 2, group: night}
)";

std::string definition(const std::string& family, const std::string& container) {
  return R"({"family": ")" + family + R"(", "containerDefinitions": [{"name": "c", "image": "i:1", )" + container +
         "}]}";
}

struct Given {
  catalog::Catalog catalog = catalog::Catalog::load();
  Scenario scenario;
};

std::unique_ptr<Given> given(const std::string& variants = {}) {
  auto made = std::make_unique<Given>();
  const MemoryFiles files({{"s.yaml", std::string(kScenario) + variants},
                           {"defs/web.json", definition("web", R"("memory": 512)")},
                           {"defs/batch.json", definition("batch", R"("memory": 1024)")},
                           {"defs/train.json", definition("train", R"("memory": 4000, "resourceRequirements":
                              [{"type": "GPU", "value": "1"}])")}});
  auto loaded = scenario::load_scenario({.scenario = "s.yaml"}, files, made->catalog);
  for (const auto& error : loaded.errors) UNSCOPED_INFO(error.message);
  REQUIRE(loaded.scenario);
  made->scenario = std::move(*loaded.scenario);
  return made;
}

LoadedVariants load(const VariationRequest& request, const Given& from) {
  return load_variants(request, from.scenario, from.catalog);
}

/// The only variant.
LoadedVariant loaded(const VariationRequest& request, const Given& from) {
  auto result = load(request, from);
  for (const auto& error : result.errors) UNSCOPED_INFO(error.message);
  REQUIRE(result.errors.empty());
  REQUIRE(result.variants.size() == 1);
  return result.variants.front();
}

using Lines = std::vector<std::string>;

/// "file:line:column: message (help)"
Lines printed(const std::vector<Error>& errors) {
  Lines lines;
  for (const auto& error : errors) {
    std::string line = error.line == 0 ? error.message
                                       : error.file + ":" + std::to_string(error.line) + ":" +
                                             std::to_string(error.column) + ": " + error.message;
    lines.push_back(error.help.empty() ? line : line + " (" + error.help + ")");
  }
  return lines;
}

Lines refusals(const VariationRequest& request) {
  const auto from = given();
  return printed(load(request, *from).errors);
}

Lines refusals_of_file(const std::string& variants) {
  const auto from = given("variants:\n" + variants);
  return printed(load({}, *from).errors);
}

template <class Event>
const Event& only(const std::vector<InstantEvent>& events) {
  REQUIRE(events.size() == 1);
  REQUIRE(std::holds_alternative<Event>(events.front()));
  return std::get<Event>(events.front());
}

using Indexes = std::vector<std::uint32_t>;

/// "p3.2xlarge#4@us-east-2b"
Lines placed(const AddInstances& added) {
  Lines lines;
  for (const auto& one : added.instances)
    lines.push_back(one.id + "@" + added.profiles.at(one.profile).availability_zone);
  return lines;
}

Lines ids(const Scenario& scenario) {
  Lines lines;
  for (const auto& one : scenario.instances) lines.push_back(one.id);
  return lines;
}

}  // namespace

TEST_CASE("variants: flags are one variant named by them") {
  const auto from = given();
  const auto one = loaded({.lose_az = {"us-east-2a"}, .add = {"g4dn.12xlarge=1@us-east-2b"}}, *from);
  CHECK(one.variant.name == "lose-az us-east-2a, add g4dn.12xlarge=1@us-east-2b");
  CHECK(one.variant.origin.line == 0);
  REQUIRE(one.variant.events.size() == 2);
  CHECK(std::get<TerminateInstances>(one.variant.events[0]).instances == Indexes{0, 2, 3, 4});
  CHECK(placed(std::get<AddInstances>(one.variant.events[1])) == Lines{"g4dn.12xlarge#1@us-east-2b"});
}

TEST_CASE("variants: drain and terminate take ids and globs") {
  const auto from = given();
  CHECK(only<DrainInstances>(loaded({.drain = {"c5*", "p3.2xlarge#2"}}, *from).variant.events).instances ==
        Indexes{1, 3, 4});
  CHECK(only<TerminateInstances>(loaded({.terminate = {"i-0rack", "i-*"}}, *from).variant.events).instances ==
        Indexes{5});
}

TEST_CASE("variants: a drained instance of a lost zone is lost") {
  const auto from = given();
  const auto one = loaded({.lose_az = {"us-east-2a"}, .drain = {"p3*"}}, *from);
  CHECK(std::get<DrainInstances>(one.variant.events.at(1)).instances == Indexes{1});
}

TEST_CASE("variants: added instances are what those of the type have in common") {
  const auto from = given();
  const auto added = only<AddInstances>(loaded({.add = {"p3.2xlarge=2@us-east-2b,us-east-2c"}}, *from).variant.events);
  CHECK(placed(added) == Lines{"p3.2xlarge#4@us-east-2b", "p3.2xlarge#5@us-east-2c"});
  const auto& profile = added.profiles.front();
  CHECK(profile.attributes.at("stack") == "gpu");
  CHECK(profile.attributes.at("ecs.availability-zone") == "us-east-2b");
  CHECK(profile.capacity_provider_name == "gpu");
  CHECK(profile.gpu_count == 1);
  CHECK(profile.status == placement::InstanceStatus::kActive);
  CHECK(profile.hourly_price == from->catalog.find("p3.2xlarge")->price_in("us-east-2")->hourly);
  const auto rack = only<AddInstances>(loaded({.add = {"rack=1"}}, *from).variant.events);
  CHECK(rack.profiles.front().memory == 8000);
  CHECK(rack.profiles.front().ec2_instance_id.empty());
  CHECK(rack.instances.front().id == "rack#2");
}

TEST_CASE("variants: instances without a zone go where the fewest are, and not into a lost zone") {
  const auto from = given();
  CHECK(placed(only<AddInstances>(loaded({.add = {"p3.8xlarge=3"}}, *from).variant.events)) ==
        Lines{"p3.8xlarge#1@us-east-2b", "p3.8xlarge#2@us-east-2a", "p3.8xlarge#3@us-east-2b"});
  const auto one = loaded({.lose_az = {"us-east-2b"}, .add = {"p3.8xlarge=2"}}, *from);
  CHECK(placed(std::get<AddInstances>(one.variant.events.at(1))) ==
        Lines{"p3.8xlarge#1@us-east-2a", "p3.8xlarge#2@us-east-2a"});
}

TEST_CASE("variants: a zone without instances, and one of another region, are told") {
  const auto from = given();
  const auto one = loaded({.add = {"p3.2xlarge=1@eu-west-1a"}}, *from);
  REQUIRE(one.assumptions.size() == 2);
  CHECK(one.assumptions[0].id == "zone-new");
  CHECK(one.assumptions[1].id == "zone-outside-region");
}

TEST_CASE("variants: remove adds up") {
  const auto from = given();
  const auto removed =
      only<RemoveInstances>(loaded({.remove = {"p3.2xlarge=1", "p3.2xlarge=2"}}, *from).variant.events);
  CHECK(removed.instance_type == "p3.2xlarge");
  CHECK(removed.count == 3);
}

TEST_CASE("variants: scale is of a service or of all calls of a family") {
  const auto from = given();
  const auto service = only<Scale>(loaded({.scale = {"web=0"}}, *from).variant.events);
  CHECK(service.workloads == Indexes{1});
  CHECK(service.count == 0);
  CHECK(only<Scale>(loaded({.scale = {"batch=7"}}, *from).variant.events).workloads == Indexes{4, 5});
  CHECK(only<Scale>(loaded({.scale = {"service:train=7"}}, *from).variant.events).workloads == Indexes{2});
  CHECK(only<Scale>(loaded({.scale = {"family:train=7"}}, *from).variant.events).workloads == Indexes{3});
}

TEST_CASE("variants: deploy names a service and a definition, by family, revision or file") {
  const auto from = given();
  for (const std::string text : {"web=batch", "web=batch:1", "service:web=defs/batch.json"}) {
    const auto deployments = loaded({.deploy = {text}}, *from).variant.deployments;
    REQUIRE(deployments.size() == 1);
    CHECK(deployments.front().workload == 1);
    CHECK(from->scenario.task_definitions.at(deployments.front().task_definition).family == "batch");
  }
  const MemoryFiles files(std::map<std::string, std::string>{{"new.json", "{}"}});
  CHECK(definition_files({.deploy = {"web=new.json", "agent=new.json", "web=batch"}}, files) == Lines{"new.json"});
}

TEST_CASE("variants: strategies are one chain") {
  const auto from = given();
  const auto one = loaded(
      {.strategy = {"spread:attribute:ecs.availability-zone"}, .placement_strategy = {"type=binpack,field=memory"}},
      *from);
  const auto& chain = std::get<ChangeStrategy>(one.variant.changes.at(0)).strategies;
  REQUIRE(chain.size() == 2);
  CHECK(chain[0].field == "attribute:ecs.availability-zone");
  CHECK(chain[1].field == "memory");
}

TEST_CASE("variants: every contradiction of flags is told") {
  CHECK(refusals({.lose_az = {"us-east-2d"}}) ==
        Lines{"--lose-az 'us-east-2d': no instance is in this zone (zones are us-east-2a and us-east-2b)"});
  CHECK(refusals({.lose_az = {""}}).size() == 1);
  CHECK(refusals({.drain = {"p3.2xlarge#9"}}) ==
        Lines{"--drain 'p3.2xlarge#9': no instance has this id (there are 3 instances of p3.2xlarge)"});
  CHECK(refusals({.terminate = {"i-0rac"}}) ==
        Lines{"--terminate 'i-0rac': no instance has this id (did you mean 'i-0rack'?)"});
  CHECK(refusals({.terminate = {"g5*"}}) ==
        Lines{"--terminate 'g5*': no instance has such an id (6 instances are named by ID or glob (such as "
              "p3.2xlarge#*): p3.2xlarge#1, p3.2xlarge#2, p3.2xlarge#3, c5.2xlarge#1, ...)"});
  CHECK(refusals({.drain = {"p3*"}, .terminate = {"p3.2xlarge#2"}}) ==
        Lines{"--drain 'p3*': p3.2xlarge#2 is both drained and terminated (a terminated instance is removed at once, a "
              "drained one after its tasks have moved)"});
  CHECK(refusals({.lose_az = {"us-east-2b"}, .drain = {"i-0rack"}}) ==
        Lines{"--drain 'i-0rack': the variant loses the zone of what it drains (drain what stays)"});
  CHECK(refusals({.lose_az = {"us-east-2b"}, .add = {"p3.2xlarge=1@us-east-2a,us-east-2b"}}) ==
        Lines{"--add 'p3.2xlarge=1@us-east-2a,us-east-2b': the variant loses us-east-2b (add to a zone that stays)"});
  CHECK(refusals({.remove = {"p3.2xlarge=4"}}) ==
        Lines{"--remove 'p3.2xlarge=4': only 3 instances of p3.2xlarge can be removed"});
  CHECK(refusals({.terminate = {"p3.2xlarge#1"}, .remove = {"p3.2xlarge=3"}}) ==
        Lines{"--remove 'p3.2xlarge=3': only 2 instances of p3.2xlarge can be removed (what the variant loses is gone "
              "already)"});
  CHECK(refusals({.replace = {"p3.2xlarge=p3.2xlarge"}}) ==
        Lines{"--replace 'p3.2xlarge=p3.2xlarge': a type replaced by itself changes nothing"});
  CHECK(refusals({.replace = {"p3.2xlarge=p3.8xlarge", "p3.2xlarge=p3.16xlarge"}}) ==
        Lines{"--replace 'p3.2xlarge=p3.16xlarge': p3.2xlarge is replaced by p3.8xlarge already"});
  CHECK(refusals({.add = {"p3.2xlarge=1"}, .remove = {"p3.2xlarge=1"}, .replace = {"p3.2xlarge=p3.8xlarge"}}) ==
        Lines{"--add 'p3.2xlarge=1': the variant replaces p3.2xlarge by p3.8xlarge (name p3.8xlarge here)",
              "--remove 'p3.2xlarge=1': the variant replaces p3.2xlarge by p3.8xlarge (name p3.8xlarge here)"});
  CHECK(refusals({.scale = {"web=2", "service:web=3"}}) ==
        Lines{"--scale 'service:web=3': 'service:web' is scaled twice (keep one of them)"});
  CHECK(refusals({.deploy = {"web=batch", "web=batch"}}) ==
        Lines{"--deploy 'web=batch': 'web' is deployed twice (keep one of them)"});
}

TEST_CASE("variants: every name that names nothing is told, with the nearest") {
  CHECK(refusals({.add = {"p3.3xlarge=1"}})
            .front()
            .starts_with("--add 'p3.3xlarge=1': unknown instance type 'p3.3xlarge' ("));
  CHECK(refusals({.replace = {"p3.2xlarg=p3.8xlarge"}}) ==
        Lines{"--replace 'p3.2xlarg=p3.8xlarge': no instance is of type p3.2xlarg (did you mean 'p3.2xlarge'?)"});
  CHECK(refusals({.replace = {"p3.2xlarge=nonsense"}}) ==
        Lines{"--replace 'p3.2xlarge=nonsense': unknown instance type 'nonsense' ('bayplan catalog' lists all types; "
              "instanceTypes of a scenario describes others)"});
  CHECK(refusals({.remove = {"c5.xlarge=1"}}) ==
        Lines{"--remove 'c5.xlarge=1': no instance is of type c5.xlarge (did you mean 'c5.2xlarge'?)"});
  CHECK(refusals({.desired_capacity = {"gpu=2"}}) ==
        Lines{"--set-desired-capacity 'gpu=2': an Auto Scaling group changes only in a scenario that runs over time "
              "(give the scenario events or minSize of the group, or use --add and --remove)"});
  CHECK(refusals({.scale = {"wbe=1"}}) ==
        Lines{"--scale 'wbe=1': no service and no standalone task is called 'wbe' (did you mean 'web'?)"});
  CHECK(refusals({.scale = {"agent=1"}}) ==
        Lines{"--scale 'agent=1': 'agent' is a DAEMON service and has no desiredCount (it runs a task on each instance "
              "that its constraints allow)"});
  CHECK(refusals({.scale = {"train=1"}}) ==
        Lines{"--scale 'train=1': 'train' is both a service and a family of standalone tasks (write service:train or "
              "family:train)"});
  CHECK(refusals({.deploy = {"wbe=web"}}) == Lines{"--deploy 'wbe=web': no service 'wbe' (did you mean 'web'?)"});
  CHECK(refusals({.deploy = {"batch=web"}}) ==
        Lines{"--deploy 'batch=web': 'batch' is not a service: its tasks are standalone (only services are deployed)"});
  CHECK(refusals({.deploy = {"web=wbe"}}) ==
        Lines{"--deploy 'web=wbe': no task definition 'wbe' (did you mean 'web'?)"});
  CHECK(refusals({.deploy = {"web=web:7"}}) ==
        Lines{"--deploy 'web=web:7': no task definition 'web:7' (there is web:1)"});
}

TEST_CASE("variants: every count and pair that cannot be read is told") {
  CHECK(refusals({.add = {"p3.2xlarge=0"}}).front().starts_with("--add 'p3.2xlarge=0': the count must be between"));
  CHECK(refusals({.add = {"p3.2xlarge=max"}}).front().starts_with("--add 'p3.2xlarge=max': 'max' is not a number"));
  CHECK(refusals({.add = {"=1"}}).front().starts_with("--add '=1': the instance type is missing"));
  CHECK(refusals({.add = {"p3.2xlarge=1@"}}).front().starts_with("--add 'p3.2xlarge=1@': an availability zone"));
  CHECK(refusals({.scale = {"web"}}) == Lines{"--scale 'web': '=' is missing (write NAME=COUNT, for example web=12)"});
  CHECK(refusals({.scale = {"web="}}) ==
        Lines{"--scale 'web=': nothing after '=' (write NAME=COUNT, for example web=12)"});
  CHECK(refusals({.scale = {"=1"}}) ==
        Lines{"--scale '=1': nothing before '=' (write NAME=COUNT, for example web=12)"});
  CHECK(refusals({.scale = {"web=max"}}) ==
        Lines{"--scale 'web=max': 'max' is not a number (write NAME=COUNT, for example web=12)"});
  for (const std::string count : {"-1", "10000001", "99999999999999999999"}) {
    CHECK(refusals({.scale = {"web=" + count}}) ==
          Lines{"--scale 'web=" + count +
                "': the count must be between 0 and 3000000 (write NAME=COUNT, for example "
                "web=12)"});
  }
  CHECK(refusals({.remove = {"p3.2xlarge=0"}}) ==
        Lines{"--remove 'p3.2xlarge=0': the count must be between 1 and 1000000 (write TYPE=COUNT, for example "
              "p3.2xlarge=1)"});
  CHECK(refusals({.replace = {"p3.2xlarge"}}) ==
        Lines{"--replace 'p3.2xlarge': '=' is missing (write OLD=NEW, for example p3.2xlarge=p3.16xlarge)"});
  CHECK(refusals({.deploy = {"web"}}) ==
        Lines{"--deploy 'web': '=' is missing (write SERVICE=TASKDEF, for example web=web:2)"});
  CHECK(refusals({.strategy = {"binpak:memory"}}).front().starts_with("strategy 'binpak:memory': unknown"));
  CHECK(refusals({.strategy = {"random", "random", "random", "random", "random", "random"}}) ==
        Lines{"--strategy 'random': more than 5 strategies (shorten the chain)"});
}

TEST_CASE("variants: all errors are told at once") {
  CHECK(refusals({.lose_az = {"x"}, .replace = {"a=b"}, .scale = {"c=1"}, .deploy = {"d=e"}}).size() == 4);
  CHECK(refusals({.lose_az = {"x"}, .drain = {"y"}, .add = {"z"}, .scale = {"a=1"}, .strategy = {"b"}}).size() == 5);
}

TEST_CASE("variants: without a flag the scenario's are asked for") {
  const auto from = given(
      "variants:\n"
      "  wider: {replace: {p3.2xlarge: p3.16xlarge}, strategy: [spread:instanceId, binpack:memory]}\n"
      "  darker: {lose-az: us-east-2a, scale: {web: 2, batch: 1}, add: [c5.large=1, c5.xlarge=1]}\n"
      "  all: {each-az: true, each-instance: false}\n");
  const auto all = load({}, *from);
  CHECK(printed(all.errors) == Lines{});
  REQUIRE(all.variants.size() == 3);
  CHECK(all.variants[0].variant.name == "wider");
  CHECK(all.variants[0].variant.origin.line == 19);
  CHECK(all.variants[0].variant.origin.column == 3);
  CHECK(all.variants[0].variant.changes.size() == 2);
  CHECK(all.variants[1].variant.events.size() == 4);
  CHECK(all.variants[2].each_az);
  CHECK_FALSE(all.variants[2].each_instance);
  const auto one = load({.variants = {"darker"}}, *from);
  REQUIRE(one.variants.size() == 1);
  CHECK(one.variants.front().variant.name == "darker");
  CHECK(printed(load({.variants = {"darkr"}}, *from).errors) ==
        Lines{"--variant darkr: the scenario has no such variant (did you mean 'darker'?)"});
  CHECK(printed(load({.lose_az = {"us-east-2a"}, .variants = {"darker"}}, *from).errors) ==
        Lines{"--variant cannot be combined with flags that describe another variant (use one or the other)"});
  CHECK(load({.each_az = true}, *from).variants.front().each_az);
}

TEST_CASE("variants: errors of a scenario have their places") {
  CHECK(refusals_of_file("  a: {scale: {web: many}, lose-az: nowhere}\n  b: {drain: [c5*, x]}\n") ==
        Lines{"s.yaml:19:15: scale 'web=many': 'many' is not a number (write NAME=COUNT, for example web=12)",
              "s.yaml:19:27: lose-az 'nowhere': no instance is in this zone (zones are us-east-2a and us-east-2b)",
              "s.yaml:20:20: drain 'x': no instance has this id (6 instances are named by ID or glob (such as "
              "p3.2xlarge#*): p3.2xlarge#1, p3.2xlarge#2, p3.2xlarge#3, c5.2xlarge#1, ...)"});
}

TEST_CASE("variants: a variant that changes nothing, and nothing to ask, are told") {
  CHECK(refusals_of_file("  a: {}\n") ==
        Lines{"s.yaml:19:3: the variant changes nothing (add a change, for example lose-az: us-east-2a)"});
  CHECK(refusals({}) == Lines{"no change to simulate (add a change, for example --each-az, or "
                              "write variants: into the scenario)"});
}

TEST_CASE("variants: each-az needs zones") {
  catalog::Catalog catalog = catalog::Catalog::load();
  const MemoryFiles files(std::map<std::string, std::string>{{"t.json", definition("t", R"("memory": 512)")}});
  const auto scenario =
      scenario::load_scenario({.instances = {"c5.large=2"}, .tasks = {"t.json=1"}}, files, catalog).scenario;
  REQUIRE(scenario);
  CHECK(printed(load_variants({.each_az = true}, *scenario, catalog).errors) ==
        Lines{"--each-az: no instance states its zone (set zones after @ in --instances, or with availabilityZone)"});
}

TEST_CASE("variants: a type that only a group launches is not there yet") {
  auto from = given();
  auto profile = from->scenario.profiles.front();
  profile.instance_type = "g5.xlarge";
  from->scenario.profiles.push_back(profile);
  placement::InstanceGroup group;
  group.capacity_provider = "burst";
  group.types = {{{static_cast<std::uint32_t>(from->scenario.profiles.size() - 1)}}};
  group.availability_zones = {"us-east-2a"};
  from->scenario.timetable.groups.push_back(group);
  const std::string told =
      "no instance is of type g5.xlarge yet: capacity provider 'burst' launches them when tasks need them (its "
      "autoScalingGroup in the scenario says what it launches)";
  const auto refused = [&](const VariationRequest& request) {
    return printed(load_variants(request, from->scenario, from->catalog).errors);
  };
  CHECK(refused({.replace = {"g5.xlarge=g5.2xlarge"}}) == Lines{"--replace 'g5.xlarge=g5.2xlarge': " + told});
  CHECK(refused({.remove = {"g5.xlarge=1"}}) == Lines{"--remove 'g5.xlarge=1': " + told});
  CHECK(refused({.add = {"g5.xlarge=1"}}) == Lines{});
}

TEST_CASE("variants: a group launches the type that takes the place of its own") {
  auto from = given();
  placement::InstanceGroup group;
  group.capacity_provider = "gpu";
  group.types = {{{0}}};
  group.availability_zones = {"us-east-2a"};
  from->scenario.timetable.groups.push_back(group);
  const auto changed =
      with_changes(from->scenario, loaded({.replace = {"p3.2xlarge=p3.8xlarge"}}, *from).variant.changes);
  CHECK(changed.profiles.at(changed.timetable.groups.at(0).types.at(0).profiles.at(0)).instance_type == "p3.8xlarge");
}

TEST_CASE("variants: each zone and each instance on top of others") {
  const auto from = given();
  const Variant none;
  const auto zones = each_zone(from->scenario, none);
  REQUIRE(zones.size() == 2);
  CHECK(zones[0].name == "lose-az us-east-2a");
  CHECK(only<TerminateInstances>(zones[0].events).instances == Indexes{0, 2, 3, 4});
  const auto instances = each_instance(from->scenario, none);
  REQUIRE(instances.size() == 6);
  CHECK(instances[5].name == "terminate i-0rack");
  CHECK(only<TerminateInstances>(instances[5].events).instances == Indexes{5});

  const auto base = loaded({.drain = {"p3.2xlarge#3"},
                            .terminate = {"p3.2xlarge#1"},
                            .add = {"c5.large=1@us-east-2b"},
                            .remove = {"c5.2xlarge=2"}},
                           *from);
  const auto more = each_instance(from->scenario, base.variant);
  REQUIRE(more.size() == 4);  // neither p3.2xlarge#1 nor p3.2xlarge#3
  CHECK(more[1].name == base.variant.name + ", terminate c5.2xlarge#1");
  CHECK(std::get<TerminateInstances>(more[1].events.at(0)).instances == Indexes{0, 3});
  CHECK(std::get<RemoveInstances>(more[1].events.at(2)).count == 1);
  const auto without_zone = each_zone(from->scenario, base.variant);
  REQUIRE(without_zone.size() == 2);
  CHECK(without_zone[0].events.size() == 2);  // what drains and what is removed is lost
  CHECK(std::holds_alternative<AddInstances>(without_zone[0].events[1]));
  CHECK(without_zone[1].events.size() == 3);  // what is added is lost too
}

TEST_CASE("variants: replaced types take the place of others in file order") {
  const auto from = given();
  const auto one =
      loaded({.terminate = {"p3.16xlarge#2"}, .replace = {"p3.2xlarge=p3.16xlarge", "rack=c5.2xlarge"}}, *from);
  CHECK(one.assumptions.empty());  // rack becomes what the cluster has
  CHECK(only<TerminateInstances>(one.variant.events).instances == Indexes{1});
  const Scenario changed = with_changes(from->scenario, one.variant.changes);
  CHECK(ids(changed) ==
        Lines{"p3.16xlarge#1", "p3.16xlarge#2", "p3.16xlarge#3", "c5.2xlarge#1", "c5.2xlarge#2", "c5.2xlarge#3"});
  const auto& profile = changed.profiles.at(changed.instances[1].profile);
  CHECK(profile.gpu_count == 8);
  CHECK(profile.memory == from->catalog.find("p3.16xlarge")->registered_memory);
  CHECK(profile.availability_zone == "us-east-2b");
  CHECK(profile.attributes.at("stack") == "gpu");
  CHECK(profile.attributes.at("ecs.instance-type") == "p3.16xlarge");
  CHECK(profile.capacity_provider_name == "gpu");
  CHECK(profile.hourly_price == from->catalog.find("p3.16xlarge")->price_in("us-east-2")->hourly);
  CHECK(ids(from->scenario).front() == "p3.2xlarge#1");
}

TEST_CASE("variants: types trade places at the same time") {
  const auto from = given();
  const auto one = loaded({.replace = {"p3.2xlarge=c5.2xlarge", "c5.2xlarge=p3.2xlarge"}}, *from);
  CHECK(ids(with_changes(from->scenario, one.variant.changes)) ==
        Lines{"c5.2xlarge#1", "c5.2xlarge#2", "c5.2xlarge#3", "p3.2xlarge#1", "p3.2xlarge#2", "i-0rack"});
}

TEST_CASE("variants: what is stated of a type is not carried over") {
  const auto from = given();
  const auto one = loaded({.replace = {"rack=c5.large"}}, *from);
  REQUIRE(one.assumptions.size() == 1);
  CHECK(one.assumptions.front().id == "stated-not-carried-over");
  const auto changed = with_changes(from->scenario, one.variant.changes);
  CHECK(changed.instances.back().id == "c5.large#1");
  CHECK(changed.profiles.at(changed.instances.back().profile).memory ==
        from->catalog.find("c5.large")->registered_memory);
}

TEST_CASE("variants: strategies replace those of all but daemons") {
  const auto from = given();
  const auto changed = with_changes(from->scenario, loaded({.strategy = {"binpack:memory"}}, *from).variant.changes);
  for (const auto& workload : changed.workloads)
    CHECK(workload.strategies.size() == (workload.kind == placement::WorkloadKind::kDaemon ? 0 : 1));
}

TEST_CASE("variants: grids have instances, seed and order") {
  const auto from = given();
  WrittenVariant point;
  point.variations = {{VariationKey::kInstances, "p3.8xlarge=2@us-east-2a,us-east-2b", {}},
                      {VariationKey::kInstances, "c5.large=1", {}},
                      {VariationKey::kReplace, "c5.large=c5.xlarge", {}},
                      {VariationKey::kSeed, "7", {}},
                      {VariationKey::kOrder, "largestFirst", {}},
                      {VariationKey::kTerminate, "p3.8xlarge#2", {}}};
  const auto one = VariantLoader(from->scenario, from->catalog).load(point);
  CHECK(printed(one.errors) == Lines{});
  CHECK(only<TerminateInstances>(one.variant.events).instances == Indexes{1});
  const auto changed = with_changes(from->scenario, one.variant.changes);
  CHECK(ids(changed) == Lines{"p3.8xlarge#1", "p3.8xlarge#2", "c5.xlarge#1"});
  CHECK(changed.profiles.size() == 3);
  CHECK(changed.seed == 7);
  CHECK(changed.order == placement::TaskOrder::kLargestFirst);
  point.variations = {{VariationKey::kSeed, "-1", {}}, {VariationKey::kOrder, "smallest", {}}};
  CHECK(VariantLoader(from->scenario, from->catalog).load(point).errors.size() == 2);
}

TEST_CASE("variants: a policy takes the place of strategies and strategies that of a policy") {
  using placement::Policy;
  const auto from = given();
  const VariantLoader loader(from->scenario, from->catalog);
  const auto policy_under = [&](std::optional<Policy> before, std::vector<WrittenVariation> variations) {
    const auto one = loader.load({.variations = std::move(variations)});
    CHECK(printed(one.errors) == Lines{});
    auto scenario = from->scenario;
    scenario.policy = before;
    return with_changes(scenario, one.variant.changes).policy;
  };
  CHECK(policy_under(std::nullopt, {{VariationKey::kPolicy, "fgd", {}}}) == Policy::kFgd);
  CHECK(policy_under(Policy::kFgd, {{VariationKey::kPolicy, "random", {}}}) == Policy::kRandom);
  CHECK(policy_under(Policy::kFgd, {{VariationKey::kOrder, "largestFirst", {}}}) == Policy::kFgd);
  CHECK(policy_under(Policy::kFgd, {{VariationKey::kStrategy, "binpack:memory", {}}}) == std::nullopt);
  const auto refused = [&](std::vector<WrittenVariation> variations) {
    return printed(loader.load({.variations = std::move(variations)}).errors);
  };
  CHECK(refused({{VariationKey::kPolicy, "fdg", {}}}) ==
        Lines{"unknown policy 'fdg' (Did you mean 'fgd'? Policies: best-fit, worst-fit, first-fit, dot-product, "
              "gpu-packing, gpu-clustering, fgd, random)"});
  CHECK(refused({{VariationKey::kPolicy, "fgd", {}}, {VariationKey::kPolicy, "random", {}}}) ==
        Lines{"--policy 'random': the policy is fgd already (keep one)"});
  CHECK(refused({{VariationKey::kPolicy, "fgd", {}}, {VariationKey::kPlacementStrategy, "type=random", {}}}) ==
        Lines{"--policy 'fgd': a policy takes the place of strategy type=random (keep one of them)"});
  CHECK(refused({{VariationKey::kStrategy, "fgd", {}}}) ==
        Lines{"strategy 'fgd': unknown placement strategy 'fgd' (fgd is a policy of the literature, which ECS does not "
              "offer: bayplan place --policy fgd, or policy: fgd in a grid)"});
}

TEST_CASE("variants: keys of a map are held against those that are known there") {
  const std::string yaml =
      "loseAz: x\nadds: y\nseed: 1\nadd: []\nscale: {}\ndrain: {a: b}\nterminate: null\nremove: {c5.large: [1]}\n"
      "each-az: 1\n";
  const MemoryFiles files(std::map<std::string, std::string>{{"v.yaml", yaml}});
  for (const auto place : {VariationPlace::kVariants, VariationPlace::kGrid}) {
    shape::Sources sources(files, {});
    WrittenVariant variant;
    read_variations(sources.read_settings("v.yaml", {})->root(), place, sources, variant);
    const auto lines = printed(std::move(sources).take_errors());
    const bool is_grid = place == VariationPlace::kGrid;
    REQUIRE(lines.size() == (is_grid ? 8 : 9));
    CHECK(lines[0] == "v.yaml:1:1: unknown key 'loseAz' (did you mean 'lose-az'?)");
    CHECK(lines[1] == "v.yaml:2:1: unknown key 'adds' (did you mean 'add'?)");
    CHECK(lines[is_grid ? 2 : 3] == "v.yaml:4:6: add is an empty list (for example add: p3.2xlarge=1@us-east-2a)");
    CHECK(lines[is_grid ? 4 : 5] == "v.yaml:6:8: drain cannot be an object (for example drain: p3.2xlarge#1)");
    CHECK(lines.back().starts_with(is_grid ? "v.yaml:9:1: unknown key 'each-az'" : "v.yaml:9:10: each-az is true or"));
    CHECK(variant.variations.size() == (is_grid ? 1 : 0));
  }
}

namespace {

/// i-a and i-b, p3.2xlarge, and i-c; web runs on all of them, with `more` on the first two.
std::unique_ptr<Given> live(std::vector<describe::Task> more, bool takes_services = true) {
  auto made = std::make_unique<Given>();
  std::vector<describe::Instance> instances;
  for (const std::string id : {"a", "b", "c"})
    instances.push_back({.id = id, .type = id == "c" ? "c5.2xlarge" : "p3.2xlarge", .cpu = 8192, .memory = 60000});
  std::vector<describe::Task> tasks{{.id = "w1"}, {.id = "w2", .instance = "b"}, {.id = "w3", .instance = "c"}};
  tasks.insert(tasks.end(), more.begin(), more.end());
  const std::string service = R"({"services": [{"serviceArn": ")" + describe::arn("service", "prod/web") +
                              R"(", "serviceName": "web", "desiredCount": 4, "runningCount": 3, "taskDefinition": ")" +
                              describe::arn("task-definition", "web:1") + "\"}]}";
  const MemoryFiles files({{"prod/instances.json", describe::page("containerInstances", instances)},
                           {"prod/tasks.json", describe::page("tasks", tasks)},
                           {"prod/services.json", service},
                           {"prod/web.json", describe::definition("web", R"("cpu": 1024, "memory": 1000)")},
                           {"prod/night.json", describe::definition("night", R"("cpu": 1024, "memory": 1000)")}});
  auto result = scenario::load_scenario(
      {.cluster = "prod", .takes_services = takes_services, .allow_partial = true, .may_be_idle = true}, files,
      made->catalog);
  for (const auto& error : result.errors) UNSCOPED_INFO(error.message);
  REQUIRE(result.scenario);
  made->scenario = std::move(*result.scenario);
  return made;
}

/// "web 3"
Lines counts(const Scenario& scenario) {
  Lines lines;
  for (const auto& workload : scenario.workloads)
    lines.push_back(workload.name + " " + std::to_string(workload.count.value_or(-1)));
  return lines;
}

const describe::Task kNight{.id = "n1", .definition = "night:1", .group = "nights"};

}  // namespace

TEST_CASE("variants: what ran on replaced instances of a live cluster is placed anew") {
  const auto from =
      live({kNight,
            {.id = "n2", .instance = "b", .definition = "night:1", .group = "nights"},
            {.id = "gone", .definition = "night:1", .group = "x", .more = R"(, "desiredStatus": "STOPPED")"}});
  CHECK(counts(from->scenario) == Lines{"web 1"});
  const auto one = loaded({.replace = {"p3.2xlarge=p3.8xlarge"}}, *from);
  Lines assumed;
  for (const auto& assumption : one.assumptions) assumed.push_back(assumption.id);
  CHECK(assumed == Lines{"standalone-tasks-run-again", "stated-not-carried-over"});
  const auto changed = with_changes(from->scenario, one.variant.changes);
  CHECK(ids(changed) == Lines{"p3.8xlarge#1", "p3.8xlarge#2", "i-c"});
  CHECK(counts(changed) == Lines{"web 3", "night 2"});
  CHECK(changed.workloads.back().group == "nights");
  CHECK(changed.workloads.back().kind == placement::WorkloadKind::kTasks);
  CHECK(changed.timetable.tasks.size() == 2);
  REQUIRE(changed.running.size() == 1);
  CHECK(changed.running.front().id == "w3");
  CHECK(changed.in_use.at(0).tasks == 0);
  CHECK(changed.in_use.at(0).cpu == 0);
  CHECK(changed.in_use.at(2).tasks == 1);
  const auto outcome = placement::place(changed);
  CHECK(outcome.placements.size() == 5);
  CHECK(placement::verify(changed, outcome) == Lines{});
}

TEST_CASE("variants: a service of a live cluster that nobody takes up is placed anew by its definition") {
  const auto from = live({}, false);
  const auto changed =
      with_changes(from->scenario, loaded({.replace = {"p3.2xlarge=p3.8xlarge"}}, *from).variant.changes);
  CHECK(counts(changed) == Lines{"web 2"});
  CHECK(changed.workloads.front().kind == placement::WorkloadKind::kService);
}

TEST_CASE("variants: a live service whose definition is not described is not scaled and not deployed") {
  auto from = live({}, false);
  from->scenario.services.front().task_definition = "web:9";
  const std::string why =
      "'web' runs web:9, which is not described (aws ecs describe-task-definition --task-definition web:9)";
  CHECK(printed(load({.scale = {"web=3"}}, *from).errors) == Lines{"--scale 'web=3': " + why});
  CHECK(printed(load({.deploy = {"web=night"}}, *from).errors) == Lines{"--deploy 'web=night': " + why});
  from->scenario.services.front().task_definition = "web:1";
  CHECK(printed(load({.scale = {"web=3"}}, *from).errors) ==
        Lines{"--scale 'web=3': the tasks of 'web' run on none of the cluster's instances"});
}

TEST_CASE("variants: what runs on a replaced instance must be known") {
  const auto from = live({{.id = "u", .instance = "b", .definition = "gone:3", .group = "x"}});
  CHECK(printed(load({.replace = {"p3.2xlarge=p3.8xlarge"}}, *from).errors) ==
        Lines{"--replace 'p3.2xlarge=p3.8xlarge': gone:3 runs on i-b and is not described: its requirements are "
              "unknown (aws ecs describe-task-definition --task-definition gone:3)"});
  CHECK(load({.replace = {"c5.2xlarge=p3.8xlarge"}}, *from).errors.empty());
}

TEST_CASE("variants: an instance more of a live cluster registers what the others do, and is empty") {
  const auto from = live({kNight});
  const auto added = only<AddInstances>(loaded({.add = {"p3.2xlarge=1@us-east-2b"}}, *from).variant.events);
  const auto& profile = added.profiles.front();
  CHECK(added.instances.front().id == "p3.2xlarge#3");
  CHECK(profile.memory == 60000);
  CHECK(profile.arn.empty());
  CHECK(profile.gpu_ids.empty());
  CHECK(profile.availability_zone == "us-east-2b");
}

}  // namespace load_variants_test
