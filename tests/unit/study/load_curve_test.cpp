#include "study/payment/load_curve.hpp"

#include "base/memory_files.hpp"
#include "catch.hpp"
#include "placement/build.hpp"
#include "study/payment/decimals.hpp"
#include "text/read.hpp"

namespace bayplan::study::load_curve_test {
namespace {

using Counts = std::vector<std::int64_t>;
using Texts = std::vector<std::string>;
using placement::build::needs;
using placement::build::run_task;

/// Ten tasks of web, three of job; a daemon.
placement::Scenario tasks_with(const std::string& load) {
  auto agent = run_task("agent", needs(64, 64), 1);
  agent.kind = placement::WorkloadKind::kDaemon;
  auto scenario = placement::build::scenario_with(
      {}, {agent, run_task("web", needs(512, 900), 10), run_task("job", needs(1024, 1800), 3)});
  scenario.file = "s.yaml";
  if (!load.empty()) scenario.document = text::read_document("load: " + load + "\n", {.format = text::Format::kYaml});
  return scenario;
}

LoadedCurve read(const std::string& load, const std::string& csv = {}, const std::string& flag = {}) {
  return load_curve(tasks_with(load), flag, MemoryFiles({{"load.csv", csv}}), {});
}

/// "s.yaml:1:8 message"
Texts errors_of(const LoadedCurve& loaded) {
  Texts texts;
  for (const auto& error : loaded.errors)
    texts.push_back(error.file + ":" + std::to_string(error.line) + ":" + std::to_string(error.column) + " " +
                    error.message);
  return texts;
}

}  // namespace

TEST_CASE("decimals are read to the millionth and never as floating point") {
  CHECK(parse_millionths("0.25") == 250'000);
  CHECK(parse_millionths("1") == 1'000'000);
  CHECK(parse_millionths("0.1234560") == 123'456);
  for (const auto* text : {"", ".5", "1.", "-1", "+1", "1e3", "0.1234567", "1,5", "28%"})
    CHECK_FALSE(parse_millionths(text));
  CHECK(parse_share("28%") == 280'000);
  CHECK(parse_share(" 27.5 %") == 275'000);
  CHECK(parse_share("0.28") == 280'000);
  CHECK_FALSE(parse_share("28.12345%"));
}

TEST_CASE("factors scale every service rounded up to whole tasks") {
  const auto loaded = read("[0.25, 1, 0.25, 0]");
  REQUIRE(loaded.curve);
  CHECK(loaded.curve->hours == std::vector<std::uint32_t>{0, 1, 0, 2});
  REQUIRE(loaded.curve->levels.size() == 3);
  CHECK(loaded.curve->levels[0].counts == Counts{0, 3, 1});  // 2.5 and 0.75
  CHECK(loaded.curve->levels[0].hours == 2);
  CHECK(loaded.curve->levels[0].tasks() == 4);
  CHECK(loaded.curve->levels[2].counts == Counts{0, 0, 0});
  CHECK(loaded.curve->peak() == Counts{0, 10, 3});
  CHECK(loaded.curve->peak_level() == 1u);
}

TEST_CASE("a service without factors keeps its count and shorter lists are repeated") {
  const auto loaded = read("{web: [0.1, 0.2, 0.3, 0.4]}");
  REQUIRE(loaded.curve);
  CHECK(loaded.curve->levels[3].counts == Counts{0, 4, 3});
  const auto both = read("{web: [1, 0.5], job: [1, 1, 2, 1]}");
  REQUIRE(both.curve);
  CHECK(both.curve->hours == std::vector<std::uint32_t>{0, 1, 2, 1});
  CHECK(both.curve->peak() == Counts{0, 10, 6});
  const auto apart = read("{web: [1, 0.5], job: [0, 1]}");
  CHECK(apart.curve->peak() == Counts{0, 10, 3});
  CHECK_FALSE(apart.curve->peak_level());  // at different hours
}

TEST_CASE("a table has a count for each service and hour") {
  const auto loaded = read("load.csv", "# from the metrics\nhour,web, job\n0,4,0\n1,10,3\r\n\n2,4,0\n");
  REQUIRE(loaded.curve);
  CHECK(loaded.curve->hours == std::vector<std::uint32_t>{0, 1, 0});
  CHECK(loaded.curve->levels[0].counts == Counts{0, 4, 0});
  CHECK(read("", "web\n5\n", "load.csv").curve->peak() == Counts{0, 5, 3});
  CHECK_FALSE(read("").curve);
  CHECK(constant_load(tasks_with("")).peak() == Counts{0, 10, 3});
}

TEST_CASE("what is wrong with a load is told with its place") {
  CHECK(errors_of(read("{wbe: [1]}")) == Texts{"s.yaml:1:8 no service or task family is called 'wbe'"});
  CHECK(read("{wbe: [1]}").errors.front().help == "did you mean 'web'?");
  CHECK(errors_of(read("{agent: [1]}")) ==
        Texts{"s.yaml:1:8 'agent' is a DAEMON service: one task runs on each instance"});
  CHECK(errors_of(read("[1, 1e9]")) == Texts{"s.yaml:1:11 a load factor cannot be '1e9'"});
  CHECK(errors_of(read("{web: [1, 1], job: [1, 1, 1]}")) ==
        Texts{"s.yaml:1:7 web has 2 hours, which do not repeat evenly in the 3 hours of another"});
  CHECK(errors_of(read("[1000000]")) == Texts{"s.yaml:0:0 the load has more than 3000000 tasks at its peak"});
  CHECK(errors_of(read("none.csv")).size() == 1);
  CHECK(errors_of(read("load.csv", "")) == Texts{"load.csv:1:1 the file is empty"});
  CHECK(errors_of(read("load.csv", "hour,web\n")) == Texts{"load.csv:1:1 the file has no hours"});
  CHECK(errors_of(read("load.csv", "hour,other\n0,1\n")) ==
        Texts{"load.csv:1:6 no service or task family is called 'other'"});
  CHECK(errors_of(read("load.csv", "hour\n0\n")) == Texts{"load.csv:1:1 no column is a service or task family"});
  CHECK(errors_of(read("load.csv", "web,web\n0,1\n")) == Texts{"load.csv:1:5 duplicate column web"});
  CHECK(errors_of(read("load.csv", "hour,web\n0,-1\n1,x\n2\n")) ==
        Texts{"load.csv:2:3 the count of web cannot be '-1'", "load.csv:3:3 the count of web cannot be 'x'",
              "load.csv:4:1 the row has 1 cell, the first line 2"});
}

TEST_CASE("a load has at most the hours of a leap year") {
  std::string csv = "web\n";
  for (int hour = 0; hour < 8'784; ++hour) csv += "1\n";
  CHECK(read("load.csv", csv).curve->hours.size() == 8'784);
  CHECK(errors_of(read("load.csv", csv + "1\n")) == Texts{"load.csv:8786:1 the file has more hours than a year"});
}

TEST_CASE("tasks with start times and durations are a load by hour") {
  std::uint32_t random = 1;
  const auto draw = [&](std::uint32_t below) { return (random = random * 1'664'525 + 1'013'904'223) / 65'536 % below; };
  for (int round = 0; round < 50; ++round) {
    auto scenario = tasks_with("");
    scenario.timetable.tasks.resize(3);
    scenario.timetable.tasks[1].start_delay = draw(600);
    scenario.calls.clear();
    placement::Seconds end = 0;
    for (int i = 0; i < 6; ++i) {
      const placement::Seconds begin = 60 * draw(400);
      const placement::Seconds lasts = 60 * (1 + draw(300));
      scenario.calls.push_back({1, 1 + draw(5), begin, lasts});
      end = std::max(end, begin + scenario.timetable.tasks[1].start_delay + lasts);
    }
    const auto loaded = curve_over_time(scenario);
    REQUIRE(loaded.curve);
    const auto& curve = *loaded.curve;
    REQUIRE(curve.hours.size() == static_cast<std::size_t>((end + 3599) / 3600));
    for (std::size_t hour = 0; hour < curve.hours.size(); ++hour) {
      std::int64_t most = 0;
      const auto begins = static_cast<placement::Seconds>(3600 * hour);
      for (placement::Seconds at = begins; at < begins + 3600; ++at) {
        std::int64_t running = 0;
        for (const auto& call : scenario.calls) {
          const auto until = call.start_at + scenario.timetable.tasks[1].start_delay + *call.duration;
          running += call.start_at <= at && at < until ? call.count : 0;
        }
        most = std::max(most, running);
      }
      CHECK(curve.levels[curve.hours[hour]].counts == Counts{0, most, 3});
    }
  }
}

TEST_CASE("a load over time must end, and within a year") {
  auto scenario = tasks_with("");
  scenario.timetable.tasks.resize(3);
  CHECK(errors_of(curve_over_time(scenario)) == Texts{"s.yaml:0:0 no task ends, so the load has no end"});
  scenario.calls = {{1, 2, 0, 3600 * 8'785}};
  CHECK(errors_of(curve_over_time(scenario)) ==
        Texts{"s.yaml:0:0 the tasks run for 8785 hours, which is more than a year"});
}

}  // namespace bayplan::study::load_curve_test
