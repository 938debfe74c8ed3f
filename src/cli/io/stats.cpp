#include "cli/io/stats.hpp"

#include <sys/resource.h>

#include <fmt/core.h>

namespace bayplan::cli {

void Stats::end_phase() {
  if (began_ && !phases_.empty()) phases_.back().time = Clock::now() - *began_;
  began_.reset();
}

void Stats::phase(std::string_view name) {
  if (!enabled_) return;
  end_phase();
  phases_.push_back({std::string(name), {}, {}});
  began_ = Clock::now();
}

void Stats::size(std::string text) {
  if (enabled_ && !phases_.empty()) phases_.back().size = std::move(text);
}

void Stats::print(std::ostream& err) {
  if (!enabled_) return;
  end_phase();
  Clock::duration total{};
  const auto milliseconds = [](Clock::duration time) {
    return std::chrono::duration<double, std::milli>(time).count();
  };
  for (const auto& phase : phases_) {
    total += phase.time;
    err << fmt::format("{:<10} {:>10.3f} ms  {}\n", phase.name, milliseconds(phase.time), phase.size);
  }
  rusage usage{};
  ::getrusage(RUSAGE_SELF, &usage);
  err << fmt::format("{:<10} {:>10.3f} ms  {} MiB at most\n", "total", milliseconds(total), usage.ru_maxrss / 1024);
}

}  // namespace bayplan::cli
