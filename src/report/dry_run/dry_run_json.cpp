#include "placement/explain/ecs_words.hpp"
#include "placement/model/redeploy.hpp"
#include "report/document/assumptions.hpp"
#include "report/document/json_parts.hpp"
#include "report/document/prices.hpp"
#include "report/dry_run/dry_run_report.hpp"
#include "report/place/placement_assumptions.hpp"
#include "report/whatif/whatif_deployment.hpp"
#include "text/write_value.hpp"

namespace bayplan::report {

namespace {

using Layout = JsonWriter::Layout;

void write_response_value(JsonWriter& json, const study::DryRun& run) {
  if (run.refusal) return static_cast<void>(json.null());
  if (run.on_fargate) return write_on_fargate(json, run);
  switch (run.request.operation->verb) {
    case awscli::Verb::kRegisterTaskDefinition:
      return write_registered_definition(json, run);
    case awscli::Verb::kCreateService:
    case awscli::Verb::kUpdateService:
      return write_service(json, run);
    case awscli::Verb::kRunTask:
    case awscli::Verb::kStartTask:
      return write_started_tasks(json, run);
    default:
      return write_cluster_response(json, run);
  }
}

void write_error(JsonWriter& json, const study::DryRun& run) {
  json.key("error");
  if (!run.refusal) {
    json.null();
    return;
  }
  const auto& refusal = *run.refusal;
  json.begin_object()
      .member("by", refusal.by == study::RefusedBy::kClient ? "aws-cli" : "ecs")
      .member("code", refusal.code)
      .member("message", refusal.message)
      .member("inOwnWords", refusal.in_own_words)
      .member("says", study::client_words(refusal, *run.request.operation));
  json.key("rule");
  if (refusal.rule.empty()) {
    json.null();
  } else {
    json.value(refusal.rule);
  }
  json.end_object();
}

void write_place(JsonWriter& json, const Error& place) {
  json.member("file", place.file).member("line", place.line).member("column", place.column);
}

void write_findings(JsonWriter& json, const study::DryRun& run, const Lazy<rules::RuleData>& data) {
  json.key("findings").begin_array();
  for (const auto& finding : run.lint.findings) {
    const auto& row = data.get().row(finding.code);
    json.begin_object()
        .member("code", finding.code)
        .member("rule", row.id)
        .member("severity", name_of(finding.severity))
        .member("message", finding.message)
        .member("help", finding.help)
        .member("url", row.url());
    write_place(json, run.request.place_of(finding.span.begin));
    json.member("pointer", finding.pointer).member("container", finding.container).end_object();
  }
  json.end_array();
}

void write_effects(JsonWriter& json, const study::DryRun& run) {
  if (run.effects.empty()) return;
  json.key("effects").begin_array();
  for (const auto& effect : run.effects) {
    json.begin_object(Layout::kLine)
        .member("id", effect.id)
        .member("subject", effect.subject)
        .member("text", effect.text)
        .end_object();
  }
  json.end_array();
}

void write_placements(JsonWriter& json, const study::DryRun& run) {
  json.key("placements").begin_array();
  if (run.outcome) {
    const auto& scenario = *run.scenario;
    for (const auto& placement : run.outcome->placements) {
      const auto& instance = scenario.instances[placement.instance];
      json.begin_object(Layout::kLine)
          .member("task", placement::task_id(scenario, placement.attempt))
          .member("containerInstance", instance.id)
          .member("availabilityZone", scenario.profiles[instance.profile].availability_zone)
          .member("tied", placement.tied)
          .end_object();
    }
  }
  json.end_array().key("failures").begin_array();
  if (run.outcome) {
    const auto& scenario = *run.scenario;
    for (const auto& failure : run.outcome->failures) {
      const auto& reason = placement::explained(*run.outcome, failure);
      json.begin_object(Layout::kLine)
          .member("task", placement::task_id(scenario, failure.attempt))
          .member("reason", placement::failure_reason(scenario, reason))
          .key("closest");
      if (reason.closest) {
        json.value(scenario.instances[*reason.closest].id);
      } else {
        json.null();
      }
      json.end_object();
    }
  }
  json.end_array();
}

}  // namespace

std::vector<Assumption> collect_assumptions(const study::DryRun& run) {
  auto assumptions = run.assumptions;
  const auto add = [&](const std::vector<Assumption>& more) {
    assumptions.insert(assumptions.end(), more.begin(), more.end());
  };
  if (run.scenario && !run.refusal && !run.on_fargate) add(run.scenario->assumptions);
  if (run.outcome) add(placement_assumptions(run.outcome->facts));
  if (run.rollout) {
    add(placement::health_check_assumptions(*run.rollout->scenario));
    add(placement::deployment_assumptions(*run.rollout->scenario));
  }
  return assumptions;
}

void write_dry_run_json(std::ostream& out, const study::DryRun& run, const Lazy<rules::RuleData>& data) {
  JsonWriter json(out);
  begin_report(json, "dry-run-report", dry_run_answer(run));
  json.member("operation", run.request.operation->api_name).member("succeeds", run.succeeds());
  json.key("seed");
  if (run.outcome) {
    json.value(run.scenario->seed);
  } else {
    json.null();
  }
  if (run.scenario) write_prices_json(json, find_price_range(*run.scenario));
  write_assumptions_json(json, collect_assumptions(run));
  if (run.scenario && !run.scenario->findings.empty()) write_cluster_findings_json(json, run.scenario->findings);
  json.key("request");
  write_value(json, run.request.document->root());
  write_error(json, run);
  json.key("response");
  write_response_value(json, run);
  write_findings(json, run, data);
  write_placements(json, run);
  write_effects(json, run);
  if (run.rollout) write_deployments_json(json, *run.rollout);
  json.end_object().finish();
}

void write_dry_run_response(std::ostream& out, const study::DryRun& run) {
  if (run.refusal) return;
  JsonWriter json(out);
  write_response_value(json, run);
  json.finish();
}

}  // namespace bayplan::report
