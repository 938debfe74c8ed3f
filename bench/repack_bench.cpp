// Reads a scenario and takes the processor time of repack alone, without lint and report.
//   repack_bench FILE [EFFORT]   the plan, and that of a script: drain the emptiest first, one after another
#include <sys/resource.h>

#include <algorithm>
#include <cstdlib>
#include <ctime>
#include <iostream>

#include <fmt/format.h>

#include "placement/engine/engine.hpp"
#include "scenario_bench.hpp"
#include "study/repack/repack.hpp"
#include "study/repack/repack_drains.hpp"

namespace {

using namespace bayplan;

double peak_mb() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  return static_cast<double>(usage.ru_maxrss) * 1024 / 1e6;
}

void measure_emptiest_first(const placement::Scenario& scenario, const study::RepackRequest& request) {
  const auto outcome = placement::place(scenario);
  const std::clock_t begin = std::clock();
  study::ClusterSimulation cluster(scenario, outcome);
  const study::RepackCandidates candidates(cluster, request);
  study::Drains drains(cluster, candidates, request);
  auto order = candidates.free();
  std::stable_sort(order.begin(), order.end(),
                   [&](std::uint32_t a, std::uint32_t b) { return drains.tasks_to_move(a) < drains.tasks_to_move(b); });
  for (const std::uint32_t instance : order) {
    if (drains.attempt({instance}).is_possible()) drains.commit();
  }
  drains.rollback();
  fmt::print("emptiest first {:.3f} s, {} instances, {} moves, {:.3f} USD\n", bench::seconds_since(begin),
             drains.steps(), drains.moves(), static_cast<double>(drains.weight()) / 1e6);
}

void measure_plan(const placement::Scenario& scenario, const study::RepackRequest& request) {
  const double before = peak_mb();
  const std::clock_t begin = std::clock();
  const auto plan = study::repack(scenario, request);
  fmt::print("plan {:.3f} s, {} instances, {} moves, {:.3f} USD, {} steps, limit {:.3f} USD, {} mistakes, {:.0f} MB\n",
             bench::seconds_since(begin), plan.instances, plan.moves, static_cast<double>(plan.saving) / 1e6,
             plan.steps.size(), plan.limit ? static_cast<double>(plan.limit->saving) / 1e6 : 0.0, plan.mistakes.size(),
             peak_mb() - before);
}

}  // namespace

int main(int count, char** arguments) {
  if (count < 2) {
    std::cerr << "usage: repack_bench FILE [EFFORT]\n";
    return 2;
  }
  const auto scenario = bench::load(arguments[1]);
  if (!scenario) return 1;
  study::RepackRequest request;
  if (count > 2) request.effort = std::atoll(arguments[2]);
  measure_emptiest_first(*scenario, request);
  measure_plan(*scenario, request);
}
