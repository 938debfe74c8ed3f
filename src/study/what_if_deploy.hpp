#pragma once
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "placement/scenario.hpp"
#include "study/deployment_waves.hpp"
#include "study/rollout.hpp"
#include "study/variant.hpp"
#include "timeline/history.hpp"

/// Deployments of a variant of a scenario at time 0: by letting it run over time.
namespace bayplan::study {

struct DeploymentResult {
  std::uint32_t deployment = 0;  ///< Index into History::deployments.
  std::uint32_t before = 0;      ///< Workload of the deployment that it replaces.
  DeploymentCourse course;
};

/// Of the last `count` workloads of the scenario, each of which is a deployment.
std::vector<DeploymentResult> read_deployments(const placement::Scenario& scenario, const timeline::History& history,
                                               std::size_t count);

/// All of them begin at one instant. Moves with what refers to it.
struct DeployedVariant {
  std::unique_ptr<const placement::Scenario> scenario;  ///< Over time.
  timeline::History history;
  placement::Seconds deployed_at = 0;
  std::vector<DeploymentResult> deployments;  ///< In the order of the variant.
  std::vector<HeldDeployment> held;           ///< Those that do not finish.
  std::vector<std::string> mistakes;          ///< What `verify` says: faults of the program.

  bool finishes() const;  ///< Every deployment is COMPLETED.
};

/// The scenario, at time 0, with the planned variations made, settles; the variant's events happen at one instant; when
/// that has settled, its deployments begin. A task that waits for managed scaling waits for ever.
DeployedVariant deploy(const placement::Scenario& scenario, const Variant& variant);

}  // namespace bayplan::study
