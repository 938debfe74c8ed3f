// Reads a scenario and takes the processor time of what-if alone, without lint, check and report.
//   whatif_bench FILE             every loss of one instance, on the one state
//   whatif_bench FILE --copies N  the loss of N instances also by placing a scenario without the instance, and by
//                                 asking a WhatIf made for it alone
//   whatif_bench FILE --from-scratch N    N scenarios planned and placed from scratch, as a sweep does
#include <sys/resource.h>

#include <algorithm>
#include <cstdlib>
#include <ctime>
#include <iostream>
#include <string_view>

#include <fmt/format.h>

#include "placement/engine/engine.hpp"
#include "scenario_bench.hpp"
#include "study/whatif/what_if.hpp"

namespace {

using namespace bayplan;

double peak_mb() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  return static_cast<double>(usage.ru_maxrss) * 1024 / 1e6;
}

study::Variant loss_of(std::uint32_t instance) {
  study::Variant variant;
  variant.events.push_back(placement::TerminateInstances{{instance}});
  return variant;
}

void measure_losses(const placement::Scenario& scenario) {
  std::clock_t begin = std::clock();
  const double before = peak_mb();
  study::WhatIf what_if(scenario);
  fmt::print("baseline {:.3f} s, {} placed, {} unplaced, {:.0f} MB\n", bench::seconds_since(begin),
             what_if.baseline().summary.placed, what_if.baseline().unplaced(), peak_mb() - before);
  begin = std::clock();
  std::int64_t moves = 0;
  std::int64_t worse = 0;
  for (std::uint32_t i = 0; i < scenario.instances.size(); ++i) {
    const auto effect = what_if.effect(loss_of(i));
    moves += effect.moves;
    worse += effect.worse.empty() ? 0 : 1;
  }
  fmt::print("losses {:.3f} s, {} variants, {} moves, {} worse, {:.0f} MB\n", bench::seconds_since(begin),
             scenario.instances.size(), moves, worse, peak_mb() - before);
  begin = std::clock();
  constexpr std::uint32_t kTold = 20;
  for (std::uint32_t i = 0; i < kTold; ++i) what_if.evaluate(loss_of(i));
  fmt::print("reported {:.4f} s each\n", bench::seconds_since(begin) / kTold);
}

void measure_copies(const placement::Scenario& scenario, std::uint32_t count) {
  count = std::min(count, static_cast<std::uint32_t>(scenario.instances.size()));
  std::clock_t begin = std::clock();
  for (std::uint32_t i = 0; i < count; ++i) {
    auto without = scenario;
    without.instances.erase(without.instances.begin() + i);
    placement::place(without);
  }
  fmt::print("from scratch {:.5f} s each\n", bench::seconds_since(begin) / count);
  begin = std::clock();
  for (std::uint32_t i = 0; i < count; ++i) study::WhatIf(scenario).effect(loss_of(i));
  fmt::print("copies {:.5f} s each\n", bench::seconds_since(begin) / count);
  study::WhatIf what_if(scenario);
  begin = std::clock();
  for (std::uint32_t i = 0; i < count; ++i) what_if.effect(loss_of(i));
  fmt::print("undone {:.7f} s each\n", bench::seconds_since(begin) / count);
}

void measure_anew(const placement::Scenario& scenario, std::uint32_t count) {
  study::Variant variant;
  std::clock_t begin = std::clock();
  for (std::uint32_t i = 0; i < count; ++i) {
    variant.changes = {study::ChangeSeed{i}};
    study::with_changes(scenario, variant.changes);
  }
  fmt::print("planned {:.6f} s each\n", bench::seconds_since(begin) / count);
  begin = std::clock();
  for (std::uint32_t i = 0; i < count; ++i) {
    variant.changes = {study::ChangeSeed{i}};
    study::WhatIf(study::with_changes(scenario, variant.changes)).baseline();
  }
  fmt::print("sweep {:.6f} s each\n", bench::seconds_since(begin) / count);
  begin = std::clock();
  for (std::uint32_t i = 0; i < count; ++i) placement::place(scenario);
  fmt::print("place {:.6f} s each\n", bench::seconds_since(begin) / count);
}

}  // namespace

int main(int count, char** arguments) {
  if (count < 2) {
    std::cerr << "usage: whatif_bench FILE [--copies N | --from-scratch N]\n";
    return 2;
  }
  const auto scenario = bench::load(arguments[1]);
  if (!scenario) return 1;
  const std::string_view mode = count > 3 ? arguments[2] : "";
  const auto number = static_cast<std::uint32_t>(count > 3 ? std::atoi(arguments[3]) : 0);
  if (mode == "--copies") {
    measure_copies(*scenario, number);
  } else if (mode == "--from-scratch") {
    measure_anew(*scenario, number);
  } else {
    measure_losses(*scenario);
  }
}
