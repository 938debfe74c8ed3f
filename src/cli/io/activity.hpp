#pragma once
#include <chrono>
#include <condition_variable>
#include <cstddef>
#include <functional>
#include <mutex>
#include <ostream>
#include <streambuf>
#include <string>
#include <string_view>
#include <utility>

#include "base/threads.hpp"

namespace bayplan::cli {

/// A line on standard error that says what a command does and for how long, if standard error is a terminal: from half
/// a second after a phase begins until it ends. A thread shows it, because a computation does not stop to report.
/// Without threads (WebAssembly), nothing can wait half a second: the line appears when the phase begins, and without
/// seconds.
class Activity {
 public:
  /// `columns`: the width of the terminal. A longer line would wrap, and erasing it would leave its first part behind.
  /// `listener`: takes each text at once, terminal or not.
  Activity(std::ostream& err, bool is_terminal, std::size_t columns,
           std::function<void(std::string_view words)> listener = {})
      : err_(err), is_terminal_(is_terminal), columns_(columns), listener_(std::move(listener)) {}
  Activity(const Activity&) = delete;
  Activity& operator=(const Activity&) = delete;
  ~Activity();

  /// A phase begins, such as "placing tasks". An empty text ends the last one.
  void begin(std::string_view phase);
  /// Shows how far the phase is, until the next call or the end of the phase.
  void say(std::string_view words);
  /// The line disappears until something is said or a phase begins.
  void pause();
  /// The line disappears for good: the report begins, maybe on the same terminal.
  void end();

  /// Writes to a stream that may be the same terminal, on a line without progress.
  void write(std::ostream& sink, std::string_view text);

 private:
  using Clock = std::chrono::steady_clock;

  void run();
  // The caller holds the mutex.
  void show(std::string_view words);
  void erase();

  std::ostream& err_;
  const bool is_terminal_;
  const std::size_t columns_;
  const std::function<void(std::string_view words)> listener_;
  std::mutex mutex_;
  std::condition_variable ended_;
  Thread thread_;
  std::string phase_;
  Clock::time_point began_;
  bool is_shown_ = false;
  bool is_over_ = false;
};

/// Passes on what is written, on a line without progress.
class ActivityStream : private std::streambuf, public std::ostream {
 public:
  /// `is_report`: the first text ends the progress.
  ActivityStream(std::ostream& sink, Activity& activity, bool is_report)
      : std::ostream(this), sink_(sink), activity_(activity), is_report_(is_report) {}

 private:
  std::streambuf::int_type overflow(std::streambuf::int_type next) override;
  std::streamsize xsputn(const char* text, std::streamsize size) override;
  int sync() override;

  std::ostream& sink_;
  Activity& activity_;
  const bool is_report_;
};

}  // namespace bayplan::cli
