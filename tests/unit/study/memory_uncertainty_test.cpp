#include "study/memory_uncertainty.hpp"

#include "catch.hpp"
#include "placement/build.hpp"

namespace bayplan::study {
namespace {

using catalog::MemoryBasis;
using placement::Scenario;
using placement::build::instance;
using placement::build::needs;
using placement::build::run_task;

/// Registers 7600 MiB, 152 (2 %) less at the least.
catalog::InstanceType modeled() {
  catalog::InstanceType type;
  type.name = "m9.large";
  type.memory = 8192;
  type.registered_memory = 7600;
  type.memory_basis = MemoryBasis::kModel;
  return type;
}

/// Two instances of the type, and four tasks of so much memory.
Scenario two_full(const catalog::InstanceType& type, MiB memory) {
  auto profile = instance(type.name, 4096, type.registered_memory);
  profile.type = &type;
  profile.memory_basis = type.memory_basis;
  auto scenario = placement::build::scenario_with({profile}, {run_task("cache", needs(256, memory), 4)});
  scenario.instances = {{"m9.large#1", 0}, {"m9.large#2", 0}};
  return scenario;
}

TEST_CASE("memory doubt - tasks that need the last of an estimate find no place at its least") {
  const auto type = modeled();
  const auto doubt = memory_uncertainty(two_full(type, 3725), 5);
  REQUIRE(doubt.types.size() == 1);
  CHECK(doubt.types[0].instance_type == "m9.large");
  CHECK(doubt.types[0].memory == 7600);
  CHECK(doubt.types[0].error == 152);
  CHECK(doubt.orders == 5);
  CHECK(doubt.failing_orders == 5);
  REQUIRE(doubt.without_place.size() == 1);
  CHECK(doubt.without_place[0].name == "cache");
  CHECK(doubt.tasks() == 2);
  REQUIRE(doubt.assumptions.size() == 1);
  CHECK(doubt.assumptions[0].id == "memory-estimated");
  CHECK(doubt.assumptions[0].subject == "m9.large");
}

TEST_CASE("memory doubt - what the least holds is not in doubt, but estimated all the same") {
  const auto type = modeled();
  const auto doubt = memory_uncertainty(two_full(type, 3724), 5);
  CHECK(doubt.types.size() == 1);
  CHECK(doubt.failing_orders == 0);
  CHECK(doubt.without_place.empty());
  CHECK(doubt.assumptions.size() == 1);
}

TEST_CASE("memory doubt - memory that somebody states is no estimate") {
  const auto type = modeled();
  auto scenario = two_full(type, 3800);
  scenario.profiles[0].memory_basis = MemoryBasis::kStated;
  const auto doubt = memory_uncertainty(scenario, 5);
  CHECK(doubt.types.empty());
  CHECK(doubt.assumptions.empty());
  CHECK(doubt.orders == 0);
}

TEST_CASE("memory doubt - types that the fleet has no instance of do not count") {
  const auto type = modeled();
  auto scenario = two_full(type, 3000);
  auto other = scenario.profiles[0];
  other.instance_type = "r9.large";
  scenario.profiles.push_back(other);
  CHECK(memory_uncertainty(scenario, 1).types.size() == 1);
}

}  // namespace
}  // namespace bayplan::study
