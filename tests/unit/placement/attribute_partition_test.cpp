#include "placement/index/attribute_partition.hpp"

#include <cstdint>
#include <numeric>
#include <vector>

#include "catch.hpp"
#include "placement/build.hpp"

using namespace bayplan;
using namespace bayplan::placement;
using namespace bayplan::placement::build;

namespace {

/// Any instance may have changed.
std::vector<std::uint32_t> every_instance(const Scenario& scenario) {
  std::vector<std::uint32_t> all(scenario.instances.size());
  std::iota(all.begin(), all.end(), 0);
  return all;
}

Scenario in_two_zones() {
  return scenario_with({instance("m", 1024, 4000, {}, "a"), instance("m", 1024, 4000, {}, "b")}, {});
}

AttributePartition by_zone(const Scenario& given, bool grows) {
  return AttributePartition(given, {"ecs.availability-zone"}, grows);
}

}  // namespace

TEST_CASE("an instance that comes goes to the cell of its values") {
  auto given = in_two_zones();
  auto partition = by_zone(given, true);
  given.profiles.push_back(instance("c", 512, 900, {}, "b"));  // another type, a known zone
  given.instances.push_back({"new", 2});
  REQUIRE(partition.follow(given, every_instance(given)));
  CHECK(partition.cell_of(2) == partition.cell_of(1));
  CHECK(partition.instance_at(partition.find_position(2)) == 2);
  CHECK(partition.end_of(partition.cell_of(1)) - partition.begin_of(partition.cell_of(1)) == 2);
}

TEST_CASE("an instance in a zone that nobody was in, and one too many, want new cells") {
  auto given = in_two_zones();
  auto partition = by_zone(given, true);
  given.profiles.push_back(instance("m", 1024, 4000, {}, "c"));
  CHECK(partition.follow(given, every_instance(given)));  // a profile alone is nowhere
  given.instances.push_back({"new", 2});
  CHECK_FALSE(partition.follow(given, every_instance(given)));

  given = in_two_zones();
  auto full = by_zone(given, false);
  given.instances.push_back({"new", 0});
  CHECK_FALSE(full.follow(given, every_instance(given)));
}

TEST_CASE("values that were never together are no cell") {
  auto given = scenario_with({instance("m", 1024, 4000, {}, "a"), instance("c", 1024, 4000, {}, "b")}, {});
  AttributePartition partition(given, {"ecs.availability-zone", "ecs.instance-type"}, true);
  given.profiles.push_back(instance("m", 1024, 4000, {}, "b"));
  given.instances.push_back({"new", 2});
  CHECK_FALSE(partition.follow(given, every_instance(given)));
}

TEST_CASE("an instance that changes within its cell stays, one that leaves it wants new cells") {
  auto given = in_two_zones();
  auto partition = by_zone(given, true);
  given.profiles.push_back(instance("m", 2048, 8000, {}, "a"));
  given.instances[0].profile = 2;
  CHECK(partition.follow(given, every_instance(given)));
  given.instances[0].profile = 1;
  CHECK_FALSE(partition.follow(given, every_instance(given)));
}
