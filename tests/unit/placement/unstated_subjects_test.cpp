#include <algorithm>

#include "catch.hpp"
#include "model/placeholder.hpp"
#include "placement/build.hpp"
#include "placement/verify/verify.hpp"

using namespace bayplan;
using namespace bayplan::placement;
using namespace bayplan::placement::build;

namespace {

/// Whether a task with this constraint is placed on an instance, and what is assumed to be left out.
struct Answer {
  bool placed = false;
  std::vector<std::string> left_out;
};

Answer ask(const std::string& expression, InstanceProfile profile) {
  auto task = constrained(run_task("t", needs(1, 1), 1), {member_of(expression)});
  const auto given = scenario_with({std::move(profile)}, {std::move(task)});
  const auto outcome = place(given);
  CHECK(verify(given, outcome) == std::vector<std::string>{});
  Answer answer{!outcome.placements.empty(), {}};
  for (const auto& fact : outcome.facts) {
    if (fact.kind == PlacementFact::Kind::kSubjectNotStated) answer.left_out.push_back(fact.names.front());
  }
  return answer;
}

using Names = std::vector<std::string>;

}  // namespace

TEST_CASE("what a constraint asks for and nobody states is told") {
  const auto silent = instance("m5.large", 2048, 7000);
  auto stated = silent;
  stated.agent_version = "1.90.0";
  stated.registered_at = 1'700'000'000;
  stated.attributes["ecs.vpc-id"] = "vpc-1";
  for (const auto& [expression, subject] :
       std::vector<std::pair<std::string, std::string>>{{"agentVersion > 1.0.0", "agentVersion"},
                                                        {"registeredAt > 2018-01-01", "registeredAt"},
                                                        {"attribute:ecs.vpc-id exists", "attribute:ecs.vpc-id"}}) {
    INFO(expression);
    CHECK_FALSE(ask(expression, silent).placed);
    CHECK(ask(expression, silent).left_out == Names{subject});
    CHECK(ask(expression, stated).placed);
    CHECK(ask(expression, stated).left_out == Names{});
  }
  CHECK(ask("attribute:stack exists", silent).left_out == Names{});
}

TEST_CASE("a constraint finds the capabilities that an instance counts as having") {
  auto profile = instance("m5.large", 2048, 7000);
  CHECK(ask("attribute:ecs.capability.task-eni exists", profile).placed);
  CHECK_FALSE(ask("attribute:ecs.capability.gpu-sharing-mps exists", profile).placed);
  profile.has_all_capabilities = false;
  CHECK_FALSE(ask("attribute:ecs.capability.task-eni exists", profile).placed);
}

TEST_CASE("the name of a group in a regular expression is no placeholder") {
  const model::Placeholders placeholders;
  CHECK_FALSE(placeholders.find("attribute:x =~ (?<n>a)"));
  CHECK_FALSE(placeholders.find("attribute:x =~ (?P<n>a)"));
  CHECK(placeholders.find("attribute:x =~ <n>") == "<n>");
  CHECK(placeholders.find("(?<n>a)<TYPE>") == "<TYPE>");
}
