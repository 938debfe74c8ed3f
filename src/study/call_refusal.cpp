#include "study/call_refusal.hpp"

#include <algorithm>
#include <array>

#include "base/fill.hpp"
#include "placement/ecs_words.hpp"
#include "study/server_words.hpp"

namespace bayplan::study {

using awscli::Operation;

namespace {

/// What the AWS CLI itself holds against the text and against the API model, before ECS is asked. It does not look at
/// enumerations and sizes.
bool is_seen_by_client(std::string_view code) {
  constexpr std::array<std::string_view, 16> kCodes{"BAY001", "BAY002", "BAY003", "BAY006", "BAY007", "BAY011",
                                                    "BAY013", "BAY014", "BAY015", "BAY016", "BAY017", "BAY018",
                                                    "BAY019", "BAY020", "BAY021", "BAY023"};
  return std::find(kCodes.begin(), kCodes.end(), code) != kCodes.end();
}

/// RegisterTaskDefinition answers with a ClientException, calls on a cluster with an InvalidParameterException.
std::string_view exception_of(const Operation& operation) {
  return operation.verb == awscli::Verb::kRegisterTaskDefinition ? "ClientException" : "InvalidParameterException";
}

/// Errors; and a count above 10, which is a warning in a file: the API reference is clear, but no refusal was seen.
bool is_refused(const lint::LintFinding& finding) {
  return finding.severity == Severity::kError || finding.code == "BAY1119";
}

/// What the AWS CLI refuses never gets to ECS.
const lint::LintFinding* first_error(const lint::FileReport& report) {
  const lint::LintFinding* first = nullptr;
  for (const auto& finding : report.findings) {
    if (!is_refused(finding)) continue;
    const bool is_error = finding.severity == Severity::kError;
    if (is_error && is_seen_by_client(finding.code)) return &finding;
    if (first == nullptr || (is_error && first->severity != Severity::kError)) first = &finding;
  }
  return first;
}

}  // namespace

std::optional<CallRefusal> refusal_of(const lint::FileReport& report, const Operation& operation) {
  const auto* finding = first_error(report);
  if (finding == nullptr) return std::nullopt;
  CallRefusal refusal{.message = finding->message + ".", .rule = std::string(finding->code)};
  if (is_seen_by_client(finding->code)) {
    refusal.by = RefusedBy::kClient;
    refusal.code = "ParamValidation";
    return refusal;
  }
  refusal.code = exception_of(operation);
  const auto sentences = rules::Sentences::load();
  if (auto words = server_words(sentences, *finding, report.document->root())) {
    refusal.message = *std::move(words);
    refusal.in_own_words = false;
  }
  return refusal;
}

std::optional<CallRefusal> refusal_of(const placement::Scenario& scenario, const placement::Outcome& outcome) {
  if (!outcome.placements.empty() || outcome.failures.empty()) return std::nullopt;
  const auto& failure = placement::explained(outcome, outcome.failures.front());
  const bool in_provider = !failure.turn.capacity_provider.empty();
  auto none = placement::none_to_consider(scenario, failure);
  if (!none || in_provider) return std::nullopt;
  return CallRefusal{RefusedBy::kEcs, "InvalidParameterException", *std::move(none), false, ""};
}

std::optional<CallRefusal> refusal_of_service(const placement::Scenario& scenario) {
  const std::string group = scenario.workloads.front().group;
  const bool runs = std::any_of(scenario.running.begin(), scenario.running.end(),
                                [&](const auto& task) { return task.group == group; });
  if (!runs) return std::nullopt;
  // Seen in hashicorp/terraform-provider-aws 20452 and 23462.
  return CallRefusal{RefusedBy::kEcs, "InvalidParameterException", "Creation of service was not idempotent.", false,
                     ""};
}

CallRefusal refusal_of_unknown_service() {
  return {RefusedBy::kEcs, "ServiceNotFoundException", "Service not found.", false, ""};
}

CallRefusal refusal_without_count() {
  return {RefusedBy::kEcs, "InvalidParameterException", "desiredCount is missing: a REPLICA service wants one.", true,
          ""};
}

CallRefusal refusal_of_negative_count() {
  return {RefusedBy::kEcs, "InvalidParameterException", "desiredCount is negative.", true, ""};
}

CallRefusal refusal_of_override(std::string_view container) {
  // Seen in azavea/django-ecsmanage 21.
  return {RefusedBy::kEcs, "InvalidParameterException",
          fill("Override for container named {} is not a container in the TaskDefinition.", {container}), false, ""};
}

std::optional<CallRefusal> refusal_of_instances(std::size_t count) {
  constexpr std::size_t kMost = 10;
  if (count == 0) {
    return CallRefusal{RefusedBy::kEcs, "InvalidParameterException", "No container instance is named.", true, ""};
  }
  if (count <= kMost) return std::nullopt;
  return CallRefusal{RefusedBy::kEcs, "InvalidParameterException",
                     fill("{} container instances are named; one call takes {}.", {count, kMost}), true, ""};
}

std::string client_words(const CallRefusal& refusal, const Operation& operation) {
  if (refusal.by == RefusedBy::kClient) {
    return fill("An error occurred (ParamValidation): Parameter validation failed:\n{}", {refusal.message});
  }
  return fill("An error occurred ({}) when calling the {} operation: {}",
              {refusal.code, operation.api_name, refusal.message});
}

}  // namespace bayplan::study
