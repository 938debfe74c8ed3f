#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "awscli/operations.hpp"
#include "awscli/request.hpp"
#include "lint/lint.hpp"
#include "placement/model/outcome.hpp"
#include "placement/model/scenario.hpp"
#include "scenario/load_scenario.hpp"
#include "study/dry_run/call_failures.hpp"
#include "study/dry_run/service_update.hpp"
#include "study/whatif/what_if_deploy.hpp"

namespace bayplan::study {

enum class RefusedBy : std::uint8_t { kClient, kEcs };

/// How the call ends when nothing comes of it.
struct CallRefusal {
  RefusedBy by = RefusedBy::kEcs;
  std::string code;          ///< "ClientException"; "ParamValidation" of the AWS CLI.
  std::string message;       ///< One sentence.
  bool in_own_words = true;  ///< No answer of ECS to this is on record.
  std::string rule;          ///< Code of the finding that says why; may be empty.
};

/// What the first error among the findings would bring about; nothing when there is none. Which of several ECS names is
/// not documented.
std::optional<CallRefusal> find_refusal(const lint::FileReport& report, const awscli::Operation& operation);

/// "No Container Instances were found in your cluster.", with which RunTask refuses the whole call.
std::optional<CallRefusal> find_refusal(const placement::Scenario& scenario, const placement::Outcome& outcome);

/// UpdateService that would start a deployment of a service with the controller CODE_DEPLOY or EXTERNAL: these deploy
/// through CodeDeploy, and through task sets.
CallRefusal refusal_of_controller(model::DeploymentController controller);

/// A service of this name runs already: tasks of it do.
std::optional<CallRefusal> refusal_of_service(const placement::Scenario& scenario);

/// StopTask of a task that the cluster does not have.
CallRefusal refusal_of_unknown_task();

/// UpdateCapacityProvider of a provider that is not there.
CallRefusal refusal_of_unknown_provider();

/// PutClusterCapacityProviders without a provider that a service uses.
CallRefusal refusal_of_used_provider();

/// UpdateService of a service that the cluster does not have.
CallRefusal refusal_of_unknown_service();

/// A REPLICA service without desiredCount (API_CreateService).
CallRefusal refusal_without_count();

/// desiredCount below 0.
CallRefusal refusal_of_negative_count();

/// An override of a container that the definition lacks.
CallRefusal refusal_of_override(std::string_view container);

/// None, or more container instances than one StartTask call takes (API_StartTask).
std::optional<CallRefusal> refusal_of_instances(std::size_t count);

/// "An error occurred (ClientException) when calling the RunTask operation: ...", as the AWS CLI prints it.
std::string client_words(const CallRefusal& refusal, const awscli::Operation& operation);

/// The cluster and the files on which the call is tried.
struct DryRunSetting {
  scenario::ScenarioRequest described;  ///< The cluster, and definitions that count as registered; no tasks.
  Limits limits;
};

/// The task that StopTask stops.
struct StoppedTask {
  placement::RunningTask task;
  std::optional<capacity::TaskRequirement> frees;  ///< Nothing where its definition is not described.
};

/// What would come of an `aws ecs` call.
struct DryRun {
  awscli::Request request;
  lint::FileReport lint;                        ///< Its document is that of the request.
  std::optional<CallRefusal> refusal;           ///< If the call is refused, nothing is placed.
  std::optional<placement::Scenario> scenario;  ///< Set only for calls on a cluster.
  std::optional<placement::Outcome> outcome;    ///< Set where tasks are placed on instances.
  std::optional<std::int64_t> on_fargate;       ///< Tasks that start on Fargate: no instance is asked.
  std::optional<StoppedTask> stopped;           ///< Set only for StopTask of a task on an instance.
  /// What else the call does, the most important first; empty where the tasks that are placed say all.
  std::vector<placement::ClusterFinding> effects;
  std::optional<ServiceUpdate> update;  ///< Set only for UpdateService.
  /// The deployment that UpdateService starts, over time and among the other services; `outcome` has the tasks that
  /// start at once. Nothing where none starts, or where it is not simulated (an assumption says so).
  std::optional<DeployedVariant> rollout;
  std::vector<CallFailure> failures;         ///< Set only for RunTask and StartTask.
  std::vector<std::string> compatibilities;  ///< Compatibilities of a definition that would be registered.
  std::optional<std::int64_t> revision;      ///< That it would get, when others of its family are described.
  std::vector<Assumption> assumptions;       ///< Assumptions about the request and the call; the scenario has its own.

  bool succeeds() const {
    if (rollout) return rollout->finishes();
    const bool is_stuck = update && update->is_stuck();
    return !refusal && failures.empty() && !is_stuck && (!outcome || outcome->failures.empty());
  }
};

struct DryRunResult {
  std::optional<DryRun> run;  ///< Nothing when there are errors or mistakes.
  std::vector<Error> errors;
  std::vector<std::string> mistakes;   ///< Internal errors: the placement did not pass verification.
  std::vector<std::string> withdrawn;  ///< The same of the deployment alone: `run` has what starts at once.
};

DryRunResult dry_run(const awscli::CommandLine& line, awscli::Request request, const DryRunSetting& setting,
                     const Files& files, catalog::Catalog& catalog, const lint::Tools& tools);

}  // namespace bayplan::study
