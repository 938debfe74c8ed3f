#pragma once
#include <cstdint>
#include <vector>

#include "placement/scenario.hpp"
#include "timeline/history.hpp"
#include "timeline/service_terms.hpp"

/// How a rolling deployment went, read out of the log.
namespace bayplan::study {

/// From an instant at which the service may go on, because the deployment begins or new tasks became healthy, to the
/// next one.
struct DeploymentWave {
  placement::Seconds at = 0;                   ///< From the start of the deployment.
  std::int64_t may_start = 0;                  ///< Of what is still to come, by maximumPercent.
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
  std::int64_t new_tasks = 0;   ///< With a place at its end, old ones too.
  std::int64_t old_tasks = 0;
};

/// `deployment`: index into History::deployments.
DeploymentCourse course_of(const placement::Scenario& scenario, const timeline::History& history,
                           std::uint32_t deployment);

}  // namespace bayplan::study
