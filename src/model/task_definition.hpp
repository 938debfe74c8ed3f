#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/units.hpp"
#include "model/field.hpp"
#include "model/placeholder.hpp"

namespace bayplan::model {

/// volumes[].dockerVolumeConfiguration
struct DockerVolume {
  text::Value node;
  StringField scope;  ///< "task" or "shared".
  BooleanField autoprovision;
  StringField driver;  ///< Absent = local.
};

/// volumes[].efsVolumeConfiguration
struct EfsVolume {
  text::Value node;
  StringField file_system_id;
  StringField root_directory;      ///< Absent = /.
  StringField transit_encryption;  ///< Absent = DISABLED.
  IntegerField transit_encryption_port;
  StringField access_point_id;  ///< Member of authorizationConfig, like `iam`.
  StringField iam;              ///< Absent = DISABLED.
};

/// volumes[].s3filesVolumeConfiguration
struct S3FilesVolume {
  text::Value node;
  StringField file_system_arn;
  StringField root_directory;  ///< Absent = /.
  StringField access_point_arn;
};

/// volumes[].fsxWindowsFileServerVolumeConfiguration
struct FsxVolume {
  text::Value node;
  StringField credentials_parameter;  ///< Credentials parameter of authorizationConfig, as is `domain`.
  StringField domain;
};

/// volumes[]; a part that is absent, null or no object is not there.
struct Volume {
  text::Value node;
  StringField name;
  StringField source_path;  ///< Member of host; if it is absent, Docker assigns the directory.
  BooleanField configured_at_launch;
  std::optional<DockerVolume> docker;
  std::optional<EfsVolume> efs;
  std::optional<S3FilesVolume> s3files;
  std::optional<FsxVolume> fsx;
};

/// Binds one element of volumes.
Volume bind_volume(text::Value node, const Placeholders& placeholders);

/// Members are spelled as ECS spells them, in snake_case; absent members have an absent node. What no rule and no
/// simulation reads yet is reached through `node`.

/// containerDefinitions[].portMappings[]
struct PortMapping {
  text::Value node;
  IntegerField container_port;
  IntegerField host_port;
  StringField protocol;  ///< Absent = tcp.
  StringField name;
  StringField app_protocol;
  StringField container_port_range;
};

/// containerDefinitions[].environment[], secrets[]
struct NamedValue {
  text::Value node;
  StringField name;
  StringField value;  ///< `value`, or `valueFrom` of a secret.
};

/// resourceRequirements[].sharingStrategy.nvidiaMps
struct NvidiaMps {
  text::Value node;
  IntegerField memory;  ///< MiB of GPU memory.
  IntegerField max_compute_percent;
};

/// containerDefinitions[].resourceRequirements[]
struct ResourceRequirement {
  text::Value node;
  StringField type;
  StringField value;
  text::Value sharing_strategy;
  std::optional<NvidiaMps> nvidia_mps;
};

struct MountPoint {
  text::Value node;
  StringField source_volume;
  StringField container_path;
  BooleanField read_only;
};

struct VolumeFrom {
  text::Value node;
  StringField source_container;
  BooleanField read_only;
};

struct ContainerDependency {
  text::Value node;
  StringField container_name;
  StringField condition;
};

/// containerDefinitions[].volumesFrom[]
/// containerDefinitions[].ulimits[]
struct Ulimit {
  text::Value node;
  StringField name;
  IntegerField soft_limit;  ///< -1 = no limit.
  IntegerField hard_limit;
};

/// containerDefinitions[].systemControls[]
struct SystemControl {
  text::Value node;
  StringField name_space;  ///< `namespace`: the kernel parameter.
  StringField value;
};

/// containerDefinitions[].extraHosts[]
struct HostEntry {
  text::Value node;
  StringField hostname;
  StringField ip_address;
};

struct LogConfiguration {
  text::Value node;
  StringField log_driver;
  text::Value options;
  std::vector<NamedValue> secret_options;
};

/// containerDefinitions[].environmentFiles[]
struct EnvironmentFile {
  text::Value node;
  StringField type;
  StringField value;  ///< ARN of an S3 object.
};

struct ContainerDefinition {
  text::Value node;
  StringField name;
  StringField image;
  IntegerField cpu;                 ///< CPU units.
  IntegerField memory;              ///< MiB, hard limit.
  IntegerField memory_reservation;  ///< MiB, soft limit.
  BooleanField essential;           ///< Absent = true.
  BooleanField privileged;
  BooleanField readonly_root_filesystem;
  StringField user;
  StringField version_consistency;  ///< Absent = enabled.
  StringField working_directory;
  BooleanField interactive;
  BooleanField pseudo_terminal;
  StringField credentials_parameter;  ///< Credentials parameter of repositoryCredentials.
  List<StringField> credential_specs;
  List<PortMapping> port_mappings;
  List<NamedValue> environment;
  List<EnvironmentFile> environment_files;
  List<NamedValue> secrets;
  List<ResourceRequirement> resource_requirements;
  List<MountPoint> mount_points;
  List<VolumeFrom> volumes_from;
  List<StringField> links;  ///< "name" or "name:alias".
  List<ContainerDependency> depends_on;
  IntegerField start_timeout;  ///< Seconds.
  IntegerField stop_timeout;   ///< Seconds.
  List<StringField> command;
  List<StringField> entry_point;
  StringField hostname;
  List<StringField> dns_servers;
  List<StringField> dns_search_domains;
  List<HostEntry> extra_hosts;
  BooleanField disable_networking;
  text::Value docker_labels;
  List<StringField> docker_security_options;
  List<Ulimit> ulimits;
  List<SystemControl> system_controls;
  text::Value linux_parameters;
  text::Value health_check;
  text::Value restart_policy;
  std::optional<LogConfiguration> log_configuration;

