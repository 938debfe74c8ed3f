#include "study/dry_run/call_trial.hpp"

#include <algorithm>

#include <fmt/core.h>

#include "study/in_flight.hpp"

namespace bayplan::study {

using awscli::Verb;

namespace {

bool is_error(const Finding& finding) {
  return finding.severity == Severity::kError;
}

}  // namespace

rules::FileKind kind_of(Verb verb) {
  using enum rules::FileKind;
  switch (verb) {
    case Verb::kRegisterTaskDefinition:
      return kTaskDefinition;
    case Verb::kRunTask:
    case Verb::kStartTask:
    case Verb::kStopTask:
      return kRunTask;
    case Verb::kCreateService:
    case Verb::kUpdateService:
      return kService;
    case Verb::kCreateTaskSet:
      return kTaskSet;
    case Verb::kCreateCluster:
      return kCluster;
    case Verb::kPutClusterCapacityProviders:
      return kClusterProviders;
    case Verb::kCreateCapacityProvider:
    case Verb::kUpdateCapacityProvider:
      return kCapacityProvider;
    case Verb::kRegisterDaemonTaskDefinition:
      return kDaemonTaskDefinition;
    case Verb::kCreateDaemon:
      return kDaemon;
    case Verb::kCreateExpressGatewayService:
      return kExpressService;
  }
  return kUnrecognized;
}

lint::Options as_aws_cli() {
  lint::Options options;
  options.rules.deploy_with = rules::DeployClient::kAwsCli;
  return options;
}

bool has_errors(const lint::FileReport& report) {
  return std::any_of(report.findings.begin(), report.findings.end(), is_error);
}

DryRun begin_run(awscli::Request request, const TrialTools& tools) {
  DryRun run;
  run.request = std::move(request);
  run.assumptions = tools.line.notes;
  return run;
}

void assume(DryRun& run, std::string id, std::string subject, std::string text) {
  run.assumptions.push_back({std::move(id), std::move(subject), std::move(text)});
}

void add_effect(DryRun& run, std::string id, std::string subject, std::string text) {
  run.effects.push_back({std::move(id), std::move(subject), std::move(text)});
}

DryRunResult done(DryRun run) {
  return {.run = std::move(run), .errors = {}, .mistakes = {}, .withdrawn = {}};
}

DryRunResult refused(DryRun run, CallRefusal refusal) {
  run.refusal = std::move(refusal);
  return done(std::move(run));
}

DryRunResult failed(std::vector<Error> errors) {
  return {.run = std::nullopt, .errors = std::move(errors), .mistakes = {}, .withdrawn = {}};
}

DryRunResult failed(Error error) {
  return failed(std::vector{std::move(error)});
}

DryRunResult withdrawn(std::vector<std::string> mistakes) {
  return {.run = std::nullopt, .errors = {}, .mistakes = std::move(mistakes), .withdrawn = {}};
}

lint::FileReport lint_call(const DryRun& run, const TrialTools& tools, const lint::Options& options,
                           const lint::FindDefinition& find, const std::shared_ptr<const text::Document>& completed) {
  return lint::check_file({.file = std::string(kCommandLine),
                           .kind = kind_of(verb_of(run)),
                           .document = completed ? completed : run.request.document},
                          options, tools.lint, find);
}

bool is_refused_by_lint(DryRun& run, const TrialTools& tools, const lint::FindDefinition& find,
                        const std::shared_ptr<const text::Document>& completed) {
  lint::Options options = as_aws_cli();
  options.rules.is_update = verb_of(run) == Verb::kUpdateCapacityProvider;
  run.lint = lint_call(run, tools, options, find, completed);
  run.refusal = find_refusal(run.lint, *run.request.operation);
  if (!run.refusal) return false;
  const auto errors = std::count_if(run.lint.findings.begin(), run.lint.findings.end(), is_error);
  if (errors > 1 && run.refusal->by == RefusedBy::kEcs)
    assume(run, "first-of-several-errors", std::string(run.request.operation->api_name),
           fmt::format("ECS answers with one of the {} errors; which one is not documented", errors));
  return true;
}

scenario::ScenarioRequest cluster_request(const TrialTools& tools) {
  auto request = tools.setting.described;
  request.region = tools.line.region;
  return request;
}

scenario::LoadedScenario load_described(const TrialTools& tools) {
  auto request = cluster_request(tools);
  request.may_be_idle = true;
  return load_settled(request, tools.files, tools.catalog, tools.setting.limits);
}

std::optional<Error> missing_cluster(const TrialTools& tools) {
  if (tools.setting.described.cluster || !tools.setting.described.instances.empty()) return std::nullopt;
  return Error{
      "no cluster to simulate the call on", {}, 0, 0, "add --cluster PATH or --instances TYPE=N@AZ before the --"};
}

std::optional<Error> other_cluster(DryRun& run) {
  const std::string& described = run.scenario->cluster_name;
  const text::Value written = root_of(run).find("cluster");
  const std::string_view named = written ? written.text() : "default";
  const std::string_view name = named.substr(named.rfind('/') + 1);
  if (described.empty() || name == described) return std::nullopt;
  if (!written) {
    assume(run, "cluster-not-named", described,
           fmt::format("the call names no cluster and goes to 'default'; it is simulated on '{}'", described));
    return std::nullopt;
  }
  return objection(run, written, fmt::format("the call names cluster '{}', but '{}' is described", name, described),
                   fmt::format("Name '{}' in the call, or describe '{}' with --cluster.", described, name));
}

Error objection(const DryRun& run, const text::Value& written, std::string message, std::string help) {
  Error error = run.request.place_of(written.span().begin);
  error.message = std::move(message);
  error.help = std::move(help);
  return error;
}

}  // namespace bayplan::study
