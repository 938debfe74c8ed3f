#include "study/diff/diff_meaning.hpp"

#include <algorithm>

#include "base/strings.hpp"

namespace bayplan::study {

using text::Kind;
using text::Value;

namespace {

// Which lists are sets to ECS: Amazon ECS API reference, ContainerDefinition, LinuxParameters, TaskDefinition and their
// parts (2026). Left out, so that order counts: command, entryPoint (arguments), dnsServers and dnsSearchDomains (asked
// in turn), environmentFiles (of a variable that two files set the first one counts), mountOptions (the last one wins).
constexpr std::array<ListMeaning, 27> kLists{{
    {"containerDefinitions", {"name"}, ""},
    {"volumes", {"name"}, ""},
    {"environment", {"name"}, "value"},
    {"secrets", {"name"}, "valueFrom"},
    {"secretOptions", {"name"}, "valueFrom"},
    {"properties", {"name"}, "value"},  // proxyConfiguration
    {"tags", {"key"}, "value"},
    {"portMappings", {"containerPort", "protocol"}, ""},
    {"mountPoints", {"containerPath"}, ""},
    {"volumesFrom", {"sourceContainer"}, ""},
    {"dependsOn", {"containerName"}, "condition"},  // the conditions make the order
    {"ulimits", {"name"}, ""},
    {"systemControls", {"namespace"}, "value"},
    {"extraHosts", {"hostname"}, "ipAddress"},
    {"resourceRequirements", {"type"}, "value"},
    {"placementConstraints", {"type"}, "expression"},
    {"inferenceAccelerators", {"deviceName"}, "deviceType"},
    {"devices", {"hostPath"}, ""},
    {"tmpfs", {"containerPath"}, ""},
    {"requiresCompatibilities", {}, ""},
    {"links", {}, ""},
    {"dockerSecurityOptions", {}, ""},
    {"credentialSpecs", {}, ""},
    {"add", {}, ""},   // capabilities
    {"drop", {}, ""},  // capabilities
    {"ignoredExitCodes", {}, ""},
    {"permissions", {}, ""},  // devices
}};

struct Default {
  std::string_view owner;
  std::string_view member;
  std::string_view value;
};

// What describe-task-definition answers where the request said nothing, and what the API reference names as the default
// (ContainerDefinition, PortMapping, HealthCheck, EFSVolumeConfiguration, DockerVolumeConfiguration ..., 2026). Empty
// texts count as nothing where the service drops them.
constexpr std::array<Default, 45> kDefaults{{
    {"", "taskRoleArn", ""},
    {"", "executionRoleArn", ""},
    {"", "networkMode", ""},
    {"", "pidMode", ""},
    {"", "ipcMode", ""},
    {"", "enableFaultInjection", "false"},
    {"proxyConfiguration", "type", "APPMESH"},
    {"containerDefinitions", "cpu", "0"},
    {"containerDefinitions", "essential", "true"},
    {"containerDefinitions", "privileged", "false"},
    {"containerDefinitions", "readonlyRootFilesystem", "false"},
    {"containerDefinitions", "interactive", "false"},
    {"containerDefinitions", "pseudoTerminal", "false"},
    {"containerDefinitions", "disableNetworking", "false"},
    {"containerDefinitions", "versionConsistency", "enabled"},
    {"containerDefinitions", "hostname", ""},
    {"containerDefinitions", "user", ""},
    {"containerDefinitions", "workingDirectory", ""},
    {"environment", "value", ""},
    {"properties", "value", ""},
    {"tags", "value", ""},
    {"portMappings", "protocol", "tcp"},
    {"mountPoints", "readOnly", "false"},
    {"volumesFrom", "readOnly", "false"},
    {"healthCheck", "interval", "30"},
    {"healthCheck", "timeout", "5"},
    {"healthCheck", "retries", "3"},
    {"healthCheck", "startPeriod", "0"},
    {"restartPolicy", "enabled", "false"},
    {"restartPolicy", "restartAttemptPeriod", "300"},
    {"linuxParameters", "initProcessEnabled", "false"},
    {"linuxParameters", "sharedMemorySize", "0"},
    {"nvidiaMps", "maxComputePercent", "100"},
    {"volumes", "configuredAtLaunch", "false"},
    {"host", "sourcePath", ""},
    {"dockerVolumeConfiguration", "scope", "task"},
    {"dockerVolumeConfiguration", "driver", "local"},
    {"dockerVolumeConfiguration", "autoprovision", "false"},
    {"efsVolumeConfiguration", "rootDirectory", "/"},
    {"efsVolumeConfiguration", "rootDirectory", ""},
    {"efsVolumeConfiguration", "transitEncryption", "DISABLED"},
    {"efsVolumeConfiguration", "transitEncryptionPort", "0"},
    {"s3filesVolumeConfiguration", "rootDirectory", "/"},
    {"authorizationConfig", "accessPointId", ""},
    {"authorizationConfig", "iam", "DISABLED"},
}};

/// hostPort 0 lets Docker choose under bridge; under awsvpc and host it is the container's port (PortMapping).
bool is_default_host_port(Value port, const DefinitionFacts& facts) {
  if (!facts.network_mode) return false;
  const std::string text = normal_text("portMappings", port);
  if (text == "0") return true;
  const Value container = port.parent().find("containerPort");
  const bool is_same = *facts.network_mode == "awsvpc" || *facts.network_mode == "host";
  return is_same && container && normal_text("portMappings", container) == text;
}

/// What other members decide.
std::optional<bool> is_dependent_default(std::string_view owner, Value scalar, const DefinitionFacts& facts) {
  const auto member = scalar.key();
  if (owner.empty() && member == "networkMode") {
    return scalar.text().empty() || scalar.text() == facts.default_network_mode;
  }
  if (owner == "portMappings" && member == "hostPort") return is_default_host_port(scalar, facts);
  if (owner == "devices" && member == "containerPath") {
    const Value host = scalar.parent().find("hostPath");
    return host && host.text() == scalar.text();
  }
  if (owner == "runtimePlatform" && facts.is_fargate_only) {
    return scalar.text() == (member == "cpuArchitecture" ? "X86_64" : "LINUX");
  }
  return std::nullopt;
}

}  // namespace

const ListMeaning* meaning_of_list(std::string_view member) {
  const auto found = std::find_if(kLists.begin(), kLists.end(), [&](const auto& one) { return one.member == member; });
  return found == kLists.end() ? nullptr : &*found;
}

std::string name_of_element(const ListMeaning& meaning, Value element) {
  if (meaning.keys.front().empty()) return normal_text(meaning.member, element);
  if (!element.is_object()) return {};
  if (meaning.member == "portMappings") {
    const Value range = element.find("containerPortRange");
    const Value port = range ? range : element.find("containerPort");
    const Value protocol = element.find("protocol");
    if (!port) return {};
    return normal_text(meaning.member, port) + "/" + (protocol ? lower(protocol.text()) : "tcp");
  }
  const Value name = element.find(meaning.keys.front());
  return name ? std::string(name.text()) : std::string();
}

DefinitionFacts collect_facts(const model::TaskDefinition& task) {
  DefinitionFacts facts;
  model::TaskDefinition without = task;
  without.network_mode = {};
  // Windows has a NAT network that no networkMode names.
  if (!task.is_windows()) facts.default_network_mode = std::string(without.effective_network_mode().value_or(""));
  const auto mode = task.effective_network_mode();
  if (mode) facts.network_mode = mode->empty() ? facts.default_network_mode : std::string(*mode);
  const auto& launch_types = task.requires_compatibilities;
  facts.is_fargate_only =
      !launch_types.empty() &&
      std::all_of(launch_types.begin(), launch_types.end(), [](const auto& one) { return one && *one == "FARGATE"; });
  return facts;
}

bool is_default(std::string_view owner, Value scalar, const DefinitionFacts& facts) {
  if (const auto dependent = is_dependent_default(owner, scalar, facts)) return *dependent;
  const std::string text = normal_text(owner, scalar);
  return std::any_of(kDefaults.begin(), kDefaults.end(), [&](const Default& one) {
    return one.owner == owner && one.member == scalar.key() && one.value == text;
  });
}

bool is_read_only(std::string_view member) {
  // TaskDefinition, the members that RegisterTaskDefinition does not take.
  constexpr std::array<std::string_view, 10> kMembers{
      "taskDefinitionArn", "revision",     "status",         "requiresAttributes",
      "compatibilities",   "registeredAt", "deregisteredAt", "deleteRequestedAt",
      "registeredBy",      "$schema"};
  return std::find(kMembers.begin(), kMembers.end(), member) != kMembers.end();
}

std::string normal_text(std::string_view owner, Value scalar) {
  const std::string_view text = scalar.text();
  if (scalar.kind() == Kind::kBoolean) return scalar.boolean().value_or(false) ? "true" : "false";
  if (scalar.kind() == Kind::kInteger) {
    const auto number = scalar.integer();
    return number ? std::to_string(*number) : std::string(text);
  }
  if (!owner.empty()) return std::string(text);
  if (scalar.key() == "cpu") {
    if (const auto units = model::parse_task_cpu(text)) return std::to_string(*units);
  }
  if (scalar.key() == "memory") {
    if (const auto size = model::parse_task_memory(text)) return std::to_string(*size);
  }
  return std::string(text);
}

}  // namespace bayplan::study
