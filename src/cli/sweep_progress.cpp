#include "cli/sweep_progress.hpp"

#include <ostream>

#include "base/fill.hpp"

namespace bayplan::cli {

void SweepProgress::show(std::int64_t next) {
  if (!io_.err_is_terminal) return;
  const std::int64_t done = next - block_.begin;
  if (done_before_ < 0) done_before_ = done;
  const auto now = Clock::now();
  if (now - began_ < std::chrono::seconds(1) || now - shown_ < std::chrono::milliseconds(200)) return;
  shown_ = now;
  is_shown_ = true;
  const auto milliseconds = std::chrono::duration_cast<std::chrono::milliseconds>(now - began_).count();
  io_.err << fill("\r\x1b[K{} of {} scenarios, {} %, {} a second",
                  {done, block_.size(), 100 * done / block_.size(), (done - done_before_) * 1000 / milliseconds})
          << std::flush;
}

void SweepProgress::clear() {
  if (is_shown_) io_.err << "\r\x1b[K" << std::flush;
}

}  // namespace bayplan::cli
