// Reads a scenario and takes the processor time of its simulation over time alone, without lint, check and report.
//   simulate_bench FILE [--both] [--runs N]
// --both: the plain simulator of the tests too; compares what the two give.
#include <sys/resource.h>

#include <algorithm>
#include <cstdlib>
#include <ctime>
#include <iostream>
#include <string_view>
#include <vector>

#include <fmt/format.h>

#include "base/files.hpp"
#include "placement/load_scenario.hpp"
#include "timeline/plain_timeline.hpp"
#include "timeline/simulate.hpp"

namespace {

using namespace bayplan;

template <typename Simulate>
double seconds(const placement::Scenario& scenario, Simulate simulate, timeline::History& history) {
  history = {};
  const std::clock_t begin = std::clock();
  history = simulate(scenario);
  return static_cast<double>(std::clock() - begin) / CLOCKS_PER_SEC;
}

/// The plain simulator gives no causes.
bool equal(const timeline::History& a, const timeline::History& b) {
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

int usage() {
  std::cerr << "usage: simulate_bench FILE [--both] [--runs N]\n";
  return 2;
}

}  // namespace

int main(int count, char** arguments) {
  bool both = false;
  int runs = 1;
  if (count < 2) return usage();
  for (int i = 2; i < count; ++i) {
    const std::string_view argument = arguments[i];
    if (argument == "--both") both = true;
    if (argument == "--runs" && i + 1 < count) runs = std::atoi(arguments[++i]);
  }
  DiskFiles files;
  auto catalog = catalog::Catalog::load();
  placement::ScenarioRequest request;
  request.scenario = arguments[1];
  const auto loaded = placement::load_scenario(request, files, catalog);
  for (const auto& error : loaded.errors) std::cerr << error.message << '\n';
  if (!loaded.scenario) return 1;
  const double before = peak_mb();
  std::vector<double> times;
  timeline::History history;
  for (int i = 0; i < runs; ++i) times.push_back(seconds(*loaded.scenario, timeline::simulate, history));
  std::sort(times.begin(), times.end());
  fmt::print(
      "{:.4f} s, {} events, {} tasks, {} instances, {} data points, {:.1f} hours, {:.0f} MB of {:.0f} MB before\n",
      times[times.size() / 2], history.events.size(), history.tasks.size(), history.instances.size(),
      history.metrics.size(), static_cast<double>(history.end) / 3600, peak_mb(), before);
  if (!both) return 0;
  timeline::History other;
  const double time = seconds(*loaded.scenario, timeline::simulate_plainly, other);
  fmt::print("{:.4f} s, {}\n", time, equal(history, other) ? "equal" : "DIFFERENT");
  return equal(history, other) ? 0 : 1;
}
