#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "placement/model/outcome.hpp"
#include "placement/model/scenario.hpp"

/// What ECS says of a task without a place (ECS developer guide, api_failures_messages.html and
/// service-event-messages-list.html). Every function wants the failure that holds the explanation (`explained`).
namespace bayplan::placement {

/// One entry of `failures` in the answers of RunTask and StartTask.
struct ApiFailure {
  /// Its ARN is the entry's `arn`. Nothing when no instance could be considered.
  std::optional<std::uint32_t> instance;
  std::string reason;  ///< "RESOURCE:GPU", "MemberOf placement constraint unsatisfied."
  bool operator==(const ApiFailure&) const = default;
};

/// The failure has a row for each instance that was looked at, and no reason counts another. Over time those may be
/// others than the scenario's: some have gone, some are yet to come.
bool lists_every_instance(const Failure& explained);

/// What RunTask answers: each instance that it could consider, with the first check that it failed; of a large cluster
/// the nearest misses. One that is not ACTIVE, or not of the capacity provider, has no word in ECS and no entry. When
/// none is left there is one entry without an instance: `none_to_consider`.
std::vector<ApiFailure> api_failures(const Scenario& scenario, const Failure& explained);

/// No instance could be considered: "EMPTY CAPACITY PROVIDER" (it has no instance), "NO ACTIVE INSTANCES" (none of its
/// instances is ACTIVE); without a capacity provider "No Container Instances were found in your cluster.", with which
/// RunTask refuses the whole call (InvalidParameterException). Nothing when there were some.
std::optional<std::string> none_to_consider(const Scenario& scenario, const Failure& explained);

/// The task is not refused: its capacity provider scales by itself, so it is there, in the state PROVISIONING, until an
/// instance comes (ECS developer guide, cluster-auto-scaling.html). RunTask answers with the task, not with a failure.
bool is_provisioning(const Scenario& scenario, const Failure& failure);

/// "RESOURCE:GPU": the first failed check of the closest instance; without one `none_to_consider`, or, where no
/// capacity provider is in force, our own word for the first instance ("STATUS:DRAINING").
std::string failure_reason(const Scenario& scenario, const Failure& explained);

/// The service event, of whatever kind the workload is: "service web was unable to place a task because ...".
std::string placement_event(const Scenario& scenario, const Failure& explained);

/// "service web has reached a steady state."
std::string steady_state_event(const Workload& service);

/// The event of a deployment that may neither start nor stop a task (service event messages, developer guide).
std::string blocked_deployment_event(const Workload& service);

/// What ECS would say: the service event, or the reason that RunTask gives for the closest instance.
std::string failure_message(const Scenario& scenario, const Failure& explained);

}  // namespace bayplan::placement
