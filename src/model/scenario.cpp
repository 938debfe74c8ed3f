#include "model/scenario.hpp"

#include "model/object_reader.hpp"

namespace bayplan::model {

using text::Value;

namespace {

RegisteredResources bind_resources(const ObjectReader& reader) {
  return {reader.object(), reader.integer("CPU"), reader.integer("MEMORY"), reader.integer("GPU")};
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

ContainerInstanceEntry bind_container_instance(const ObjectReader& reader) {
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

CapacityProvider bind_capacity_provider(const ObjectReader& reader) {
  return {reader.object(), reader.string("name"), reader.value("autoScalingGroup"),
          reader.member("managedScaling").string("status")};
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

Cluster bind_cluster(Value node, const Placeholders& placeholders) {
  const ObjectReader reader(node, placeholders);
  return {node, reader.string("clusterName"), reader.list("containerInstances", bind_container_instance)};
}

Scenario bind_scenario(Value node, const Placeholders& placeholders) {
  const ObjectReader reader(node, placeholders);
  const ObjectReader settings = reader.member("settings");
  Scenario scenario;
  scenario.node = node;
  scenario.region = reader.string("region");
  scenario.cluster = reader.value("cluster");
  scenario.task_definitions = reader.value("taskDefinitions");
  scenario.services = reader.list(
      "services", [](const ObjectReader& item) { return bind_service(item.object(), item.placeholders()); });
  const Value tasks = reader.value("tasks");
  if (tasks && tasks.is_array()) scenario.tasks = tasks;
  scenario.capacity_providers = reader.list("capacityProviders", bind_capacity_provider);
  scenario.instance_types = reader.list("instanceTypes", bind_own_instance_type);
  scenario.events = reader.value("events");
  scenario.needs = reader.value("needs");
  scenario.throughput = reader.value("throughput");
  scenario.variants = reader.value("variants");
  scenario.subnets = reader.value("subnets");
  scenario.seed = settings.integer("seed");
  scenario.when_full = settings.string("whenFull");
  scenario.order = settings.string("order");
  return scenario;
}

}  // namespace bayplan::model
