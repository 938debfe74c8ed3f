#pragma once
#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "cli/application.hpp"

namespace bayplan::cli {

/// The phases of a command: the time and size of each for `--stats`, and what a terminal shows while a phase takes
/// long.
class Stats {
 public:
  Stats(bool enabled, Streams& io) : enabled_(enabled), io_(io) {}

  /// Ends the phase before and begins `name`. `size` says how much it handled: "12 files, 60 KiB".
  void phase(std::string_view name);
  void size(std::string text);
  /// Ends the last phase and prints a line each to standard error.
  void print();

 private:
  using Clock = std::chrono::steady_clock;
  struct Phase {
    std::string name;
    std::string size;
    Clock::duration time{};
  };
  void end_phase();

  bool enabled_;
  Streams& io_;
  std::vector<Phase> phases_;
  std::optional<Clock::time_point> began_;
};

}  // namespace bayplan::cli