  bool is_essential() const { return !essential.known() || *essential; }
};

struct PlacementConstraint {
  text::Value node;
  StringField type;
  StringField expression;
};

struct Tag {
  text::Value node;
  StringField key;
  StringField value;
};

enum class Compatibility : std::uint8_t { kEc2, kFargate, kExternal, kManagedInstances };

struct TaskDefinition {
  text::Value node;  ///< The object that holds family and containerDefinitions.
  StringField family;
  IntegerField revision;  ///< Present only in describe output.
  StringField task_role_arn;
  StringField execution_role_arn;
  StringField network_mode;  ///< Absent = bridge on Linux EC2.
  StringField cpu;           ///< The value as it is written: "1024", "1 vCPU".
  StringField memory;        ///< The value as it is written: "2048", "2 GB".
  StringField pid_mode;
  StringField ipc_mode;
  List<StringField> requires_compatibilities;
  text::Value proxy_configuration;
  List<StringField> compatibilities;  ///< Launch types, present only in describe output, that ECS validated it for.
  text::Value runtime_platform;
  StringField operating_system_family;
  StringField cpu_architecture;
  text::Value ephemeral_storage;
  IntegerField ephemeral_storage_gib;  ///< sizeInGiB
  BooleanField enable_fault_injection;
  List<Tag> tags;
  List<PlacementConstraint> placement_constraints;
  List<Volume> volumes;
  List<ContainerDefinition> container_definitions;
  List<StringField> requires_attributes;  ///< Names, of describe output.

  /// Whether the rules of that launch type apply: it is in requiresCompatibilities; EC2 also when the list is absent or
  /// empty and `launch_type` does not say otherwise (spec of the service: checked against EC2 only).
  bool targets(Compatibility compatibility) const;
  /// The launch types that it is for instead of EC2, "FARGATE and MANAGED_INSTANCES": those of requiresCompatibilities,
  /// or of the `compatibilities` that ECS found, where either is not empty and does not list EC2. Empty when EC2 is
  /// among them, when nothing is said, and when an entry is a placeholder.
  std::string launch_types_without_ec2() const;
  std::optional<Compatibility>
      assumed_compatibility;  ///< Value of `--launch-type` or the config when the file does not say.

  bool is_windows() const;  ///< operatingSystemFamily starts with WINDOWS.
  /// network_mode, or bridge (awsvpc on Fargate and Managed Instances) when absent; nothing when unknown.
  std::optional<std::string_view> effective_network_mode() const;
  /// Task-level sizes in units; nothing when absent, unknown or malformed.
  std::optional<CpuUnits> cpu_units() const;
  std::optional<MiB> memory_mib() const;
};

/// Reads "1024", " 1 vCPU", ".5 vcpu" as CPU units; nothing when ECS would refuse the text (BAY109) or it is not
/// integral.
std::optional<CpuUnits> parse_task_cpu(std::string_view text);
/// Reads "512", "0.5GB", "2 gb" as MiB; nothing when ECS would refuse the text (BAY110) or it is not integral.
std::optional<MiB> parse_task_memory(std::string_view text);

/// Binds the object `node`; what has the wrong type is left out.
TaskDefinition bind_task_definition(text::Value node, const Placeholders& placeholders);
/// Binds one element of containerDefinitions.
ContainerDefinition bind_container_definition(text::Value node, const Placeholders& placeholders);
PlacementConstraint bind_placement_constraint(text::Value node, const Placeholders& placeholders);

}  // namespace bayplan::model
