#pragma once
#include <optional>
#include <vector>

#include "model/deployment.hpp"
#include "placement/model/timetable.hpp"

/// The stages of a deployment that runs both revisions at once (BLUE_GREEN, LINEAR, CANARY, CodeDeploy and external
/// controllers), as values: the timeline goes through them, and reports describe them.
namespace bayplan::timeline {

/// A stage, and how long it takes. SCALE_UP and CLEAN_UP take as long as their tasks need.
struct StageTime {
  model::DeploymentStage stage = model::DeploymentStage::kScaleUp;
  placement::Seconds lasts = 0;
  /// SCALE_UP: the new tasks must be healthy by then. Other stages: a PAUSE hook rolls the deployment back then.
  std::optional<placement::Seconds> limit;
  bool operator==(const StageTime&) const = default;
};

/// Whether the stage ends when its time is over.
constexpr bool is_timed(model::DeploymentStage stage) {
  return stage != model::DeploymentStage::kScaleUp && stage != model::DeploymentStage::kCleanUp;
}

/// The stages that take time or tasks, in their order: SCALE_UP, PRODUCTION_TRAFFIC_SHIFT, BAKE_TIME and CLEAN_UP
/// always. Times of network load balancers and VPC Lattice: blue-green-deployment-how-it-works.
std::vector<StageTime> stage_times(const model::DeploymentSettings& settings, const placement::Timing& timing);

/// From the end of SCALE_UP to the beginning of CLEAN_UP: as long as both revisions run in full.
placement::Seconds time_of_both(const std::vector<StageTime>& stages);

}  // namespace bayplan::timeline
