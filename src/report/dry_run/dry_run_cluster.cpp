// The responses of calls that stop a task or change a cluster, and of those that start tasks on Fargate.
#include <algorithm>
#include <initializer_list>
#include <string>
#include <string_view>

#include "placement/model/scenario.hpp"
#include "report/dry_run/dry_run_report.hpp"
#include "text/write_value.hpp"

namespace bayplan::report {

using text::Value;

namespace {

/// Members of `before` with those of `changes` in their place, and objects of both joined member by member.
void write_changed(JsonWriter& json, Value before, Value changes) {
  json.begin_object();
  for (const Value member : before.children()) {
    const Value change = changes.find(member.key());
    json.key(member.key());
    if (!change) {
      write_value(json, member);
    } else if (change.is_object() && member.is_object()) {
      write_changed(json, member, change);
    } else {
      write_value(json, change);
    }
  }
  for (const Value change : changes.children()) {
    if (before.find(change.key())) continue;
    json.key(change.key());
    write_value(json, change);
  }
  json.end_object();
}

/// The ARN of the definition that the request names, where it is described, else what it says.
std::string definition_of(const study::DryRun& run, Value request) {
  const Value named = request.find("taskDefinition");
  if (!named) return {};
  for (const auto& definition : run.scenario->task_definitions) {
    if (definition.name == named.text()) return definition_name(definition);
  }
  return std::string(named.text());
}

void write_task_on_fargate(JsonWriter& json, const study::DryRun& run, Value request) {
  json.begin_object();
  json.member("desiredStatus", "RUNNING").member("lastStatus", "PROVISIONING").member("launchType", "FARGATE");
  for (const std::string_view name :
       {"enableExecuteCommand", "group", "overrides", "platformVersion", "startedBy", "tags"})
    write_if_given(json, request, name);
  json.member("taskDefinitionArn", definition_of(run, request)).member("version", 1).end_object();
}

void write_stopped_task(JsonWriter& json, const study::DryRun& run, Value request) {
  json.begin_object().key("task").begin_object();
  json.member("desiredStatus", "STOPPED");
  if (run.stopped) {
    const auto& task = run.stopped->task;
    json.member("group", task.group).member("taskDefinitionArn", task.task_definition).member("launchType", "EC2");
  } else {
    json.member("launchType", "FARGATE");
  }
  json.member("stopCode", "UserInitiated");
  if (const Value reason = request.find("reason")) json.member("stoppedReason", reason.text());
  json.member("taskArn", request.find("task").text()).end_object().end_object();
}

/// What is described of the provider, with the changes of the request.
void write_updated_provider(JsonWriter& json, const study::DryRun& run, Value request) {
  const auto& described = run.scenario->providers.described;
  const auto found = std::find_if(described.begin(), described.end(), [&](const Value& one) {
    return one.find("name").text() == request.find("name").text();
  });
  json.begin_object().key("capacityProvider");
  write_changed(json, found == described.end() ? request : *found, request);
  json.end_object();
}

void write_cluster(JsonWriter& json, std::string_view name, Value request) {
  json.begin_object().key("cluster").begin_object();
  json.member("clusterName", name).member("status", "ACTIVE");
  for (const std::string_view member : {"configuration", "serviceConnectDefaults", "settings", "tags"})
    write_if_given(json, request, member);
  write_given_list(json, request, "capacityProviders");
  write_given_list(json, request, "defaultCapacityProviderStrategy");
  json.end_object().end_object();
}

/// The request under the name that the response has for it.
void write_created(JsonWriter& json, std::string_view name, Value request) {
  json.begin_object().key(name).begin_object();
  for (const Value member : request.children()) {
    json.key(member.key());
    write_value(json, member);
  }
  if (!request.find("status")) json.member("status", "ACTIVE");
  json.end_object().end_object();
}

}  // namespace

void write_on_fargate(JsonWriter& json, const study::DryRun& run) {
  const Value request = run.request.document->root();
  json.begin_object();
  if (run.request.operation->verb == awscli::Verb::kRunTask) {
    json.key("tasks").begin_array();
    for (std::int64_t i = 0; i < *run.on_fargate; ++i) write_task_on_fargate(json, run, request);
    json.end_array().key("failures").begin_array().end_array().end_object();
    return;
  }
  const Value name = request.find(request.find("serviceName") ? "serviceName" : "service");
  json.key("service").begin_object();
  json.member("serviceName", name.text().substr(name.text().rfind('/') + 1)).member("status", "ACTIVE");
  for (const std::string_view member :
       {"desiredCount", "launchType", "capacityProviderStrategy", "platformVersion", "deploymentConfiguration",
        "loadBalancers", "serviceRegistries", "networkConfiguration", "healthCheckGracePeriodSeconds",
        "enableExecuteCommand", "propagateTags", "tags"}) {
    write_if_given(json, request, member);
  }
  if (const auto definition = definition_of(run, request); !definition.empty())
    json.member("taskDefinition", definition);
  json.end_object().end_object();
}

void write_cluster_response(JsonWriter& json, const study::DryRun& run) {
  const Value request = run.request.document->root();
  using enum awscli::Verb;
  switch (run.request.operation->verb) {
    case kStopTask:
      return write_stopped_task(json, run, request);
    case kUpdateCapacityProvider:
      return write_updated_provider(json, run, request);
    case kPutClusterCapacityProviders:
      return write_cluster(json, request.find("cluster").text(), request);
    case kCreateCluster: {
      const Value name = request.find("clusterName");
      return write_cluster(json, name ? name.text() : "default", request);
    }
    case kCreateCapacityProvider:
      return write_created(json, "capacityProvider", request);
    case kCreateTaskSet:
      return write_created(json, "taskSet", request);
    case kCreateExpressGatewayService:
      return write_created(json, "service", request);
    case kRegisterDaemonTaskDefinition:
      return write_created(json, "daemonTaskDefinition", request);
    default:
      return write_created(json, "daemon", request);
  }
}

}  // namespace bayplan::report
