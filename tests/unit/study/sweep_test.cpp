#include "study/sweep/sweep.hpp"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <map>
#include <random>
#include <thread>

#include "catch.hpp"

namespace {

using namespace bayplan;
using study::Block;
using study::Measure;
using study::SweepFigures;
using study::SweepSummary;
using study::Tally;

SweepFigures figures(std::int64_t unplaced, MicroUsd cost = 1'000'000, std::int64_t used = 1) {
  return {.unplaced = unplaced,
          .instances_used = used,
          .hourly_cost = cost,
          .free_gpus = 10 - unplaced,
          .largest_free_block = 2,
          .gpus = 10};
}

/// Lines that say their index, some of them late.
study::SweepJob job_of(Block block, unsigned threads, std::string& written) {
  study::SweepJob job;
  job.block = block;
  job.threads = threads;
  job.make_worker = [] {
    return [](std::int64_t index) -> study::SweptScenario {
      if (index % 97 == 0) std::this_thread::sleep_for(std::chrono::microseconds(200));
      return {std::to_string(index) + "\n", figures(index)};
    };
  };
  job.take = [&written](const study::SweptBlock& swept) {
    written += swept.lines;
    return true;
  };
  return job;
}

}  // namespace

TEST_CASE("sweep - shards behind each other are the grid, in sizes that differ by one at most") {
  for (const std::int64_t size : {1, 7, 120, 1'000'000'000}) {
    for (const std::int64_t count : {1, 2, 3, 7, 16, 999}) {
      std::int64_t next = 0;
      for (std::int64_t number = 1; number <= count; ++number) {
        const Block block = study::block_of({number, count}, size);
        CHECK(block.begin == next);
        CHECK(block.size() - size / count <= 1);
        CHECK(block.size() >= size / count);
        next = block.end;
      }
      CHECK(next == size);
    }
  }
  CHECK(study::block_of({1'000'000'000, 1'000'000'000}, 1'000'000'000).begin == 999'999'999);
}

TEST_CASE("sweep - any number of threads gives the same lines in order") {
  std::string alone;
  CHECK(study::run_sweep(job_of({5, 2000}, 1, alone)) == 2000);
  CHECK(std::count(alone.begin(), alone.end(), '\n') == 1995);
  CHECK(alone.starts_with("5\n6\n"));
  for (const unsigned threads : {2U, 9U}) {
    std::string together;
    CHECK(study::run_sweep(job_of({5, 2000}, threads, together)) == 2000);
    CHECK(together == alone);
  }
  std::string none;
  CHECK(study::run_sweep(job_of({3, 3}, 2, none)) == 3);
  CHECK(none.empty());
}

TEST_CASE("sweep - stopped, it says where to go on, and all before it was taken") {
  for (const unsigned threads : {1U, 4U}) {
    std::string first;
    auto job = job_of({0, 100'000}, threads, first);
    std::atomic<int> asked{0};
    job.stop = [&] { return ++asked > 20; };
    const std::int64_t next = study::run_sweep(job);
    CHECK(next > 0);
    CHECK(next < 100'000);
    CHECK(std::count(first.begin(), first.end(), '\n') == next);
    CHECK(first.ends_with(std::to_string(next - 1) + "\n"));
  }
}

TEST_CASE("sweep - what cannot be taken ends it") {
  std::string written;
  auto job = job_of({0, 100'000}, 3, written);
  int taken = 0;
  job.take = [&](const study::SweptBlock&) { return ++taken < 4; };
  const std::int64_t next = study::run_sweep(job);
  CHECK(taken == 4);
  CHECK(next == 3 * 32);
}

TEST_CASE("tally - the median of whole numbers, exact while few differ") {
  Tally tally;
  for (const std::int64_t value : {5, 1, 9, 1}) tally.add(value);
  CHECK(tally.median() == 1);
  tally.add(7);
  CHECK(tally.median() == 5);
  CHECK(tally.smallest() == 1);
  CHECK(tally.largest() == 9);
  CHECK(tally.is_exact());
}

TEST_CASE("tally - many different numbers cost no more memory, whatever their order") {
  std::vector<std::int64_t> values;
  std::mt19937_64 draw(7);
  for (int i = 0; i < 20'000; ++i) values.push_back(static_cast<std::int64_t>(draw() % 3'000'000));
  Tally given;
  for (const auto value : values) given.add(value);
  std::sort(values.begin(), values.end());
  Tally sorted;
  for (const auto value : values) sorted.add(value);
  CHECK_FALSE(given.is_exact());
  CHECK(given.median() == sorted.median());
  CHECK(given.largest() == values.back());
  CHECK(given.smallest() == values.front());
  const std::int64_t exact = values[values.size() / 2 - 1];
  CHECK(std::abs(given.median() - exact) <= 2 * 3'000'000 / static_cast<std::int64_t>(Tally::kMaxDistinct) * 2);
}

TEST_CASE("sweep summary - rows along each axis against a plain count") {
  SweepSummary summary({{3, false}, {4, false}});
  std::map<std::int64_t, std::vector<std::int64_t>> of_row;
  for (std::int64_t index = 0; index < 12; ++index) {
    summary.add(index, figures(index % 5));
    of_row[index / 4].push_back(index % 5);
  }
  CHECK(summary.scenarios() == 12);
  CHECK(summary.placed_all() == 3);
  REQUIRE(summary.rows(0).size() == 3);
  for (std::int64_t row = 0; row < 3; ++row) {
    auto values = of_row[row];
    std::sort(values.begin(), values.end());
    const auto& seen = summary.rows(0)[static_cast<std::size_t>(row)];
    CHECK(seen.scenarios == 4);
    CHECK(seen.of(Measure::kUnplaced).median() == values[1]);
    CHECK(seen.of(Measure::kUnplaced).largest() == values[3]);
    CHECK(seen.placed_all == std::count(values.begin(), values.end(), 0));
  }
  CHECK(summary.rows(1)[2].scenarios == 3);
  CHECK(summary.position(7, 0) == 1);
  CHECK(summary.position(7, 1) == 3);
}

TEST_CASE("sweep summary - neighbors share the rows of a long axis") {
  SweepSummary summary({{1000, false}});
  for (std::int64_t index = 0; index < 1000; ++index) summary.add(index, figures(index));
  const auto& rows = summary.rows(0);
  REQUIRE(rows.size() == static_cast<std::size_t>(SweepSummary::kFewRows));
  std::int64_t next = 0;
  for (const auto& row : rows) {
    CHECK(row.first == next);
    CHECK(row.scenarios == row.last - row.first + 1);
    CHECK(row.of(Measure::kUnplaced).smallest() == row.first);
    CHECK(row.of(Measure::kUnplaced).largest() == row.last);
    next = row.last + 1;
  }
  CHECK(next == 1000);
}

TEST_CASE("sweep summary - the best places the most, then costs the least, then comes first") {
  SweepSummary summary({{5, false}});
  summary.add(0, figures(1, 1));
  summary.add(1, figures(0, 9));
  summary.add(2, figures(0, 7, 3));
  summary.add(3, figures(0, 7, 2));
  summary.add(4, figures(0, 7, 2));
  REQUIRE(summary.best());
  CHECK(summary.best()->index == 3);
  CHECK_FALSE(summary.choices());
}

TEST_CASE("sweep summary - a choice counts when all its seeds were seen, with the worst of them") {
  SweepSummary summary({{3, false}, {2, true, true}});
  summary.add(1, figures(0));  // a shard that begins amid a choice
  summary.add(2, figures(0, 5, 2));
  summary.add(3, figures(0, 5, 4));
  summary.add(4, figures(0));
  summary.add(5, figures(1));
  REQUIRE(summary.choices());
  CHECK(summary.choices()->count == 2);
  CHECK(summary.choices()->placed_all == 1);
  REQUIRE(summary.choices()->best);
  CHECK(summary.choices()->best->index == 2);
  CHECK(summary.choices()->best->figures.instances_used == 4);
  CHECK(summary.rows(1).empty());
}

TEST_CASE("sweep summary - every axis at the end of which nobody chooses the points is a case of the choices") {
  SweepSummary summary({{2, false, true}, {2}, {3, false, true}, {2, true, true}});
  for (std::int64_t index = 0; index < 24; ++index) summary.add(index, figures(index == 7 ? 2 : 0));
  REQUIRE(summary.choices());
  CHECK(summary.choices()->axes == 2);
  CHECK(summary.choices()->cases == 6);
  CHECK(summary.choices()->count == 4);
  CHECK(summary.choices()->placed_all == 3);
  CHECK(summary.rows(2).size() == 3);
  CHECK_FALSE(SweepSummary({{2, false, true}, {3, true, true}}).choices());
}

TEST_CASE("sweep summary - what matters") {
  SweepSummary summary({{2, false}, {2, false}, {2, false}});
  for (std::int64_t index = 0; index < 8; ++index) summary.add(index, figures(3 * (index / 4) + index / 2 % 2));
  CHECK(*summary.share(0, Measure::kUnplaced) == Approx(0.9));
  CHECK(*summary.share(1, Measure::kUnplaced) == Approx(0.1));
  CHECK(*summary.share(2, Measure::kUnplaced) == Approx(0.0).margin(1e-12));
  CHECK_FALSE(summary.share(0, Measure::kHourlyCost));  // does not vary
}
