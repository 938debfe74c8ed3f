// Bytes as the choices of one who writes a scenario of every kind of instance, task, strategy and constraint: what is
// placed stands up to its own check, is what the plain engine of the tests does, and is the same again.
#include <cstddef>
#include <cstdint>
#include <sstream>

#include "drawn.hpp"
#include "fuzz.hpp"
#include "placement/engine/engine.hpp"
#include "placement/plain_engine.hpp"
#include "placement/random_scenario.hpp"
#include "placement/verify/verify.hpp"
#include "report/place/place_report.hpp"

using namespace bayplan;
using namespace bayplan::placement;

namespace {

void require_same(const Outcome& one, const Outcome& other, const std::string& who) {
  require(one.placements == other.placements, who + ": other placements");
  require(one.failures == other.failures, who + ": other failures");
  require(one.limits == other.limits, who + ": other limits");
  require(one.withdrawn == other.withdrawn, who + ": others taken back");
  require(one.facts == other.facts, who + ": other facts");
  require(one.instances == other.instances, who + ": something else is left");
}

/// Every task that is asked for is placed, or failed, or was taken back.
void check_counts(const Scenario& scenario, const Outcome& outcome) {
  std::int64_t asked = 0;
  for (const auto& workload : scenario.workloads) {
    if (workload.kind == WorkloadKind::kDaemon || !workload.count) return;
    asked += *workload.count;
  }
  const auto told = outcome.placements.size() + outcome.failures.size() + outcome.withdrawn.size();
  require(outcome.withdrawn.empty() ? static_cast<std::int64_t>(told) == asked : true, "tasks are lost");
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size == 0) return 0;
  const build::RandomSize sizes[] = {{8, 6, 8}, {60, 12, 40}};
  const auto scenario = Drawn<build::RandomScenario>(data + 1, size - 1, 1, sizes[data[0] % 2]).make();
  const auto outcome = place(scenario);
  const auto mistakes = verify(scenario, outcome);
  require(mistakes.empty(), mistakes.empty() ? "" : mistakes.front());
  check_counts(scenario, outcome);
  require_same(outcome, place(scenario), "again");
  require_same(outcome, place_plainly(scenario), "the plain engine");
  const auto report = report::make_place_report(scenario, outcome);
  std::ostringstream out;
  report::write_text(out, report::place_document(report), {.verbose = true});
  report::write_place_json(out, report, {});
  return 0;
}
