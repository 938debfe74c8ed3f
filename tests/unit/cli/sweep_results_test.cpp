#include "cli/commands/sweep_results.hpp"

#include "catch.hpp"
#include "report/sweep/sweep_report.hpp"
#include "temporary_folder.hpp"

namespace {

using namespace bayplan;
using cli::SweepRange;
using cli::SweepResults;
using study::SweepSummary;

constexpr const char* kGrid = "00000000000000aa";

std::string line(std::int64_t index, std::int64_t unplaced = 0, const char* grid = kGrid) {
  study::VariantResult result;
  result.names.push_back({.name = "web", .desired = 5, .after = 5 - unplaced});
  result.summary.hourly_cost = 1'234'567;
  result.summary.instances_used = 3;
  result.summary.gpu = {.total = 8, .free = 4, .largest_free_block = 2};
  return report::sweep_line(grid, index, {{"a", index}}, result);
}

std::string lines(std::int64_t begin, std::int64_t end) {
  std::string text;
  for (std::int64_t i = begin; i < end; ++i) text += line(i, i % 3);
  return text;
}

struct Opened {
  std::optional<SweepResults> results;
  std::string error;
  SweepSummary summary{{{10, false}}};
};

Opened open(const TemporaryFolder& folder, study::Block block = {0, 10}, bool fresh = false) {
  Opened opened;
  DiskFiles files;
  auto results = SweepResults::open(folder.file("r"), {kGrid, block}, fresh, files, opened.summary);
  if (results) {
    opened.results.emplace(std::move(*results));
  } else {
    const auto& error = results.error();
    opened.error = error.file.substr(error.file.rfind('/') + 1) + ":" + std::to_string(error.line) + ": " +
                   error.message + "; " + error.help;
  }
  return opened;
}

}  // namespace

TEST_CASE("sweep line - what is written is read") {
  const auto text = line(7, 2);
  CHECK(text ==
        R"({"schema": "bayplan/sweep-report/1", "grid": "00000000000000aa", "index": 7, "point": {"a": 7}, )"
        R"("summary": {"placed": 0, "unplaced": 0, "provisioning": 0, "instances": 0, "instancesUsed": 3, )"
        R"("utilization": {"CPU": null, "MEMORY": null, "GPU": null}, )"
        R"("gpu": {"total": 8, "free": 4, "largestFreeBlock": 2, "stranded": 0}, "hourlyCost": 1.234567, "ties": 0}, )"
        R"("unplaced": 2, "held": 0, "moves": 0, "unplacedTasks": {"web": 2}})"
        "\n");
  const auto read = report::read_sweep_line(std::string_view(text).substr(0, text.size() - 1));
  REQUIRE(read);
  CHECK(read->grid == kGrid);
  CHECK(read->index == 7);
  CHECK(read->figures.unplaced == 2);
  CHECK(read->figures.hourly_cost == 1'234'567);
  CHECK(read->figures.instances_used == 3);
  CHECK(read->figures.gpus == 8);
  CHECK(read->figures.free_gpus == 4);
  CHECK(read->figures.largest_free_block == 2);
  for (const std::string_view bad : {"", "7", "{}", "{\"schema\": \"bayplan/place-report/1\"}",
                                     "{\"schema\": \"bayplan/sweep-report/1\", \"grid\": \"a\"}", "{\"schema\": "})
    CHECK_FALSE(report::read_sweep_line(bad));
}

TEST_CASE("sweep results - appended to FILE.partial, and FILE when all are there") {
  const TemporaryFolder folder;
  auto opened = open(folder);
  REQUIRE(opened.results);
  CHECK(opened.results->next() == 0);
  CHECK(opened.results->note().empty());
  REQUIRE(opened.results->append(lines(0, 4)));
  CHECK(folder.get("r.partial") == lines(0, 4));
  REQUIRE(opened.results->append(lines(4, 10)));
  CHECK_FALSE(folder.has("r"));
  REQUIRE(opened.results->finish());
  CHECK(folder.get("r") == lines(0, 10));
  CHECK_FALSE(folder.has("r.partial"));

  const auto again = open(folder);
  REQUIRE(again.results);
  CHECK(again.results->is_complete());
  CHECK(again.results->next() == 10);
  CHECK(again.summary.scenarios() == 10);
  CHECK(again.summary.placed_all() == 4);
  CHECK_FALSE(folder.has("r.partial"));
}

TEST_CASE("sweep results - go on behind the whole lines of a run that was cut off") {
  const TemporaryFolder folder;
  const std::string whole = lines(0, 6);
  for (const std::size_t more : {0, 1, 30}) {
    folder.put("r.partial", whole + line(6).substr(0, more));
    auto opened = open(folder);
    REQUIRE(opened.results);
    CHECK(opened.results->next() == 6);
    CHECK(opened.summary.scenarios() == 6);
    CHECK(folder.get("r.partial") == whole);
    CHECK((opened.results->note().find("incomplete line") != std::string::npos) == (more > 0));
    CHECK(opened.results->note().find("continuing after 6 of 10 scenarios") != std::string::npos);
  }
}

