#pragma once
#include <chrono>
#include <cstdint>
#include <optional>
#include <ostream>
#include <string>
#include <string_view>
#include <vector>

namespace bayplan::cli {

/// Time and size of each phase of a command, for `--stats`. Costs nothing when switched off.
class Stats {
 public:
  explicit Stats(bool enabled) : enabled_(enabled) {}

  /// Ends the phase before and begins `name`. `size` says how much it handled: "12 files, 60 KiB".
  void phase(std::string_view name);
  void size(std::string text);
  /// Ends the last phase and prints a line each.
  void print(std::ostream& err);

 private:
  using Clock = std::chrono::steady_clock;
  struct Phase {
    std::string name;
    std::string size;
    Clock::duration time{};
  };
  void end_phase();

  bool enabled_;
  std::vector<Phase> phases_;
  std::optional<Clock::time_point> began_;
};

}  // namespace bayplan::cli
