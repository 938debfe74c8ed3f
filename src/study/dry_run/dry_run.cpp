#include "study/dry_run/dry_run.hpp"

#include <algorithm>
#include <optional>
#include <string>
#include <string_view>

#include <fmt/core.h>

#include "base/strings.hpp"
#include "lint/lint.hpp"
#include "placement/explain/ecs_words.hpp"
#include "rules/registry.hpp"
#include "rules/sentences.hpp"
#include "study/dry_run/call_trial.hpp"
#include "study/dry_run/cluster_trial.hpp"
#include "study/dry_run/task_trial.hpp"
#include "text/document.hpp"

namespace bayplan::study {

namespace {

using text::Value;

/// Numbers and words that are the same whenever the rule speaks.
bool is_constant(std::string_view name) {
  return name == "limit" || name == "from" || name == "to" || name == "mode";
}

/// The value of `name` in the user's case.
std::optional<std::string> value_for(std::string_view name, const lint::LintFinding& finding, Value request) {
  if (name == "container") return finding.container;
  if (name == "field" || name == "volume" || name == "capability") {
    std::string_view text =
        std::string_view(request.document().source()).substr(finding.span.begin, finding.span.length());
    if (text.size() > 1 && (text.front() == '"' || text.front() == '\'')) text = text.substr(1, text.size() - 2);
    return std::string(text);
  }
  const bool is_size = name == "cpu" || name == "memory";
  const Value member = is_size && request ? request.find(name) : Value();
  if (member && member.is_string()) return std::string(member.text());
  return std::nullopt;
}

void replace_all(std::string& text, std::string_view what, std::string_view by) {
  for (std::size_t at = 0; (at = text.find(what, at)) != std::string::npos; at += by.size()) {
    text.replace(at, what.size(), by);
  }
}

std::optional<std::string> filled_in(const rules::Sentences& sentences, std::string_view example,
                                     const lint::LintFinding& finding, Value request) {
  std::string words(example);
  const auto answers = sentences.answers_to(example);
  if (answers.empty()) return std::nullopt;
  for (const auto& [name, value] : answers.front().values) {
    if (is_constant(name)) continue;
    const auto own = value_for(name, finding, request);
    if (!own) return std::nullopt;
    if (name == "cpu" || name == "memory") {
      const std::string unit = name == "cpu" ? " CPU" : " memory";
      replace_all(words, value + unit, *own + unit);
    } else {
      replace_all(words, value, *own);
    }
  }
  return words;
}

/// The sentence with which ECS was seen to refuse what the finding reports, with the names and numbers of `request`;
/// nothing where no answer is on record, or where it names something that the finding does not.
std::optional<std::string> server_words(const rules::Sentences& sentences, const lint::LintFinding& finding,
                                        Value request) {
  for (const auto& row : sentences.rows()) {
    const bool is_answer = !row.id.starts_with("client-") && row.id != "deployment-blocked";  // which is an event
    if (row.rules.empty() || row.rules.front() != finding.code || !is_answer) continue;
    if (auto words = filled_in(sentences, row.example, finding, request)) return words;
  }
  return std::nullopt;
}

/// The compatibilities that the definition says, and without any what it would be fit for: ECS tries them all.
std::vector<std::string> find_compatibilities(const DryRun& run, const TrialTools& tools) {
  std::vector<std::string> found;
  const auto task = model::bind_task_definition(root_of(run), {});
  const std::vector<std::pair<std::string_view, model::Compatibility>> tried = {
      {"EC2", model::Compatibility::kEc2}, {"FARGATE", model::Compatibility::kFargate}};
  for (const auto& [name, compatibility] : tried) {
    lint::Options options = as_aws_cli();
    options.rules.launch_type = compatibility;
    const bool is_said = task.requires_compatibilities.present();
    const bool is_listed = is_said && task.targets(compatibility);
    if (is_listed || (!is_said && !has_errors(lint_call(run, tools, options)))) found.emplace_back(name);
  }
  for (const auto& name : task.requires_compatibilities) {
    if (name && (*name == "EXTERNAL" || *name == "MANAGED_INSTANCES")) found.emplace_back(*name);
  }
  return found;
}

/// The revision after the newest of the family that is described; nothing where none is.
std::optional<std::int64_t> next_revision(std::string_view family, const std::vector<std::string>& given,
                                          const placement::Scenario& described) {
  std::optional<std::int64_t> revision;
  for (const auto& definition : described.task_definitions) {
    const bool counts = definition.is_registered || std::any_of(given.begin(), given.end(), [&](const auto& reference) {
                          // Of a template all definitions, or one: "stack.yaml", "stack.yaml#Web".
                          const std::string& file = definition.origin.file;
                          return file == reference || file.starts_with(reference + "#");
                        });
    if (counts && definition.family == family) revision = std::max(revision.value_or(0), definition.revision + 1);
  }
  return revision;
}

/// RegisterTaskDefinition: nothing is placed.
DryRunResult try_registration(awscli::Request request, const TrialTools& tools) {
  DryRun run = begin_run(std::move(request), tools);
  if (is_refused_by_lint(run, tools)) return done(std::move(run));
  run.compatibilities = find_compatibilities(run, tools);
  if (!model::bind_task_definition(root_of(run), {}).requires_compatibilities.present())
    assume(run, "compatibilities-worked-out", "compatibilities",
           "EC2 and FARGATE are listed if no rule excludes them; ECS also checks the others");

  const auto& setting = tools.setting.described;
  if (!setting.cluster && setting.definitions.empty())
    assume(run, "revision-unknown", "revision",
           "1 is the revision of a new family; a registered family continues its count");
  auto loaded = load_described(tools);
  if (!loaded.scenario) return failed(std::move(loaded.errors));
  if (const Value family = root_of(run).find("family"))
    run.revision = next_revision(family.text(), setting.definitions, *loaded.scenario);

  std::vector<std::string> without_effect;
  if (!setting.instances.empty()) without_effect.emplace_back("--instances");
  if (setting.seed) without_effect.emplace_back("--seed");
  if (!without_effect.empty())
    assume(run, "option-without-effect", join(without_effect, ", "), "a definition that is registered is not placed");
  assume(run, "attributes-worked-out", "requiresAttributes",
         "they follow from the definition's members; the Docker API versions that ECS adds are omitted");
  return done(std::move(run));
}

}  // namespace

using awscli::Operation;

namespace {

/// Whether the AWS CLI itself refuses it, before ECS is asked.
bool is_seen_by_client(std::string_view code) {
  return rules::rule_of(code).traits.seen_by_client;
}

/// RegisterTaskDefinition answers with a ClientException, calls on a cluster with an InvalidParameterException.
std::string_view exception_name(const Operation& operation) {
  using enum awscli::Verb;
  const bool registers = operation.verb == kRegisterTaskDefinition || operation.verb == kRegisterDaemonTaskDefinition;
  return registers ? "ClientException" : "InvalidParameterException";
}

/// Errors, and what is a warning in files alone.
bool is_refused(const lint::LintFinding& finding) {
  return finding.severity == Severity::kError || rules::rule_of(finding.code).traits.refused_in_calls;
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

std::optional<CallRefusal> find_refusal(const lint::FileReport& report, const Operation& operation) {
  const auto* finding = first_error(report);
  if (finding == nullptr) return std::nullopt;
  CallRefusal refusal{.message = finding->message + ".", .rule = std::string(finding->code)};
  if (is_seen_by_client(finding->code)) {
    refusal.by = RefusedBy::kClient;
    refusal.code = "ParamValidation";
    return refusal;
  }
  refusal.code = exception_name(operation);
  const auto sentences = rules::Sentences::load();
  if (auto words = server_words(sentences, *finding, report.document->root())) {
    refusal.message = *std::move(words);
    refusal.in_own_words = false;
  }
  return refusal;
}

std::optional<CallRefusal> find_refusal(const placement::Scenario& scenario, const placement::Outcome& outcome) {
  if (!outcome.placements.empty() || outcome.failures.empty()) return std::nullopt;
  const auto& failure = placement::explained(outcome, outcome.failures.front());
  const bool in_provider = failure.attempt.capacity_provider.has_value();
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

CallRefusal refusal_of_unknown_task() {
  // Seen in wazuh/wazuh 25439 and griptape-ai/griptape-nodes-engine 1454.
  return {RefusedBy::kEcs, "InvalidParameterException", "The referenced task was not found.", false, ""};
}

CallRefusal refusal_of_unknown_provider() {
  return {RefusedBy::kEcs, "ClientException", "The specified capacity provider was not found.", true, ""};
}

CallRefusal refusal_of_used_provider() {
  // Seen in aws/aws-cdk 15366 and aws/containers-roadmap 631.
  return {RefusedBy::kEcs, "ResourceInUseException", "The specified capacity provider is in use and cannot be removed.",
          false, ""};
}

CallRefusal refusal_of_unknown_service() {
  return {RefusedBy::kEcs, "ServiceNotFoundException", "Service not found.", false, ""};
}

CallRefusal refusal_of_controller(model::DeploymentController controller) {
  // The answer to CODE_DEPLOY is in data/sentences.json; none to EXTERNAL is on record (API_UpdateService: desiredCount
  // and the grace period only).
  if (controller == model::DeploymentController::kCodeDeploy) {
    return {RefusedBy::kEcs, "InvalidParameterException",
            "Unable to update task definition on services with a CODE_DEPLOY deployment controller. Use AWS CodeDeploy "
            "to trigger a new deployment.",
            false, ""};
  }
  return {RefusedBy::kEcs, "InvalidParameterException",
          "Services with an EXTERNAL deployment controller deploy through task sets (CreateTaskSet).", true, ""};
}

CallRefusal refusal_without_count() {
  return {RefusedBy::kEcs, "InvalidParameterException",
          "desiredCount is missing: it is required for a REPLICA service.", true, ""};
}

CallRefusal refusal_of_negative_count() {
  return {RefusedBy::kEcs, "InvalidParameterException", "desiredCount is negative.", true, ""};
}

CallRefusal refusal_of_override(std::string_view container) {
  // Seen in azavea/django-ecsmanage 21.
  return {RefusedBy::kEcs, "InvalidParameterException",
          fmt::format("Override for container named {} is not a container in the TaskDefinition.", container), false,
          ""};
}

std::optional<CallRefusal> refusal_of_instances(std::size_t count) {
  constexpr std::size_t kMost = 10;
  if (count == 0) {
    return CallRefusal{RefusedBy::kEcs, "InvalidParameterException", "No container instance is named.", true, ""};
  }
  if (count <= kMost) return std::nullopt;
  return CallRefusal{RefusedBy::kEcs, "InvalidParameterException",
                     fmt::format("{} container instances are named; one call accepts {}.", count, kMost), true, ""};
}

std::string client_words(const CallRefusal& refusal, const Operation& operation) {
  if (refusal.by == RefusedBy::kClient) {
    return fmt::format("An error occurred (ParamValidation): Parameter validation failed:\n{}", refusal.message);
  }
  return fmt::format("An error occurred ({}) when calling the {} operation: {}", refusal.code, operation.api_name,
                     refusal.message);
}

namespace {

bool starts_tasks(awscli::Verb verb) {
  using enum awscli::Verb;
  return verb == kRunTask || verb == kStartTask || verb == kCreateService || verb == kUpdateService;
}

}  // namespace

DryRunResult dry_run(const awscli::CommandLine& line, awscli::Request request, const DryRunSetting& setting,
                     const Files& files, catalog::Catalog& catalog, const lint::Tools& tools) {
  const TrialTools all{line, setting, files, catalog, tools};
  const auto verb = request.operation->verb;
  if (verb == awscli::Verb::kRegisterTaskDefinition) return try_registration(std::move(request), all);
  if (starts_tasks(verb)) return try_task_call(std::move(request), all);
  return try_cluster_call(std::move(request), all);
}

}  // namespace bayplan::study
