#include "cli/io/progress_line.hpp"

#include <fmt/core.h>

#include "cli/io/activity.hpp"

namespace bayplan::cli {

bool ProgressLine::is_due() const {
  if (!io_.err_is_terminal && !io_.on_progress) return false;
  const auto now = Clock::now();
  return now - began_ >= std::chrono::milliseconds(500) && now - shown_ >= std::chrono::milliseconds(200);
}

void ProgressLine::show(std::string_view words) {
  shown_ = Clock::now();
  io_.activity->say(words);
}

void ProgressLine::show_share(std::string_view what, std::int64_t done, std::int64_t all) {
  if (is_due() && all > 0) show(fmt::format("{}: {} of {} ({}%)", what, done, all, 100 * done / all));
}

void ProgressLine::clear() {
  io_.activity->pause();
}

std::chrono::milliseconds ProgressLine::elapsed() const {
  return std::chrono::duration_cast<std::chrono::milliseconds>(Clock::now() - began_);
}

}  // namespace bayplan::cli
