#include "fleet/recommended/dedicated_types.hpp"

#include "catch.hpp"
#include "fleet/by_hand.hpp"
#include "fleet/recommended/type_pins.hpp"
#include "packing/verify_packing.hpp"

namespace bayplan::fleet {
namespace {

using placement::Scenario;
using placement::build::needs;
using placement::build::run_task;
using placement::build::service;

/// Much CPU for its memory, and the other way round, each in two sizes; what lies between is dear.
Market two_families() {
  return by_hand::market({{"c.large", 1, 4096, 8000, 0},
                          {"c.xlarge", 2, 8192, 16'100, 0},
                          {"m.xlarge", 3, 8192, 32'200, 0},
                          {"r.large", 1, 1024, 32'000, 0},
                          {"r.xlarge", 2, 2048, 64'500, 0}});
}

Scenario web_and_cache(std::int64_t tasks) {
  return by_hand::tasks({service("web", needs(1024, 1000), tasks), service("cache", needs(128, 8000), tasks),
                         run_task("api", needs(512, 700), tasks)});
}

TEST_CASE("segments - workloads go to the family that has what they take") {
  const Scenario tasks = web_and_cache(80);
  const Market market = two_families();
  const Question question = by_hand::question(tasks, market);
  const auto packings = dedicated_type_packings(question, market, 3);
  REQUIRE_FALSE(packings.empty());
  for (const auto& packing : packings) CHECK(packing::fault_of(question.problem, packing) == std::nullopt);
  for (const auto& filled : packings.front()) {
    const std::string& type = market.offers[filled.pattern.type].profile.instance_type;
    for (const auto& copies : filled.pattern.copies) CHECK(type.front() == (copies.shape == 1 ? 'r' : 'c'));
  }
  const Pins pins = find_type_pins(market, question, packings.front());
  REQUIRE(pins.size() == 3);
  CHECK(pins[0].second.source == pins[2].second.source);
  CHECK(pins[0].second.source != pins[1].second.source);
}

TEST_CASE("segments - the cheapest come first, and a family too many is left out") {
  const Scenario tasks = web_and_cache(2);
  const Market market = two_families();
  const Question question = by_hand::question(tasks, market);
  const auto packings = dedicated_type_packings(question, market, 9);
  REQUIRE(packings.size() > 1);
  for (std::size_t i = 1; i < packings.size(); ++i) {
    CHECK(packing::compute_cost(question.problem, packings[i - 1]) <
          packing::compute_cost(question.problem, packings[i]));
  }
  CHECK(dedicated_type_packings(question, market, 1).size() == 1);
}

TEST_CASE("segments - none where instances are limited, bound to zones, or stand") {
  const Scenario tasks = web_and_cache(80);
  const Market market = two_families();
  const Question question = by_hand::question(tasks, market);
  Question limited = question;
  limited.problem.types[0].limit = 7;
  CHECK(dedicated_type_packings(limited, market, 3).empty());
  Question zonal = question;
  zonal.zones = {"us-east-1a", "us-east-1b"};
  CHECK(dedicated_type_packings(zonal, market, 3).empty());
  Question standing = question;
  standing.bins[1].standing = {0};
  CHECK(dedicated_type_packings(standing, market, 3).empty());
}

TEST_CASE("segments - none where a task fits nothing") {
  const Scenario tasks = by_hand::tasks({service("web", needs(1024, 1000), 8), run_task("huge", needs(64, 99'000), 1)});
  const Market market = two_families();
  CHECK(dedicated_type_packings(by_hand::question(tasks, market), market, 3).empty());
}

}  // namespace
}  // namespace bayplan::fleet
