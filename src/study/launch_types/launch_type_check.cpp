#include "study/launch_types/launch_type_check.hpp"

#include <algorithm>
#include <set>
#include <utility>

#include <fmt/core.h>

#include "base/json_writer.hpp"
#include "base/strings.hpp"
#include "rules/named_rules.hpp"
#include "rules/registry.hpp"

namespace bayplan::study {

using capacity::TaskRequirement;
using text::Value;

namespace {

/// Members of describe output that RegisterTaskDefinition does not take.
constexpr std::array<std::string_view, 8> kAnswered = {"taskDefinitionArn",  "revision",        "status",
                                                       "requiresAttributes", "compatibilities", "registeredAt",
                                                       "registeredBy",       "deregisteredAt"};

template <class List>
bool contains(const List& list, std::string_view text) {
  return std::find(list.begin(), list.end(), text) != list.end();
}

void append_json(std::string& out, Value value) {
  if (value.is_object() || value.is_array()) {
    const bool is_object = value.is_object();
    out += is_object ? '{' : '[';
    bool is_first = true;
    for (const Value child : value.children()) {
      if (!std::exchange(is_first, false)) out += ',';
      if (is_object) out += json_quoted(child.key()) + ":";
      append_json(out, child);
    }
    out += is_object ? '}' : ']';
  } else if (value.is_string()) {
    out += json_quoted(value.text());
  } else {
    out += value.is_null() ? "null" : std::string(value.text());
  }
}

using Members = std::vector<std::pair<std::string_view, std::string>>;  ///< Keys and JSON.

/// A request to register the definition with these members in place of its own.
std::string request_of(const model::TaskDefinition& task, const Members& members) {
  std::string json = "{";
  for (const auto& [key, value] : members) json += fmt::format("\"{}\":{},", key, value);
  const Value node = task.node;
  if (node.is_array()) {  // a bare list of containers
    json += "\"family\":\"task\",\"containerDefinitions\":";
    append_json(json, node);
    return json + "}";
  }
  for (const Value member : node.children()) {
    const auto key = member.key();
    const bool is_given =
        std::any_of(members.begin(), members.end(), [&](const auto& one) { return one.first == key; });
    if (is_given || contains(kAnswered, key)) continue;
    json += json_quoted(key) + ":";
    append_json(json, member);
    json += ',';
  }
  json.back() = '}';
  return json;
}

struct Refusal {
  std::string code;
  std::string path;
  std::string message;
  bool operator<(const Refusal& other) const { return std::tie(code, path) < std::tie(other.code, other.path); }
};

/// Errors of the request, those included that AWS documents and for which no refusal is on record.
std::vector<Refusal> refusals_of(const std::string& request, const lint::Tools& tools) {
  lint::Options options;
  options.strict = true;
  const auto report = lint::lint_document(request, "task-definition.json", options, tools);
  std::vector<Refusal> refusals;
  for (const auto& finding : report.findings) {
    if (finding.severity == Severity::kError || rules::rule_of(finding.code).traits.loses_setting)
      refusals.push_back({std::string(finding.code), finding.named_path, finding.message});
  }
  return refusals;
}

std::string_view compatibility_of(LaunchType type) {
  switch (type) {
    case LaunchType::kEc2:
      return "EC2";
    case LaunchType::kManagedInstances:
      return "MANAGED_INSTANCES";
    default:
      return "FARGATE";
  }
}

bool is_fargate(LaunchType type) {
  return type == LaunchType::kFargate || type == LaunchType::kFargateSpot;
}

/// What the containers may take, when the task itself does not say: the hard limit where there is one.
MiB memory_of_containers(const model::TaskDefinition& task) {
  MiB sum = 0;
  for (const auto& container : task.container_definitions) {
    const MiB hard = container.memory.known() ? *container.memory : 0;
    const MiB soft = container.memory_reservation.known() ? *container.memory_reservation : 0;
    sum += std::max(hard, soft);
  }
  return sum;
}

void take_size(const model::TaskDefinition& task, const TaskRequirement& requirement, LaunchTypeCheck& check) {
  const MiB memory =
      task.memory.present() ? requirement.memory : std::max(requirement.memory, memory_of_containers(task));
  check.size = capacity::smallest_fargate_size(requirement.cpu, memory, requirement.windows);
  if (task.ephemeral_storage_gib.known()) check.storage = *task.ephemeral_storage_gib;
  if (!check.size) {
    check.not_possible.push_back(
        {{},
         fmt::format("{} and {} MiB are more than the largest size of Fargate{}",
                     capacity::describe_cpu(requirement.cpu), memory, requirement.windows ? " for Windows" : "")});
  }
}

/// bridge is what a task on EC2 has when it does not care; host and none are asked for.
bool becomes_awsvpc(const model::TaskDefinition& task) {
  if (!task.network_mode.present()) return true;
  const auto& mode = task.network_mode.value;  // none of a placeholder, or of what is no text
  return mode == "bridge" || mode == "default" || mode == "nat";
}

void add_once(std::vector<LaunchTypeReason>& reasons, LaunchTypeReason reason) {
  if (std::find(reasons.begin(), reasons.end(), reason) == reasons.end()) reasons.push_back(std::move(reason));
}

}  // namespace

LaunchTypeCheck on_spot(LaunchTypeCheck fargate, const TaskRequirement& requirement) {
  if (requirement.windows) add_once(fargate.not_possible, {{}, "Fargate Spot does not run Windows"});
  return fargate;
}

std::string_view name_of(LaunchType type) {
  switch (type) {
    case LaunchType::kEc2:
      return "EC2";
    case LaunchType::kFargate:
      return "FARGATE";
    case LaunchType::kFargateSpot:
      return "FARGATE_SPOT";
    case LaunchType::kManagedInstances:
      return "MANAGED_INSTANCES";
  }
  return "EC2";
}

std::string_view title_of(LaunchType type) {
  switch (type) {
    case LaunchType::kEc2:
      return "EC2";
    case LaunchType::kFargate:
      return "Fargate";
    case LaunchType::kFargateSpot:
      return "Fargate Spot";
    case LaunchType::kManagedInstances:
      return "Managed Instances";
  }
  return "EC2";
}

std::string_view billing_of(LaunchType type) {
  switch (type) {
    case LaunchType::kEc2:
      return "per instance and second, at least one minute";
    case LaunchType::kFargate:
      return "per task and second by its size, at least one minute";
    case LaunchType::kFargateSpot:
      return "like Fargate; the price floats, and tasks can be interrupted";
    case LaunchType::kManagedInstances:
      return "per instance and second with its fee, at least one minute";
  }
  return {};
}

LaunchTypeCheck check_on(LaunchType type, const model::TaskDefinition& task, const TaskRequirement& requirement,
                         const lint::Tools& tools) {
  LaunchTypeCheck check;
  if (type == LaunchType::kEc2) return check;
  if (type == LaunchType::kFargateSpot)
    return on_spot(check_on(LaunchType::kFargate, task, requirement, tools), requirement);
  Members members{{"requiresCompatibilities", fmt::format("[\"{}\"]", compatibility_of(type))}};
  check.becomes_awsvpc = becomes_awsvpc(task);
  if (check.becomes_awsvpc) {
    members.emplace_back("networkMode", "\"awsvpc\"");
    const auto rule = is_fargate(type) ? rules::kFargateNetworkMode : rules::kManagedNetworkMode;
    const auto mode = task.network_mode.known() ? std::string(*task.network_mode) : "the default bridge";
    check.changes.push_back({std::string(rule), fmt::format("networkMode awsvpc instead of {}", mode)});
  }
  if (is_fargate(type)) {
    take_size(task, requirement, check);
    const auto size = check.size.value_or(capacity::FargateSize{kUnitsPerVcpu, 2 * kMiBPerGiB});
    members.emplace_back("cpu", fmt::format("\"{}\"", size.cpu));
    members.emplace_back("memory", fmt::format("\"{}\"", size.memory));
  }
  const bool is_whole = task.node && (task.node.is_array() || task.node.find("containerDefinitions"));
  if (!is_whole) return check;
  std::set<Refusal> known;  // whatever the launch type
  for (auto& refusal : refusals_of(request_of(task, {{"requiresCompatibilities", "[\"EC2\"]"}}), tools))
    known.insert(std::move(refusal));
  for (const auto& refusal : refusals_of(request_of(task, members), tools)) {
    // NeuronDevice is for Managed Instances alone: that EC2 does not take it either makes it no better on Fargate.
    if (known.contains(refusal) && refusal.code != rules::kNeuronScope) continue;
    const bool is_mendable = is_fargate(type) && rules::rule_of(refusal.code).traits.mended_on_fargate;
    add_once(is_mendable ? check.changes : check.not_possible, {refusal.code, refusal.message});
  }
  return check;
}

}  // namespace bayplan::study
