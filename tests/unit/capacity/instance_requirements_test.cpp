#include "capacity/instance_requirements.hpp"

#include <algorithm>
#include <string>
#include <vector>

#include "catch.hpp"
#include "model/object_reader.hpp"
#include "text/read.hpp"

namespace instance_requirements_test {

using namespace bayplan;

namespace {

const catalog::Catalog& known_types() {
  static const catalog::Catalog catalog = catalog::Catalog::load();
  return catalog;
}

/// What `requirements` (the object of instanceRequirements, JSON) match, and the keys that are not judged.
struct Matched {
  std::vector<std::string> names;
  std::vector<std::string> not_judged;
  std::string first_empty;
  bool may_match_newer = false;

  bool has(std::string_view name) const { return std::find(names.begin(), names.end(), name) != names.end(); }
};

Matched match(const std::string& requirements) {
  const auto document = text::read_document(
      R"({"instanceLaunchTemplate": {"instanceRequirements": )" + requirements + "}}", {.format = text::Format::kJson});
  REQUIRE(document->faults().empty());
  const model::Placeholders placeholders;
  const auto provider = model::bind_managed_instances_provider({document->root(), placeholders});
  const auto matched = capacity::match_instance_types(provider.requirements, known_types());
  Matched result;
  for (const auto* type : matched.types) result.names.push_back(type->name);
  for (const auto key : matched.not_judged) result.not_judged.emplace_back(key);
  if (const auto* step = matched.first_empty()) result.first_empty = step->key;
  result.may_match_newer = matched.may_match_newer;
  return result;
}

}  // namespace

// The list of families and sizes: ECS developer guide, managed-instances-instance-types. Defaults: ECS API,
// InstanceRequirementsRequest.
TEST_CASE("instance requirements - defaults") {
  const auto all = match("{}");
  CHECK(all.has("m5.large"));
  CHECK(all.has("c7g.xlarge"));
  CHECK(all.has("g4dn.xlarge"));
  CHECK(all.has("m5d.large"));         // local storage is included
  CHECK_FALSE(all.has("t3.large"));    // burstable types are excluded
  CHECK_FALSE(all.has("m5.metal"));    // bare metal is excluded
  CHECK_FALSE(all.has("c7g.medium"));  // one vCPU
  CHECK_FALSE(all.has("p3.2xlarge"));  // the family is not offered
  CHECK_FALSE(all.has("m4.large"));
  CHECK(all.not_judged.empty());
}

TEST_CASE("instance requirements - sizes and names") {
  const auto sized = match(R"({"vCpuCount": {"min": 4, "max": 4}, "memoryMiB": {"min": 16384, "max": 16384}})");
  CHECK(sized.has("m5.xlarge"));
  CHECK_FALSE(sized.has("m5.large"));
  CHECK_FALSE(sized.has("c5.xlarge"));
  const auto ratio = match(R"({"memoryGiBPerVCpu": {"min": 8, "max": 8}})");
  CHECK(ratio.has("r5.large"));
  CHECK_FALSE(ratio.has("m5.large"));
  const auto named =
      match(R"({"allowedInstanceTypes": ["c6i.*", "m6*.large"], "excludedInstanceTypes": ["c6i.8xlarge"]})");
  CHECK(named.has("c6i.large"));
  CHECK(named.has("m6a.large"));
  CHECK(named.has("m6g.large"));
  CHECK_FALSE(named.has("c6i.8xlarge"));
  CHECK_FALSE(named.has("m6a.xlarge"));
}

TEST_CASE("instance requirements - processors, storage and accelerators") {
  const auto amd = match(R"({"cpuManufacturers": ["amd"], "acceleratorCount": {"max": 0}})");
  CHECK(amd.has("m6a.large"));
  CHECK(amd.has("c5a.large"));
  CHECK_FALSE(amd.has("m5.large"));
  CHECK_FALSE(amd.has("m6g.large"));
  CHECK_FALSE(amd.has("g4dn.xlarge"));
  const auto arm = match(R"({"cpuManufacturers": ["amazon-web-services"]})");
  CHECK(arm.has("m6g.large"));
  CHECK_FALSE(arm.has("m6a.large"));
  const auto local = match(R"({"localStorage": "required", "acceleratorCount": {"max": 0}})");
  CHECK(local.has("m5d.large"));
  CHECK(local.has("i3en.large"));
  CHECK_FALSE(local.has("m5.large"));
  CHECK_FALSE(match(R"({"localStorage": "excluded"})").has("m5d.large"));
  const auto t4 = match(R"({"acceleratorNames": ["t4"], "acceleratorCount": {"min": 4, "max": 4}})");
  CHECK(t4.has("g4dn.12xlarge"));
  CHECK_FALSE(t4.has("g4dn.xlarge"));
  CHECK_FALSE(t4.has("g5.12xlarge"));
  CHECK(match(R"({"burstablePerformance": "required"})").has("t3.large"));
  CHECK_FALSE(match(R"({"burstablePerformance": "required"})").has("m5.large"));
}

TEST_CASE("instance requirements - what matches nothing, and what is not judged") {
  CHECK(match(R"({"vCpuCount": {"min": 2}, "memoryMiB": {"max": 100}})").first_empty == "memoryMiB");
  CHECK(match(R"({"allowedInstanceTypes": ["p3.*"]})").first_empty == "allowedInstanceTypes");
  CHECK(match(R"({"requireHibernateSupport": true})").not_judged ==
        std::vector<std::string>{"requireHibernateSupport"});
}

TEST_CASE("instance requirements - instance stores") {
  // EC2 API: m6gd.large 1 x 118 GB, i3en.large 1 x 1250 GB, d3.xlarge 3 x 1980 GB of hard disks, g4dn.xlarge 1 x 125
  // GB.
  const auto large = match(R"({"localStorage": "required", "totalLocalStorageGB": {"min": 120}})");
  CHECK_FALSE(large.has("m6gd.large"));
  CHECK(large.has("i3en.large"));
  CHECK(large.has("d3.xlarge"));
  CHECK(large.has("g4dn.xlarge"));
  CHECK_FALSE(large.has("m5.large"));
  CHECK(large.not_judged.empty());
  const auto small = match(R"({"totalLocalStorageGB": {"max": 118}})");
  CHECK(small.has("m6gd.large"));
  CHECK(small.has("m5.large"));
  CHECK_FALSE(small.has("g4dn.xlarge"));
  const auto hard_disks = match(R"({"localStorage": "required", "localStorageTypes": ["hdd"]})");
  CHECK(hard_disks.has("d3.xlarge"));
  CHECK_FALSE(hard_disks.has("i3en.large"));
  CHECK_FALSE(match(R"({"localStorageTypes": ["ssd"]})").has("d3.xlarge"));
  CHECK(match(R"({"localStorageTypes": ["ssd"]})").has("m5.large"));
}

TEST_CASE("instance requirements - types that the catalog lacks may match") {
  CHECK(match(R"({"allowedInstanceTypes": ["m8i.*"]})").has("m8i.large"));
  for (const char* unknown :
       {R"({"allowedInstanceTypes": ["m10i.*"]})", R"({"allowedInstanceTypes": ["m4.large", "m10i.large"]})",
        R"({"allowedInstanceTypes": ["r8i.*"]})", R"({"acceleratorNames": ["b400"]})",
        R"({"acceleratorManufacturers": ["somebody"]})", R"({"acceleratorTypes": ["quantum"]})"}) {
    CAPTURE(unknown);
    const auto matched = match(unknown);
    CHECK(matched.names.empty());
    CHECK(matched.may_match_newer);
  }
  // What the catalog knows, it knows: retired families, sizes too small, contradictions.
  for (const char* known : {R"({"allowedInstanceTypes": ["p3.*"]})", R"({"allowedInstanceTypes": ["t3.nano"]})",
                            R"({"allowedInstanceTypes": ["t3.*"], "burstablePerformance": "excluded"})",
                            R"({"acceleratorManufacturers": ["habana"]})", R"({"acceleratorNames": ["k80"]})",
                            R"({"acceleratorNames": ["radeon-pro-v520"], "vCpuCount": {"min": 900}})"}) {
    CAPTURE(known);
    const auto matched = match(known);
    CHECK(matched.names.empty());
    CHECK_FALSE(matched.may_match_newer);
  }
}

TEST_CASE("instance requirements - empty ranges") {
  const auto document = text::read_document(
      R"({"instanceLaunchTemplate": {"instanceRequirements": {"vCpuCount": {"min": 8, "max": 4}, "memoryMiB": {"min": 4, "max": 4}}}})",
      {.format = text::Format::kJson});
  const model::Placeholders placeholders;
  const auto provider = model::bind_managed_instances_provider({document->root(), placeholders});
  const auto empty = capacity::find_empty_ranges(provider.requirements);
  REQUIRE(empty.size() == 1);
  CHECK(empty.front()->key == "vCpuCount");
}

}  // namespace instance_requirements_test
