// The response of RegisterTaskDefinition.
#include <algorithm>
#include <array>
#include <string>

#include "capacity/attributes.hpp"
#include "model/task_definition.hpp"
#include "report/dry_run/dry_run_report.hpp"
#include "text/write_value.hpp"

namespace bayplan::report {

using text::Value;

namespace {

using Layout = JsonWriter::Layout;

/// Members of containers that describe-task-definition shows as empty lists when the request lacks them.
constexpr std::array<std::string_view, 5> kContainerLists{"portMappings", "environment", "mountPoints", "volumesFrom",
                                                          "systemControls"};

void write_members(JsonWriter& json, Value object, const std::vector<std::string_view>& without) {
  for (const Value member : object.children()) {
    if (member.is_null() || std::find(without.begin(), without.end(), member.key()) != without.end()) continue;
    json.key(member.key());
    write_value(json, member);
  }
}

/// hostPort and protocol are filled in (API_PortMapping): the container's own port where the network is not bridged.
void write_port_mapping(JsonWriter& json, Value mapping, bool is_bridge) {
  json.begin_object(Layout::kLine);
  write_members(json, mapping, {});
  const Value container = mapping.find("containerPort");
  if (!mapping.find("hostPort") && container && container.integer()) {
    json.member("hostPort", is_bridge ? 0 : *container.integer());
  }
  if (!mapping.find("protocol")) json.member("protocol", "tcp");
  json.end_object();
}

void write_container(JsonWriter& json, Value container, bool is_bridge) {
  json.begin_object();
  write_members(json, container, {"portMappings"});
  if (!container.find("cpu")) json.member("cpu", 0);
  if (!container.find("essential")) json.member("essential", true);
  if (const Value mappings = container.find("portMappings")) {
    json.key("portMappings").begin_array();
    for (const Value mapping : mappings.children()) write_port_mapping(json, mapping, is_bridge);
    json.end_array();
  }
  for (const auto name : kContainerLists) {
    if (!container.find(name)) json.key(name).begin_array().end_array();
  }
  json.end_object();
}

void write_requirements(JsonWriter& json, const study::DryRun& run, const model::TaskDefinition& task) {
  json.key("requiresAttributes").begin_array();
  for (const auto& name : capacity::required_attributes(task)) {
    json.begin_object(Layout::kLine).member("name", name).end_object();
  }
  json.end_array().key("compatibilities").begin_array(Layout::kLine);
  for (const auto& name : run.compatibilities) json.value(name);
  json.end_array();
}

/// "1 vCPU" comes back as "1024" (ECS guide, task_definition_parameters).
void write_size(JsonWriter& json, std::string_view name, const model::StringField& written,
                std::optional<std::int64_t> units) {
  if (!written.present()) return;
  json.member(name, units ? std::to_string(*units) : std::string(written.value.value_or("")));
}

void write_definition(JsonWriter& json, const study::DryRun& run) {
  const Value root = run.request.document->root();
  const auto task = model::bind_task_definition(root, {});
  const bool is_bridge = task.effective_network_mode().value_or("bridge") == "bridge";
  json.begin_object().key("containerDefinitions").begin_array();
  for (const auto& container : task.container_definitions) write_container(json, container.node, is_bridge);
  json.end_array();
  write_members(json, root, {"containerDefinitions", "tags", "cpu", "memory", "volumes", "placementConstraints"});
  json.member("revision", run.revision.value_or(1));
  for (const std::string_view name : {"volumes", "placementConstraints"}) {
    json.key(name);
    if (const Value list = root.find(name)) {
      write_value(json, list);
    } else {
      json.begin_array().end_array();
    }
  }
  json.member("status", "ACTIVE");
  write_requirements(json, run, task);
  write_size(json, "cpu", task.cpu, task.cpu_units());
  write_size(json, "memory", task.memory, task.memory_mib());
  json.end_object();
}

}  // namespace

void write_registered_definition(JsonWriter& json, const study::DryRun& run) {
  json.begin_object().key("taskDefinition");
  write_definition(json, run);
  if (const Value tags = run.request.document->root().find("tags")) {
    json.key("tags");
    write_value(json, tags);
  }
  json.end_object();
}

}  // namespace bayplan::report
