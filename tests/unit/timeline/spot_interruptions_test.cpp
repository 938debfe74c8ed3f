#include <algorithm>
#include <string>
#include <vector>

#include <fmt/core.h>

#include "base/memory_files.hpp"
#include "catch.hpp"
#include "scenario/load_scenario.hpp"
#include "timeline/run_figures.hpp"
#include "timeline/simulate.hpp"
#include "timeline/verify_history.hpp"

namespace spot_interruptions_test {

using namespace bayplan;
using namespace bayplan::timeline;

namespace {

constexpr Seconds kHourLong = 3'600;
constexpr Seconds kDay = 24 * kHourLong;

struct Asked {
  std::string group =
      "instanceTypes: [m5.large, m5a.large], minSize: 2, maxSize: 8, availabilityZones: [us-east-1a, us-east-1b]";
  bool drains = true;
  bool rebalances = false;
  std::string work =
      "services: [{serviceName: s, taskDefinition: t, desiredCount: 2, capacityProviderStrategy: [{capacityProvider: "
      "spot, weight: 1}]}]\n";
  std::string rest;  ///< events or spot.
};

scenario::LoadedScenario load(const Asked& asked, Seconds until) {
  static auto catalog = catalog::Catalog::load();  // scenarios view it
  MemoryFiles files;
  files.content["s.yaml"] = fmt::format(
      "region: us-east-1\n"
      "taskDefinitions: [{{family: t, containerDefinitions: [{{name: c, image: i, cpu: 1024, memory: 1024}}]}}]\n"
      "capacityProviders: [{{name: spot, autoScalingGroup: {{instanceLifecycle: spot, spotInstanceDraining: {}, "
      "capacityRebalance: {}, {}}}}}]\n{}{}",
      asked.drains, asked.rebalances, asked.group, asked.work, asked.rest);
  scenario::ScenarioRequest request;
  request.scenario = "s.yaml";
  request.until = until;
  return scenario::load_scenario(request, files, catalog);
}

struct Run {
  scenario::LoadedScenario loaded;
  History history;

