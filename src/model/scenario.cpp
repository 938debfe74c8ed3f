#include "model/scenario.hpp"

#include "model/placeholder.hpp"

namespace bayplan::model {

using text::Value;

namespace {

/// Reads the members of one object.
class Reader {
 public:
  Reader(Value object, const Placeholders& placeholders) : object_(object), placeholders_(placeholders) {}

  StringField string(std::string_view key) const { return string_field(object_, key, placeholders_); }
  IntegerField integer(std::string_view key) const { return integer_field(object_, key, placeholders_); }
  BooleanField boolean(std::string_view key) const { return boolean_field(object_, key, placeholders_); }
  List<StringField> strings(std::string_view key) const { return string_list(object_, key, placeholders_); }
  Value value(std::string_view key) const { return object_ ? object_.find(key) : Value(); }
  Reader member(std::string_view key) const { return {value(key), placeholders_}; }

  template <class Bind>
  auto list(std::string_view key, Bind bind) const {
    List<decltype(bind(*this))> items;
    items.node = value(key);
    if (!items.node || !items.node.is_array()) return items;
    for (const Value element : items.node.children()) items.items.push_back(bind(Reader(element, placeholders_)));
    return items;
  }

  Value object() const { return object_; }
  const Placeholders& placeholders() const { return placeholders_; }

 private:
  Value object_;
  const Placeholders& placeholders_;
};

RegisteredResources bind_resources(const Reader& reader) {
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

ContainerInstanceEntry bind_container_instance(const Reader& reader) {
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

void bind_request(const Reader& reader, PlacementRequest& request) {
  request.node = reader.object();
  request.task_definition = reader.string("taskDefinition");
  request.launch_type = reader.string("launchType");
  request.placement_strategy = reader.list("placementStrategy", [](const Reader& item) {
    return PlacementStrategyItem{item.object(), item.string("type"), item.string("field")};
  });
  request.placement_constraints = reader.list("placementConstraints", [](const Reader& item) {
    return bind_placement_constraint(item.object(), item.placeholders());
  });
  request.capacity_provider_strategy = reader.list("capacityProviderStrategy", [](const Reader& item) {
    return CapacityProviderStrategyItem{item.object(), item.string("capacityProvider"), item.integer("base"),
                                        item.integer("weight")};
  });
  request.subnets = reader.member("networkConfiguration").member("awsvpcConfiguration").strings("subnets");
}

Service bind_service(const Reader& reader) {
  Service service;
  bind_request(reader, service);
  service.service_name = reader.string("serviceName");
  service.desired_count = reader.integer("desiredCount");
  service.scheduling_strategy = reader.string("schedulingStrategy");
  const Reader deployment = reader.member("deploymentConfiguration");
  service.minimum_healthy_percent = deployment.integer("minimumHealthyPercent");
  service.maximum_percent = deployment.integer("maximumPercent");
  return service;
}

TaskRun bind_task_run(const Reader& reader) {
  TaskRun run;
  bind_request(reader, run);
  run.count = reader.integer("count");
  run.group = reader.string("group");
  run.overrides = reader.value("overrides");
  run.start_at = reader.string("startAt");
  run.duration = reader.string("duration");
  run.start_delay = reader.string("startDelay");
  run.all_or_nothing = reader.boolean("allOrNothing");
  return run;
}

CapacityProvider bind_capacity_provider(const Reader& reader) {
  return {reader.object(), reader.string("name"), reader.value("autoScalingGroup"),
          reader.member("managedScaling").string("status")};
}

OwnInstanceType bind_own_instance_type(const Reader& reader) {
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
  const Reader reader(node, placeholders);
  return {node, reader.string("clusterName"), reader.list("containerInstances", bind_container_instance)};
}

Scenario bind_scenario(Value node, const Placeholders& placeholders) {
  const Reader reader(node, placeholders);
  const Reader settings = reader.member("settings");
  Scenario scenario;
  scenario.node = node;
  scenario.region = reader.string("region");
  scenario.cluster = reader.value("cluster");
  scenario.task_definitions = reader.value("taskDefinitions");
  scenario.services = reader.list("services", bind_service);
  scenario.tasks = reader.list("tasks", bind_task_run);
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
