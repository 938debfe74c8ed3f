#include "placement/explain/ecs_words.hpp"

#include "catch.hpp"
#include "placement/build.hpp"
#include "placement/explain/result_summary.hpp"

namespace ecs_words_test {

// Spelling: ECS developer guide, api_failures_messages.html and service-event-messages-list.html.

using namespace bayplan;
using namespace bayplan::placement;
using namespace bayplan::placement::build;

namespace {

struct Told {
  std::vector<ApiFailure> failures;
  std::string reason;
  std::string message;
};

/// Of the first task that is not placed.
Told told(const Scenario& given) {
  const auto outcome = place(given);
  REQUIRE_FALSE(outcome.failures.empty());
  const auto& failure = explained(outcome, outcome.failures.front());
  return {api_failures(given, failure), failure_reason(given, failure), failure_message(given, failure)};
}

InstanceProfile of_provider(InstanceProfile profile, std::string provider, InstanceStatus status) {
  profile.capacity_provider_name = std::move(provider);
  profile.status = status;
  return profile;
}

Workload on_provider(Workload workload, std::string provider) {
  workload.capacity_providers = {{std::move(provider), 0, 1}};
  return workload;
}

}  // namespace

TEST_CASE("RunTask names the first failed check of each instance that it considers") {
  auto draining = instance("d", 9999, 99999, {8, 0});
  draining.status = InstanceStatus::kDraining;
  auto lost = instance("l", 9999, 99999, {8, 0});
  lost.agent_connected = false;
  auto given = scenario_with({draining, lost, instance("m", 9999, 10), instance("g", 9999, 99999, {1, 0})},
                             {run_task("train", with_gpus(needs(10, 100), {2}), 1)});
  const auto words = told(given);
  CHECK(words.failures == std::vector<ApiFailure>{{1, "AGENT"}, {2, "RESOURCE:MEMORY"}, {3, "RESOURCE:GPU"}});
  CHECK(words.message == "RunTask failure: RESOURCE:GPU on g#1");
}

TEST_CASE("a large cluster with nothing of the capacity provider is an empty one") {
  const std::vector<InstanceProfile> others(kFullExplanationLimit + 5,
                                            of_provider(instance("a", 9999, 9999), "other", InstanceStatus::kActive));
  const auto given = scenario_with(others, {on_provider(run_task("x", needs(1, 1), 1), "own")});
  CHECK(told(given).failures == std::vector<ApiFailure>{{std::nullopt, "EMPTY CAPACITY PROVIDER"}});
}

TEST_CASE("constraints are spelled with their full stop") {
  auto apart = constrained(run_task("x", needs(1, 1), 2), {distinct_instance()});
  CHECK(told(scenario_with({instance("a", 100, 100)}, {apart})).failures ==
        std::vector<ApiFailure>{{0, "DistinctInstance placement constraint unsatisfied."}});
  auto elsewhere = constrained(run_task("x", needs(1, 1), 1), {member_of("attribute:stack == gpu")});
  CHECK(told(scenario_with({instance("a", 100, 100)}, {elsewhere})).failures ==
        std::vector<ApiFailure>{{0, "MemberOf placement constraint unsatisfied."}});
}

TEST_CASE("a cluster without instances that take tasks is answered as a whole") {
  const std::string sentence = "No Container Instances were found in your cluster.";
  const auto empty = told(scenario_with({}, {run_task("x", needs(1, 1), 1)}));
  CHECK(empty.failures == std::vector<ApiFailure>{{std::nullopt, sentence}});
  CHECK(empty.message == sentence);
  auto draining = instance("d", 100, 100);
  draining.status = InstanceStatus::kDraining;
  const auto full = told(scenario_with({draining}, {run_task("x", needs(1, 1), 1)}));
  CHECK(full.failures == std::vector<ApiFailure>{{std::nullopt, sentence}});
  CHECK(full.reason == "STATUS:DRAINING");
}

TEST_CASE("a capacity provider without instances is told from one without ACTIVE instances") {
  const auto task = on_provider(run_task("x", needs(1, 1), 1), "gpu");
  const auto web = on_provider(service("web", needs(1, 1), 1), "gpu");
  const auto other = of_provider(instance("a", 100, 100), "cpu", InstanceStatus::kActive);
  const auto idle = of_provider(instance("b", 100, 100), "gpu", InstanceStatus::kDraining);
  CHECK(told(scenario_with({other}, {task})).failures ==
        std::vector<ApiFailure>{{std::nullopt, "EMPTY CAPACITY PROVIDER"}});
  CHECK(told(scenario_with({other}, {task})).message == "RunTask failure: EMPTY CAPACITY PROVIDER");
  CHECK(told(scenario_with({other, idle}, {task})).reason == "NO ACTIVE INSTANCES");
  CHECK(told(scenario_with({other, idle}, {web})).message ==
        "service web was unable to place a task because no container instance met all of its requirements. Reason: No "
        "Container Instances were found in your capacity provider. For more information, see the Troubleshooting "
        "section of the Amazon ECS Developer Guide.");
}

TEST_CASE("instances of another capacity provider have no entry") {
  const auto other = of_provider(instance("a", 100, 100), "cpu", InstanceStatus::kActive);
  const auto full = of_provider(instance("b", 100, 100), "gpu", InstanceStatus::kActive);
  const auto words = told(scenario_with({other, full}, {on_provider(run_task("x", needs(1, 500), 1), "gpu")}));
  CHECK(words.failures == std::vector<ApiFailure>{{1, "RESOURCE:MEMORY"}});
}

TEST_CASE("a task of a provider that scales by itself waits") {
  const auto full = of_provider(instance("b", 100, 100), "gpu", InstanceStatus::kActive);
  auto given =
      scenario_with({full}, {on_provider(run_task("x", needs(1, 500), 2), "gpu"), run_task("y", needs(1, 500), 1)});
  given.managed_providers = {"gpu"};
  const auto outcome = place(given);
  REQUIRE(outcome.failures.size() == 3);
  CHECK(is_provisioning(given, outcome.failures[1]));
  CHECK_FALSE(is_provisioning(given, outcome.failures[2]));
  CHECK(failure_message(given, outcome.failures[0]) ==
        "PROVISIONING: waits for capacity provider gpu to start an instance; now RESOURCE:MEMORY");
  const auto summary = summarize(given, outcome);
  CHECK(summary.provisioning == 2);
  CHECK(summary.unplaced == 1);
}

}  // namespace ecs_words_test
