#pragma once
#include <chrono>
#include <cstdint>
#include <string_view>

#include "cli/application.hpp"

namespace bayplan::cli {

/// A line on standard error that says how far a long computation is, where that is a terminal, and for the listener of
/// the streams: after half a second, five times a second, and gone in the end.
class ProgressLine {
 public:
  explicit ProgressLine(Streams& io) : io_(io) {}
  ProgressLine(const ProgressLine&) = delete;
  ProgressLine& operator=(const ProgressLine&) = delete;
  ~ProgressLine() { clear(); }

  bool is_due() const;  ///< Whether a line would be shown now: its words may take time.
  void show(std::string_view words);
  /// "placing in tie orders: 37 of 200 (18%)", when it is due.
  void show_share(std::string_view what, std::int64_t done, std::int64_t all);
  void clear();
  std::chrono::milliseconds elapsed() const;

 private:
  using Clock = std::chrono::steady_clock;

  Streams& io_;
  Clock::time_point began_ = Clock::now();
  Clock::time_point shown_ = began_;
};

}  // namespace bayplan::cli
