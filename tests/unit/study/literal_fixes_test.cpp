// Every fix that adds instances is applied as it is printed: as the flag, and as the event.
#include <algorithm>
#include <map>
#include <memory>
#include <random>

#include <fmt/core.h>

#include "base/memory_files.hpp"
#include "base/strings.hpp"
#include "catch.hpp"
#include "environment.hpp"
#include "placement/engine/engine.hpp"
#include "scenario/load_scenario.hpp"
#include "study/whatif/load_variants.hpp"
#include "study/whatif/what_if.hpp"
#include "study/why/why.hpp"

namespace literal_fixes_test {

using namespace bayplan;
using namespace bayplan::study;
using placement::AddInstances;
using placement::Scenario;

namespace {

struct Given {
  catalog::Catalog catalog = catalog::Catalog::load();
  Scenario scenario;
};

std::string definition(const std::string& family, const std::string& container, const std::string& more = {}) {
  return R"({"family": ")" + family + "\"" + more + R"(, "containerDefinitions": [{"name": "c", "image": "i:1", )" +
         container + "}]}";
}

const std::map<std::string, std::string>& definitions() {
  static const std::map<std::string, std::string> all{
      {"defs/small.json", definition("small", R"("cpu": 256, "memory": 512)")},
      {"defs/big.json", definition("big", R"("cpu": 1024, "memory": 6000)")},
      {"defs/vpc.json", definition("vpc", R"("cpu": 128, "memory": 256)", R"(, "networkMode": "awsvpc")")},
      {"defs/gpu.json",
       definition("gpu", R"("memory": 2000, "resourceRequirements": [{"type": "GPU", "value": "1"}])")}};
  return all;
}

std::unique_ptr<Given> given(const std::string& text) {
  auto files = definitions();
  files["s.yaml"] = text;
  auto made = std::make_unique<Given>();
  auto loaded = scenario::load_scenario({.scenario = "s.yaml"}, MemoryFiles(files), made->catalog);
  for (const auto& error : loaded.errors) UNSCOPED_INFO(error.message);
  REQUIRE(loaded.scenario);
  made->scenario = std::move(*loaded.scenario);
  return made;
}

std::string entry(const scenario::InstancesArgument& one) {
  std::vector<std::string> attributes;
  for (const auto& [name, value] : one.attributes) attributes.push_back(fmt::format("{}: \"{}\"", name, value));
  std::string text = fmt::format("{{instanceType: {}, count: {}", one.instance_type, one.count);
  if (!one.availability_zones.empty()) text += ", availabilityZone: " + one.availability_zones.front();
  if (!attributes.empty()) text += ", attributes: {" + join(attributes, ", ") + "}";
  if (!one.capacity_provider.empty()) text += ", capacityProviderName: " + one.capacity_provider;
  return text + "}";
}

/// A scenario in two parts: the cluster's instances, and the rest.
struct Written {
  std::string instances;
  std::string rest;
  std::string with(const std::vector<scenario::InstancesArgument>& added) const {
    std::string text = "region: us-east-1\ncluster:\n  containerInstances:\n" + instances;
    for (const auto& one : added) text += "    - " + entry(one) + "\n";
    return text + rest;
  }
};

Written random_scenario(std::mt19937_64& random) {
  const auto one_of = [&](const std::vector<std::string>& all) { return all[random() % all.size()]; };
  Written written;
  const auto kinds = 1 + random() % 4;
  for (std::uint64_t i = 0; i < kinds; ++i) {
    std::string line =
        fmt::format("    - {{instanceType: {}, availabilityZone: {}",
                    one_of({"m5.large", "c5.large", "t3.medium", "g4dn.xlarge"}), one_of({"us-east-1a", "us-east-1b"}));
    const auto pool = one_of({"", "a", "b"});
    if (!pool.empty()) line += ", attributes: {pool: " + pool + "}";
    if (random() % 4 == 0) line += ", capacityProviderName: on-demand";
    written.instances += line + "}\n";
  }
  const bool has_provider = written.instances.find("capacityProviderName") != std::string::npos;
  written.rest = "taskDefinitions: [defs/*.json]\nservices:\n";
  const auto services = 1 + random() % 3;
  for (std::uint64_t i = 0; i < services; ++i) {
    const auto family = one_of({"small", "big", "vpc", "gpu"});
    written.rest +=
        fmt::format("  - {{serviceName: s{}, taskDefinition: {}, desiredCount: {}", i, family, 1 + random() % 6);
    if (random() % 3 == 0)
      written.rest += fmt::format(", placementConstraints: [{{type: memberOf, expression: \"attribute:pool == {}\"}}]",
                                  one_of({"a", "b"}));
    if (has_provider && random() % 3 == 0)
      written.rest += ", capacityProviderStrategy: [{capacityProvider: on-demand, weight: 1}]";
    if (family == "vpc")
      written.rest += ", networkConfiguration: {awsvpcConfiguration: {subnets: [subnet-1, subnet-2]}}";
    written.rest += "}\n";
  }
  return written;
}

std::size_t failures(const Written& written, const std::vector<scenario::InstancesArgument>& added) {
  return placement::place(given(written.with(added))->scenario).failures.size();
}

/// What `whatif` with the flags leaves unplaced.
std::int64_t left_by_flags(const Given& made, const std::vector<scenario::InstancesArgument>& added) {
  VariationRequest request;
  for (const auto& one : added) request.add.push_back(scenario::text_of(one));
  const auto variants = load_variants(request, made.scenario, made.catalog);
  for (const auto& error : variants.errors) UNSCOPED_INFO(error.message);
  REQUIRE(variants.errors.empty());
  WhatIf what_if(made.scenario);
  return what_if.evaluate(variants.variants.front().variant).unplaced();
}

}  // namespace

