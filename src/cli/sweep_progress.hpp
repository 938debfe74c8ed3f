#pragma once
#include <chrono>
#include <cstdint>

#include "cli/application.hpp"
#include "study/sweep.hpp"

namespace bayplan::cli {

/// A line on standard error that says how far a sweep is, where that is a terminal; after a second, five times a
/// second.
class SweepProgress {
 public:
  SweepProgress(Streams& io, const study::Block& block) : io_(io), block_(block) {}

  void show(std::int64_t next);  ///< All before `next` are done.
  void clear();

 private:
  using Clock = std::chrono::steady_clock;

  Streams& io_;
  study::Block block_;
  Clock::time_point began_ = Clock::now();
  Clock::time_point shown_ = began_;
  std::int64_t done_before_ = -1;  ///< When the first block came: an earlier run's are no measure of speed.
  bool is_shown_ = false;
};

}  // namespace bayplan::cli
