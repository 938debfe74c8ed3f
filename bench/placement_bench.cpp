// Reads a scenario and takes the processor time of the engine alone, without lint, check and report.
//   placement_bench FILE [--plain] [--both] [--runs N]
// --plain: the plain engine in place of the indexed one; --both: compares what the two give.
#include <algorithm>
#include <cstdlib>
#include <ctime>
#include <iostream>
#include <string_view>
#include <vector>

#include <fmt/format.h>

#include "base/files.hpp"
#include "placement/engine.hpp"
#include "placement/load_scenario.hpp"
#include "placement/plain_engine.hpp"

namespace {

using namespace bayplan;

double seconds(const placement::Scenario& scenario, bool plain, placement::Outcome& outcome) {
  outcome = {};
  const std::clock_t begin = std::clock();
  outcome = plain ? placement::place_plainly(scenario) : placement::place(scenario);
  return static_cast<double>(std::clock() - begin) / CLOCKS_PER_SEC;
}

bool equal(const placement::Outcome& a, const placement::Outcome& b) {
  return a.placements == b.placements && a.failures == b.failures && a.instances == b.instances;
}

int usage() {
  std::cerr << "usage: placement_bench FILE [--plain] [--both] [--runs N]\n";
  return 2;
}

}  // namespace

int main(int count, char** arguments) {
  bool plain = false;
  bool both = false;
  int runs = 1;
  if (count < 2) return usage();
  for (int i = 2; i < count; ++i) {
    const std::string_view argument = arguments[i];
    if (argument == "--plain") plain = true;
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
  std::vector<double> times;
  placement::Outcome outcome;
  for (int i = 0; i < runs; ++i) times.push_back(seconds(*loaded.scenario, plain, outcome));
  std::sort(times.begin(), times.end());
  fmt::print("{:.4f} s, {} placed, {} failed, {} instances\n", times[times.size() / 2], outcome.placements.size(),
             outcome.failures.size(), outcome.instances.size());
  if (!both) return 0;
  placement::Outcome other;
  const double time = seconds(*loaded.scenario, !plain, other);
  fmt::print("{:.4f} s, {}\n", time, equal(outcome, other) ? "equal" : "DIFFERENT");
  return equal(outcome, other) ? 0 : 1;
}