TEST_CASE("every fix of place that adds instances places all tasks as it is printed") {
  std::mt19937_64 random(11);
  std::int64_t fixes = 0, with_attributes = 0, of_several_types = 0;
  for (std::uint64_t i = 0; i < random_cases(400); ++i) {
    const auto written = random_scenario(random);
    const auto made = given(written.with({}));
    const auto outcome = placement::place(made->scenario);
    for (const auto& fix : find_place_remedies(made->scenario, outcome, &made->catalog).list) {
      if (!std::holds_alternative<AddInstances>(fix.change)) continue;
      INFO(written.with(fix.added));
      REQUIRE_FALSE(fix.added.empty());
      CHECK(failures(written, fix.added) == 0);
      CHECK(left_by_flags(*made, fix.added) == 0);
      ++fixes;
      with_attributes += fix.added.front().attributes.empty() ? 0 : 1;
      of_several_types += fix.added.size() > 1 ? 1 : 0;
    }
  }
  CHECK(fixes > at_least(200));
  CHECK(with_attributes > at_least(10));
  CHECK(of_several_types >= at_least(5));
}

TEST_CASE("every fix of why that adds an instance places the task as it is printed") {
  std::mt19937_64 random(12);
  std::int64_t fixes = 0;
  for (std::uint64_t i = 0; i < random_cases(200); ++i) {
    const auto written = random_scenario(random);
    const auto made = given(written.with({}));
    const auto outcome = placement::place(made->scenario);
    if (outcome.failures.empty()) continue;
    const auto why = ask_why(made->scenario, outcome, outcome.failures.front().attempt, &made->catalog);
    for (const auto& fix : why.remedies.list) {
      if (!std::holds_alternative<AddInstances>(fix.change)) continue;
      INFO(written.with(fix.added));
      REQUIRE_FALSE(fix.added.empty());
      CHECK(left_by_flags(*made, fix.added) < static_cast<std::int64_t>(outcome.failures.size()));
      if (!fix.at_its_turn) CHECK(failures(written, fix.added) < outcome.failures.size());
      ++fixes;
    }
  }
  CHECK(fixes > at_least(100));
}

