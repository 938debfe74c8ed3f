#include "catch.hpp"
#include "placement/model/outcome.hpp"

using namespace bayplan::placement;

namespace {

Outcome outcome_on(std::size_t instances, const std::vector<std::uint32_t>& placements) {
  Outcome outcome;
  outcome.instances.resize(instances);
  for (const auto instance : placements) outcome.placements.push_back({{}, instance, {}, false});
  return outcome;
}

std::vector<std::uint32_t> on(const PlacementsByInstance& placements, std::size_t instance) {
  const auto list = placements[instance];
  return {list.begin(), list.end()};
}

}  // namespace

TEST_CASE("placements by instance - each instance lists its own in order") {
  const PlacementsByInstance placements(outcome_on(5, {3, 1, 3, 0, 3, 1}));
  CHECK(on(placements, 0) == std::vector<std::uint32_t>{3});
  CHECK(on(placements, 1) == std::vector<std::uint32_t>{1, 5});
  CHECK(on(placements, 2).empty());
  CHECK(on(placements, 3) == std::vector<std::uint32_t>{0, 2, 4});
  CHECK(on(placements, 4).empty());
}

TEST_CASE("placements by instance - a cluster without instances or without placements") {
  CHECK(on(PlacementsByInstance(outcome_on(2, {})), 1).empty());
  const PlacementsByInstance none(outcome_on(0, {}));
}
