#pragma once
#include <optional>
#include <string_view>

#include "model/field.hpp"
#include "text/document.hpp"

/// A capacity provider of ECS Managed Instances as written, in the keys of CreateCapacityProvider (botocore 0e6e2404b,
/// 2026-08-07). Nothing is looked up or refused here.
namespace bayplan::model {

/// {min: 2, max: 8}, in the unit that the key names; an end that is absent or no number does not limit.
struct NumberRange {
  text::Value node;
  std::string_view key;  ///< "vCpuCount"
  std::optional<double> min;
  std::optional<double> max;

  bool present() const { return static_cast<bool>(node) && !node.is_null(); }
  bool contains(double value) const { return (!min || *min <= value) && (!max || value <= *max); }
};

/// What the instance types of the provider must be like. A member that is absent requires nothing, unless its comment
/// states the default.
struct InstanceRequirements {
  text::Value node;
  NumberRange vcpu_count;
  NumberRange memory_mib;
  NumberRange memory_gib_per_vcpu;
  NumberRange network_interface_count;
  NumberRange network_bandwidth_gbps;
  NumberRange baseline_ebs_bandwidth_mbps;
  NumberRange total_local_storage_gb;
  NumberRange accelerator_count;
  NumberRange accelerator_total_memory_mib;
  List<StringField> allowed_instance_types;   ///< Names and patterns: "c6i.*".
  List<StringField> excluded_instance_types;  ///< The same.
  List<StringField> cpu_manufacturers;        ///< intel, amd, amazon-web-services.
  List<StringField> instance_generations;     ///< current, previous.
  List<StringField> local_storage_types;      ///< hdd, ssd.
  List<StringField> accelerator_types;        ///< gpu, fpga, inference.
  List<StringField> accelerator_manufacturers;
  List<StringField> accelerator_names;
  StringField bare_metal;             ///< included, required or excluded; excluded when absent.
  StringField burstable_performance;  ///< The same.
  StringField local_storage;          ///< The same; included when absent.
  BooleanField require_hibernate_support;
  IntegerField on_demand_max_price_percentage;  ///< onDemandMaxPricePercentageOverLowestPrice
  IntegerField spot_max_price_percentage;       ///< spotMaxPricePercentageOverLowestPrice
};

struct ManagedInstancesProvider {
  text::Value node;
  StringField capacity_option_type;  ///< ON_DEMAND when absent, SPOT, RESERVED.
  IntegerField storage_size_gib;     ///< Of the data volume.
  IntegerField scale_in_after;       ///< Seconds; -1 = idle instances stay; absent = ECS decides.
  List<StringField> subnets;
  InstanceRequirements requirements;

  bool present() const { return static_cast<bool>(node) && !node.is_null(); }
};

class ObjectReader;
/// Binds the value of `managedInstancesProvider`.
ManagedInstancesProvider bind_managed_instances_provider(const ObjectReader& reader);

}  // namespace bayplan::model
