#pragma once
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "base/units.hpp"
#include "model/deployment.hpp"
#include "text/document.hpp"

/// What `aws ecs describe-...` and `aws ec2 describe-instance-types` say of a running cluster, as far as placement asks
/// for it. Texts are owned: the answers are read element by element and none is kept. A member that the answer does not
/// hold is absent here too (the AWS CLI leaves out what the service did not send). Shapes: ECS API reference.
namespace bayplan::model {

/// Why an element is of no use.
struct DescribedFault {
  text::Value at;
  std::string message;
  std::string help;
};

/// registeredResources or remainingResources (API_Resource).
struct DescribedResources {
  std::optional<CpuUnits> cpu;
  std::optional<MiB> memory;
  std::optional<std::vector<std::uint16_t>> tcp_ports;  ///< PORTS: reserved; of what remains: TAKEN. Sorted, unique.
  std::optional<std::vector<std::uint16_t>> udp_ports;  ///< PORTS_UDP, likewise.
  std::optional<std::vector<std::string>> gpu_ids;      ///< GPU: all devices; of what remains: those still FREE.
  /// NEURON_DEVICE (API_PlatformDevice) or NEURON_CORES (ecs-agent, GetResources), likewise.
  std::optional<std::vector<std::string>> neuron_ids;
  bool has_neuron_cores = false;  ///< `neuron_ids` are those of cores, of which a device has several.
  bool operator==(const DescribedResources&) const = default;
};

/// API_GpuDevice. The name of the list that holds them is not in the public models yet: any list of the instance whose
/// elements have a gpuId is read.
struct DescribedGpu {
  std::string id;
  std::string sharing_mode;  ///< "IDLE", "NVIDIA_MPS", "DEDICATED".
  std::optional<MiB> total_memory;
  std::optional<MiB> remaining_memory;  ///< Memory available to tasks that share the GPU.
  bool operator==(const DescribedGpu&) const = default;
};

struct DescribedInstance {
  std::string arn;
  std::string cluster;  ///< Cluster name in the ARN; empty in the older form.
  std::string region;
  std::string account;
  std::string id;               ///< Last part of the ARN.
  std::string ec2_instance_id;  ///< Empty on external instances.
  std::string capacity_provider_name;
  std::string status;
  std::optional<bool> agent_connected;
  std::string agent_version;
  std::optional<std::int64_t> registered_at;  ///< Seconds since 1970 UTC.
  std::optional<std::int64_t> running_tasks;
  std::optional<std::int64_t> pending_tasks;
  std::optional<std::int64_t> version;  ///< Grows with every change of the instance.
  DescribedResources registered;
  DescribedResources remaining;
  std::map<std::string, std::string, std::less<>> attributes;
  std::vector<DescribedGpu> gpus;

  bool is_counted() const { return status != "INACTIVE"; }  ///< Whether registeredContainerInstancesCount includes it.
  bool operator==(const DescribedInstance&) const = default;
};

struct DescribedContainer {
  std::string name;
  std::vector<std::string> gpu_ids;  ///< gpuIds, or neuronDeviceIds: an instance has one kind only.
  std::optional<CpuUnits> cpu;
  std::optional<MiB> memory;
  std::optional<MiB> memory_reservation;
  bool operator==(const DescribedContainer&) const = default;
};

struct DescribedTask {
  std::string arn;
  std::string cluster;  ///< Cluster that its own ARN names, else clusterArn.
  std::string region;
  std::string account;
  std::string id;               ///< Last part of the ARN.
  std::string instance_arn;     ///< Empty on Fargate, and while the task waits for an instance.
  std::string task_definition;  ///< "web:3"
  std::string group;
  std::string last_status;     ///< "RUNNING" ...
  std::string desired_status;  ///< "STOPPED" once it is to end.
  std::string launch_type;
  std::string capacity_provider_name;
  std::optional<CpuUnits> cpu;  ///< Task level.
  std::optional<MiB> memory;
  std::vector<DescribedContainer> containers;
  bool has_network_interface = false;   ///< An attachment of type ElasticNetworkInterface: awsvpc.
  std::int64_t ebs_volumes = 0;         ///< Attachments of type AmazonElasticBlockStorage that are not gone.
  std::string subnet_id;                ///< Subnet of the interface; empty when not described.
  std::string availability_zone;        ///< Empty when not described.
  std::optional<std::int64_t> version;  ///< Grows with every change of the task.

