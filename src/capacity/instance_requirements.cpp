#include "capacity/instance_requirements.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <functional>
#include <optional>
#include <utility>

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
  if (!type.local_storage) return std::nullopt;
  return type.local_storage->disks > 0;
}

/// A type without instance store passes: whether it must have one, localStorage says.
bool passes_storage_type(const Texts& wanted, const InstanceType& type) {
  if (!type.local_storage || type.local_storage->disks == 0) return true;
  return is_listed(wanted, type.local_storage->kind == "hdd" ? "hdd" : "ssd");
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
  if (type.accelerator_kind == "gaudi") return "habana";
  return type.accelerator_kind == "fpga" || type.accelerator_kind == "media" ? "xilinx" : "";
}

/// In the words of acceleratorNames: "radeon-pro-v520".
std::string accelerator_name(const InstanceType& type) {
  if (type.gpu) {
    std::string name = lower(type.gpu->model);
    std::replace(name.begin(), name.end(), ' ', '-');
    return name;
  }
  constexpr std::array<std::pair<std::string_view, std::string_view>, 4> kNames{
      {{"inf", "inferentia"}, {"f1", "vu9p"}, {"dl1", "gaudi-hl-205"}, {"vt1", "u30"}}};
  for (const auto& [family, name] : kNames) {
    if (type.family().starts_with(family)) return std::string(name);
  }
  return {};
}

/// Whether a type newer than the catalog may pass where none of it does: a pattern names types that the catalog lacks,
/// or a value is stated that no type of it has.
bool may_match_newer(const InstanceRequirements& wanted, const catalog::Catalog& catalog) {
  const auto& types = catalog.types();
  const auto is_of_none = [&](std::string_view text, auto value) {
    return std::none_of(types.begin(), types.end(), [&](const InstanceType& type) { return value(type) == text; });
  };
  const auto any_is_of_none = [&](const Texts& list, auto value) {
    return std::any_of(list.begin(), list.end(), [&](const auto& one) { return one && is_of_none(*one, value); });
  };
  const auto names_newer = [&](const auto& pattern) {
    if (!pattern) return true;
    bool matches = false;
    for (const InstanceType& type : types) {
      if (!glob_matches(*pattern, type.name)) continue;
      if (catalog::managed_instances(type).may_be_offered) return true;
      matches = true;
    }
    return !matches;
  };
  const auto& patterns = wanted.allowed_instance_types;
  return std::any_of(patterns.begin(), patterns.end(), names_newer) ||
         any_is_of_none(wanted.accelerator_names, accelerator_name) ||
         any_is_of_none(wanted.accelerator_manufacturers, accelerator_manufacturer) ||
         any_is_of_none(wanted.accelerator_types, accelerator_type);
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
      {"totalLocalStorageGB", wanted.total_local_storage_gb.present(),
       [&](const InstanceType& type) {
         return !type.local_storage ||
                wanted.total_local_storage_gb.contains(static_cast<double>(type.local_storage->total_gb()));
       }},
      {"localStorageTypes", !wanted.local_storage_types.empty(),
       [&](const InstanceType& type) { return passes_storage_type(wanted.local_storage_types, type); }},
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
  matched.may_match_newer = matched.types.empty() && may_match_newer(requirements, catalog);
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
