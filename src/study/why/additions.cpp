#include "study/why/additions.hpp"

#include <algorithm>
#include <map>
#include <set>
#include <tuple>
#include <utility>

#include "study/remedy.hpp"

namespace bayplan::study {

using namespace placement;  // NOLINT: the study of placements is about nothing else
using scenario::InstancesArgument;

namespace {

constexpr std::size_t kMaxAdditions = 16;

using Attributes = std::map<std::string, std::string, std::less<>>;

/// Attributes that somebody gave to the instance.
Attributes own_attributes(const InstanceProfile& profile) {
  Attributes own;
  for (const auto& [name, value] : profile.attributes) {
    // The flag separates by commas, and a name ends at the first '='.
    const bool can_be_written = name.find_first_of(",=") == std::string::npos && value.find(',') == std::string::npos;
    if (!name.starts_with("ecs.") && name.find("ecs.capability.") == std::string::npos && can_be_written)
      own.emplace(name, value);
  }
  return own;
}

/// What the flag makes of the argument. What all instances of the type have in common is said, too: an event of a
/// scenario file takes nothing over from others.
Addition as_written(InstancesArgument argument, InstanceProfile pattern, const PlannedInstances& planned,
                    const std::string& region) {
  scenario::use_argument(argument, pattern);
  const auto& zones = argument.availability_zones;
  auto profile = in_zone(std::move(pattern), zones.empty() ? std::string() : zones.front(), planned, region);
  argument.attributes = own_attributes(profile);
  argument.capacity_provider = profile.capacity_provider_name;
  return {std::move(argument), std::move(profile), std::nullopt};
}

}  // namespace

std::optional<MicroUsd> Addition::hourly_cost() const {
  if (!profile.hourly_price) return std::nullopt;
  return *profile.hourly_price * argument.count;
}

std::vector<Addition> additions_like_cluster(const Scenario& scenario, const PlannedInstances& planned) {
  // A type that the cluster has needs no catalog; an instance of none has nothing to write.
  const catalog::Catalog nothing = catalog::Catalog();
  const bool has_zones = std::any_of(scenario.profiles.begin(), scenario.profiles.end(),
                                     [](const auto& profile) { return !profile.availability_zone.empty(); });
  std::vector<Addition> additions;
  std::set<std::string> known;
  std::map<std::string, InstanceProfile> patterns;
  std::set<std::uint32_t> profiles;
  for (const auto& instance : scenario.instances) profiles.insert(instance.profile);
  for (const std::uint32_t index : profiles) {
    const auto& profile = scenario.profiles[index];
    const auto& zone = profile.availability_zone;
    if (profile.instance_type.empty() || (has_zones && zone.empty())) continue;
    auto pattern = patterns.find(profile.instance_type);
    if (pattern == patterns.end())
      pattern = patterns.emplace(profile.instance_type, *one_more_of(planned, nothing, profile.instance_type)).first;
    const auto add = [&](InstancesArgument argument) {
      auto made = as_written(std::move(argument), pattern->second, planned, scenario.region);
      made.like = index;
      if (known.insert(text_of(made.argument)).second) additions.push_back(std::move(made));
    };
    InstancesArgument plain{profile.instance_type, 1, {}, {}, {}};
    if (!zone.empty()) plain.availability_zones.push_back(zone);
    InstancesArgument alike = plain;
    for (const auto& [name, value] : own_attributes(profile)) {
      const auto common = pattern->second.attributes.find(name);
      if (common == pattern->second.attributes.end() || common->second != value) alike.attributes.emplace(name, value);
    }
    const auto& provider = profile.capacity_provider_name;
    if (provider != pattern->second.capacity_provider_name && provider.find(',') == std::string::npos)
      alike.capacity_provider = provider;
    add(std::move(plain));
    add(std::move(alike));
  }
  const auto words = [](const Addition& one) {
    return one.argument.attributes.size() + (one.argument.capacity_provider.empty() ? 0 : 1);
  };
  std::stable_sort(additions.begin(), additions.end(), [&](const Addition& a, const Addition& b) {
    return std::tuple(price_or_last(a.profile.hourly_price), words(a)) <
           std::tuple(price_or_last(b.profile.hourly_price), words(b));
  });
  if (additions.size() > kMaxAdditions) additions.resize(kMaxAdditions);
  return additions;
}

std::optional<Addition> addition_of_type(const Scenario& scenario, const PlannedInstances& planned,
                                         const catalog::Catalog& catalog, const std::string& instance_type,
                                         const std::string& zone) {
  auto pattern = one_more_of(planned, catalog, instance_type);
  if (!pattern) return std::nullopt;
  InstancesArgument argument{instance_type, 1, {}, {}, {}};
  if (!zone.empty()) argument.availability_zones.push_back(zone);
  return as_written(std::move(argument), std::move(*pattern), planned, scenario.region);
}

AddInstances add_instances(const std::vector<Addition>& additions) {
  AddInstances added;
  for (const auto& addition : additions) {
    const auto profile = static_cast<std::uint32_t>(added.profiles.size());
    added.profiles.push_back(addition.profile);
    added.instances.insert(added.instances.end(), static_cast<std::size_t>(addition.argument.count), {{}, profile});
  }
  return added;
}

std::vector<InstancesArgument> arguments_of(const std::vector<Addition>& additions) {
  std::vector<InstancesArgument> arguments;
  for (const auto& addition : additions) arguments.push_back(addition.argument);
  return arguments;
}

std::optional<MicroUsd> hourly_cost(const std::vector<Addition>& additions) {
  MicroUsd sum = 0;
  for (const auto& addition : additions) {
    const auto cost = addition.hourly_cost();
    if (!cost) return std::nullopt;
    sum += *cost;
  }
  return sum;
}

}  // namespace bayplan::study
