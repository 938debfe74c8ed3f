#include "cli/io/progress_line.hpp"

#include <ostream>

#include <fmt/core.h>

#include "report/document/terminal.hpp"

namespace bayplan::cli {

bool ProgressLine::is_due() const {
  if (!io_.err_is_terminal) return false;
  const auto now = Clock::now();
  return now - began_ >= std::chrono::milliseconds(500) && now - shown_ >= std::chrono::milliseconds(200);
}

void ProgressLine::show(std::string_view words) {
  shown_ = Clock::now();
  is_shown_ = true;
  const auto fitting = words.substr(0, report::beginning_within(words, report::text_columns() - 1));
  io_.err << "\r\x1b[K" << fitting << std::flush;
}

void ProgressLine::show_share(std::string_view what, std::int64_t done, std::int64_t all) {
  if (is_due() && all > 0) show(fmt::format("{}: {} of {} ({}%)", what, done, all, 100 * done / all));
}

void ProgressLine::clear() {
  if (is_shown_) io_.err << "\r\x1b[K" << std::flush;
  is_shown_ = false;
}

std::chrono::milliseconds ProgressLine::elapsed() const {
  return std::chrono::duration_cast<std::chrono::milliseconds>(Clock::now() - began_);
}

}  // namespace bayplan::cli
