#pragma once
/// Deployments of a variant of a scenario at time 0: by letting it run over time.
#include <cstdint>
#include <memory>
#include <string>
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
  placement::Seconds at = 0;                   ///< Time since the start of the deployment.
  std::int64_t may_start = 0;                  ///< New tasks that maximumPercent still allows.
  std::int64_t started = 0;                    ///< Found a place.
  std::int64_t may_stop = 0;                   ///< Old ones, by minimumHealthyPercent.
  std::int64_t stopped = 0;                    ///< Were told to.
  std::int64_t lacking = 0;                    ///< New ones without a place when it ends.
  std::uint32_t failure = timeline::kNoIndex;  ///< Index into History::failures: why the first of these has none.
};

struct DeploymentCourse {
  timeline::ServiceTerms terms;  ///< When it began. Of a daemon service `desired` is what ran then.
  std::vector<DeploymentWave> waves;
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
