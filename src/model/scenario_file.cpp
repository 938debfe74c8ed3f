#include "model/scenario_file.hpp"

#include "model/object_reader.hpp"
#include "model/provider_share.hpp"

namespace bayplan::model {

using text::Value;

namespace {

RegisteredResources bind_resources(const ObjectReader& reader) {
  return {reader.object(), reader.integer("CPU"), reader.integer("MEMORY"), reader.integer("GPU"),
          reader.integer("NEURON_DEVICE")};
}

/// {stack: gpu} and the list of name and value that ECS itself uses.
std::vector<Attribute> bind_attributes(Value node) {
  std::vector<Attribute> attributes;
  if (!node) return attributes;
  for (const Value item : node.children()) {
    if (node.is_object()) {
      attributes.push_back({item, item.key(), item.is_null() ? std::string_view() : item.text()});
    } else {
      const Value name = item.find("name");
      const Value value = item.find("value");
      attributes.push_back({item, name ? name.text() : std::string_view(), value ? value.text() : std::string_view()});
    }
  }
  return attributes;
}

ContainerInstanceEntry bind_entry(const ObjectReader& reader) {
  ContainerInstanceEntry entry;
  entry.node = reader.object();
  entry.instance_type = reader.string("instanceType");
  entry.count = reader.integer("count");
  entry.availability_zone = reader.string("availabilityZone");
  entry.availability_zones = reader.strings("availabilityZones");
  entry.attributes = bind_attributes(reader.value("attributes"));
  entry.capacity_provider_name = reader.string("capacityProviderName");
  entry.awsvpc_trunking = reader.boolean("awsvpcTrunking");
  entry.gpu_sharing = reader.boolean("gpuSharing");
  entry.instance_lifecycle = reader.string("instanceLifecycle");
  entry.spot_instance_draining = reader.boolean("spotInstanceDraining");
  entry.reserved_memory = reader.integer("reservedMemory");
  entry.status = reader.string("status");
  entry.agent_connected = reader.boolean("agentConnected");
  entry.agent_version = reader.string("agentVersion");
  entry.registered_at = reader.string("registeredAt");
  entry.subnet_id = reader.string("subnetId");
  entry.gpu_memory = reader.string("gpuMemory");
  entry.reserved_ports = reader.value("reservedPorts");
  entry.reserved_udp_ports = reader.value("reservedUdpPorts");
  entry.ec2_instance_id = reader.string("ec2InstanceId");
  entry.registered_resources = bind_resources(reader.member("registeredResources"));
  return entry;
}

AutoScalingGroup bind_group(const ObjectReader& reader) {
  AutoScalingGroup group;
  group.node = reader.object();
  group.instance_types = reader.strings("instanceTypes");
  group.min_size = reader.integer("minSize");
  group.max_size = reader.integer("maxSize");
  group.boot_time = reader.string("bootTime");
  group.subnets = reader.strings("subnets");
  group.capacity_rebalance = reader.boolean("capacityRebalance");
  group.instances = bind_entry(reader);
  return group;
}

ManagedScaling bind_managed_scaling(const ObjectReader& reader) {
  return {reader.object(),
          reader.string("status"),
          reader.integer("targetCapacity"),
          reader.integer("minimumScalingStepSize"),
          reader.integer("maximumScalingStepSize"),
          reader.integer("instanceWarmupPeriod")};
}

/// CreateCapacityProvider has three of the members in its autoScalingGroupProvider.
CapacityProvider bind_provider(const ObjectReader& reader) {
  const ObjectReader inner = reader.member("autoScalingGroupProvider");
  const auto holder = [&](std::string_view key) { return reader.value(key) ? reader : inner; };
  return {reader.object(),
          reader.string("name"),
          bind_group(reader.member("autoScalingGroup")),
          bind_managed_scaling(holder("managedScaling").member("managedScaling")),
          holder("managedTerminationProtection").string("managedTerminationProtection"),
          holder("managedDraining").string("managedDraining"),
          bind_managed_instances_provider(reader.member("managedInstancesProvider")),
          reader.strings("availabilityZones")};
}

OwnInstanceType bind_own_instance_type(const ObjectReader& reader) {
  OwnInstanceType type;
  type.node = reader.object();
  type.instance_type = reader.string("instanceType");
  type.registered_resources = bind_resources(reader.member("registeredResources"));
  type.gpu_memory = reader.string("gpuMemory");
  type.max_network_interfaces = reader.integer("maxNetworkInterfaces");
  type.hourly_price = reader.value("hourlyPrice");
  return type;
}

}  // namespace

CapacityProvider bind_capacity_provider(Value node, const Placeholders& placeholders) {
  return bind_provider(ObjectReader(node, placeholders));
}

Cluster bind_cluster(Value node, const Placeholders& placeholders) {
  const ObjectReader reader(node, placeholders);
  return {node, reader.string("clusterName"), reader.list("containerInstances", bind_entry),
          reader.list("defaultCapacityProviderStrategy", bind_provider_share)};
}

ScenarioFile bind_scenario(Value node, const Placeholders& placeholders) {
  const ObjectReader reader(node, placeholders);
  const ObjectReader settings = reader.member("settings");
  ScenarioFile scenario;
  scenario.node = node;
  scenario.region = reader.string("region");
  scenario.cluster = reader.value("cluster");
  scenario.task_definitions = reader.value("taskDefinitions");
  scenario.services = reader.list(
      "services", [](const ObjectReader& item) { return bind_service(item.object(), item.placeholders()); });
  const Value tasks = reader.value("tasks");
  if (tasks && tasks.is_array()) scenario.tasks = tasks;
  scenario.capacity_providers = reader.list("capacityProviders", bind_provider);
  scenario.instance_types = reader.list("instanceTypes", bind_own_instance_type);
  scenario.spot = reader.value("spot");
  scenario.events = reader.value("events");
  scenario.needs = reader.value("needs");
  scenario.throughput = reader.value("throughput");
  scenario.variants = reader.value("variants");
  scenario.subnets = reader.value("subnets");
  scenario.seed = settings.integer("seed");
  scenario.when_full = settings.string("whenFull");
  scenario.order = settings.string("order");
  scenario.policy = settings.string("policy");
  scenario.timing = settings.value("timing");
  return scenario;
}

ContainerInstanceEntry bind_container_instance(Value node, const Placeholders& placeholders) {
  return bind_entry({node, placeholders});
}

Subnet bind_subnet(Value node, const Placeholders& placeholders) {
  if (!node.is_object()) return {string_value(node, placeholders), {}};
  const ObjectReader reader(node, placeholders);
  return {reader.string("availabilityZone"), reader.integer("availableIpAddressCount")};
}

Event bind_event(Value node, std::string_view key, const Placeholders& placeholders) {
  const ObjectReader reader(node, placeholders);
  return {node, reader.string("at"), reader.string("every"), reader.string(key), reader.value(key)};
}

TaskProtection bind_task_protection(Value node, const Placeholders& placeholders) {
  const ObjectReader reader(node, placeholders);
  return {reader.string("tasks"), reader.boolean("protectionEnabled"), reader.integer("expiresInMinutes")};
}

DesiredCapacity bind_desired_capacity(Value node, const Placeholders& placeholders) {
  const ObjectReader reader(node, placeholders);
  return {reader.string("capacityProvider"), reader.integer("desiredCapacity")};
}

}  // namespace bayplan::model
