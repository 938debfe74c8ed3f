#pragma once
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include "placement/model/scenario.hpp"
#include "text/document.hpp"

namespace bayplan::study {

/// How far a deployment may go before anything else happens.
struct DeploymentRoom {
  std::int64_t may_start = 0;
  std::int64_t may_stop = 0;
};

/// Computes the limits of a ROLLING deployment: at most floor(desired x maximum / 100) tasks run at a time, at least
/// ceil(desired x minimum / 100) (API_DeploymentConfiguration).
DeploymentRoom deployment_room(std::int64_t desired, std::int64_t running, std::int64_t minimum_healthy_percent,
                               std::int64_t maximum_percent);

/// Of one that runs both revisions: every new task starts, and no old one stops before all of them are healthy.
inline DeploymentRoom deployment_room_of_both(std::int64_t desired) {
  return {desired, 0};
}

/// What UpdateService changes of a service that runs.
struct ServiceUpdate {
  placement::RunningService before;
  std::shared_ptr<const text::Document> document;  ///< A scenario: the service as updated, alone.
  std::int64_t desired = 0;
  std::int64_t running = 0;            ///< Running tasks before the call.
  bool is_new_deployment = false;      ///< Every task is replaced.
  DeploymentRoom room;                 ///< Room of a new deployment.
  model::DeploymentSettings settings;  ///< How it deploys after the call.

  text::Value after() const { return *document->root().find("services").children().begin(); }
  std::int64_t starts() const;
  /// Tasks that ECS stops before any other starts.
  std::int64_t stops() const;
  /// Nothing may start, and nothing stop to make room.
  bool is_stuck() const { return is_new_deployment && desired > 0 && starts() == 0 && stops() == 0; }
};

/// Why no task of the service can be tried on the cluster's instances: it runs on Fargate, or is of another launch type
/// than EC2. Empty when it can.
std::string why_not_on_instances(const placement::RunningService& service);

/// Whether UpdateService starts a deployment of the service, which has the definition `before`, whatever the newest
/// revision of a family is.
bool starts_deployment(text::Value request, std::string_view before);

/// The request with what it leaves as it is: a scenario of this service alone.
ServiceUpdate updated(const placement::RunningService& service, const text::Document& request);

/// Makes of the scenario's only workload the tasks that start at once.
void settle(ServiceUpdate& update, text::Value request, placement::Scenario& scenario);

}  // namespace bayplan::study
