#pragma once
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "study/sweep/sweep_summary.hpp"

/// Runs the scenarios of a grid, each for itself, with several threads and in order.
namespace bayplan::study {

/// Part `number` of `count`, from 1.
struct Shard {
  std::int64_t number = 1;
  std::int64_t count = 1;
};

/// Scenarios of a grid that follow each other: [begin, end).
struct Block {
  std::int64_t begin = 0;
  std::int64_t end = 0;

  std::int64_t size() const { return end - begin; }
  bool holds(std::int64_t index) const { return begin <= index && index < end; }
};

/// The shards of a grid, put behind each other, are the grid; their sizes differ by one at most.
Block block_of(const Shard& shard, std::int64_t size);

/// A scenario that was run.
struct SweptScenario {
  std::string line;  ///< The line with its line feed.
  SweepFigures figures;
};

/// Some that follow each other.
struct SweptBlock {
  std::int64_t first = 0;
  std::string lines;
  std::vector<SweepFigures> figures;
};

/// Runs the scenario of an index. Used by one thread at a time.
using SweepWorker = std::function<SweptScenario(std::int64_t index)>;

struct SweepJob {
  Block block;
  unsigned threads = 1;
  std::function<SweepWorker()> make_worker;     ///< Makes a worker when it is needed, at most one per thread.
  std::function<bool(const SweptBlock&)> take;  ///< Receives the blocks in order, one at a time; false stops the run.
  std::function<bool()> stop = {};              ///< Asked by all threads before each block.
};

/// The first scenario that `take` has not had. What waits at any time does not grow with the number of scenarios.
std::int64_t run_sweep(const SweepJob& job);

}  // namespace bayplan::study
