#pragma once
#include <cstdint>
#include <optional>
#include <string>

#include "awscli/operations.hpp"
#include "lint/lint.hpp"
#include "placement/outcome.hpp"
#include "placement/scenario.hpp"

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
std::optional<CallRefusal> refusal_of(const lint::FileReport& report, const awscli::Operation& operation);

/// "No Container Instances were found in your cluster.", with which RunTask refuses the whole call.
std::optional<CallRefusal> refusal_of(const placement::Scenario& scenario, const placement::Outcome& outcome);

/// A service of this name runs already: tasks of it do.
std::optional<CallRefusal> refusal_of_service(const placement::Scenario& scenario);

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

}  // namespace bayplan::study
