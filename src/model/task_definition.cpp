#include "model/task_definition.hpp"

#include <cmath>

#include "base/strings.hpp"
#include "model/placeholder.hpp"

namespace bayplan::model {

namespace {

using text::Value;

/// The member when it is an object.
Value object_in(Value object, std::string_view key) {
  const Value member = object ? object.find(key) : Value();
  return member && member.is_object() ? member : Value();
}

/// An intrinsic function is an object too, of which nothing is known.
template <class Bind>
auto part(Value volume, std::string_view key, const Placeholders& placeholders, Bind bind)
    -> std::optional<decltype(bind(volume))> {
  const Value node = object_in(volume, key);
  if (!node || placeholders.holds(node)) return std::nullopt;
  return bind(node);
}

}  // namespace

Volume bind_volume(Value node, const Placeholders& placeholders) {
  const auto string = [&](Value object, std::string_view key) { return string_field(object, key, placeholders); };
  Volume volume{.node = node,
                .name = string(node, "name"),
                .source_path = string(object_in(node, "host"), "sourcePath"),
                .configured_at_launch = boolean_field(node, "configuredAtLaunch", placeholders)};
  volume.docker = part(node, "dockerVolumeConfiguration", placeholders, [&](Value docker) {
    return DockerVolume{.node = docker,
                        .scope = string(docker, "scope"),
                        .autoprovision = boolean_field(docker, "autoprovision", placeholders),
                        .driver = string(docker, "driver")};
  });
  volume.efs = part(node, "efsVolumeConfiguration", placeholders, [&](Value efs) {
    const Value authorization = object_in(efs, "authorizationConfig");
    return EfsVolume{.node = efs,
                     .file_system_id = string(efs, "fileSystemId"),
                     .root_directory = string(efs, "rootDirectory"),
                     .transit_encryption = string(efs, "transitEncryption"),
                     .transit_encryption_port = integer_field(efs, "transitEncryptionPort", placeholders),
                     .access_point_id = string(authorization, "accessPointId"),
                     .iam = string(authorization, "iam")};
  });
  volume.s3files = part(node, "s3filesVolumeConfiguration", placeholders, [&](Value s3files) {
    return S3FilesVolume{.node = s3files,
                         .file_system_arn = string(s3files, "fileSystemArn"),
                         .root_directory = string(s3files, "rootDirectory"),
                         .access_point_arn = string(s3files, "accessPointArn")};
  });
  volume.fsx = part(node, "fsxWindowsFileServerVolumeConfiguration", placeholders, [&](Value fsx) {
    const Value authorization = object_in(fsx, "authorizationConfig");
    return FsxVolume{.node = fsx,
                     .credentials_parameter = string(authorization, "credentialsParameter"),
                     .domain = string(authorization, "domain")};
  });
  return volume;
}

using text::Value;

namespace {

/// Binds every object of the list member `key`.
template <class T, class Bind>
List<T> object_list(Value object, std::string_view key, Bind bind) {
  List<T> list;
  list.node = object.find(key);
  if (!list.present() || !list.node.is_array()) return list;
  list.items.reserve(list.node.size());  // a container definition is larger than a kilobyte: none should move
  for (const Value element : list.node.children()) {
    if (element.is_object()) list.items.push_back(bind(element));
  }
  return list;
}

/// "512" or a decimal number before `unit` (any case), as whole units of 1024 parts.
std::optional<std::int64_t> whole_or_scaled(std::string_view text, std::string_view unit) {
  text = trim(text);
  if (text.find_first_not_of("0123456789") == std::string_view::npos) return to_integer(text);
  if (text.size() <= unit.size() || !equal_ignoring_case(text.substr(text.size() - unit.size()), unit))
    return std::nullopt;
  text = trim(text.substr(0, text.size() - unit.size()));
  if (text.empty() || text.find_first_not_of("0123456789.") != std::string_view::npos || text.back() == '.')
    return std::nullopt;
  const auto number = to_number(text);
  if (!number) return std::nullopt;
  const double scaled = *number * 1024;
  if (scaled != std::floor(scaled) || scaled > 1e15) return std::nullopt;
  return static_cast<std::int64_t>(scaled);
}

ResourceRequirement bind_resource_requirement(Value node, const Placeholders& placeholders) {
  ResourceRequirement requirement{.node = node,
                                  .type = string_field(node, "type", placeholders),
                                  .value = string_field(node, "value", placeholders),
                                  .sharing_strategy = node.find("sharingStrategy")};
  const Value mps = requirement.sharing_strategy ? requirement.sharing_strategy.find("nvidiaMps") : Value();
  if (mps && mps.is_object()) {
    requirement.nvidia_mps = NvidiaMps{.node = mps,
                                       .memory = integer_field(mps, "memory", placeholders),
                                       .max_compute_percent = integer_field(mps, "maxComputePercent", placeholders)};
  }
  return requirement;
}

NamedValue bind_named_value(Value node, std::string_view value_key, const Placeholders& placeholders) {
  return {.node = node,
          .name = string_field(node, "name", placeholders),
          .value = string_field(node, value_key, placeholders)};
}

PortMapping bind_port_mapping(Value node, const Placeholders& placeholders) {
  return {.node = node,
          .container_port = integer_field(node, "containerPort", placeholders),
          .host_port = integer_field(node, "hostPort", placeholders),
          .protocol = string_field(node, "protocol", placeholders),
          .name = string_field(node, "name", placeholders),
          .app_protocol = string_field(node, "appProtocol", placeholders),
          .container_port_range = string_field(node, "containerPortRange", placeholders)};
}

Ulimit bind_ulimit(Value node, const Placeholders& placeholders) {
  return {.node = node,
          .name = string_field(node, "name", placeholders),
          .soft_limit = integer_field(node, "softLimit", placeholders),
          .hard_limit = integer_field(node, "hardLimit", placeholders)};
}

SystemControl bind_system_control(Value node, const Placeholders& placeholders) {
  return {.node = node,
          .name_space = string_field(node, "namespace", placeholders),
          .value = string_field(node, "value", placeholders)};
}

StringField credentials_parameter(Value container, const Placeholders& placeholders) {
  return string_field(container.find("repositoryCredentials"), "credentialsParameter", placeholders);
}

List<EnvironmentFile> environment_files(Value container, const Placeholders& placeholders) {
  return object_list<EnvironmentFile>(container, "environmentFiles", [&](Value element) {
    return EnvironmentFile{.node = element,
                           .type = string_field(element, "type", placeholders),
                           .value = string_field(element, "value", placeholders)};
  });
}

std::optional<LogConfiguration> bind_log_configuration(Value node, const Placeholders& placeholders) {
  if (!node || !node.is_object()) return std::nullopt;
  LogConfiguration log{
      .node = node, .log_driver = string_field(node, "logDriver", placeholders), .options = node.find("options")};
  log.secret_options = object_list<NamedValue>(node, "secretOptions", [&](Value element) {
                         return bind_named_value(element, "valueFrom", placeholders);
                       }).items;
  return log;
}

std::string_view name_of(Compatibility compatibility) {
  switch (compatibility) {
    case Compatibility::kEc2:
      return "EC2";
    case Compatibility::kFargate:
      return "FARGATE";
    case Compatibility::kExternal:
      return "EXTERNAL";
    case Compatibility::kManagedInstances:
      return "MANAGED_INSTANCES";
  }
  return "EC2";
}

MountPoint bind_mount_point(Value node, const Placeholders& placeholders) {
  return {.node = node,
          .source_volume = string_field(node, "sourceVolume", placeholders),
          .container_path = string_field(node, "containerPath", placeholders),
          .read_only = boolean_field(node, "readOnly", placeholders)};
}

VolumeFrom bind_volume_from(Value node, const Placeholders& placeholders) {
  return {.node = node,
          .source_container = string_field(node, "sourceContainer", placeholders),
          .read_only = boolean_field(node, "readOnly", placeholders)};
}

ContainerDependency bind_dependency(Value node, const Placeholders& placeholders) {
  return {.node = node,
          .container_name = string_field(node, "containerName", placeholders),
          .condition = string_field(node, "condition", placeholders)};
}

HostEntry bind_host_entry(Value node, const Placeholders& placeholders) {
  return {.node = node,
          .hostname = string_field(node, "hostname", placeholders),
          .ip_address = string_field(node, "ipAddress", placeholders)};
}

}  // namespace

std::optional<CpuUnits> parse_task_cpu(std::string_view text) {
  return whole_or_scaled(text, "vCPU");
}
std::optional<MiB> parse_task_memory(std::string_view text) {
  return whole_or_scaled(text, "GB");
}

PlacementConstraint bind_placement_constraint(Value node, const Placeholders& placeholders) {
  return {.node = node,
          .type = string_field(node, "type", placeholders),
          .expression = string_field(node, "expression", placeholders)};
}

ContainerDefinition bind_container_definition(Value node, const Placeholders& placeholders) {
  return {.node = node,
          .name = string_field(node, "name", placeholders),
          .image = string_field(node, "image", placeholders),
          .cpu = integer_field(node, "cpu", placeholders),
          .memory = integer_field(node, "memory", placeholders),
          .memory_reservation = integer_field(node, "memoryReservation", placeholders),
          .essential = boolean_field(node, "essential", placeholders),
          .privileged = boolean_field(node, "privileged", placeholders),
          .readonly_root_filesystem = boolean_field(node, "readonlyRootFilesystem", placeholders),
          .user = string_field(node, "user", placeholders),
          .version_consistency = string_field(node, "versionConsistency", placeholders),
          .working_directory = string_field(node, "workingDirectory", placeholders),
          .interactive = boolean_field(node, "interactive", placeholders),
          .pseudo_terminal = boolean_field(node, "pseudoTerminal", placeholders),
          .credentials_parameter = credentials_parameter(node, placeholders),
          .credential_specs = string_list(node, "credentialSpecs", placeholders),
          .port_mappings = object_list<PortMapping>(
              node, "portMappings", [&](Value element) { return bind_port_mapping(element, placeholders); }),
          .environment = object_list<NamedValue>(
              node, "environment", [&](Value element) { return bind_named_value(element, "value", placeholders); }),
          .environment_files = environment_files(node, placeholders),
          .secrets = object_list<NamedValue>(
              node, "secrets", [&](Value element) { return bind_named_value(element, "valueFrom", placeholders); }),
          .resource_requirements = object_list<ResourceRequirement>(
              node, "resourceRequirements",
              [&](Value element) { return bind_resource_requirement(element, placeholders); }),
          .mount_points = object_list<MountPoint>(
              node, "mountPoints", [&](Value element) { return bind_mount_point(element, placeholders); }),
          .volumes_from = object_list<VolumeFrom>(
              node, "volumesFrom", [&](Value element) { return bind_volume_from(element, placeholders); }),
          .links = string_list(node, "links", placeholders),
          .depends_on = object_list<ContainerDependency>(
              node, "dependsOn", [&](Value element) { return bind_dependency(element, placeholders); }),
          .start_timeout = integer_field(node, "startTimeout", placeholders),
          .stop_timeout = integer_field(node, "stopTimeout", placeholders),
          .command = string_list(node, "command", placeholders),
          .entry_point = string_list(node, "entryPoint", placeholders),
          .hostname = string_field(node, "hostname", placeholders),
          .dns_servers = string_list(node, "dnsServers", placeholders),
          .dns_search_domains = string_list(node, "dnsSearchDomains", placeholders),
          .extra_hosts = object_list<HostEntry>(node, "extraHosts",
                                                [&](Value element) { return bind_host_entry(element, placeholders); }),
          .disable_networking = boolean_field(node, "disableNetworking", placeholders),
          .docker_labels = node.find("dockerLabels"),
          .docker_security_options = string_list(node, "dockerSecurityOptions", placeholders),
          .ulimits =
              object_list<Ulimit>(node, "ulimits", [&](Value element) { return bind_ulimit(element, placeholders); }),
          .system_controls = object_list<SystemControl>(
              node, "systemControls", [&](Value element) { return bind_system_control(element, placeholders); }),
          .linux_parameters = node.find("linuxParameters"),
          .health_check = node.find("healthCheck"),
          .restart_policy = node.find("restartPolicy"),
          .log_configuration = bind_log_configuration(node.find("logConfiguration"), placeholders)};
}

TaskDefinition bind_task_definition(Value node, const Placeholders& placeholders) {
  TaskDefinition task;
  task.node = node;
  if (!node || !node.is_object()) return task;
  task.family = string_field(node, "family", placeholders);
  task.revision = integer_field(node, "revision", placeholders);
  task.task_role_arn = string_field(node, "taskRoleArn", placeholders);
  task.execution_role_arn = string_field(node, "executionRoleArn", placeholders);
  task.network_mode = string_field(node, "networkMode", placeholders);
  task.cpu = string_field(node, "cpu", placeholders);
  task.memory = string_field(node, "memory", placeholders);
  task.pid_mode = string_field(node, "pidMode", placeholders);
  task.ipc_mode = string_field(node, "ipcMode", placeholders);
  task.requires_compatibilities = string_list(node, "requiresCompatibilities", placeholders);
  task.proxy_configuration = node.find("proxyConfiguration");
  task.compatibilities = string_list(node, "compatibilities", placeholders);
  task.runtime_platform = node.find("runtimePlatform");
  task.operating_system_family = string_field(task.runtime_platform, "operatingSystemFamily", placeholders);
  task.cpu_architecture = string_field(task.runtime_platform, "cpuArchitecture", placeholders);
  task.ephemeral_storage = node.find("ephemeralStorage");
  task.ephemeral_storage_gib = integer_field(task.ephemeral_storage, "sizeInGiB", placeholders);
  task.enable_fault_injection = boolean_field(node, "enableFaultInjection", placeholders);
  task.tags = object_list<Tag>(node, "tags", [&](Value element) {
    return Tag{.node = element,
               .key = string_field(element, "key", placeholders),
               .value = string_field(element, "value", placeholders)};
  });
  task.placement_constraints = object_list<PlacementConstraint>(
      node, "placementConstraints", [&](Value element) { return bind_placement_constraint(element, placeholders); });
  task.volumes =
      object_list<Volume>(node, "volumes", [&](Value element) { return bind_volume(element, placeholders); });
  task.container_definitions = object_list<ContainerDefinition>(
      node, "containerDefinitions", [&](Value element) { return bind_container_definition(element, placeholders); });
  const auto attributes = object_list<NamedValue>(
      node, "requiresAttributes", [&](Value element) { return bind_named_value(element, "value", placeholders); });
  task.requires_attributes.node = attributes.node;
  for (const auto& attribute : attributes) task.requires_attributes.items.push_back(attribute.name);
  return task;
}

bool TaskDefinition::targets(Compatibility compatibility) const {
  if (requires_compatibilities.empty()) return compatibility == assumed_compatibility.value_or(Compatibility::kEc2);
  for (const auto& item : requires_compatibilities) {
    if (item && equal_ignoring_case(*item, name_of(compatibility))) return true;
  }
  return false;
}

std::string TaskDefinition::launch_types_without_ec2() const {
  for (const auto* list : {&requires_compatibilities, &compatibilities}) {
    std::vector<std::string_view> names;
    bool may_be_ec2 = list->empty();
    for (const auto& item : *list) {
      may_be_ec2 = may_be_ec2 || !item || equal_ignoring_case(*item, name_of(Compatibility::kEc2));
      if (item) names.push_back(*item);
    }
    if (!may_be_ec2) return one_of(names, "and");
  }
  return {};
}

bool TaskDefinition::is_windows() const {
  return operating_system_family && lower(operating_system_family->substr(0, 7)) == "windows";
}

std::optional<std::string_view> TaskDefinition::effective_network_mode() const {
  if (network_mode.unknown()) return std::nullopt;
  if (network_mode) return *network_mode;
  if (targets(Compatibility::kFargate) || targets(Compatibility::kManagedInstances)) return "awsvpc";
  return "bridge";
}

std::optional<CpuUnits> TaskDefinition::cpu_units() const {
  return cpu ? parse_task_cpu(*cpu) : std::nullopt;
}
std::optional<MiB> TaskDefinition::memory_mib() const {
  return memory ? parse_task_memory(*memory) : std::nullopt;
}

}  // namespace bayplan::model
