#pragma once
#include <optional>
#include <vector>

#include "placement/cluster_findings.hpp"
#include "placement/gpu_room.hpp"
#include "placement/outcome.hpp"
#include "placement/scenario.hpp"
#include "placement/summary.hpp"
#include "placement/tie_runs.hpp"
#include "study/one_more_instance.hpp"

namespace bayplan::report {

/// All that the reports of `place` show. Refers to the scenario and the outcome, which must outlive it.
struct PlaceReport {
  const placement::Scenario& scenario;
  const placement::Outcome& outcome;
  placement::Summary summary;
  std::vector<placement::FreeGpus> free_gpus;
  std::vector<placement::GpuRoom> gpu_room;
  std::vector<placement::ClusterFinding> cluster_findings;
  std::optional<study::Remedy> remedy;
  std::vector<Assumption> assumptions;  ///< Of the scenario, then of the engine.
  /// Asked for: many tie orders, of which `outcome` is the worst.
  std::optional<placement::TieRuns> runs;
  placement::TieOrders tie_orders;  ///< All that were tried, those of `runs` too.
  /// Of a run over time: what all of it costs.
  std::optional<MicroUsd> total_cost = std::nullopt;
};

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

/// Indices into Outcome::placements of the tasks on each instance, in order of placement.
std::vector<std::vector<std::uint32_t>> placements_by_instance(const PlaceReport& report);

/// Memory of one GPU as reports show it: what tasks can share where the instance shares, else what the device has.
struct GpuMemory {
  MiB total = 0;  ///< 0 when not known.
  MiB remaining = 0;
};
GpuMemory gpu_memory(const placement::InstanceProfile& profile, const placement::GpuDevice& device);

}  // namespace bayplan::report
