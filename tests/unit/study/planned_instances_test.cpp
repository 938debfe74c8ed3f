#include "study/whatif/planned_instances.hpp"

#include "catch.hpp"
#include "placement/build.hpp"
#include "study/whatif/what_if.hpp"

using namespace bayplan;
using namespace bayplan::study;
using placement::InstanceProfile;
using placement::Scenario;

namespace {

const catalog::Catalog& catalog_of_tests() {
  static const auto catalog = catalog::Catalog::load();
  return catalog;
}

InstanceProfile gpu_profile(MiB memory, const std::string& zone = "us-east-1a") {
  auto profile = placement::build::instance("p3.2xlarge", 8192, memory, {1, 15000}, zone);
  profile.type = catalog_of_tests().find("p3.2xlarge");
  profile.attributes["ecs.cpu-architecture"] = "x86_64";
  profile.attributes["stack"] = "gpu";
  profile.capacity_provider_name = "gpu";
  return profile;
}

InstanceProfile one_more(const Scenario& scenario, const std::string& type) {
  const PlannedInstances planned(scenario, {});
  const auto made = one_more_of(planned, catalog_of_tests(), type);
  REQUIRE(made);
  return *made;
}

InstanceProfile replaced(const InstanceProfile& profile, const std::string& type) {
  const Scenario nothing;
  return with_type(profile, one_more(nothing, type), true, "us-east-1");
}

}  // namespace

TEST_CASE("planned instances: one more of a type is what all of them have in common") {
  auto first = gpu_profile(60000);
  auto second = gpu_profile(59000, "us-east-1b");
  first.status = placement::InstanceStatus::kDraining;
  first.agent_connected = false;
  first.attributes["rack"] = "1";
  second.attributes["rack"] = "2";
  second.capacity_provider_name = "other";
  second.network_interfaces = 2;
  const auto made = one_more(placement::build::scenario_with({first, second}, {}), "p3.2xlarge");
  CHECK(made.memory == 59000);
  CHECK(made.network_interfaces == 2);
  CHECK(made.capacity_provider_name.empty());
  CHECK(made.attributes.at("stack") == "gpu");
  CHECK_FALSE(made.attributes.contains("rack"));
  CHECK_FALSE(made.attributes.contains("ecs.availability-zone"));
  CHECK(made.status == placement::InstanceStatus::kActive);
  CHECK(made.agent_connected);
}

TEST_CASE("planned instances: an instance that lists no capabilities has those that another lists") {
  auto listed = gpu_profile(60000);
  listed.has_all_capabilities = false;
  listed.attributes["ecs.capability.task-eni"] = "";
  for (const auto& profiles : {std::vector{listed, gpu_profile(60000)}, std::vector{gpu_profile(60000), listed}}) {
    const auto made = one_more(placement::build::scenario_with(profiles, {}), "p3.2xlarge");
    CHECK_FALSE(made.has_all_capabilities);
    CHECK(made.attributes.contains("ecs.capability.task-eni"));
  }
}

TEST_CASE("planned instances: a zone has the subnet that all its instances have") {
  auto first = gpu_profile(60000);
  auto second = gpu_profile(60000, "us-east-1b");
  auto third = second;
  first.subnet_id = "subnet-1";
  second.subnet_id = "subnet-2";
  third.subnet_id = "subnet-3";
  const auto scenario = placement::build::scenario_with({first, second, third}, {});
  const PlannedInstances planned(scenario, {});
  CHECK(in_zone(gpu_profile(1), "us-east-1a", planned, "us-east-1").subnet_id == "subnet-1");
  CHECK(in_zone(gpu_profile(1), "us-east-1b", planned, "us-east-1").subnet_id.empty());
  CHECK(in_zone(gpu_profile(1), "us-east-1c", planned, "us-east-1").subnet_id.empty());
}

