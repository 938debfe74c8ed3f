#include "replay/replay.hpp"

#include <sstream>

#include "base/files.hpp"
#include "base/memory_files.hpp"
#include "catch.hpp"
#include "replay/recorded_scenario.hpp"
#include "scenario/load_scenario.hpp"
#include "support/in_sources.hpp"

using namespace bayplan;
using namespace bayplan::replay;

namespace {

ReplayResult replayed(std::vector<std::string> paths, std::optional<std::string> donates = std::nullopt) {
  DiskFiles files;
  auto catalog = catalog::Catalog::load();
  ReplayRequest request;
  for (auto& path : paths) request.paths.push_back(in_sources(path));
  request.donates = std::move(donates);
  auto result = replay::replay(request, files, catalog, {});
  REQUIRE(result.result);
  return std::move(*result.result);
}

}  // namespace

TEST_CASE("tasks of a draining zone are misses, whether or not they count", "[replay]") {
  const auto result = replayed({"tests/replay/draining-zone/records.jsonl"});
  CHECK(result.all.judged == 3);
  CHECK(result.all.eligible == 3);
  CHECK(result.all.informative == 3);
  CHECK(result.all.hits == 0);
  REQUIRE(result.disagreements.size() == 3);
  CHECK(result.disagreements.front().eligible == 3);
  CHECK(result.disagreements.front().best == 2);
  CHECK(result.disagreements.front().regret == 3);
  REQUIRE(result.choices.size() == 1);
  CHECK(result.choices.front().variation == Variation::kDrainingTasksIgnored);
  CHECK(result.choices.front().decisions == 1);
  CHECK(result.choices.front().other_hits == 1);
}

TEST_CASE("a donated case gives the same disagreement and no name", "[replay]") {
  const auto result =
      replayed({"examples/replay/snapshot", "examples/replay/events.jsonl", "examples/replay/trail.json"}, "");
  REQUIRE(result.disagreements.size() == 1);
  REQUIRE(result.donated);
  REQUIRE(result.donated->ok());
  const auto& donated = **result.donated;
  const auto catalog = catalog::Catalog::load();
  CHECK_FALSE(check_donated_case(donated, catalog));
  for (const auto* name : {"shop", "web", "111122223333", "us-west-2", "2026"})
    CHECK(donated.records.find(name) == std::string::npos);
  auto other = donated;
  ++other.ruling.regret;
  CHECK(check_donated_case(other, catalog));
  auto telling = donated;
  telling.secrets.push_back("us-east-1a");
  CHECK(check_donated_case(telling, catalog));
}

TEST_CASE("the records become a scenario that loads and has every placement", "[replay]") {
  const auto result =
      replayed({"examples/replay/snapshot", "examples/replay/events.jsonl", "examples/replay/trail.json"});
  std::ostringstream text;
  write_recorded_scenario(text, result);
  MemoryFiles files;
  files.content["week.json"] = text.str();
  auto catalog = catalog::Catalog::load();
  scenario::ScenarioRequest request;
  request.scenario = "week.json";
  const auto loaded = scenario::load_scenario(request, files, catalog);
  REQUIRE(loaded.errors.empty());
  CHECK(loaded.scenario->instances.size() == 4);
  std::int64_t tasks = 0;
  for (const auto& call : loaded.scenario->calls) tasks += call.count;
  CHECK(tasks == 14);
}

TEST_CASE("instance events are equal to the computed resources", "[replay]") {
  const auto result = replayed({"tests/replay/bookkeeping/records.jsonl"});
  CHECK(result.bookkeeping.compared == 2);
  CHECK(result.bookkeeping.equal == 2);
  CHECK(result.bookkeeping.differences.empty());
}
