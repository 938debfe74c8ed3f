#include "cli/io/stats.hpp"

#include <algorithm>
#include <array>
#include <ostream>

#include <fmt/core.h>

#include "base/posix.hpp"
#include "cli/io/activity.hpp"

namespace bayplan::cli {
namespace {

struct PhaseWords {
  std::string_view phase;
  std::string_view words;
};

/// What a terminal shows of a phase that can take long.
constexpr std::array<PhaseWords, 17> kPhaseWords{{{"read", "reading the input"},
                                                  {"read report", "reading the earlier report"},
                                                  {"lint", "checking task definitions"},
                                                  {"fix", "fixing task definitions"},
                                                  {"compare", "comparing task definitions"},
                                                  {"fit", "fitting instance types"},
                                                  {"market", "reading prices"},
                                                  {"plan", "planning the fleet"},
                                                  {"place", "placing tasks"},
                                                  {"runs", "placing tasks in tie orders"},
                                                  {"ties", "placing tasks in other tie orders"},
                                                  {"simulate", "simulating the run"},
                                                  {"verify", "verifying the result"},
                                                  {"study", "analyzing the run"},
                                                  {"repack", "searching instances to remove"},
                                                  {"try", "simulating the call"},
                                                  {"why", "explaining the result"}}};

std::string_view words_of(std::string_view phase) {
  const auto found =
      std::find_if(kPhaseWords.begin(), kPhaseWords.end(), [&](const PhaseWords& one) { return one.phase == phase; });
  return found == kPhaseWords.end() ? std::string_view() : found->words;
}

}  // namespace

void Stats::end_phase() {
  if (began_ && !phases_.empty()) phases_.back().time = Clock::now() - *began_;
  began_.reset();
}

void Stats::phase(std::string_view name) {
  io_.activity->begin(words_of(name));
  if (!enabled_) return;
  end_phase();
  phases_.push_back({std::string(name), {}, {}});
  began_ = Clock::now();
}

void Stats::size(std::string text) {
  if (enabled_ && !phases_.empty()) phases_.back().size = std::move(text);
}

void Stats::print() {
  io_.activity->begin({});
  if (!enabled_) return;
  end_phase();
  Clock::duration total{};
  const auto milliseconds = [](Clock::duration time) {
    return std::chrono::duration<double, std::milli>(time).count();
  };
  for (const auto& phase : phases_) {
    total += phase.time;
    io_.err << fmt::format("{:<10} {:>10.3f} ms  {}\n", phase.name, milliseconds(phase.time), phase.size);
  }
  io_.err << fmt::format("{:<10} {:>10.3f} ms  peak {} MiB\n", "total", milliseconds(total),
                         posix::peak_memory() >> 20);
}

}  // namespace bayplan::cli