TEST_CASE("planned instances: another type keeps what is reserved, and the place") {
  const auto* type = catalog_of_tests().find("p3.2xlarge");
  auto profile = gpu_profile(type->registered_memory - 256);
  profile.status = placement::InstanceStatus::kDraining;
  profile.arn = "arn";
  profile.hourly_price = 1;
  const auto other = replaced(profile, "p3.8xlarge");
  CHECK(other.memory == catalog_of_tests().find("p3.8xlarge")->registered_memory - 256);
  CHECK(other.gpu_count == 4);
  CHECK(other.status == placement::InstanceStatus::kDraining);
  CHECK(other.availability_zone == "us-east-1a");
  CHECK(other.arn.empty());
  CHECK(other.hourly_price == catalog_of_tests().find("p3.8xlarge")->price_in("us-east-1")->hourly);
  const Scenario nothing;
  CHECK_FALSE(with_type(profile, one_more(nothing, "p3.8xlarge"), true, "nowhere-1").hourly_price);
}

TEST_CASE("planned instances: other hardware has other capabilities") {
  auto profile = gpu_profile(60000);
  profile.has_all_capabilities = false;
  profile.gpu_sharing = true;
  profile.attributes["ecs.capability.gpu-sharing-mps"] = "";
  const auto same = replaced(profile, "p3.8xlarge");
  CHECK_FALSE(same.has_all_capabilities);
  CHECK(same.gpu_sharing);
  CHECK(same.attributes.contains("ecs.capability.gpu-sharing-mps"));
  const auto without_gpu = replaced(profile, "c5.large");
  CHECK(without_gpu.has_all_capabilities);
  CHECK_FALSE(without_gpu.gpu_sharing);
  CHECK_FALSE(without_gpu.attributes.contains("ecs.capability.gpu-sharing-mps"));
  const auto arm = replaced(profile, "g5g.xlarge");
  CHECK(arm.attributes.at("ecs.cpu-architecture") == "arm64");
  CHECK(arm.has_all_capabilities);
}

TEST_CASE("planned instances: instances that keep their type keep their own ids") {
  auto own = placement::build::instance("p3.8xlarge", 1024, 1000);
  own.ec2_instance_id = "i-1";
  auto scenario = placement::build::scenario_with({own, gpu_profile(60000), gpu_profile(60000)}, {});
  scenario.instances[0].id = "i-1";
  auto profiles = scenario.profiles;
  for (auto& profile : profiles) profile.instance_type = "p3.8xlarge";
  const std::vector<ScenarioChange> planned_types{ReplaceType{
      "p3.2xlarge", "p3.8xlarge", std::make_shared<const std::vector<InstanceProfile>>(std::move(profiles))}};
  const PlannedInstances planned(scenario, planned_types);
  CHECK(planned.instances()[0].id == "i-1");
  CHECK(planned.instances()[1].id == "p3.8xlarge#2");
  CHECK(planned.instances()[2].id == "p3.8xlarge#3");
  CHECK_FALSE(planned.is_another(0));
  CHECK(planned.is_another(1));
  CHECK(planned.count_of("p3.8xlarge") == 3);
}

TEST_CASE("planned instances: other instances are empty, however many there were") {
  auto scenario = placement::build::scenario_with({gpu_profile(60000), gpu_profile(60000)}, {});
  scenario.in_use.resize(2);
  scenario.in_use[0].cpu = scenario.in_use[1].cpu = 100;
  Variant variant;
  variant.changes.emplace_back(ReplaceInstances{
      std::make_shared<const std::vector<InstanceProfile>>(std::vector{gpu_profile(60000)}), {{"p3.2xlarge#1", 0}}});
  const auto changed = with_changes(scenario, variant.changes);
  REQUIRE(changed.instances.size() == 1);
  CHECK(changed.profiles.size() == 1);
  REQUIRE(changed.in_use.size() <= 1);
  CHECK((changed.in_use.empty() || changed.in_use.front().cpu == 0));
}
