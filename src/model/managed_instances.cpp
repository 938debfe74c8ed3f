#include "model/managed_instances.hpp"

#include "base/strings.hpp"
#include "model/object_reader.hpp"

namespace bayplan::model {
namespace {

NumberRange bind_range(const ObjectReader& reader, std::string_view key) {
  const ObjectReader range = reader.member(key);
  const auto number = [&](std::string_view end) -> std::optional<double> {
    const text::Value value = range.value(end);
    return value && !value.is_object() && !value.is_array() ? to_number(value.text()) : std::nullopt;
  };
  return {range.object(), key, number("min"), number("max")};
}

InstanceRequirements bind_requirements(const ObjectReader& reader) {
  InstanceRequirements all;
  all.node = reader.object();
  all.vcpu_count = bind_range(reader, "vCpuCount");
  all.memory_mib = bind_range(reader, "memoryMiB");
  all.memory_gib_per_vcpu = bind_range(reader, "memoryGiBPerVCpu");
  all.network_interface_count = bind_range(reader, "networkInterfaceCount");
  all.network_bandwidth_gbps = bind_range(reader, "networkBandwidthGbps");
  all.baseline_ebs_bandwidth_mbps = bind_range(reader, "baselineEbsBandwidthMbps");
  all.total_local_storage_gb = bind_range(reader, "totalLocalStorageGB");
  all.accelerator_count = bind_range(reader, "acceleratorCount");
  all.accelerator_total_memory_mib = bind_range(reader, "acceleratorTotalMemoryMiB");
  all.allowed_instance_types = reader.strings("allowedInstanceTypes");
  all.excluded_instance_types = reader.strings("excludedInstanceTypes");
  all.cpu_manufacturers = reader.strings("cpuManufacturers");
  all.instance_generations = reader.strings("instanceGenerations");
  all.local_storage_types = reader.strings("localStorageTypes");
  all.accelerator_types = reader.strings("acceleratorTypes");
  all.accelerator_manufacturers = reader.strings("acceleratorManufacturers");
  all.accelerator_names = reader.strings("acceleratorNames");
  all.bare_metal = reader.string("bareMetal");
  all.burstable_performance = reader.string("burstablePerformance");
  all.local_storage = reader.string("localStorage");
  all.require_hibernate_support = reader.boolean("requireHibernateSupport");
  all.on_demand_max_price_percentage = reader.integer("onDemandMaxPricePercentageOverLowestPrice");
  all.spot_max_price_percentage = reader.integer("spotMaxPricePercentageOverLowestPrice");
  return all;
}

}  // namespace

ManagedInstancesProvider bind_managed_instances_provider(const ObjectReader& reader) {
  const ObjectReader launch = reader.member("instanceLaunchTemplate");
  return {reader.object(),
          launch.string("capacityOptionType"),
          launch.member("storageConfiguration").integer("storageSizeGiB"),
          reader.member("infrastructureOptimization").integer("scaleInAfter"),
          launch.member("networkConfiguration").strings("subnets"),
          bind_requirements(launch.member("instanceRequirements"))};
}

}  // namespace bayplan::model
