#include "replay/recorded_scenario.hpp"

#include <algorithm>
#include <map>
#include <set>
#include <string>

#include <fmt/core.h>

#include "base/json_writer.hpp"
#include "placement/model/strategies.hpp"

namespace bayplan::replay {
namespace {

using Layout = JsonWriter::Layout;

std::string seconds_text(Milliseconds milliseconds) {
  return fmt::format("{}s", std::max<Milliseconds>(0, milliseconds) / 1000);
}

void write_ports(JsonWriter& json, std::string_view key, const std::vector<std::uint16_t>& ports) {
  json.key(key).begin_array(Layout::kLine);
  for (const auto port : ports) json.value(port);
  json.end_array();
}

/// The members of a container instance, into the object that is open.
void write_instance(JsonWriter& json, const InstanceProfile& profile) {
  json.member("instanceType", profile.instance_type.empty() ? std::string("unknown") : profile.instance_type);
  if (!profile.availability_zone.empty()) json.member("availabilityZone", profile.availability_zone);
  if (!profile.ec2_instance_id.empty()) json.member("ec2InstanceId", profile.ec2_instance_id);
  if (!profile.subnet_id.empty()) json.member("subnetId", profile.subnet_id);
  if (!profile.capacity_provider_name.empty()) json.member("capacityProviderName", profile.capacity_provider_name);
  if (profile.awsvpc_trunking) json.member("awsvpcTrunking", true);
  json.key("registeredResources")
      .begin_object(Layout::kLine)
      .member("CPU", profile.cpu)
      .member("MEMORY", profile.memory);
  if (profile.gpu_count > 0) json.member("GPU", profile.gpu_count);
  json.end_object();
  write_ports(json, "reservedPorts", profile.reserved_tcp_ports);
  json.key("attributes").begin_object(Layout::kLine);
  for (const auto& [name, value] : profile.attributes) {
    if (!name.starts_with("ecs.") && !name.starts_with("com.amazonaws.")) json.member(name, value);
  }
  json.end_object();
}

void write_strategies(JsonWriter& json, const Workload& workload) {
  json.key("placementStrategy").begin_array(Layout::kLine);
  for (const auto& strategy : effective_strategies(workload, TieOrder::kFile)) {
    json.begin_object(Layout::kLine);
    if (strategy.type == StrategyType::kRandom) {
      json.member("type", "random");
    } else {
      json.member("type", strategy.type == StrategyType::kSpread ? "spread" : "binpack")
          .member("field", strategy.field);
    }
    json.end_object();
  }
  json.end_array();
}

/// Constraints of the request; those of the definition come with it.
void write_constraints(JsonWriter& json, const Workload& workload, const TaskDefinition& definition) {
  const auto own = definition.constraints.size();
  if (workload.constraints.size() <= own) return;
  json.key("placementConstraints").begin_array(Layout::kLine);
  for (std::size_t i = own; i < workload.constraints.size(); ++i) {
    const auto& constraint = workload.constraints[i];
    json.begin_object(Layout::kLine);
    if (constraint.type == ConstraintType::kDistinctInstance) {
      json.member("type", "distinctInstance");
    } else {
      json.member("type", "memberOf").member("expression", constraint.source);
    }
    json.end_object();
  }
  json.end_array();
}

void write_run(JsonWriter& json, const ReplayResult& result, const RecordedRun& run, Milliseconds start) {
  const auto& workload = result.requests[run.request];
  const auto& definition = result.scenario.task_definitions[workload.task_definition];
  const Milliseconds begin = run.at == kNoTime ? start : run.at;
  json.begin_object(Layout::kLine).member("taskDefinition", definition.name).member("group", workload.group);
  json.member("startAt", seconds_text(begin - start));
  if (run.stopped != kNoTime) json.member("duration", seconds_text(run.stopped - begin));
  const auto& size = workload.requirement;
  if (size.cpu != definition.requirement.cpu || size.memory != definition.requirement.memory) {
    json.key("overrides").begin_object(Layout::kLine).member("cpu", std::to_string(size.cpu));
    json.member("memory", std::to_string(size.memory)).end_object();
  }
  write_strategies(json, workload);
  write_constraints(json, workload, definition);
  json.end_object();
}

/// The definitions that runs use, as their source writes them.
void write_definitions(std::ostream& out, const ReplayResult& result) {
  std::set<std::uint32_t> used;
  for (const auto& run : result.runs) used.insert(result.requests[run.request].task_definition);
  out << "  \"taskDefinitions\": [";
  const char* separator = "\n    ";
  for (const auto index : used) {
    const auto node = result.scenario.task_definitions[index].definition.node;
    if (!node || node.document().format() != text::Format::kJson) continue;
    const auto span = node.span();
    out << separator << std::string_view(node.document().source()).substr(span.begin, span.end - span.begin);
    separator = ",\n    ";
  }
  out << "\n  ],\n";
}

/// Writes one list of the scenario: an element a line.
template <class Elements, class Write>
void write_elements(std::ostream& out, std::string_view key, const Elements& elements, Write write) {
  out << "  " << json_quoted(key) << ": [";
  const char* separator = "\n    ";
  for (const auto& element : elements) {
    out << separator;
    JsonWriter json(out);
    write(json, element);
    separator = ",\n    ";
  }
  out << "\n  ]";
}

}  // namespace

void write_recorded_scenario(std::ostream& out, const ReplayResult& result) {
  const auto& scenario = result.scenario;
  Milliseconds start = result.start;
  for (const auto& run : result.runs) {  // of a snapshot without a time come first
    if (start == kNoTime && run.at != kNoTime) start = run.at;
  }
  std::set<std::uint32_t> later;
  for (const auto& member : result.members) {
    if (member.from > start) later.insert(member.instance);
  }
  std::vector<std::uint32_t> first;
  for (std::uint32_t i = 0; i < scenario.instances.size(); ++i) {
    if (!later.contains(i)) first.push_back(i);
  }
  const auto profile = [&](std::uint32_t instance) -> const InstanceProfile& {
    return scenario.profiles[scenario.instances[instance].profile];
  };
  out << "{\n  \"region\": " << json_quoted(scenario.region) << ",\n";
  out << "  \"cluster\": {\"clusterName\": " << json_quoted(result.cluster) << ",\n";
  write_elements(out, "containerInstances", first, [&](JsonWriter& json, std::uint32_t instance) {
    json.begin_object(Layout::kLine);
    write_instance(json, profile(instance));
    json.end_object();
  });
  out << "},\n";
  write_definitions(out, result);
  if (!later.empty()) {
    std::vector<RecordedMember> joined;
    for (const auto& member : result.members) {
      if (later.contains(member.instance)) joined.push_back(member);
    }
    write_elements(out, "events", joined, [&](JsonWriter& json, const RecordedMember& member) {
      json.begin_object(Layout::kLine).member("at", seconds_text(member.from - start)).key("addInstances");
      json.begin_object(Layout::kLine);
      write_instance(json, profile(member.instance));
      json.end_object().end_object();
    });
    out << ",\n";
  }
  write_elements(out, "tasks", result.runs,
                 [&](JsonWriter& json, const RecordedRun& run) { write_run(json, result, run, start); });
  out << "\n}\n";
}

}  // namespace bayplan::replay
