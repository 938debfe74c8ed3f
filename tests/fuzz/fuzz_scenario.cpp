// Any bytes as a scenario: no crash; what loads is placed, the check agrees with the engine, and both reports are
// written; what takes time runs for ten minutes; its variants are looked up, and what they plan is placed. Beside the
// scenario lie a cluster and two task definitions that it may name.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <sstream>

#include "base/memory_files.hpp"
#include "definitions.hpp"
#include "fuzz.hpp"
#include "placement/engine/engine.hpp"
#include "placement/verify/verify.hpp"
#include "plain_catalog.hpp"
#include "report/place/place_report.hpp"
#include "scenario/load_scenario.hpp"
#include "study/whatif/load_variants.hpp"
#include "study/whatif/what_if.hpp"
#include "text/read.hpp"
#include "timeline/simulate.hpp"

using namespace bayplan;

namespace {

constexpr std::int64_t kMostCopies = 2'000;   ///< Of instances and tasks together: the engine is the slow, plain one.
constexpr std::size_t kMaxAttempts = 20'000;  ///< Tasks times instances.
constexpr std::int64_t kMostLaunched = 50;    ///< Instances of a group.
constexpr placement::Seconds kUntil = 600;

constexpr const char* kCluster = R"(containerInstances:
  - {instanceType: c5.2xlarge, count: 2, availabilityZones: [us-east-2a, us-east-2b]}
  - {instanceType: p3.8xlarge, count: 2, availabilityZone: us-east-2a, capacityProviderName: gpu}
)";

/// How many instances and tasks the text asks for at most, before anything is made of it.
std::int64_t copies_asked(const std::string& bytes) {
  const auto document = text::read_document(bytes);
  std::int64_t copies = 0;
  for (std::uint32_t i = 0; i < document->node_count(); ++i) {
    const auto value = document->node(i);
    if (value.key() != "count" && value.key() != "desiredCount") continue;
    const std::int64_t count = value.integer().value_or(1);
    if (count < 0 || count > kMostCopies) return kMostCopies + 1;
    copies += count;
    if (copies > kMostCopies) return copies;
  }
  return copies;
}

bool is_small(const placement::Scenario& scenario) {
  std::size_t tasks = 0;
  for (const auto& workload : scenario.workloads) {
    const bool is_daemon = workload.kind == placement::WorkloadKind::kDaemon;
    if (!is_daemon && !workload.count) return false;
    tasks += is_daemon ? scenario.instances.size() : static_cast<std::size_t>(*workload.count);
  }
  return tasks * scenario.instances.size() <= kMaxAttempts;
}

/// Events come in order, and none behind the end.
void check_timeline(placement::Scenario scenario) {
  const auto& groups = scenario.timetable.groups;
  const auto is_large = [](const auto& group) { return group.max_size > kMostLaunched; };
  if (std::any_of(groups.begin(), groups.end(), is_large)) return;
  scenario.timetable.until = kUntil;
  const auto history = timeline::simulate(scenario);
  require(history.end <= kUntil, "it runs on");
  for (std::size_t i = 1; i < history.events.size(); ++i)
    require(history.events[i - 1].at <= history.events[i].at, "an event out of order");
}

void check_placement(const placement::Scenario& scenario) {
  const auto outcome = placement::place(scenario);
  const auto mistakes = placement::verify(scenario, outcome);
  require(mistakes.empty(), mistakes.empty() ? "" : mistakes.front());
  const auto report = report::make_place_report(scenario, outcome);
  std::ostringstream out;
  report::write_text(out, report::place_document(report), {.verbose = true});
  report::write_place_json(out, report, {});
}

void check_indexes(const study::Variant& variant, std::size_t instances) {
  for (const auto& event : variant.events) {
    const auto* lost = std::get_if<placement::TerminateInstances>(&event);
    if (lost == nullptr) continue;
    require(std::is_sorted(lost->instances.begin(), lost->instances.end()), "lost instances out of order");
    require(!lost->instances.empty() && lost->instances.back() < instances, "an instance that there is not");
  }
}

void check_variants(const placement::Scenario& scenario, const catalog::Catalog& catalog) {
  const auto loaded = study::load_variants({}, scenario, catalog);
  require(!loaded.variants.empty() || !loaded.errors.empty(), "neither a variant nor an error");
  if (!loaded.errors.empty()) return;
  for (const auto& one : loaded.variants) {
    const auto changed = study::with_changes(scenario, one.variant.changes);
    require(changed.instances.size() == scenario.instances.size(), "instances came or went by a plan");
    check_indexes(one.variant, changed.instances.size());
    for (const auto& each : study::each_zone(scenario, one.variant)) check_indexes(each, changed.instances.size());
    for (const auto& each : study::each_instance(scenario, one.variant)) check_indexes(each, changed.instances.size());
    if (!one.variant.changes.empty() && !scenario.timetable.has_time)
      require(placement::verify(changed, placement::place(changed)).empty(), "what is planned is placed wrongly");
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string bytes(reinterpret_cast<const char*>(data), size);
  if (copies_asked(bytes) > kMostCopies) return 0;
  const std::string name = bytes.starts_with('{') ? "scenario.json" : "scenario.yaml";
  const MemoryFiles files({{name, bytes},
                           {"cluster.yaml", kCluster},
                           {"defs/web.json", definitions::kWeb},
                           {"defs/train.json", definitions::kTrain}});
  auto& catalog = plain_catalog();
  const auto loaded = scenario::load_scenario({.scenario = name}, files, catalog);
  require(loaded.scenario.has_value() == loaded.errors.empty(), "neither a scenario nor an error, or both");
  if (!loaded.scenario || !loaded.scenario->not_simulated.empty() || !is_small(*loaded.scenario)) return 0;
  if (loaded.scenario->timetable.has_time) {
    check_timeline(*loaded.scenario);
  } else {
    check_placement(*loaded.scenario);
  }
  check_variants(*loaded.scenario, catalog);
  return 0;
}
