// The response of CreateService.
#include <string>

#include "placement/service_events.hpp"
#include "report/dry_run.hpp"
#include "report/json_value.hpp"

namespace bayplan::report {

using placement::Scenario;
using placement::WorkloadKind;
using text::Value;

namespace {

using Layout = JsonWriter::Layout;

void write_list(JsonWriter& json, Value request, std::string_view name) {
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

/// Of the first deployment: nothing of it runs yet.
void write_deployment(JsonWriter& json, const std::string& definition, std::int64_t desired) {
  json.key("deployments").begin_array();
  json.begin_object()
      .member("status", "PRIMARY")
      .member("taskDefinition", definition)
      .member("desiredCount", desired)
      .member("pendingCount", 0)
      .member("runningCount", 0)
      .member("failedTasks", 0)
      .member("rolloutState", "IN_PROGRESS")
      .end_object();
  json.end_array();
}

/// What the service would tell next.
void write_events(JsonWriter& json, const study::DryRun& run) {
  json.key("events").begin_array();
  for (const auto& event : placement::service_events(*run.scenario, *run.outcome)) {
    json.begin_object(Layout::kLine).member("message", event.message).end_object();
  }
  json.end_array();
}

}  // namespace

void write_created_service(JsonWriter& json, const study::DryRun& run) {
  const Scenario& scenario = *run.scenario;
  const Value request = run.request.document->root();
  const auto& service = scenario.workloads.front();
  const std::string definition = definition_name(scenario.task_definitions[service.task_definition]);
  const bool is_daemon = service.kind == WorkloadKind::kDaemon;
  const auto wanted = static_cast<std::int64_t>(run.outcome->placements.size() + run.outcome->failures.size());
  json.begin_object().key("service").begin_object().member("serviceName", service.name);
  for (const std::string_view name : {"loadBalancers", "serviceRegistries"}) write_list(json, request, name);
  json.member("status", "ACTIVE").member("desiredCount", wanted).member("runningCount", 0).member("pendingCount", 0);
  if (service.capacity_providers.empty()) {
    json.member("launchType", "EC2");
  } else {
    write_if_given(json, request, "capacityProviderStrategy");
  }
  json.member("taskDefinition", definition);
  write_deployment_configuration(json, request, service);
  write_deployment(json, definition, wanted);
  write_events(json, run);
  for (const std::string_view name : {"placementConstraints", "placementStrategy"}) write_list(json, request, name);
  write_if_given(json, request, "networkConfiguration");
  write_if_given(json, request, "healthCheckGracePeriodSeconds");
  json.member("schedulingStrategy", is_daemon ? "DAEMON" : "REPLICA");
  write_if_given(json, request, "deploymentController");
  write_if_given(json, request, "availabilityZoneRebalancing");
  write_if_given(json, request, "tags");
  for (const std::string_view name : {"enableECSManagedTags", "enableExecuteCommand"}) {
    const Value flag = request.find(name);
    json.member(name, flag && flag.boolean().value_or(false));
  }
  write_if_given(json, request, "propagateTags");
  json.end_object().end_object();
}

}  // namespace bayplan::report
