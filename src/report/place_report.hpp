#pragma once
#include <optional>
#include <vector>

#include "placement/cluster_findings.hpp"
#include "placement/gpu_room.hpp"
#include "placement/outcome.hpp"
#include "placement/remedy.hpp"
#include "placement/scenario.hpp"
#include "placement/summary.hpp"

namespace bayplan::report {

/// All that the reports of `place` show. Refers to the scenario and the outcome, which must outlive it.
struct PlaceReport {
  const placement::Scenario& scenario;
  const placement::Outcome& outcome;
  placement::Summary summary;
  std::vector<placement::FreeGpus> free_gpus;
  std::vector<placement::GpuRoom> gpu_room;
  std::vector<placement::ClusterFinding> cluster_findings;
  std::optional<placement::Remedy> remedy;
  std::vector<Assumption> assumptions;  ///< Of the scenario, then of the engine.
};

PlaceReport make_place_report(const placement::Scenario& scenario, const placement::Outcome& outcome);

/// Indices into Outcome::placements of the tasks on each instance, in order of placement.
std::vector<std::vector<std::uint32_t>> placements_by_instance(const PlaceReport& report);

/// Memory of one GPU as reports show it: what tasks can share where the instance shares, else what the device has.
struct GpuMemory {
  MiB total = 0;  ///< 0 when not known.
  MiB remaining = 0;
};
GpuMemory gpu_memory(const placement::InstanceProfile& profile, const placement::GpuDevice& device);

}  // namespace bayplan::report
