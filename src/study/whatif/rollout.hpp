#pragma once
#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "placement/model/scenario.hpp"
#include "study/remedy.hpp"
#include "timeline/deployment_terms.hpp"
#include "timeline/history.hpp"

/// Deployments that never finish: why, and the smallest change with which they do.
namespace bayplan::study {

/// What holds a deployment up.
enum class DeploymentBlocker : std::uint8_t {
  kNoPlace,          ///< New tasks find no place, and what would make room may not stop.
  kHealthyPercents,  ///< Nothing may start for maximumPercent, nothing stop for minimumHealthyPercent.
  kTasksEnd,         ///< New tasks end before they are healthy.
};

struct BlockedDeployment {
  std::uint32_t deployment = 0;   ///< Index into History::deployments: stuck, or FAILED.
  timeline::ServiceTerms terms;   ///< Terms of the service when the deployment was given up.
  std::string_view side_by_side;  ///< "BLUE_GREEN": it runs both revisions, old tasks to its end; else empty.
  DeploymentBlocker blocker = DeploymentBlocker::kNoPlace;
  OptionalIndex failure;           ///< kNoPlace: index into History::failures, of the first task without one.
  std::int64_t without_place = 0;  ///< New tasks, when it was given up.
  std::int64_t old_tasks = 0;      ///< Tasks of earlier deployments that are not stopped by then.
  /// The smallest change of each sort: minimumHealthyPercent, maximumPercent, dynamic host ports, one more instance; of
  /// a deployment that runs both revisions dynamic host ports, more instances of one type, strategy ROLLING. Made from
  /// the start of the scenario, with it the deployment completes and no other fares worse.
  std::vector<Remedy> remedies;
  bool exhausted = false;  ///< The effort ended before every idea was tried.
};

/// A whole minute after which nothing happens any more.
placement::Seconds settled_at(const timeline::History& history);

/// Each deployment of the history that is stuck or FAILED, in its order. Every remedy has been simulated; effort is
/// counted, never timed. `deployed_at`: when the deployments of a variant begin, which is once everything else has
/// settled. With a change that takes longer to settle they begin later, as they do where the change is made for good.
std::vector<BlockedDeployment> find_blocked_deployments(const placement::Scenario& scenario,
                                                        const timeline::History& history,
                                                        std::optional<placement::Seconds> deployed_at = std::nullopt);

}  // namespace bayplan::study
