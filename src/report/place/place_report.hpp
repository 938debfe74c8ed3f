#pragma once
#include <optional>
#include <ostream>
#include <vector>

#include "placement/engine/gpu_room.hpp"
#include "placement/engine/tie_runs.hpp"
#include "placement/explain/cluster_findings.hpp"
#include "placement/explain/result_summary.hpp"
#include "placement/model/outcome.hpp"
#include "placement/model/scenario.hpp"
#include "report/document/report_document.hpp"
#include "report/place/cluster_view.hpp"
#include "study/memory_uncertainty.hpp"
#include "study/scheduler/better_scheduler.hpp"
#include "study/why/remedies.hpp"

namespace bayplan::report {

/// All that the reports of `place` show. Refers to the scenario and the outcome, which must outlive it.
struct PlaceReport {
  const placement::Scenario& scenario;
  const placement::Outcome& outcome;
  placement::Summary summary;
  std::vector<placement::FreeGpus> free_gpus = {};
  std::vector<placement::GpuRoom> gpu_room = {};
  std::vector<placement::ClusterFinding> cluster_findings = {};
  study::Remedies remedies = {};             ///< Changes with which every task is placed.
  std::vector<Assumption> assumptions = {};  ///< Assumptions of the scenario, then those of the engine.
  /// Asked for: many tie orders, of which `outcome` is the worst.
  std::optional<placement::TieRuns> runs = {};
  placement::TieOrders tie_orders = {};  ///< All that were tried, those of `runs` too.
  /// Total cost of a run over time.
  std::optional<MicroUsd> total_cost = std::nullopt;
  /// What is not placed if instances register the least memory of their estimates; empty where that changes nothing.
  study::MemoryUncertainty memory_uncertainty = {};
  study::SchedulerStudy scheduler = {};  ///< What another scheduler would do; nothing of many tie orders.
};

/// Without remedies.
PlaceReport make_place_report(const placement::Scenario& scenario, const placement::Outcome& outcome,
                              std::optional<placement::TieRuns> runs = std::nullopt);

/// Reports on the tie order of `outcome` alone and tries no others.
PlaceReport make_report_of_one_order(const placement::Scenario& scenario, const placement::Outcome& outcome);

/// How many tasks of a workload without a count fit.
struct FitLimit {
  std::uint32_t workload = 0;
  std::int64_t fit = 0;
  const placement::Failure* why = nullptr;  ///< Why no more; null where so many fit that it was not found out.
};
std::vector<FitLimit> limits_of(const PlaceReport& report);

/// Memory of one GPU as reports show it: what tasks can share where the instance shares, else what the device has.
struct GpuMemory {
  MiB total = 0;  ///< 0 when not known.
  MiB remaining = 0;
};
GpuMemory gpu_memory(const placement::InstanceProfile& profile, const placement::GpuDevice& device);

struct PlaceJsonOptions {
  bool placements = true;  ///< `--no-placements` leaves the list out.
};

/// schemas/place-report.schema.json, streamed.
void write_place_json(std::ostream& out, const PlaceReport& report, const PlaceJsonOptions& options);

/// A row a task, in order of turns: where it is, or why it is not placed.
void write_place_csv(std::ostream& out, const PlaceReport& report);

/// The answer, the cluster with its tasks, why tasks were not placed, and the assumptions; a page draws the cluster.
/// The report must outlive the document. `view`: of a terminal; with one, the report is not cut to a first screen.
ReportDocument place_document(const PlaceReport& report, const ClusterView& view = {});

/// The map of the cluster as a picture (`svg/cluster_svg.cpp`).
void write_place_svg(std::ostream& out, const PlaceReport& report);

}  // namespace bayplan::report
