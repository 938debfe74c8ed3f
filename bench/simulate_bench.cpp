// Reads a scenario and takes the processor time of its simulation over time alone, without lint, check and report.
//   simulate_bench FILE [--plain] [--both] [--runs N]
// --plain: the plain simulator of the tests in place of the fast one; --both: compares what the two give.
#include <sys/resource.h>

#include "scenario_bench.hpp"
#include "timeline/plain_timeline.hpp"
#include "timeline/simulate.hpp"

namespace {

using namespace bayplan;
using timeline::History;

/// The plain simulator gives no causes.
bool equal(const History& a, const History& b) {
  const auto same = [](timeline::Event x, timeline::Event y) {
    x.cause = y.cause = timeline::kNoIndex;
    return x == y;
  };
  return a.instances == b.instances && a.metrics == b.metrics && a.end == b.end &&
         std::equal(a.events.begin(), a.events.end(), b.events.begin(), b.events.end(), same);
}

double peak_mb() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  return static_cast<double>(usage.ru_maxrss) * 1024 / 1e6;
}

}  // namespace

int main(int count, char** arguments) {
  const auto asked = bench::read_arguments(count, arguments);
  if (!asked) return 2;
  const auto scenario = bench::load(asked->file);
  if (!scenario) return 1;
  const double before = peak_mb();
  const auto run = [&](bool plain) {
    return plain ? timeline::simulate_plainly(*scenario) : timeline::simulate(*scenario);
  };
  History history;
  const double time = bench::median_seconds(
      asked->runs, [&] { return run(asked->plain); }, history);
  fmt::print(
      "{:.4f} s, {} events, {} tasks, {} instances, {} data points, {:.1f} hours, {:.0f} MB of {:.0f} MB before\n",
      time, history.events.size(), history.tasks.size(), history.instances.size(), history.metrics.size(),
      static_cast<double>(history.end) / 3600, peak_mb(), before);
  return asked->both ? bench::compare([&] { return run(!asked->plain); }, history, equal) : 0;
}
