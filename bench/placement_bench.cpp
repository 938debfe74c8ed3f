// Reads a scenario and takes the processor time of the engine alone, without lint, check and report.
//   placement_bench FILE [--plain] [--both] [--runs N]
// --plain: the plain engine in place of the indexed one; --both: compares what the two give.
#include "placement/engine/engine.hpp"
#include "placement/plain_engine.hpp"
#include "scenario_bench.hpp"

namespace {

using namespace bayplan;
using placement::Outcome;

bool equal(const Outcome& a, const Outcome& b) {
  return a.placements == b.placements && a.failures == b.failures && a.instances == b.instances;
}

}  // namespace

int main(int count, char** arguments) {
  const auto asked = bench::read_arguments(count, arguments);
  if (!asked) return 2;
  const auto scenario = bench::load(asked->file);
  if (!scenario) return 1;
  const auto run = [&](bool plain) {
    return plain ? placement::place_plainly(*scenario) : placement::place(*scenario);
  };
  Outcome outcome;
  const double time = bench::median_seconds(
      asked->runs, [&] { return run(asked->plain); }, outcome);
  fmt::print("{:.6f} s, {} placed, {} failed, {} instances\n", time, outcome.placements.size(), outcome.failures.size(),
             outcome.instances.size());
  return asked->both ? bench::compare([&] { return run(!asked->plain); }, outcome, equal) : 0;
}