TEST_CASE("a fix carries the attribute that the task requires") {
  const Written written{
      "    - {instanceType: m5.large, availabilityZone: us-east-1a, attributes: {pool: a}}\n"
      "    - {instanceType: m5.large, availabilityZone: us-east-1a, attributes: {pool: b}}\n",
      "taskDefinitions: [defs/*.json]\nservices:\n"
      "  - {serviceName: web, taskDefinition: big, desiredCount: 2,\n"
      "     placementConstraints: [{type: memberOf, expression: \"attribute:pool == a\"}]}\n"};
  const auto made = given(written.with({}));
  const auto outcome = placement::place(made->scenario);
  REQUIRE(outcome.failures.size() == 1);
  const auto place_fixes = find_place_remedies(made->scenario, outcome, &made->catalog);
  REQUIRE_FALSE(place_fixes.list.empty());
  REQUIRE(place_fixes.list.front().added.size() == 1);
  CHECK(scenario::text_of(place_fixes.list.front().added.front()) == "m5.large=1@us-east-1a,pool=a");
  const auto why = ask_why(made->scenario, outcome, outcome.failures.front().attempt, &made->catalog);
  const auto is_addition = [](const Remedy& one) { return !one.added.empty(); };
  const auto fix = std::find_if(why.remedies.list.begin(), why.remedies.list.end(), is_addition);
  REQUIRE(fix != why.remedies.list.end());
  CHECK(scenario::text_of(fix->added.front()) == "m5.large=1@us-east-1a,pool=a");
}

TEST_CASE("several types in one fix where no single one holds every task") {
  const Written written{
      "    - {instanceType: m5.large, availabilityZone: us-east-1a, attributes: {pool: a}}\n"
      "    - {instanceType: c5.large, availabilityZone: us-east-1a, attributes: {pool: b}}\n",
      "taskDefinitions: [defs/*.json]\nservices:\n"
      "  - {serviceName: one, taskDefinition: big, desiredCount: 2,\n"
      "     placementConstraints: [{type: memberOf, expression: \"attribute:pool == a\"}]}\n"
      "  - {serviceName: two, taskDefinition: small, desiredCount: 8,\n"
      "     placementConstraints: [{type: memberOf, expression: \"attribute:pool == b\"}]}\n"};
  // 1 of 2 big tasks fits one m5.large; 8 small ones need 4,096 MiB and 2,048 CPU units, one c5.large registers less
  // than 3,800 MiB: 7 fit.
  const auto made = given(written.with({}));
  const auto outcome = placement::place(made->scenario);
  REQUIRE(outcome.failures.size() == 2);
  const auto fixes = find_place_remedies(made->scenario, outcome, nullptr);
  REQUIRE(fixes.list.size() == 1);
  std::vector<std::string> texts;
  for (const auto& one : fixes.list.front().added) texts.push_back(scenario::text_of(one));
  CHECK(texts == std::vector<std::string>{"c5.large=1@us-east-1a,pool=b", "m5.large=1@us-east-1a,pool=a"});
}

TEST_CASE("attributes and the capacity provider of a flag are those of the instances it adds") {
  const auto argument =
      scenario::parse_instances_argument("m5.large=2@us-east-1a,pool=a,capacityProviderName=spot,retiring=");
  REQUIRE(argument);
  CHECK(argument->count == 2);
  CHECK(argument->availability_zones == std::vector<std::string>{"us-east-1a"});
  CHECK(argument->attributes == std::map<std::string, std::string, std::less<>>{{"pool", "a"}, {"retiring", ""}});
  CHECK(argument->capacity_provider == "spot");
  CHECK(scenario::text_of(*argument) == "m5.large=2@us-east-1a,pool=a,retiring=,capacityProviderName=spot");
  CHECK_FALSE(scenario::parse_instances_argument("m5.large@ecs.instance-type=x"));
  CHECK_FALSE(scenario::parse_instances_argument("m5.large@a,pool=1,pool=2"));
  CHECK_FALSE(scenario::parse_instances_argument("m5.large@a,=1"));
}

}  // namespace literal_fixes_test
