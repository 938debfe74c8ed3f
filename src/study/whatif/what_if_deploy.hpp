#pragma once
/// Deployments of a variant of a scenario at time 0: by letting it run over time.
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "placement/model/scenario.hpp"
#include "study/whatif/rollout.hpp"
#include "study/whatif/variant.hpp"
#include "timeline/deployment_terms.hpp"
#include "timeline/history.hpp"

namespace bayplan::study {

/// The time from an instant at which the service may go on, because the deployment begins or new tasks became healthy,
/// to the next one.
struct DeploymentWave {
  placement::Seconds at = 0;   ///< Time since the start of the deployment.
  std::int64_t may_start = 0;  ///< New tasks that maximumPercent still allows.
  std::int64_t started = 0;    ///< Found a place.
  std::int64_t may_stop = 0;   ///< Old ones, by minimumHealthyPercent.
  std::int64_t stopped = 0;    ///< ECS stops them.
  std::int64_t lacking = 0;    ///< New ones without a place when it ends.
  OptionalIndex failure;       ///< Index into History::failures: why the first of these has none.
};

/// A stage of a deployment that runs both revisions. Times in seconds from the start of the deployment.
struct StageCourse {
  model::DeploymentStage stage = model::DeploymentStage::kPreScaleUp;
  placement::Seconds at = 0;
  std::optional<placement::Seconds> ends;  ///< Nothing when the run ends before.
  std::int64_t new_tasks = 0;              ///< Placed and not stopping, when it ends.
  std::int64_t healthy = 0;                ///< Healthy ones of these.
  std::int64_t old_tasks = 0;
};

/// Going back to the revision before.
struct RollbackCourse {
  placement::Seconds at = 0;  ///< Since the start of the deployment.
  /// True: the run rolled back by itself. False: simulated with StopServiceDeployment at the last second in which the
  /// deployment can be stopped, or in which a blue/green one has its old tasks.
  bool has_happened = false;
  bool finishes = false;
  placement::Seconds takes = 0;  ///< Until it has completed; 0 when it does not.
  std::int64_t starts = 0;       ///< Tasks of the revision before that have to start.
  std::int64_t most_tasks = 0;   ///< Tasks that hold a place at a time.
};

struct DeploymentCourse {
  timeline::ServiceTerms terms;  ///< When it began. Of a daemon service `desired` is what ran then.
  std::vector<DeploymentWave> waves;
  std::string_view strategy = "ROLLING";  ///< Or the controller where that is not ECS.
  std::vector<StageCourse> stages;        ///< Empty for ROLLING.
  std::int64_t fewest_healthy = 0;
  std::int64_t fewest_running = 0;
  std::int64_t most_tasks = 0;  ///< That hold a place at a time, stopping ones among them.
  std::int64_t new_tasks = 0;   ///< Tasks placed at its end, old ones included.
  std::int64_t old_tasks = 0;
};

/// `deployment`: index into History::deployments.
DeploymentCourse trace_deployment(const placement::Scenario& scenario, const timeline::History& history,
                                  std::uint32_t deployment);

struct DeploymentResult {
  std::uint32_t deployment = 0;  ///< Index into History::deployments.
  std::uint32_t before = 0;      ///< Workload of the deployment that it replaces.
  DeploymentCourse course;
  std::optional<RollbackCourse> rollback;  ///< Nothing where the service has no revision to go back to.
};

/// Reads the results of the last `count` workloads of the scenario, each of which is a deployment.
std::vector<DeploymentResult> read_deployments(const placement::Scenario& scenario, const timeline::History& history,
                                               std::size_t count);

/// All of them begin at one instant. Moves with what refers to it.
struct DeployedVariant {
  std::unique_ptr<const placement::Scenario> scenario;  ///< Over time.
  timeline::History history;
  placement::Seconds deployed_at = 0;
  std::vector<DeploymentResult> deployments;  ///< Listed in the order of the variant.
  std::vector<BlockedDeployment> held;        ///< Deployments that do not finish.
  std::vector<std::string> mistakes;          ///< What `verify` says: faults of the program.

  bool finishes() const;  ///< Every deployment is COMPLETED.
};

/// The scenario, at time 0, with the planned variations made, settles; the variant's events happen at one instant; when
/// that has settled, its deployments begin. A task that waits for managed scaling waits for ever.
DeployedVariant deploy(const placement::Scenario& scenario, const Variant& variant);

}  // namespace bayplan::study
