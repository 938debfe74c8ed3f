// The responses of CreateService and UpdateService.
#include <string>

#include "placement/explain/ecs_words.hpp"
#include "placement/explain/service_events.hpp"
#include "report/dry_run/dry_run_report.hpp"
#include "text/write_value.hpp"

namespace bayplan::report {

using placement::Scenario;
using placement::WorkloadKind;
using text::Value;

namespace {

using Layout = JsonWriter::Layout;

/// The ARN, where the definition is described too.
std::string described_definition(const Scenario& scenario, const std::string& name) {
  for (const auto& definition : scenario.task_definitions) {
    if (definition.name == name) return definition_name(definition);
  }
  return name;
}

void write_deployment_configuration(JsonWriter& json, Value request, const placement::Workload& service) {
  const Value given = request.find("deploymentConfiguration");
  json.key("deploymentConfiguration").begin_object();
  if (given) {
    for (const Value member : given.children()) {
      json.key(member.key());
      write_value(json, member);
    }
  }
  if (!given || !given.find("maximumPercent")) json.member("maximumPercent", service.maximum_percent);
  if (!given || !given.find("minimumHealthyPercent"))
    json.member("minimumHealthyPercent", service.minimum_healthy_percent);
  json.end_object();
}

struct DescribedDeployment {
  std::string_view status;
  std::string definition;
  std::int64_t desired = 0;
  std::int64_t running = 0;
  std::string_view rollout;  ///< Empty = not said.
};

void write_deployment(JsonWriter& json, const DescribedDeployment& deployment) {
  json.begin_object()
      .member("status", deployment.status)
      .member("taskDefinition", deployment.definition)
      .member("desiredCount", deployment.desired)
      .member("pendingCount", 0)
      .member("runningCount", deployment.running)
      .member("failedTasks", 0);
  if (!deployment.rollout.empty()) json.member("rolloutState", deployment.rollout);
  json.end_object();
}

/// Of a new deployment nothing runs yet.
void write_deployments(JsonWriter& json, const study::DryRun& run, const std::string& definition,
                       std::int64_t desired) {
  const auto& update = run.update;
  json.key("deployments").begin_array();
  if (update && !update->is_new_deployment) {
    write_deployment(json, {"PRIMARY", definition, desired, update->running, ""});
  } else {
    write_deployment(json, {"PRIMARY", definition, desired, 0, "IN_PROGRESS"});
  }
  if (update && update->is_new_deployment) {
    write_deployment(json, {"ACTIVE", described_definition(*run.scenario, update->before.task_definition),
                            update->before.desired_count, update->running, ""});
  }
  json.end_array();
}

/// The next event message of the service. While old tasks are still to stop, it is not steady.
void write_events(JsonWriter& json, const study::DryRun& run) {
  const auto& update = run.update;
  const bool goes_on = update && (update->is_new_deployment || update->stops() > 0);
  json.key("events").begin_array();
  if (update && update->is_stuck()) {
    json.begin_object(Layout::kLine)
        .member("message", placement::blocked_deployment_event(run.scenario->workloads.front()))
        .end_object();
  }
  for (const auto& event : placement::service_events(*run.scenario, *run.outcome)) {
    if (goes_on && event.name == "SERVICE_STEADY_STATE") continue;
    json.begin_object(Layout::kLine).member("message", event.message).end_object();
  }
  json.end_array();
}

}  // namespace

void write_given_list(JsonWriter& json, Value request, std::string_view name) {
  json.key(name);
  if (const Value list = request.find(name)) {
    write_value(json, list);
  } else {
    json.begin_array().end_array();
  }
}

void write_if_given(JsonWriter& json, Value request, std::string_view name) {
  if (const Value member = request.find(name)) {
    json.key(name);
    write_value(json, member);
  }
}

void write_service(JsonWriter& json, const study::DryRun& run) {
  const Scenario& scenario = *run.scenario;
  const bool is_new = !run.update;  // of another, what is not given stays as it is, and is not known
  const Value request = is_new ? run.request.document->root() : run.update->after();
  const auto& service = scenario.workloads.front();
  const std::string definition = definition_name(scenario.task_definitions[service.task_definition]);
  const bool is_daemon = service.kind == WorkloadKind::kDaemon;
  const auto wanted = is_new ? static_cast<std::int64_t>(run.outcome->placements.size() + run.outcome->failures.size())
                             : run.update->desired;
  const std::int64_t running = is_new ? 0 : run.update->running;
  json.begin_object().key("service").begin_object().member("serviceName", service.name);
  for (const std::string_view name : {"loadBalancers", "serviceRegistries"}) {
    if (is_new || request.find(name)) write_given_list(json, request, name);
  }
  json.member("status", "ACTIVE")
      .member("desiredCount", wanted)
      .member("runningCount", running)
      .member("pendingCount", 0);
  if (service.capacity_providers.empty()) {
    json.member("launchType", "EC2");
  } else {
    write_if_given(json, request, "capacityProviderStrategy");
  }
  json.member("taskDefinition", definition);
  write_deployment_configuration(json, request, service);
  write_deployments(json, run, definition, wanted);
  write_events(json, run);
  for (const std::string_view name : {"placementConstraints", "placementStrategy"})
    write_given_list(json, request, name);
  write_if_given(json, request, "networkConfiguration");
  write_if_given(json, request, "healthCheckGracePeriodSeconds");
  json.member("schedulingStrategy", is_daemon ? "DAEMON" : "REPLICA");
  write_if_given(json, request, "deploymentController");
  write_if_given(json, request, "availabilityZoneRebalancing");
  write_if_given(json, request, "tags");
  for (const std::string_view name : {"enableECSManagedTags", "enableExecuteCommand"}) {
    const Value flag = request.find(name);
    if (is_new || flag) json.member(name, flag && flag.boolean().value_or(false));
  }
  write_if_given(json, request, "propagateTags");
  json.end_object().end_object();
}

}  // namespace bayplan::report
