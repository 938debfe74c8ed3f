// The responses of RunTask and StartTask.
#include <algorithm>
#include <string>

#include "placement/explain/ecs_words.hpp"
#include "report/dry_run/dry_run_report.hpp"
#include "text/write_value.hpp"

namespace bayplan::report {

using placement::Placement;
using placement::Scenario;
using text::Value;

namespace {

using Layout = JsonWriter::Layout;

void write_text(JsonWriter& json, std::string_view name, const model::IntegerField& field) {
  if (field.known()) json.member(name, std::to_string(*field));
}

/// gpuIds, or neuronDeviceIds (API_Container). A container that asks for GPUs twice is given some for each.
void write_devices(JsonWriter& json, const Scenario& scenario, const Placement& placement, std::size_t container) {
  const auto is_own = [&](const auto& given) { return given.container == container; };
  if (std::none_of(placement.gpus.begin(), placement.gpus.end(), is_own)) return;
  const auto& profile = scenario.profiles[scenario.instances[placement.instance].profile];
  json.key(profile.neuron_devices > 0 ? "neuronDeviceIds" : "gpuIds").begin_array(Layout::kLine);
  for (const auto& given : placement.gpus) {
    if (!is_own(given)) continue;
    for (const auto device : given.devices) json.value(placement::gpu_id(scenario, placement.instance, device));
  }
  json.end_array();
}

/// `placement`: nothing of a task that waits.
void write_described_containers(JsonWriter& json, const Scenario& scenario, const placement::TaskDefinition& definition,
                                const Placement* placement) {
  json.key("containers").begin_array();
  std::size_t position = 0;
  for (const auto& container : definition.definition.container_definitions) {
    json.begin_object().member("name", container.name.value.value_or(""));
    if (container.image) json.member("image", *container.image);
    json.member("lastStatus", "PENDING").key("networkInterfaces").begin_array().end_array();
    json.member("cpu", std::to_string(container.cpu.value.value_or(0)));
    write_text(json, "memory", container.memory);
    write_text(json, "memoryReservation", container.memory_reservation);
    if (placement != nullptr) write_devices(json, scenario, *placement, position);
    json.end_object();
    ++position;
  }
  json.end_array();
}

/// The override of the container called `name`; absent when there is none.
Value override_of(Value overrides, std::string_view name) {
  const Value given = overrides ? overrides.find("containerOverrides") : Value();
  if (!given) return {};
  for (const Value one : given.children()) {
    const Value own = one.find("name");
    if (own && own.text() == name) return one;
  }
  return {};
}

/// What was asked for, and every container by name (API_TaskOverride).
void write_overrides(JsonWriter& json, Value overrides, const placement::TaskDefinition& definition) {
  json.key("overrides").begin_object().key("containerOverrides").begin_array();
  for (const auto& name : definition.container_names) {
    if (const Value own = override_of(overrides, name)) {
      write_value(json, own);
    } else {
      json.begin_object(Layout::kLine).member("name", name).end_object();
    }
  }
  json.end_array();
  if (overrides) {
    for (const Value member : overrides.children()) {
      if (member.key() == "containerOverrides") continue;
      json.key(member.key());
      write_value(json, member);
    }
  }
  json.end_object();
}

void write_instance(JsonWriter& json, const Scenario& scenario, std::uint32_t instance) {
  const auto& profile = scenario.profiles[scenario.instances[instance].profile];
  if (!profile.availability_zone.empty()) json.member("availabilityZone", profile.availability_zone);
  json.member("containerInstanceArn", study::instance_name(scenario, instance));
}

/// A task that has a place; without `placement` one that waits until its capacity provider has room.
void write_described_task(JsonWriter& json, const study::DryRun& run, const placement::PlacementAttempt& attempt,
                          const Placement* placement) {
  const Scenario& scenario = *run.scenario;
  const Value request = run.request.document->root();
  const auto& workload = scenario.workloads[attempt.workload];
  const auto& definition = scenario.task_definitions[workload.task_definition];
  const bool has_interface = workload.requirement.network_interfaces > 0;
  json.begin_object().key("attachments").begin_array(Layout::kLine);
  if (has_interface) {
    json.begin_object(Layout::kLine)
        .member("type", "ElasticNetworkInterface")
        .member("status", "PRECREATED")
        .end_object();
  }
  json.end_array();
  if (attempt.capacity_provider) json.member("capacityProviderName", capacity_provider_of(scenario, attempt));
  if (placement != nullptr) write_instance(json, scenario, placement->instance);
  write_described_containers(json, scenario, definition, placement);
  json.member("cpu", std::to_string(workload.requirement.cpu)).member("desiredStatus", "RUNNING");
  write_if_given(json, request, "enableExecuteCommand");
  json.member("group", workload.group);
  // The network interface is made first (ECS guide, task-lifecycle).
  json.member("lastStatus", has_interface || placement == nullptr ? "PROVISIONING" : "PENDING");
  json.member("launchType", "EC2").member("memory", std::to_string(workload.requirement.memory));
  write_overrides(json, request.find("overrides"), definition);
  write_if_given(json, request, "startedBy");
  write_if_given(json, request, "tags");
  json.member("taskDefinitionArn", definition_name(definition)).member("version", 1).end_object();
}

}  // namespace

std::string definition_name(const placement::TaskDefinition& definition) {
  const Value arn = definition.definition.node.find("taskDefinitionArn");
  return arn && arn.is_string() ? std::string(arn.text()) : definition.name;
}

void write_started_tasks(JsonWriter& json, const study::DryRun& run) {
  json.begin_object().key("tasks").begin_array();
  for (const auto& placement : run.outcome->placements) write_described_task(json, run, placement.attempt, &placement);
  for (const auto& failure : run.outcome->failures) {
    const auto& reason = placement::explained(*run.outcome, failure);
    if (placement::is_provisioning(*run.scenario, reason)) write_described_task(json, run, failure.attempt, nullptr);
  }
  json.end_array().key("failures").begin_array();
  for (const auto& failure : run.failures) {
    json.begin_object(Layout::kLine);
    if (!failure.arn.empty()) json.member("arn", failure.arn);
    json.member("reason", failure.reason).end_object();
  }
  json.end_array().end_object();
}

}  // namespace bayplan::report