  bool is_counted() const {
    return last_status != "STOPPED";
  }  ///< It may be in a runningTasksCount or pendingTasksCount.
  bool operator==(const DescribedTask&) const = default;
};

struct DescribedProviderShare {
  std::string capacity_provider;
  std::int64_t base = 0;
  std::int64_t weight = 0;
  bool operator==(const DescribedProviderShare&) const = default;
};

struct DescribedStrategy {
  std::string type;
  std::optional<std::string> field;
  bool operator==(const DescribedStrategy&) const = default;
};

/// deploymentConfiguration.deploymentCircuitBreaker
struct DescribedCircuitBreaker {
  bool enabled = false;
  bool rollback = false;
  bool reset_on_healthy_task = true;
  std::string threshold_type;  ///< Empty when not described.
  std::optional<std::int64_t> threshold_value;
  bool operator==(const DescribedCircuitBreaker&) const = default;
};

struct DescribedService {
  std::string arn;
  std::string cluster;
  std::string region;
  std::string account;
  std::string name;
  std::string status;                         ///< Empty when not described.
  std::optional<std::int64_t> desired_count;  ///< Nothing for daemons.
  std::int64_t running_count = 0;
  std::int64_t pending_count = 0;
  bool is_daemon = false;              ///< schedulingStrategy DAEMON.
  std::string task_definition;         ///< "agent:3"; empty when not described.
  std::vector<std::string> member_of;  ///< Expressions of its placementConstraints.
  bool distinct_instance = false;
  std::vector<DescribedStrategy> strategies;
  std::vector<std::string> subnets;  ///< Subnets of awsvpcConfiguration.
  std::vector<DescribedProviderShare> capacity_providers;
  std::string launch_type;
  std::optional<std::int64_t> minimum_healthy_percent;
  std::optional<std::int64_t> maximum_percent;
  DescribedCircuitBreaker circuit_breaker;
  bool rebalances = false;  ///< availabilityZoneRebalancing is ENABLED.
  DeploymentSettings deployment;
  bool has_failed = false;  ///< The newest deployment is FAILED: it starts nothing more, and old tasks stay.

  bool is_counted() const {
    return status.empty() || status == "ACTIVE";
  }  ///< Whether activeServicesCount includes it.
  bool operator==(const DescribedService&) const = default;
};

struct DescribedCapacityProvider {
  std::string arn;
  std::string name;
  bool scales = false;  ///< managedScaling.status is ENABLED.
  bool operator==(const DescribedCapacityProvider&) const = default;
};

struct DescribedCluster {
  std::string arn;
  std::string name;
  std::string status;  ///< Empty when not described.
  std::string region;
  std::string account;
  std::optional<std::int64_t> registered_instances;
  std::int64_t running_tasks = 0;  ///< 0 also where the answer does not count them; likewise below.
  std::int64_t pending_tasks = 0;
  std::int64_t active_services = 0;
  std::optional<std::vector<std::string>> capacity_providers;  ///< Nothing where the answer lists none.
  std::vector<DescribedProviderShare> default_strategy;
  bool operator==(const DescribedCluster&) const = default;
};

/// EC2 API reference, API_InstanceTypeInfo.
struct DescribedInstanceType {
  std::string name;
  std::optional<std::int64_t> vcpus;
  std::optional<MiB> memory;
  std::vector<std::string> architectures;
  std::optional<std::int64_t> network_interfaces;
  std::optional<std::int64_t> ebs_attachments;
  std::string ebs_limit_type;    ///< "shared", "dedicated"; empty when not described.
  std::string gpu_manufacturer;  ///< Manufacturer of the first kind of GPU; empty without GPUs.
  std::string gpu_model;
  std::int64_t gpu_count = 0;
  std::int64_t neuron_devices = 0;
  std::int64_t neuron_cores_per_device = 0;
  MiB gpu_memory = 0;  ///< Memory of one GPU.
  std::string hypervisor;
  std::optional<bool> current_generation;
  bool operator==(const DescribedInstanceType&) const = default;
};

/// EC2 API reference, API_Subnet.
struct DescribedSubnet {
  std::string id;
  std::string availability_zone;
  std::optional<std::int64_t> available_ip_address_count;  ///< Of IPv4; nothing of a subnet that has IPv6 alone.
  bool operator==(const DescribedSubnet&) const = default;
};

/// EC2 API reference, API_Instance: what of it does not depend on ECS.
struct DescribedEc2Instance {
  std::string id;
  std::string lifecycle;  ///< "spot"; empty = On-Demand.
  std::string subnet_id;
  std::string availability_zone;
  bool operator==(const DescribedEc2Instance&) const = default;
};

/// Auto Scaling API reference, API_AutoScalingGroup.
struct DescribedAutoScalingGroup {
  std::string name;
  std::vector<std::string> in_service;  ///< Ids of its instances with LifecycleState InService.
  bool operator==(const DescribedAutoScalingGroup&) const = default;
};

/// An entry of `failures`.
struct DescribedFailure {
  std::string arn;
  std::string reason;
  bool operator==(const DescribedFailure&) const = default;
};

std::optional<DescribedFault> bind(text::Value node, DescribedInstance& instance);
std::optional<DescribedFault> bind(text::Value node, DescribedTask& task);
std::optional<DescribedFault> bind(text::Value node, DescribedService& service);
std::optional<DescribedFault> bind(text::Value node, DescribedCapacityProvider& provider);
std::optional<DescribedFault> bind(text::Value node, DescribedCluster& cluster);
std::optional<DescribedFault> bind(text::Value node, DescribedInstanceType& type);
std::optional<DescribedFault> bind(text::Value node, DescribedSubnet& subnet);
std::optional<DescribedFault> bind(text::Value node, DescribedEc2Instance& instance);
std::optional<DescribedFault> bind(text::Value node, DescribedAutoScalingGroup& group);
std::optional<DescribedFault> bind(text::Value node, DescribedFailure& failure);

}  // namespace bayplan::model