TEST_CASE("sweep results - of another grid, shard or order are refused, and left as they are") {
  const TemporaryFolder folder;
  const std::string other = line(0) + line(1, 0, "00000000000000bb");
  folder.put("r.partial", other);
  CHECK(
      open(folder).error ==
      "r.partial:2: these results belong to another grid (00000000000000bb; this one is 00000000000000aa); The grid, a "
      "file that it names, or bayplan has changed since. Write to another file, or start over with --fresh.");
  CHECK(folder.get("r.partial") == other);
  folder.put("r.partial", lines(0, 3));
  CHECK(open(folder, {5, 10}).error ==
        "r.partial:1: scenario 0 is not in this shard, which has 5 to 9; Write to another file, or start over with "
        "--fresh.");
  folder.put("r.partial", line(0) + line(2));
  CHECK(open(folder).error ==
        "r.partial:2: scenario 2 instead of 1; Write to another file, or start over with --fresh.");
  folder.put("r.partial", line(0) + "nonsense\n" + line(1));
  CHECK(open(folder).error == "r.partial:2: this line is not JSON; Write to another file, or start over with --fresh.");
  folder.put("r", "my notes\n");
  CHECK(open(folder).error == "r:1: this line is not JSON; Write to another file, or start over with --fresh.");
  CHECK(folder.get("r") == "my notes\n");
}

TEST_CASE("sweep results - anew") {
  const TemporaryFolder folder;
  folder.put("r.partial", "my notes\n");
  folder.put("r", lines(0, 10));
  auto opened = open(folder, {0, 10}, true);
  REQUIRE(opened.results);
  CHECK(opened.results->next() == 0);
  CHECK(opened.summary.scenarios() == 0);
  CHECK(folder.get("r.partial").empty());
  CHECK(folder.get("r") == lines(0, 10));
}

TEST_CASE("sweep results - shards put together out of order are sorted, doubles counted once") {
  const TemporaryFolder folder;
  folder.put("r", lines(6, 10) + lines(0, 6) + lines(2, 4));
  const auto opened = open(folder);
  REQUIRE(opened.results);
  CHECK(opened.results->is_complete());
  CHECK(folder.get("r") == lines(0, 10));
  CHECK(opened.summary.scenarios() == 10);
  CHECK(opened.summary.placed_all() == 4);
  CHECK(opened.results->note().find("lines sorted") != std::string::npos);
}

TEST_CASE("sweep results - shards that differ or lack are refused") {
  const TemporaryFolder folder;
  const std::string differ = lines(0, 10) + line(4, 5);
  folder.put("r", differ);
  CHECK(open(folder).error ==
        "r:11: scenario 4 has a different result in line 5; They come from different inputs: delete the wrong one.");
  CHECK(folder.get("r") == differ);
  folder.put("r", lines(0, 3) + lines(6, 10));
  CHECK(open(folder).error ==
        "r:0: has 7 of 10 scenarios; scenario 3 is the first one missing; Add the lines of the missing shards, or "
        "start over with --fresh.");
  folder.put("r", lines(0, 9) + line(9).substr(0, 20));
  CHECK(open(folder).error == "r:10: this line is not JSON; Write to another file, or start over with --fresh.");
}

TEST_CASE("sweep results - an empty shard is an empty file") {
  const TemporaryFolder folder;
  auto opened = open(folder, {4, 4});
  REQUIRE(opened.results);
  CHECK(opened.results->next() == 4);
  REQUIRE(opened.results->finish());
  CHECK(open(folder, {4, 4}).results->is_complete());
}

TEST_CASE("sweep results - where nothing can be written") {
  DiskFiles files;
  SweepSummary summary({{10, false}});
  const auto nowhere = SweepResults::open("/no-such-folder/r", {kGrid, {0, 10}}, false, files, summary);
  REQUIRE_FALSE(nowhere);
  CHECK(nowhere.error().file == "/no-such-folder/r.partial");
  CHECK(nowhere.error().message == "cannot write: folder not found: /no-such-folder");
  const auto folder = SweepResults::open("/tmp", {kGrid, {0, 10}}, false, files, summary);
  REQUIRE_FALSE(folder);
  CHECK(folder.error().message == "cannot write: Is a directory");
  auto full = SweepResults::open("/dev/full", {kGrid, {0, 10}}, false, files, summary);
  REQUIRE(full);
  REQUIRE(full->append(lines(0, 10)));
  CHECK_FALSE(full->finish());
}
