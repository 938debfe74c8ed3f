#include "model/described.hpp"

#include <algorithm>

#include <fmt/core.h>

#include "base/date_time.hpp"
#include "base/excerpt.hpp"
#include "base/strings.hpp"
#include "model/definition_reference.hpp"
#include "model/ecs_arn.hpp"

namespace bayplan::model {

using text::Kind;
using text::Value;

namespace {

/// No instance and no task is larger; keeps every sum far from overflow.
constexpr std::int64_t kLargest = 100'000'000'000;

std::string text_of(Value object, std::string_view key) {
  const Value member = object.find(key);
  return member && member.is_string() ? std::string(member.text()) : std::string();
}

/// Whole numbers come as numbers or in quotes ("cpu": "256"), from jq and scripts also as 256.0.
std::optional<std::int64_t> integer_member(Value value) {
  if (!value || value.is_object() || value.is_array() || value.is_null()) return std::nullopt;
  auto number = to_integer(value.text());
  if (!number) {
    const auto real = to_number(value.text());
    if (!real || *real < -1e12 || *real > 1e12 || *real != static_cast<double>(static_cast<std::int64_t>(*real)))
      return std::nullopt;
    number = static_cast<std::int64_t>(*real);
  }
  return *number > kLargest || *number < -kLargest ? std::nullopt : number;
}

std::optional<std::int64_t> integer_member(Value object, std::string_view key) {
  return integer_member(object.find(key));
}

/// Far beyond the quotas of ECS, a file is broken.
constexpr std::int64_t kMaxTasks = 10'000'000;
constexpr std::int64_t kMaxPercent = 1'000'000;

/// A member that is there and is no whole number from 0 to `most`: without it, or with another in its place, the answer
/// would be about another cluster. An empty text counts as none.
std::optional<DescribedFault> check_count(Value object, std::string_view key, std::int64_t most) {
  const Value member = object ? object.find(key) : Value();
  if (!member || member.is_null() || (member.is_string() && trim(member.text()).empty())) return std::nullopt;
  const auto number = integer_member(member);
  if (number && *number >= 0 && *number <= most) return std::nullopt;
  constexpr std::size_t kMaxSaid = 40;
  const bool is_scalar = !member.is_object() && !member.is_array();
  const std::string given = is_scalar ? fmt::format("'{}'", shortened_to(member.text(), kMaxSaid))
                                      : std::string(text::name_of(member.kind()));
  return DescribedFault{member, fmt::format("{} cannot be {}", key, given),
                        fmt::format("a whole number from 0 to {}", most)};
}

std::optional<DescribedFault> check_counts(Value object, std::initializer_list<std::string_view> keys,
                                           std::int64_t most) {
  for (const auto key : keys) {
    if (auto fault = check_count(object, key, most)) return fault;
  }
  return std::nullopt;
}

std::optional<bool> boolean_member(Value object, std::string_view key) {
  const Value member = object.find(key);
  return member ? member.boolean() : std::nullopt;
}

/// ISO 8601 as version 2 of the AWS CLI prints it, or seconds since 1970 as version 1 does.
std::optional<std::int64_t> time_member(Value object, std::string_view key) {
  const Value member = object.find(key);
  if (!member) return std::nullopt;
  if (member.is_string()) return parse_date_time(member.text());
  if (member.kind() != Kind::kInteger && member.kind() != Kind::kNumber) return std::nullopt;
  const auto seconds = to_number(member.text());
  constexpr double kMost = 9e11;  // Later than the year 30,000; std::chrono::year ends in 32,767.
  if (!seconds || *seconds < -kMost || *seconds > kMost) return std::nullopt;
  return static_cast<std::int64_t>(*seconds);
}

/// Elements of a list member; none when there is no list.
std::vector<Value> list_items(Value object, std::string_view key) {
  const Value list = object.find(key);
  std::vector<Value> items;
  if (!list || !list.is_array()) return items;
  for (const Value item : list.children()) items.push_back(item);
  return items;
}

std::vector<std::string> list_texts(Value object, std::string_view key) {
  std::vector<std::string> texts;
  for (const Value item : list_items(object, key)) {
    if (item.is_string()) texts.emplace_back(item.text());
  }
  return texts;
}

DescribedFault missing(Value object, std::string_view key) {
  return {object, fmt::format("{} is missing", key), {}};
}

/// Reads the ARN under `key` into the three members that instances, tasks and services share.
std::optional<DescribedFault> bind_arn(Value node, std::string_view key, std::string_view kind, std::string& arn,
                                       EcsArn& parts) {
  const Value member = node.find(key);
  if (!member || !member.is_string()) return missing(node, key);
  const auto parsed = parse_ecs_arn(member.text(), kind);
  if (!parsed) {
    return DescribedFault{member, fmt::format("{} is not the ARN of a {}: '{}'", key, kind, member.text()),
                          fmt::format("use the form arn:aws:ecs:REGION:ACCOUNT:{}/...", kind)};
  }
  arn = member.text();
  parts = *parsed;
  return std::nullopt;
}

std::string cluster_of(const EcsArn& own, Value node) {
  if (!own.cluster.empty()) return std::string(own.cluster);
  const Value member = node.find("clusterArn");
  const auto cluster = member && member.is_string() ? parse_ecs_arn(member.text(), "cluster") : std::nullopt;
  return cluster ? std::string(cluster->id) : std::string();
}

std::optional<DescribedFault> bind_ports(Value resource, std::optional<std::vector<std::uint16_t>>& ports) {
  std::vector<std::uint16_t> found;
  for (const Value item : list_items(resource, "stringSetValue")) {
    const auto port = integer_member(item);
    if (!port || *port < 1 || *port > 65535) {
      return DescribedFault{item, fmt::format("invalid port '{}'", item.text()), {}};
    }
    found.push_back(static_cast<std::uint16_t>(*port));
  }
  std::sort(found.begin(), found.end());
  found.erase(std::unique(found.begin(), found.end()), found.end());
  ports = std::move(found);
  return std::nullopt;
}

/// The value sits in the member that matches the type (INTEGER, LONG, DOUBLE); the others hold 0.
/// What is registered is never negative; what remains may be, where more is reserved than an instance registers by now.
std::optional<DescribedFault> bind_amount(Value resource, bool may_be_negative, std::optional<std::int64_t>& amount) {
  const std::string type = text_of(resource, "type");
  const std::string_view member = type == "LONG" ? "longValue" : type == "DOUBLE" ? "doubleValue" : "integerValue";
  if (!may_be_negative) {
    if (auto fault = check_count(resource, member, kLargest)) return fault;
  }
  amount = integer_member(resource, member);
  if (amount) return std::nullopt;
  const Value value = resource.find(member);
  return value ? DescribedFault{value, fmt::format("{} must be a whole number below 10^11", member), {}}
               : missing(resource, member);
}

std::optional<DescribedFault> bind_device_ids(Value resource, std::string_view name,
                                              std::optional<std::vector<std::string>>& ids) {
  if (!resource.find("stringSetValue") && integer_member(resource, "integerValue").value_or(0) != 0) {
    return DescribedFault{resource, fmt::format("{} without the ids of its devices", name),
                          "ECS lists them in stringSetValue"};
  }
  ids = list_texts(resource, "stringSetValue");
  auto sorted = *ids;
  std::sort(sorted.begin(), sorted.end());
  const auto twice = std::adjacent_find(sorted.begin(), sorted.end());
  if (twice == sorted.end()) return std::nullopt;
  return DescribedFault{resource.find("stringSetValue"), fmt::format("duplicate {} '{}'", name, *twice), {}};
}

std::optional<DescribedFault> bind_resources(Value node, std::string_view key, DescribedResources& resources) {
  for (const Value resource : list_items(node, key)) {
    const std::string name = text_of(resource, "name");
    std::optional<DescribedFault> fault;
    const bool may_be_negative = key != "registeredResources";
    if (name == "CPU") fault = bind_amount(resource, may_be_negative, resources.cpu);
    if (name == "MEMORY") fault = bind_amount(resource, may_be_negative, resources.memory);
    if (name == "PORTS") fault = bind_ports(resource, resources.tcp_ports);
    if (name == "PORTS_UDP") fault = bind_ports(resource, resources.udp_ports);
    if (name == "GPU") fault = bind_device_ids(resource, name, resources.gpu_ids);
    if (name == "NEURON_DEVICE" || (name == "NEURON_CORES" && !resources.neuron_ids)) {
      fault = bind_device_ids(resource, name, resources.neuron_ids);
      resources.has_neuron_cores = name == "NEURON_CORES";
    }
    if (fault) return fault;
  }
  return std::nullopt;
}

void bind_gpus(Value node, std::vector<DescribedGpu>& gpus) {
  for (const Value member : node.children()) {
    if (!member.is_array()) continue;
    for (const Value item : member.children()) {
      const std::string id = text_of(item, "gpuId");
      if (id.empty()) continue;
      gpus.push_back({id, text_of(item, "sharingMode"), integer_member(item, "totalMemoryInMiB"),
                      integer_member(item, "remainingMemoryInMiB")});
    }
  }
}

DescribedContainer container_of(Value node) {
  auto devices = list_texts(node, "gpuIds");
  if (devices.empty()) devices = list_texts(node, "neuronDeviceIds");
  return {text_of(node, "name"), std::move(devices), integer_member(node, "cpu"), integer_member(node, "memory"),
          integer_member(node, "memoryReservation")};
}

/// A share without the name of its provider would go to another one, so it is refused (ECS always prints the name).
std::optional<DescribedFault> bind_provider_shares(Value node, std::string_view member,
                                                   std::vector<DescribedProviderShare>& shares) {
  for (const Value share : list_items(node, member)) {
    std::string name = text_of(share, "capacityProvider");
    if (name.empty()) return missing(share, "capacityProvider");
    shares.push_back({std::move(name), std::clamp<std::int64_t>(integer_member(share, "base").value_or(0), 0, 100'000),
                      std::clamp<std::int64_t>(integer_member(share, "weight").value_or(0), 0, 1'000)});
  }
  return std::nullopt;
}

/// The network interface of an awsvpc task, which says its subnet, and EBS volumes configured at launch
/// (API_Attachment).
void bind_attachments(Value node, DescribedTask& task) {
  for (const Value attachment : list_items(node, "attachments")) {
    const auto type = text_of(attachment, "type");
    const auto status = text_of(attachment, "status");
    if (type == "AmazonElasticBlockStorage" && status != "DETACHED" && status != "DELETED") ++task.ebs_volumes;
    if (type != "ElasticNetworkInterface") continue;
    task.has_network_interface = true;
    for (const Value detail : list_items(attachment, "details")) {
      if (text_of(detail, "name") == "subnetId") task.subnet_id = text_of(detail, "value");
    }
  }
}

}  // namespace

std::optional<DescribedFault> bind(Value node, DescribedInstance& instance) {
  EcsArn arn;
  if (auto fault = bind_arn(node, "containerInstanceArn", "container-instance", instance.arn, arn)) return fault;
  instance.cluster = cluster_of(arn, node);
  instance.region = arn.region;
  instance.account = arn.account;
  instance.id = arn.id;
  instance.ec2_instance_id = text_of(node, "ec2InstanceId");
  instance.capacity_provider_name = text_of(node, "capacityProviderName");
  instance.status = text_of(node, "status");
  instance.agent_connected = boolean_member(node, "agentConnected");
  if (const Value version = node.find("versionInfo")) instance.agent_version = text_of(version, "agentVersion");
  instance.registered_at = time_member(node, "registeredAt");
  instance.running_tasks = integer_member(node, "runningTasksCount");
  instance.pending_tasks = integer_member(node, "pendingTasksCount");
  instance.version = integer_member(node, "version");
  for (const Value attribute : list_items(node, "attributes")) {
    if (const auto name = text_of(attribute, "name"); !name.empty())
      instance.attributes.insert_or_assign(name, text_of(attribute, "value"));
  }
  bind_gpus(node, instance.gpus);
  if (auto fault = bind_resources(node, "registeredResources", instance.registered)) return fault;
  return bind_resources(node, "remainingResources", instance.remaining);
}

std::optional<DescribedFault> bind(Value node, DescribedTask& task) {
  EcsArn arn;
  if (auto fault = bind_arn(node, "taskArn", "task", task.arn, arn)) return fault;
  task.cluster = cluster_of(arn, node);
  task.region = arn.region;
  task.account = arn.account;
  task.id = arn.id;
  if (const Value instance = node.find("containerInstanceArn"); instance && instance.is_string()) {
    EcsArn of_instance;
    if (auto fault = bind_arn(node, "containerInstanceArn", "container-instance", task.instance_arn, of_instance))
      return fault;
  }
  const Value definition = node.find("taskDefinitionArn");
  if (!definition || !definition.is_string()) return missing(node, "taskDefinitionArn");
  const auto reference = parse_definition_reference(definition.text());
  if (!reference || !reference->revision) {
    return DescribedFault{
        definition, fmt::format("taskDefinitionArn is not the ARN of a task-definition: '{}'", definition.text()), {}};
  }
  task.task_definition = fmt::format("{}:{}", reference->family, *reference->revision);
  task.group = text_of(node, "group");
  if (task.group.empty()) task.group = "family:" + std::string(reference->family);
  task.last_status = text_of(node, "lastStatus");
  task.desired_status = text_of(node, "desiredStatus");
  task.launch_type = text_of(node, "launchType");
  task.capacity_provider_name = text_of(node, "capacityProviderName");
  if (auto fault = check_counts(node, {"cpu", "memory"}, kLargest)) return fault;
  for (const Value container : list_items(node, "containers")) {
    if (auto fault = check_counts(container, {"cpu", "memory", "memoryReservation"}, kLargest)) return fault;
  }
  task.cpu = integer_member(node, "cpu");
  task.memory = integer_member(node, "memory");
  task.version = integer_member(node, "version");
  for (const Value container : list_items(node, "containers")) task.containers.push_back(container_of(container));
  bind_attachments(node, task);
  task.availability_zone = text_of(node, "availabilityZone");
  return std::nullopt;
}

namespace {

DescribedCircuitBreaker circuit_breaker_of(Value node) {
  DescribedCircuitBreaker breaker;
  if (!node || !node.is_object()) return breaker;
  breaker.enabled = boolean_member(node, "enable").value_or(false);
  breaker.rollback = boolean_member(node, "rollback").value_or(false);
  breaker.reset_on_healthy_task = boolean_member(node, "resetOnHealthyTask").value_or(true);
  const Value threshold = node.find("thresholdConfiguration");
  if (!threshold || !threshold.is_object()) return breaker;
  breaker.threshold_type = text_of(threshold, "type");
  breaker.threshold_value = integer_member(threshold, "value");
  return breaker;
}

}  // namespace

std::optional<DescribedFault> bind(Value node, DescribedService& service) {
  EcsArn arn;
  if (auto fault = bind_arn(node, "serviceArn", "service", service.arn, arn)) return fault;
  service.cluster = cluster_of(arn, node);
  service.region = arn.region;
  service.account = arn.account;
  service.name = text_of(node, "serviceName");
  service.status = text_of(node, "status");
  service.is_daemon = text_of(node, "schedulingStrategy") == "DAEMON";
  if (auto fault = check_counts(node, {"desiredCount", "runningCount", "pendingCount"}, kMaxTasks)) return fault;
  if (!service.is_daemon) service.desired_count = integer_member(node, "desiredCount");
  const std::string definition = text_of(node, "taskDefinition");
  if (const auto reference = parse_definition_reference(definition); reference && reference->revision)
    service.task_definition = fmt::format("{}:{}", reference->family, *reference->revision);
  if (const Value constraints = node.find("placementConstraints"); constraints && constraints.is_array()) {
    for (const Value constraint : constraints.children()) {
      if (text_of(constraint, "type") == "memberOf") service.member_of.push_back(text_of(constraint, "expression"));
      service.distinct_instance |= text_of(constraint, "type") == "distinctInstance";
    }
  }
  for (const Value strategy : list_items(node, "placementStrategy")) {
    std::optional<std::string> field;
    if (strategy.find("field")) field = text_of(strategy, "field");
    service.strategies.push_back({text_of(strategy, "type"), std::move(field)});
  }
  const Value network = node.find("networkConfiguration");
  const Value awsvpc = network ? network.find("awsvpcConfiguration") : Value();
  if (awsvpc) service.subnets = list_texts(awsvpc, "subnets");
  if (auto fault = bind_provider_shares(node, "capacityProviderStrategy", service.capacity_providers)) return fault;
  service.launch_type = text_of(node, "launchType");
  if (const Value deployment = node.find("deploymentConfiguration"); deployment && deployment.is_object()) {
    if (auto fault = check_counts(deployment, {"minimumHealthyPercent", "maximumPercent"}, kMaxPercent)) return fault;
    service.minimum_healthy_percent = integer_member(deployment, "minimumHealthyPercent");
    service.maximum_percent = integer_member(deployment, "maximumPercent");
    service.circuit_breaker = circuit_breaker_of(deployment.find("deploymentCircuitBreaker"));
  }
  service.rebalances = text_of(node, "availabilityZoneRebalancing") == "ENABLED";
  service.deployment = deployment_settings(node);
  for (const Value deployment : list_items(node, "deployments"))
    service.has_failed |= text_of(deployment, "status") == "PRIMARY" && text_of(deployment, "rolloutState") == "FAILED";
  service.running_count = integer_member(node, "runningCount").value_or(0);
  service.pending_count = integer_member(node, "pendingCount").value_or(0);
  return service.name.empty() ? std::optional(missing(node, "serviceName")) : std::nullopt;
}

std::optional<DescribedFault> bind(Value node, DescribedCapacityProvider& provider) {
  provider.name = text_of(node, "name");
  provider.arn = text_of(node, "capacityProviderArn");
  if (provider.name.empty()) return missing(node, "name");
  if (const Value group = node.find("autoScalingGroupProvider")) {
    const Value scaling = group.find("managedScaling");
    provider.scales = scaling && text_of(scaling, "status") == "ENABLED";
  }
  return std::nullopt;
}

std::optional<DescribedFault> bind(Value node, DescribedCluster& cluster) {
  EcsArn arn;
  if (auto fault = bind_arn(node, "clusterArn", "cluster", cluster.arn, arn)) return fault;
  cluster.name = text_of(node, "clusterName");
  if (cluster.name.empty()) cluster.name = arn.id;
  cluster.status = text_of(node, "status");
  cluster.region = arn.region;
  cluster.account = arn.account;
  cluster.registered_instances = integer_member(node, "registeredContainerInstancesCount");
  if (auto fault = check_counts(node, {"runningTasksCount", "pendingTasksCount", "activeServicesCount"}, kMaxTasks))
    return fault;
  cluster.running_tasks = integer_member(node, "runningTasksCount").value_or(0);
  cluster.pending_tasks = integer_member(node, "pendingTasksCount").value_or(0);
  cluster.active_services = integer_member(node, "activeServicesCount").value_or(0);
  if (node.find("capacityProviders")) cluster.capacity_providers = list_texts(node, "capacityProviders");
  return bind_provider_shares(node, "defaultCapacityProviderStrategy", cluster.default_strategy);
}

std::optional<DescribedFault> bind(Value node, DescribedInstanceType& type) {
  type.name = text_of(node, "InstanceType");
  if (type.name.empty()) return missing(node, "InstanceType");
  const auto member = [&](std::string_view object, std::string_view key) {
    const Value found = node.find(object);
    return found ? integer_member(found, key) : std::nullopt;
  };
  type.vcpus = member("VCpuInfo", "DefaultVCpus");
  type.memory = member("MemoryInfo", "SizeInMiB");
  type.network_interfaces = member("NetworkInfo", "MaximumNetworkInterfaces");
  type.ebs_attachments = member("EbsInfo", "MaximumEbsAttachments");
  if (const Value ebs = node.find("EbsInfo")) type.ebs_limit_type = text_of(ebs, "AttachmentLimitType");
  if (const Value processor = node.find("ProcessorInfo"))
    type.architectures = list_texts(processor, "SupportedArchitectures");
  type.hypervisor = text_of(node, "Hypervisor");
  type.current_generation = boolean_member(node, "CurrentGeneration");
  if (const Value neuron = node.find("NeuronInfo")) {
    for (const Value device : list_items(neuron, "NeuronDevices")) {
      type.neuron_devices += std::clamp<std::int64_t>(integer_member(device, "Count").value_or(0), 0, 1'000);
      const Value cores = device.find("CoreInfo");
      if (cores) type.neuron_cores_per_device = integer_member(cores, "Count").value_or(0);
    }
  }
  const Value info = node.find("GpuInfo");
  const auto gpus = info ? list_items(info, "Gpus") : std::vector<Value>();
  if (gpus.empty()) return std::nullopt;
  type.gpu_manufacturer = text_of(gpus.front(), "Manufacturer");
  type.gpu_model = text_of(gpus.front(), "Name");
  type.gpu_count = std::clamp<std::int64_t>(integer_member(gpus.front(), "Count").value_or(0), 0, 1'000);
  if (const Value memory = gpus.front().find("MemoryInfo"))
    type.gpu_memory = integer_member(memory, "SizeInMiB").value_or(0);
  return std::nullopt;
}

std::optional<DescribedFault> bind(Value node, DescribedSubnet& subnet) {
  subnet.id = text_of(node, "SubnetId");
  if (subnet.id.empty()) return missing(node, "SubnetId");
  subnet.availability_zone = text_of(node, "AvailabilityZone");
  const Value is_ipv6_only = node.find("Ipv6Native");
  if (!is_ipv6_only || !is_ipv6_only.boolean().value_or(false))
    subnet.available_ip_address_count = integer_member(node, "AvailableIpAddressCount");
  return subnet.availability_zone.empty() ? std::optional(missing(node, "AvailabilityZone")) : std::nullopt;
}

std::optional<DescribedFault> bind(Value node, DescribedEc2Instance& instance) {
  instance.id = text_of(node, "InstanceId");
  if (instance.id.empty()) return missing(node, "InstanceId");
  instance.lifecycle = text_of(node, "InstanceLifecycle");
  instance.subnet_id = text_of(node, "SubnetId");
  instance.availability_zone = text_of(node, "AvailabilityZone");
  const Value placement = node.find("Placement");  // as EC2 says it, before collect picks what is needed
  if (instance.availability_zone.empty() && placement)
    instance.availability_zone = text_of(placement, "AvailabilityZone");
  return std::nullopt;
}

std::optional<DescribedFault> bind(Value node, DescribedAutoScalingGroup& group) {
  group.name = text_of(node, "AutoScalingGroupName");
  if (group.name.empty()) return missing(node, "AutoScalingGroupName");
  for (const Value instance : list_items(node, "Instances")) {
    if (text_of(instance, "LifecycleState") == "InService") group.in_service.push_back(text_of(instance, "InstanceId"));
  }
  return std::nullopt;
}

std::optional<DescribedFault> bind(Value node, DescribedFailure& failure) {
  failure.arn = text_of(node, "arn");
  failure.reason = text_of(node, "reason");
  return std::nullopt;
}

}  // namespace bayplan::model