  /// Times of the events of the kind.
  std::vector<Seconds> times(EventKind kind) const {
    std::vector<Seconds> all;
    for (const auto& event : history.events) {
      if (event.kind == kind) all.push_back(event.at);
    }
    return all;
  }
  std::string pool(std::size_t instance) const {
    return placement::spot_pool(loaded.scenario->profiles[history.instances[instance].profile]);
  }
};

Run run(const Asked& asked, Seconds until = 2 * kHourLong) {
  Run result{load(asked, until), {}};
  for (const auto& error : result.loaded.errors) FAIL_CHECK(error.message);
  REQUIRE(result.loaded.scenario);
  result.history = simulate(*result.loaded.scenario);
  CHECK(verify(*result.loaded.scenario, result.history).empty());
  return result;
}

const std::string kLosePool = "events: [{at: 1h, interruptSpotInstances: m5.large@us-east-1a}]\n";

using Times = std::vector<Seconds>;

}  // namespace

// EC2 user guide, spot-instance-termination-notices: two minutes. ECS developer guide, container-instance-spot: with
// ECS_ENABLE_SPOT_INSTANCE_DRAINING the agent sets the instance to DRAINING at the notice.
TEST_CASE("spot interruptions - with draining the tasks are replaced within the two minutes") {
  const auto drained = run({.rest = kLosePool});
  CHECK(drained.times(EventKind::kSpotInterruption) == Times{kHourLong});
  CHECK(drained.history.instances[0].draining_at == kHourLong);
  CHECK(drained.history.instances[0].terminated_at == kHourLong + 120);
  CHECK(compute_below_desired(*drained.loaded.scenario, drained.history).empty());
}

TEST_CASE("spot interruptions - without draining tasks stop when the instance ends") {
  const auto undrained = run({.drains = false, .rest = kLosePool});
  CHECK_FALSE(undrained.history.instances[0].draining_at);
  CHECK(undrained.history.instances[0].terminated_at == kHourLong + 120);
  CHECK(count_interruptions(*undrained.loaded.scenario, undrained.history) ==
        std::map<std::string, std::int64_t>{{"m5.large@us-east-1a", 1}});
}

TEST_CASE("spot interruptions - a full cluster is below its desired count until the replacement is ACTIVE") {
  auto asked = Asked{.rest = kLosePool};
  asked.work =
      "services: [{serviceName: s, taskDefinition: t, desiredCount: 4, deploymentConfiguration: "
      "{minimumHealthyPercent: 50, maximumPercent: 100}, "
      "capacityProviderStrategy: [{capacityProvider: spot, weight: 1}]}]\n";
  const auto full = run(asked);
  const auto below = compute_below_desired(*full.loaded.scenario, full.history);
  REQUIRE(below.size() == 1);
  // Stopped 30 s after the notice, until the instance launched at the end of the notice has booted for 180 s.
  CHECK(below.front().total == 120 + 180 - 30);
  REQUIRE(below.front().parts.size() == 1);
  CHECK(below.front().parts.front().event == OptionalIndex(0));
  CHECK(below.front().parts.front().at == kHourLong);
  CHECK(below.front().parts.front().seconds == 270);
}

TEST_CASE("spot interruptions - time below the desired count is divided between the events before it") {
  auto asked = Asked{.rest =
                         "events: [{at: 1h, interruptSpotInstances: m5.large@us-east-1a}, "
                         "{at: 3650s, updateService: {service: s, desiredCount: 5}}]\n"};
  asked.work =
      "services: [{serviceName: s, taskDefinition: t, desiredCount: 4, deploymentConfiguration: "
      "{minimumHealthyPercent: 50, maximumPercent: 100}, "
      "capacityProviderStrategy: [{capacityProvider: spot, weight: 1}]}]\n";
  const auto full = run(asked);
  const auto below = compute_below_desired(*full.loaded.scenario, full.history);
  REQUIRE(below.size() == 1);
  REQUIRE(below.front().parts.size() == 2);
  // From 30 s after the notice to the second event, 50 s after the notice.
  CHECK(below.front().parts[0].seconds == 20);
  CHECK(below.front().parts[1].at == kHourLong + 50);
  CHECK(below.front().total == below.front().parts[0].seconds + below.front().parts[1].seconds);
}

TEST_CASE("spot interruptions - a lost pool is not used again") {
  const auto lost = run({.rest = kLosePool});
  REQUIRE(lost.history.instances.size() == 3);
  CHECK(lost.pool(0) == "m5.large@us-east-1a");
  CHECK(lost.pool(2) == "m5.large@us-east-1b");
  const auto both = run({.rest = "events: [{at: 1h, interruptSpotInstances: 'm5.large@*'}]\n"});
  REQUIRE(both.history.instances.size() == 4);
  CHECK(both.pool(2) == "m5a.large@us-east-1a");
  CHECK(both.pool(3) == "m5a.large@us-east-1b");
  const auto one = run({.rest = "events: [{at: 1h, interruptSpotInstances: 'm5.large#1'}]\n"});
  CHECK(one.pool(2) == "m5.large@us-east-1a");  // the pool has capacity
}

TEST_CASE("spot interruptions - capacity rebalancing launches the replacement first") {
  const std::string event = "events: [{at: 1h, recommendRebalance: 'm5.large#1'}]\n";
  const auto rebalanced = run({.rebalances = true, .rest = event});
  REQUIRE(rebalanced.history.instances.size() == 3);
  CHECK(rebalanced.history.instances[2].launched_at == kHourLong);
  CHECK(rebalanced.history.instances[0].draining_at == kHourLong + 180);
  CHECK(run({.rest = event}).history.instances.size() == 2);  // nothing but the recommendation
}

// Of 1,000 instance-months at 20 % about 200 are interrupted: standard deviation 12.6.
TEST_CASE("spot interruptions - a rate is that of 30 days") {
  Asked asked{.group = "instanceTypes: [m5.large], minSize: 1000, maxSize: 1000, availabilityZones: [us-east-1a]",
              .rest = "spot: {interruptionFrequency: 20}\n"};
  const auto drawn = run(asked, 30 * kDay);
  std::int64_t of_first = 0;
  for (const auto& event : drawn.history.events) {
    if (event.kind == EventKind::kSpotInterruption && event.subject < 1000) ++of_first;
  }
  CHECK(of_first > 150);
  CHECK(of_first < 250);
  const auto again = run(asked, 30 * kDay);
  CHECK(again.history.events.size() == drawn.history.events.size());
}

TEST_CASE("spot interruptions - what names no Spot pool") {
  const auto message = [](const std::string& rest) {
    const auto loaded = load({.rest = rest}, kHourLong);
    return loaded.errors.empty() ? std::string() : loaded.errors.front().message;
  };
  CHECK(message("events: [{at: 1m, interruptSpotInstances: m5.large@us-east-1c}]\n") ==
        "no Spot instance and no group is in pool 'm5.large@us-east-1c'");
  CHECK(message("spot: {pools: {c5.large@us-east-1a: 5}}\n") ==
        "no Spot instance and no group is in pool 'c5.large@us-east-1a'");
}

}  // namespace spot_interruptions_test
