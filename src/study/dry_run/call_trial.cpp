#include "study/dry_run/call_trial.hpp"
#include "study/in_flight.hpp"

#include <algorithm>

#include <fmt/core.h>

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

CallTrial::CallTrial(awscli::Request request, const TrialTools& tools) : tools_(tools) {
  run_.request = std::move(request);
  run_.assumptions = tools.line.notes;
}

DryRunResult CallTrial::run() {
  try_call();
  if (!result_.errors.empty() || !result_.mistakes.empty()) return std::move(result_);
  result_.run = std::move(run_);
  return std::move(result_);
}

void CallTrial::assume(std::string id, std::string subject, std::string text) {
  run_.assumptions.push_back({std::move(id), std::move(subject), std::move(text)});
}

lint::FileReport CallTrial::lint(const lint::Options& options, const lint::FindDefinition& find) const {
  return lint::check_file({.file = std::string(kCommandLine),
                           .kind = kind_of(verb()),
                           .document = completed_ ? completed_ : run_.request.document},
                          options, tools_.lint, find);
}

bool CallTrial::is_refused_by_lint(const lint::FindDefinition& find) {
  lint::Options options = as_aws_cli();
  options.rules.is_update = verb() == Verb::kUpdateCapacityProvider;
  run_.lint = lint(options, find);
  run_.refusal = find_refusal(run_.lint, *run_.request.operation);
  if (run_.refusal) note_first_of_many();
  return run_.refusal.has_value();
}

void CallTrial::note_first_of_many() {
  const auto errors = std::count_if(run_.lint.findings.begin(), run_.lint.findings.end(), is_error);
  if (errors < 2 || run_.refusal->by != RefusedBy::kEcs) return;
  assume("first-of-several-errors", std::string(run_.request.operation->api_name),
         fmt::format("ECS answers with one of the {} errors; which one is not documented", errors));
}

scenario::ScenarioRequest CallTrial::cluster_request() const {
  auto request = tools_.setting.described;
  request.region = tools_.line.region;
  return request;
}

bool CallTrial::has_cluster() {
  if (tools_.setting.described.cluster || !tools_.setting.described.instances.empty()) return true;
  result_.errors.push_back(
      {"no cluster to simulate the call on", {}, 0, 0, "add --cluster PATH or --instances TYPE=N@AZ before the --"});
  return false;
}

bool CallTrial::check_cluster() {
  const std::string& described = run_.scenario->cluster_name;
  const text::Value written = root().find("cluster");
  const std::string_view named = written ? written.text() : "default";
  const std::string_view name = named.substr(named.rfind('/') + 1);
  if (described.empty() || name == described) return true;
  if (!written) {
    assume("cluster-not-named", described,
           fmt::format("the call names no cluster and goes to 'default'; it is simulated on '{}'", described));
    return true;
  }
  object_to(written, fmt::format("the call names cluster '{}', but '{}' is described", name, described),
            fmt::format("Name '{}' in the call, or describe '{}' with --cluster.", described, name));
  return false;
}

void CallTrial::object_to(const text::Value& written, std::string message, std::string help) {
  Error error = run_.request.place_of(written.span().begin);
  error.message = std::move(message);
  error.help = std::move(help);
  result_.errors.push_back(std::move(error));
}

scenario::LoadedScenario CallTrial::load_described() const {
  auto request = cluster_request();
  request.may_be_idle = true;
  return load_settled(request, tools_.files, tools_.catalog, tools_.setting.limits);
}

}  // namespace bayplan::study
