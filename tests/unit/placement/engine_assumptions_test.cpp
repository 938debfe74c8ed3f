#include "catch.hpp"
#include "placement/build.hpp"
#include "report/place/placement_assumptions.hpp"

// What a placement takes for granted: the facts of an outcome, in the words of the reports.

using namespace bayplan;
using namespace bayplan::placement;
using namespace bayplan::placement::build;

namespace {

using Lines = std::vector<std::string>;

/// "subject: text" of each that has the id.
Lines assumed(const Scenario& given, std::string_view id) {
  Lines lines;
  for (const auto& one : report::placement_assumptions(place(given).facts)) {
    if (one.id == id) lines.push_back(one.subject + ": " + one.text);
  }
  return lines;
}

}  // namespace

TEST_CASE("instances without the attribute of a spread are counted") {
  auto racked = instance("a", 1024, 4000);
  racked.attributes["rack"] = "1";
  const auto bare = instance("b", 1024, 4000);
  const auto by_rack = [](std::vector<InstanceProfile> instances) {
    return assumed(scenario_with(std::move(instances), {run_task("t", needs(1, 1), 1, {spread("attribute:rack")})}),
                   "spread-attribute-absent");
  };
  CHECK(by_rack({racked, racked, bare}) == Lines{"rack: 1 instance without it; they count as one additional group"});
  CHECK(by_rack({racked, racked}).empty());
  CHECK(by_rack({bare, bare}) ==
        Lines{"rack: no instance has it, so it spreads nothing; check the spelling, or add it to the instances"});
  auto near = bare;
  near.attributes["racks"] = "1";
  CHECK(by_rack({near}) == Lines{"rack: no instance has it, so it spreads nothing; did you mean racks?"});
}

TEST_CASE("an instance without a zone is assumed to be where the subnets are") {
  constexpr std::string_view kId = "zone-unknown";
  auto task = run_task("t", needs(1, 1), 1);
  const auto known = instance("a", 1024, 4000);
  const auto unknown = instance("b", 1024, 4000, {}, "");
  CHECK(assumed(scenario_with({known, unknown}, {task}), kId).empty());
  task.availability_zones = {"us-east-1a"};
  CHECK(assumed(scenario_with({known}, {task}), kId).empty());
  CHECK(assumed(scenario_with({known, unknown, unknown}, {task}), kId) ==
        Lines{"b: has no Availability Zone; it is assumed to be in one that the subnets allow"});
}
