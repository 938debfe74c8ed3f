#include "capacity/instance_requirements.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <functional>
#include <optional>

#include "base/pattern.hpp"
#include "base/strings.hpp"
#include "catalog/managed_instances.hpp"

namespace bayplan::capacity {

using catalog::InstanceType;
using model::InstanceRequirements;
using model::NumberRange;

namespace {

constexpr double kMiBPerGiB = 1024;

using Texts = model::List<model::StringField>;

bool is_listed(const Texts& list, std::string_view text) {
  return std::any_of(list.begin(), list.end(), [&](const auto& one) { return one.value == text; });
}

bool is_named(const Texts& patterns, std::string_view name) {
  return std::any_of(patterns.begin(), patterns.end(),
                     [&](const auto& one) { return one && glob_matches(*one, name); });
}

/// "gd" of "m6gd": what a family's name says behind its generation.
std::string_view attributes_in_name(std::string_view family) {
  const auto digit = std::find_if(family.begin(), family.end(), [](char c) { return c >= '0' && c <= '9'; });
  const auto rest = std::find_if(digit, family.end(), [](char c) { return c < '0' || c > '9'; });
  return family.substr(static_cast<std::size_t>(rest - family.begin()));
}

/// Nothing for types with accelerators, whose names do not say it.
std::optional<std::string_view> cpu_manufacturer(const InstanceType& type) {
  const bool is_arm =
      std::find(type.architectures.begin(), type.architectures.end(), "arm64") != type.architectures.end();
  if (is_arm) return "amazon-web-services";
  if (!type.accelerator_kind.empty()) return std::nullopt;
  return attributes_in_name(type.family()).starts_with('a') ? "amd" : "intel";
}

std::optional<bool> has_local_storage(const InstanceType& type) {
  if (!type.accelerator_kind.empty()) return std::nullopt;
  const auto family = type.family();
  const bool is_storage_family = family.starts_with('i') || family.starts_with('d') || family.starts_with("h1") ||
                                 family.starts_with("x1") || family.starts_with("z1d");
  return is_storage_family || attributes_in_name(family).find('d') != std::string_view::npos;
}

/// "included" passes all, "required" those that have it, "excluded" those that do not. Unknown passes.
bool passes(const model::StringField& choice, std::string_view when_absent, std::optional<bool> has) {
  const std::string_view wanted = choice.value.value_or(when_absent);
  if (!has || wanted == "included") return true;
  return (wanted == "required") == *has;
}

std::string lower(std::string_view text) {
  std::string result(text);
  std::transform(result.begin(), result.end(), result.begin(), [](unsigned char c) { return std::tolower(c); });
  return result;
}

/// In the words of acceleratorTypes.
std::string_view accelerator_type(const InstanceType& type) {
  return type.accelerator_kind == "neuron" ? std::string_view("inference") : std::string_view(type.accelerator_kind);
}

std::string accelerator_manufacturer(const InstanceType& type) {
  if (type.gpu) return lower(type.gpu->manufacturer);
  if (type.accelerator_kind == "neuron") return "amazon-web-services";
  return type.accelerator_kind == "fpga" ? "xilinx" : "";
}

std::string accelerator_name(const InstanceType& type) {
  if (type.gpu) return lower(type.gpu->model);
  return type.family().starts_with("inf") ? "inferentia" : "";
}

bool passes_generation(const Texts& wanted, const InstanceType& type) {
  return wanted.empty() || type.generation == catalog::Generation::kUnknown ||
         is_listed(wanted, catalog::name_of(type.generation));
}

/// One requirement: what states it, and who passes.
struct Check {
  std::string_view key;
  bool is_stated = false;
  std::function<bool(const InstanceType&)> passes;
};

std::vector<Check> list_size_checks(const InstanceRequirements& wanted) {
  const auto range = [](const NumberRange& limits, auto figure) {
    return Check{limits.key, limits.present(),
                 [&limits, figure](const InstanceType& type) { return limits.contains(figure(type)); }};
  };
  return {
      range(wanted.vcpu_count, [](const InstanceType& type) { return static_cast<double>(type.vcpus); }),
      range(wanted.memory_mib, [](const InstanceType& type) { return static_cast<double>(type.memory); }),
      range(wanted.memory_gib_per_vcpu,
            [](const InstanceType& type) {
              return static_cast<double>(type.memory) / kMiBPerGiB /
                     static_cast<double>(std::max<std::int64_t>(1, type.vcpus));
            }),
      range(wanted.network_interface_count,
            [](const InstanceType& type) { return static_cast<double>(type.max_enis); }),
  };
}

std::vector<Check> list_kind_checks(const InstanceRequirements& wanted) {
  return {
      {"bareMetal", true,
       [&](const InstanceType& type) { return passes(wanted.bare_metal, "excluded", type.hypervisor == "metal"); }},
      {"burstablePerformance", true,
       [&](const InstanceType& type) {
         return passes(wanted.burstable_performance, "excluded", catalog::is_burstable(type));
       }},
      {"localStorage", wanted.local_storage.present(),
       [&](const InstanceType& type) { return passes(wanted.local_storage, "included", has_local_storage(type)); }},
      {"instanceGenerations", !wanted.instance_generations.empty(),
       [&](const InstanceType& type) { return passes_generation(wanted.instance_generations, type); }},
      {"cpuManufacturers", !wanted.cpu_manufacturers.empty(),
       [&](const InstanceType& type) {
         const auto manufacturer = cpu_manufacturer(type);
         return !manufacturer || is_listed(wanted.cpu_manufacturers, *manufacturer);
       }},
      {"networkBandwidthGbps", wanted.network_bandwidth_gbps.present(),
       [&](const InstanceType& type) {
         return !type.network_gbps || wanted.network_bandwidth_gbps.contains(*type.network_gbps);
       }},
  };
}

std::vector<Check> list_accelerator_checks(const InstanceRequirements& wanted) {
  return {
      {"acceleratorCount", wanted.accelerator_count.present(),
       [&](const InstanceType& type) {
         if (type.neuron.devices > 0)
           return wanted.accelerator_count.contains(static_cast<double>(type.neuron.devices));
         if (!type.gpu && !type.accelerator_kind.empty()) return true;  // how many it has is not in the catalog
         return wanted.accelerator_count.contains(type.gpu ? static_cast<double>(type.gpu->count) : 0);
       }},
      {"acceleratorTypes", !wanted.accelerator_types.empty(),
       [&](const InstanceType& type) { return is_listed(wanted.accelerator_types, accelerator_type(type)); }},
      {"acceleratorManufacturers", !wanted.accelerator_manufacturers.empty(),
       [&](const InstanceType& type) {
         return is_listed(wanted.accelerator_manufacturers, accelerator_manufacturer(type));
       }},
      {"acceleratorNames", !wanted.accelerator_names.empty(),
       [&](const InstanceType& type) { return is_listed(wanted.accelerator_names, accelerator_name(type)); }},
      {"acceleratorTotalMemoryMiB", wanted.accelerator_total_memory_mib.present(),
       [&](const InstanceType& type) {
         if (type.gpu && type.gpu->memory == 0) return true;
         const auto memory = type.gpu ? type.gpu->memory * type.gpu->count : 0;
         return wanted.accelerator_total_memory_mib.contains(static_cast<double>(memory));
       }},
  };
}

std::vector<Check> list_checks(const InstanceRequirements& wanted) {
  std::vector<Check> checks{
      {"allowedInstanceTypes", !wanted.allowed_instance_types.empty(),
       [&](const InstanceType& type) { return is_named(wanted.allowed_instance_types, type.name); }},
      {"excludedInstanceTypes", !wanted.excluded_instance_types.empty(),
       [&](const InstanceType& type) { return !is_named(wanted.excluded_instance_types, type.name); }}};
  for (auto list : {list_size_checks(wanted), list_kind_checks(wanted), list_accelerator_checks(wanted)})
    checks.insert(checks.end(), list.begin(), list.end());
  return checks;
}

std::vector<std::string_view> list_not_judged(const InstanceRequirements& wanted) {
  std::vector<std::string_view> keys;
  const auto note = [&](bool is_stated, std::string_view key) {
    if (is_stated) keys.push_back(key);
  };
  note(wanted.baseline_ebs_bandwidth_mbps.present(), "baselineEbsBandwidthMbps");
  note(wanted.total_local_storage_gb.present(), "totalLocalStorageGB");
  note(!wanted.local_storage_types.empty(), "localStorageTypes");
  note(wanted.require_hibernate_support.value.value_or(false), "requireHibernateSupport");
  note(wanted.on_demand_max_price_percentage.present(), "onDemandMaxPricePercentageOverLowestPrice");
  note(wanted.spot_max_price_percentage.present(), "spotMaxPricePercentageOverLowestPrice");
  return keys;
}

}  // namespace

const RequirementStep* MatchedTypes::first_empty() const {
  const auto found = std::find_if(steps.begin(), steps.end(), [](const RequirementStep& one) { return one.left == 0; });
  return found == steps.end() ? nullptr : &*found;
}

MatchedTypes match_instance_types(const InstanceRequirements& requirements, const catalog::Catalog& catalog) {
  MatchedTypes matched;
  matched.not_judged = list_not_judged(requirements);
  for (const InstanceType& type : catalog.types()) {
    if (catalog::managed_instances(type).is_available() && !type.is_retired()) matched.types.push_back(&type);
  }
  for (const auto& check : list_checks(requirements)) {
    if (!check.is_stated) continue;
    std::erase_if(matched.types, [&](const InstanceType* type) { return !check.passes(*type); });
    matched.steps.push_back({check.key, matched.types.size()});
  }
  return matched;
}

std::vector<const NumberRange*> find_empty_ranges(const InstanceRequirements& wanted) {
  std::vector<const NumberRange*> empty;
  for (const auto* range :
       {&wanted.vcpu_count, &wanted.memory_mib, &wanted.memory_gib_per_vcpu, &wanted.network_interface_count,
        &wanted.network_bandwidth_gbps, &wanted.baseline_ebs_bandwidth_mbps, &wanted.total_local_storage_gb,
        &wanted.accelerator_count, &wanted.accelerator_total_memory_mib}) {
    if (range->min && range->max && *range->min > *range->max) empty.push_back(range);
  }
  return empty;
}

}  // namespace bayplan::capacity
