#include "importers/terraform_attributes.hpp"

namespace bayplan::importers {
namespace {

constexpr Attribute kPlacementConstraint[] = {{"type", "type"}, {"expression", "expression"}};

constexpr Attribute kRuntimePlatform[] = {{"cpu_architecture", "cpuArchitecture"},
                                          {"operating_system_family", "operatingSystemFamily"}};

constexpr Attribute kEphemeralStorage[] = {{"size_in_gib", "sizeInGiB"}};

constexpr Attribute kProxyConfiguration[] = {
    {"type", "type"}, {"container_name", "containerName"}, {"properties", "properties", Form::kNamedValues}};

constexpr Attribute kInferenceAccelerator[] = {{"device_name", "deviceName"}, {"device_type", "deviceType"}};

constexpr Attribute kDockerVolume[] = {{"scope", "scope", Form::kScalar},
                                       {"autoprovision", "autoprovision"},
                                       {"driver", "driver"},
                                       {"driver_opts", "driverOpts", Form::kMap},
                                       {"labels", "labels", Form::kMap}};

constexpr Attribute kEfsAuthorization[] = {{"access_point_id", "accessPointId"}, {"iam", "iam"}};

constexpr Attribute kEfsVolume[] = {{"file_system_id", "fileSystemId"},
                                    {"root_directory", "rootDirectory"},
                                    {"transit_encryption", "transitEncryption"},
                                    {"transit_encryption_port", "transitEncryptionPort", Form::kAmount},
                                    {"authorization_config", "authorizationConfig", Form::kBlock, kEfsAuthorization}};

constexpr Attribute kFsxAuthorization[] = {{"credentials_parameter", "credentialsParameter"}, {"domain", "domain"}};

constexpr Attribute kFsxVolume[] = {{"file_system_id", "fileSystemId"},
                                    {"root_directory", "rootDirectory"},
                                    {"authorization_config", "authorizationConfig", Form::kBlock, kFsxAuthorization}};

constexpr Attribute kS3FilesVolume[] = {{"file_system_arn", "fileSystemArn"},
                                        {"root_directory", "rootDirectory"},
                                        {"transit_encryption_port", "transitEncryptionPort", Form::kAmount},
                                        {"access_point_arn", "accessPointArn"}};

constexpr Attribute kVolume[] = {
    {"name", "name"},
    {"host_path", "host", Form::kHostPath},
    {"configure_at_launch", "configuredAtLaunch"},
    {"docker_volume_configuration", "dockerVolumeConfiguration", Form::kBlock, kDockerVolume},
    {"efs_volume_configuration", "efsVolumeConfiguration", Form::kBlock, kEfsVolume},
    {"s3files_volume_configuration", "s3filesVolumeConfiguration", Form::kBlock, kS3FilesVolume},
    {"fsx_windows_file_server_volume_configuration", "fsxWindowsFileServerVolumeConfiguration", Form::kBlock,
     kFsxVolume}};

constexpr Attribute kTaskDefinition[] = {
    {"family", "family"},
    {"task_role_arn", "taskRoleArn"},
    {"execution_role_arn", "executionRoleArn"},
    {"network_mode", "networkMode", Form::kComputed},
    {"volume", "volumes", Form::kBlocks, kVolume},
    {"placement_constraints", "placementConstraints", Form::kBlocks, kPlacementConstraint},
    {"requires_compatibilities", "requiresCompatibilities", Form::kScalars},
    {"cpu", "cpu"},
    {"memory", "memory"},
    {"tags_all", "tags", Form::kTags},
    {"pid_mode", "pidMode"},
    {"ipc_mode", "ipcMode"},
    {"proxy_configuration", "proxyConfiguration", Form::kBlock, kProxyConfiguration},
    {"inference_accelerator", "inferenceAccelerators", Form::kBlocks, kInferenceAccelerator},
    {"ephemeral_storage", "ephemeralStorage", Form::kBlock, kEphemeralStorage},
    {"runtime_platform", "runtimePlatform", Form::kBlock, kRuntimePlatform},
    {"enable_fault_injection", "enableFaultInjection", Form::kComputed}};

constexpr Attribute kBlueGreen[] = {{"alternate_target_group_arn", "alternateTargetGroupArn"},
                                    {"production_listener_rule", "productionListenerRule"},
                                    {"test_listener_rule", "testListenerRule"},
                                    {"role_arn", "roleArn"}};

constexpr Attribute kLoadBalancer[] = {{"target_group_arn", "targetGroupArn"},
                                       {"elb_name", "loadBalancerName"},
                                       {"load_balancer_name", "loadBalancerName"},  // of a task set
                                       {"container_name", "containerName"},
                                       {"container_port", "containerPort"},
                                       {"advanced_configuration", "advancedConfiguration", Form::kBlock, kBlueGreen}};

constexpr Attribute kServiceRegistry[] = {{"registry_arn", "registryArn"},
                                          {"port", "port", Form::kAmount},
                                          {"container_name", "containerName"},
                                          {"container_port", "containerPort", Form::kAmount}};

constexpr Attribute kCapacityProvider[] = {
    {"capacity_provider", "capacityProvider"}, {"weight", "weight"}, {"base", "base"}};

constexpr Attribute kPlacementStrategy[] = {{"type", "type"}, {"field", "field"}};

constexpr Attribute kController[] = {{"type", "type"}};

constexpr Attribute kClientAlias[] = {{"port", "port"}, {"dns_name", "dnsName"}};

constexpr Attribute kConnectTimeout[] = {{"idle_timeout_seconds", "idleTimeoutSeconds"},
                                         {"per_request_timeout_seconds", "perRequestTimeoutSeconds"}};

constexpr Attribute kCertificateAuthority[] = {{"aws_pca_authority_arn", "awsPcaAuthorityArn"}};

constexpr Attribute kConnectTls[] = {
    {"issuer_cert_authority", "issuerCertificateAuthority", Form::kBlock, kCertificateAuthority},
    {"kms_key", "kmsKey"},
    {"role_arn", "roleArn"}};

constexpr Attribute kConnectService[] = {{"port_name", "portName"},
                                         {"discovery_name", "discoveryName"},
                                         {"client_alias", "clientAliases", Form::kBlocks, kClientAlias},
                                         {"ingress_port_override", "ingressPortOverride", Form::kAmount},
                                         {"timeout", "timeout", Form::kBlock, kConnectTimeout},
                                         {"tls", "tls", Form::kBlock, kConnectTls}};

constexpr Attribute kSecretOption[] = {{"name", "name"}, {"value_from", "valueFrom"}};

constexpr Attribute kConnectLog[] = {{"log_driver", "logDriver"},
                                     {"options", "options", Form::kMap},
                                     {"secret_option", "secretOptions", Form::kBlocks, kSecretOption}};

constexpr Attribute kServiceConnect[] = {{"enabled", "enabled"},
                                         {"namespace", "namespace"},
                                         {"service", "services", Form::kBlocks, kConnectService},
                                         {"log_configuration", "logConfiguration", Form::kBlock, kConnectLog}};

constexpr Attribute kEbsVolume[] = {
    {"encrypted", "encrypted"},      {"kms_key_id", "kmsKeyId"},
    {"volume_type", "volumeType"},   {"size_in_gb", "sizeInGiB", Form::kAmount},
    {"snapshot_id", "snapshotId"},   {"volume_initialization_rate", "volumeInitializationRate", Form::kAmount},
    {"iops", "iops", Form::kAmount}, {"throughput", "throughput", Form::kAmount},
    {"role_arn", "roleArn"},         {"file_system_type", "filesystemType"}};

constexpr Attribute kVolumeConfiguration[] = {{"name", "name"},
                                              {"managed_ebs_volume", "managedEBSVolume", Form::kBlock, kEbsVolume}};

constexpr Attribute kLattice[] = {
    {"role_arn", "roleArn"}, {"target_group_arn", "targetGroupArn"}, {"port_name", "portName"}};

/// task_definition and network_configuration are made elsewhere.
constexpr Attribute kService[] = {
    {"cluster", "cluster"},
    {"name", "serviceName"},
    {"availability_zone_rebalancing", "availabilityZoneRebalancing", Form::kComputed},
    {"load_balancer", "loadBalancers", Form::kBlocks, kLoadBalancer},
    {"service_registries", "serviceRegistries", Form::kBlocks, kServiceRegistry},
    {"launch_type", "launchType", Form::kComputed},
    {"capacity_provider_strategy", "capacityProviderStrategy", Form::kBlocks, kCapacityProvider},
    {"platform_version", "platformVersion", Form::kComputed},
    {"iam_role", "role", Form::kComputed},
    {"placement_constraints", "placementConstraints", Form::kBlocks, kPlacementConstraint},
    {"ordered_placement_strategy", "placementStrategy", Form::kBlocks, kPlacementStrategy},
    {"health_check_grace_period_seconds", "healthCheckGracePeriodSeconds", Form::kAmount},
    {"scheduling_strategy", "schedulingStrategy"},
    {"deployment_controller", "deploymentController", Form::kBlock, kController},
    {"tags_all", "tags", Form::kTags},
    {"enable_ecs_managed_tags", "enableECSManagedTags"},
    {"propagate_tags", "propagateTags"},
    {"enable_execute_command", "enableExecuteCommand"},
    {"service_connect_configuration", "serviceConnectConfiguration", Form::kBlock, kServiceConnect},
    {"volume_configuration", "volumeConfigurations", Form::kBlocks, kVolumeConfiguration},
    {"vpc_lattice_configurations", "vpcLatticeConfigurations", Form::kBlocks, kLattice}};

constexpr Attribute kCircuitBreaker[] = {{"enable", "enable"}, {"rollback", "rollback"}};

constexpr Attribute kAlarms[] = {
    {"alarm_names", "alarmNames", Form::kScalars}, {"enable", "enable"}, {"rollback", "rollback"}};

constexpr Attribute kDeployment[] = {
    {"deployment_circuit_breaker", "deploymentCircuitBreaker", Form::kBlock, kCircuitBreaker},
    {"deployment_maximum_percent", "maximumPercent"},
    {"deployment_minimum_healthy_percent", "minimumHealthyPercent"},
    {"alarms", "alarms", Form::kBlock, kAlarms}};

constexpr Attribute kRange[] = {{"min", "min"}, {"max", "max"}};

constexpr Attribute kInstanceRequirements[] = {
    {"vcpu_count", "vCpuCount", Form::kBlock, kRange},
    {"memory_mib", "memoryMiB", Form::kBlock, kRange},
    {"memory_gib_per_vcpu", "memoryGiBPerVCpu", Form::kBlock, kRange},
    {"cpu_manufacturers", "cpuManufacturers", Form::kScalars},
    {"instance_generations", "instanceGenerations", Form::kScalars},
    {"allowed_instance_types", "allowedInstanceTypes", Form::kScalars},
    {"excluded_instance_types", "excludedInstanceTypes", Form::kScalars},
    {"bare_metal", "bareMetal"},
    {"burstable_performance", "burstablePerformance"},
    {"require_hibernate_support", "requireHibernateSupport"},
    {"network_interface_count", "networkInterfaceCount", Form::kBlock, kRange},
    {"network_bandwidth_gbps", "networkBandwidthGbps", Form::kBlock, kRange},
    {"local_storage", "localStorage"},
    {"local_storage_types", "localStorageTypes", Form::kScalars},
    {"total_local_storage_gb", "totalLocalStorageGB", Form::kBlock, kRange},
    {"baseline_ebs_bandwidth_mbps", "baselineEbsBandwidthMbps", Form::kBlock, kRange},
    {"accelerator_types", "acceleratorTypes", Form::kScalars},
    {"accelerator_count", "acceleratorCount", Form::kBlock, kRange},
    {"accelerator_manufacturers", "acceleratorManufacturers", Form::kScalars},
    {"accelerator_names", "acceleratorNames", Form::kScalars},
    {"accelerator_total_memory_mib", "acceleratorTotalMemoryMiB", Form::kBlock, kRange},
    {"spot_max_price_percentage_over_lowest_price", "spotMaxPricePercentageOverLowestPrice"},
    {"on_demand_max_price_percentage_over_lowest_price", "onDemandMaxPricePercentageOverLowestPrice"},
    {"max_spot_price_as_percentage_of_optimal_on_demand_price", "maxSpotPriceAsPercentageOfOptimalOnDemandPrice"}};

constexpr Attribute kManagedNetwork[] = {{"subnets", "subnets", Form::kScalars},
                                         {"security_groups", "securityGroups", Form::kScalars}};

constexpr Attribute kManagedStorage[] = {{"storage_size_gib", "storageSizeGiB"}};

constexpr Attribute kLaunchTemplate[] = {
    {"ec2_instance_profile_arn", "ec2InstanceProfileArn"},
    {"network_configuration", "networkConfiguration", Form::kBlock, kManagedNetwork},
    {"storage_configuration", "storageConfiguration", Form::kBlock, kManagedStorage},
    {"monitoring", "monitoring"},
    {"capacity_option_type", "capacityOptionType"},
    {"instance_requirements", "instanceRequirements", Form::kBlock, kInstanceRequirements}};

constexpr Attribute kOptimization[] = {{"scale_in_after", "scaleInAfter"}};

constexpr Attribute kManagedInstances[] = {
    {"infrastructure_role_arn", "infrastructureRoleArn"},
    {"instance_launch_template", "instanceLaunchTemplate", Form::kBlock, kLaunchTemplate},
    {"propagate_tags", "propagateTags"},
    {"infrastructure_optimization", "infrastructureOptimization", Form::kBlock, kOptimization}};

constexpr Attribute kManagedScaling[] = {{"status", "status"},
                                         {"target_capacity", "targetCapacity", Form::kAmount},
                                         {"minimum_scaling_step_size", "minimumScalingStepSize", Form::kAmount},
                                         {"maximum_scaling_step_size", "maximumScalingStepSize", Form::kAmount},
                                         {"instance_warmup_period", "instanceWarmupPeriod"}};

constexpr Attribute kGroupProvider[] = {
    {"auto_scaling_group_arn", "autoScalingGroupArn"},
    {"managed_scaling", "managedScaling", Form::kBlock, kManagedScaling},
    {"managed_termination_protection", "managedTerminationProtection", Form::kComputed},
    {"managed_draining", "managedDraining", Form::kComputed}};

constexpr Attribute kProvider[] = {
    {"name", "name"},
    {"cluster", "cluster"},
    {"auto_scaling_group_provider", "autoScalingGroupProvider", Form::kBlock, kGroupProvider},
    {"managed_instances_provider", "managedInstancesProvider", Form::kBlock, kManagedInstances},
    {"tags_all", "tags", Form::kTags}};

constexpr Attribute kClusterSetting[] = {{"name", "name"}, {"value", "value"}};

constexpr Attribute kExecuteCommandLog[] = {{"cloud_watch_encryption_enabled", "cloudWatchEncryptionEnabled"},
                                            {"cloud_watch_log_group_name", "cloudWatchLogGroupName"},
                                            {"s3_bucket_name", "s3BucketName"},
                                            {"s3_bucket_encryption_enabled", "s3EncryptionEnabled"},
                                            {"s3_key_prefix", "s3KeyPrefix"}};

constexpr Attribute kExecuteCommand[] = {{"kms_key_id", "kmsKeyId"},
                                         {"logging", "logging"},
                                         {"log_configuration", "logConfiguration", Form::kBlock, kExecuteCommandLog}};

constexpr Attribute kClusterStorage[] = {{"fargate_ephemeral_storage_kms_key_id", "fargateEphemeralStorageKmsKeyId"},
                                         {"kms_key_id", "kmsKeyId"}};

constexpr Attribute kClusterConfiguration[] = {
    {"execute_command_configuration", "executeCommandConfiguration", Form::kBlock, kExecuteCommand},
    {"managed_storage_configuration", "managedStorageConfiguration", Form::kBlock, kClusterStorage}};

constexpr Attribute kConnectDefaults[] = {{"namespace", "namespace"}};

constexpr Attribute kCluster[] = {
    {"name", "clusterName"},
    {"setting", "settings", Form::kBlocks, kClusterSetting},
    {"configuration", "configuration", Form::kBlock, kClusterConfiguration},
    {"service_connect_defaults", "serviceConnectDefaults", Form::kBlock, kConnectDefaults},
    {"tags_all", "tags", Form::kTags}};

constexpr Attribute kClusterProviders[] = {
    {"cluster_name", "cluster"},
    {"capacity_providers", "capacityProviders", Form::kScalars},
    {"default_capacity_provider_strategy", "defaultCapacityProviderStrategy", Form::kBlocks, kCapacityProvider}};

constexpr Attribute kAwsvpc[] = {{"subnets", "subnets", Form::kScalars},
                                 {"security_groups", "securityGroups", Form::kScalars},
                                 {"assign_public_ip", "assignPublicIp", Form::kPublicIp}};

constexpr Attribute kScale[] = {{"unit", "unit"}, {"value", "value"}};

/// task_definition and network_configuration are made elsewhere.
constexpr Attribute kTaskSet[] = {
    {"service", "service"},
    {"cluster", "cluster"},
    {"external_id", "externalId", Form::kComputed},
    {"load_balancer", "loadBalancers", Form::kBlocks, kLoadBalancer},
    {"service_registries", "serviceRegistries", Form::kBlocks, kServiceRegistry},
    {"launch_type", "launchType", Form::kComputed},
    {"capacity_provider_strategy", "capacityProviderStrategy", Form::kBlocks, kCapacityProvider},
    {"platform_version", "platformVersion", Form::kComputed},
    {"scale", "scale", Form::kBlock, kScale},
    {"tags_all", "tags", Form::kTags}};

constexpr Attribute kRunTask[] = {
    {"group", "group"},
    {"launch_type", "launchType"},
    {"capacity_provider_strategy", "capacityProviderStrategy", Form::kBlocks, kCapacityProvider},
    {"platform_version", "platformVersion"},
    {"task_count", "count", Form::kAmount},
    {"placement_constraint", "placementConstraints", Form::kBlocks, kPlacementConstraint},
    {"placement_constraints", "placementConstraints", Form::kBlocks, kPlacementConstraint},
    {"ordered_placement_strategy", "placementStrategy", Form::kBlocks, kPlacementStrategy},
    {"placement_strategy", "placementStrategy", Form::kBlocks, kPlacementStrategy},
    {"propagate_tags", "propagateTags"},
    {"reference_id", "referenceId"},
    {"enable_ecs_managed_tags", "enableECSManagedTags"},
    {"enable_execute_command", "enableExecuteCommand"}};

}  // namespace

std::span<const Attribute> task_definition_attributes() {
  return kTaskDefinition;
}

std::span<const Attribute> service_attributes() {
  return kService;
}

std::span<const Attribute> capacity_provider_attributes() {
  return kProvider;
}

std::span<const Attribute> cluster_attributes() {
  return kCluster;
}

std::span<const Attribute> cluster_providers_attributes() {
  return kClusterProviders;
}

std::span<const Attribute> task_set_attributes() {
  return kTaskSet;
}

std::span<const Attribute> run_task_attributes() {
  return kRunTask;
}

std::span<const Attribute> network_attributes() {
  return kAwsvpc;
}

std::span<const Attribute> deployment_attributes() {
  return kDeployment;
}

}  // namespace bayplan::importers
