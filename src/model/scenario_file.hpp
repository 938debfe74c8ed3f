#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/units.hpp"
#include "model/field.hpp"
#include "model/managed_instances.hpp"
#include "model/service.hpp"
#include "text/document.hpp"

/// Cluster and scenario files as written: nothing is looked up, defaulted or refused here. Members are spelled as in
/// the files, in snake_case; the schemas cluster.schema.json and scenario.schema.json say what each may hold.
namespace bayplan::model {

/// {CPU: 8192, MEMORY: 61000, GPU: 1}
struct RegisteredResources {
  text::Value node;
  IntegerField cpu;     ///< CPU units.
  IntegerField memory;  ///< MiB.
  IntegerField gpu;     ///< Devices.
  IntegerField neuron;  ///< NEURON_DEVICE: devices that ECS assigns.
};

struct Attribute {
  text::Value node;
  std::string_view name;
  std::string_view value;  ///< Empty when the attribute has none.
};

/// One entry of containerInstances: `count` instances that are alike.
struct ContainerInstanceEntry {
  text::Value node;
  StringField instance_type;
  IntegerField count;  ///< Absent = 1.
  StringField availability_zone;
  List<StringField> availability_zones;  ///< Dealt in turn.
  std::vector<Attribute> attributes;     ///< Listed in file order.
  StringField capacity_provider_name;
  BooleanField awsvpc_trunking;
  BooleanField gpu_sharing;
  StringField instance_lifecycle;       ///< "spot"; absent = On-Demand.
  BooleanField spot_instance_draining;  ///< ECS_ENABLE_SPOT_INSTANCE_DRAINING; absent = false.
  IntegerField reserved_memory;         ///< MiB, ECS_RESERVED_MEMORY.
  StringField status;                   ///< Absent = ACTIVE.
  BooleanField agent_connected;         ///< Absent = true.
  StringField agent_version;
  StringField registered_at;
  StringField subnet_id;
  StringField gpu_memory;  ///< Size; usable, per GPU.
  text::Value reserved_ports;
  text::Value reserved_udp_ports;
  StringField ec2_instance_id;
  RegisteredResources registered_resources;
};

struct Cluster {
  text::Value node;
  StringField cluster_name;
  List<ContainerInstanceEntry> container_instances;
  List<CapacityProviderStrategyItem> default_strategy;  ///< defaultCapacityProviderStrategy
};

/// A subnet whose zone alone is written as text, or its zone and its free addresses as an object.
struct Subnet {
  StringField availability_zone;
  IntegerField available_ip_address_count;
};

struct AutoScalingGroup {
  text::Value node;
  List<StringField> instance_types;
  IntegerField min_size;
  IntegerField max_size;
  StringField boot_time;  ///< Duration.
  List<StringField> subnets;
  BooleanField capacity_rebalance;   ///< CapacityRebalance; absent = false.
  ContainerInstanceEntry instances;  ///< What all of them have in common; it names no type.
};

struct ManagedScaling {
  text::Value node;
  StringField status;
  IntegerField target_capacity;
  IntegerField minimum_scaling_step_size;
  IntegerField maximum_scaling_step_size;
  IntegerField instance_warmup_period;  ///< Seconds.
};

/// One entry of capacityProviders.
struct CapacityProvider {
  text::Value node;
  StringField name;
  AutoScalingGroup auto_scaling_group;
  ManagedScaling managed_scaling;
  StringField managed_termination_protection;
  StringField managed_draining;
  ManagedInstancesProvider managed_instances;
  List<StringField> availability_zones;  ///< Of the subnets of `managed_instances`.
};

/// One entry of `events`. The key of its other member is the kind of event.
struct Event {
  text::Value node;
  StringField at;      ///< Duration.
  StringField every;   ///< Time between two repetitions.
  StringField named;   ///< The other member, where it is a text: what the event names.
  text::Value member;  ///< The other member: of addInstances for `bind_container_instance`, of updateService for
                       ///< `bind_service_update`, of setDesiredCapacity for `bind_desired_capacity`, of
                       ///< updateTaskProtection for `bind_task_protection`.
};

struct TaskProtection {
  StringField tasks;
  BooleanField enabled;
  IntegerField expires_in_minutes;
};

struct DesiredCapacity {
  StringField capacity_provider;
  IntegerField desired_capacity;
};

/// One entry of instanceTypes: the user's own.
struct OwnInstanceType {
  text::Value node;
  StringField instance_type;
  RegisteredResources registered_resources;
  StringField gpu_memory;  ///< Size; usable, per GPU.
  IntegerField max_network_interfaces;
  text::Value hourly_price;  ///< USD.
};

struct ScenarioFile {
  text::Value node;
  StringField region;
  text::Value cluster;           ///< An object, or the path of a cluster file.
  text::Value task_definitions;  ///< Paths, globs and inline definitions.
  List<Service> services;        ///< Keys of CreateService.
  text::Value tasks;             ///< RunTask requests, a list for `bind_task_run`: there may be a million of them.
  List<CapacityProvider> capacity_providers;
  List<OwnInstanceType> instance_types;
  text::Value spot;    ///< Rates of interruption.
  text::Value events;  ///< A list for `bind_event`.
  text::Value needs;
  text::Value throughput;
  text::Value variants;
  text::Value subnets;  ///< ID -> `bind_subnet`.
  IntegerField seed;    ///< settings
  StringField when_full;
  StringField order;
  StringField policy;
  text::Value timing;
};

CapacityProvider bind_capacity_provider(text::Value node, const Placeholders& placeholders);
Cluster bind_cluster(text::Value node, const Placeholders& placeholders);
ScenarioFile bind_scenario(text::Value node, const Placeholders& placeholders);
ContainerInstanceEntry bind_container_instance(text::Value node, const Placeholders& placeholders);
/// `key`: of the member that says what happens.
Subnet bind_subnet(text::Value node, const Placeholders& placeholders);
Event bind_event(text::Value node, std::string_view key, const Placeholders& placeholders);
TaskProtection bind_task_protection(text::Value node, const Placeholders& placeholders);
DesiredCapacity bind_desired_capacity(text::Value node, const Placeholders& placeholders);

/// Seconds of "30m", "1h30m", "0s"; nothing for other texts.
std::optional<std::int64_t> parse_duration(std::string_view text);

}  // namespace bayplan::model
