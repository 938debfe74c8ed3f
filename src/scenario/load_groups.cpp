// capacityProviders with an Auto Scaling group -> Timetable::groups.
#include <algorithm>
#include <optional>
#include <utility>

#include <fmt/core.h>

#include "base/strings.hpp"
#include "scenario/load_timetable.hpp"
#include "scenario/unique_names.hpp"

namespace bayplan::scenario {

using namespace placement;  // NOLINT: what is loaded becomes the input of placement

using text::Value;

namespace {

constexpr Seconds kLongestBoot = Seconds{168} * 3'600;
constexpr std::int64_t kDefaultWarmup = 300;  // API_ManagedScaling, instanceWarmupPeriod

bool is_enabled(const model::StringField& field, bool when_absent) {
  return field.known() ? *field == "ENABLED" : when_absent;
}

std::vector<LaunchZone>::iterator find_zone(std::vector<LaunchZone>& zones, std::string_view name) {
  return std::find_if(zones.begin(), zones.end(), [&](const LaunchZone& zone) { return zone.name == name; });
}

std::int64_t count_instances(const Scenario& scenario, const std::string& capacity_provider) {
  return std::count_if(scenario.instances.begin(), scenario.instances.end(), [&](const auto& instance) {
    return scenario.profiles[instance.profile].capacity_provider_name == capacity_provider;
  });
}

/// What the file says of the group; nothing of what it launches yet.
InstanceGroup read_group(Loading& loading, const model::CapacityProvider& provider) {
  const auto& written = provider.auto_scaling_group;
  const auto& scaling = provider.managed_scaling;
  InstanceGroup group;
  group.capacity_provider = provider.name.value.value_or("");
  group.origin = find_origin(loading.sources, provider.node);
  group.is_managed = is_enabled(scaling.status, false);
  group.target_capacity = scaling.target_capacity.value.value_or(group.target_capacity);
  group.minimum_scaling_step_size = scaling.minimum_scaling_step_size.value.value_or(group.minimum_scaling_step_size);
  group.maximum_scaling_step_size = scaling.maximum_scaling_step_size.value.value_or(group.maximum_scaling_step_size);
  group.instance_warmup_period = scaling.instance_warmup_period.value.value_or(kDefaultWarmup);
  group.has_termination_protection = is_enabled(provider.managed_termination_protection, false);
  group.has_managed_draining = is_enabled(provider.managed_draining, true);
  group.rebalances_capacity = written.capacity_rebalance.value.value_or(false);
  group.boot_time = read_duration(loading, written.boot_time, {.most = kLongestBoot})
                        .value_or(loading.scenario.timetable.timing.boot_time);
  group.min_size = written.min_size.value.value_or(0);
  group.max_size = written.max_size.value.value_or(
      std::max(group.min_size, count_instances(loading.scenario, group.capacity_provider)));
  return group;
}

void check_sizes(Loading& loading, const model::AutoScalingGroup& written, const InstanceGroup& group) {
  const std::int64_t there = count_instances(loading.scenario, group.capacity_provider);
  if (auto beyond = loading.instances.add(group.min_size - there)) {
    loading.sources.fail_with(written.min_size.node, *beyond);
  }
  if (group.is_managed && !written.max_size.present()) {
    loading.sources.fail(written.node, fmt::format("maxSize of the group of '{}' is missing", group.capacity_provider),
                         "how many instances it may have, for example 10");
  } else if (group.min_size > group.max_size) {
    loading.sources.fail(written.min_size.node,
                         fmt::format("minSize is {}, more than maxSize, which is {}", group.min_size, group.max_size),
                         "an Auto Scaling group keeps between the two");
  } else if (there > group.max_size) {
    loading.sources.fail(written.max_size.node,
                         fmt::format("{} of '{}' {} there, and maxSize is {}", count_of(there, "instance"),
                                     group.capacity_provider, there == 1 ? "is" : "are", group.max_size),
                         fmt::format("an Auto Scaling group never exceeds maxSize: set {} or more", there));
  }
}

void check_steps(Loading& loading, const model::CapacityProvider& provider, const InstanceGroup& group) {
  const auto& scaling = provider.managed_scaling;
  if (group.minimum_scaling_step_size <= group.maximum_scaling_step_size) return;
  const auto& at = scaling.minimum_scaling_step_size.present() ? scaling.minimum_scaling_step_size
                                                               : scaling.maximum_scaling_step_size;
  loading.sources.fail(at.node,
                       fmt::format("minimumScalingStepSize is {}, more than maximumScalingStepSize, which is {}",
                                   group.minimum_scaling_step_size, group.maximum_scaling_step_size),
                       "each step adds a number of instances between the two");
}

/// The zones of the provider's instances.
std::vector<LaunchZone> zones_of_instances(const Scenario& scenario, const std::string& capacity_provider) {
  std::vector<LaunchZone> zones;
  for (const auto& instance : scenario.instances) {
    const auto& profile = scenario.profiles[instance.profile];
    if (profile.capacity_provider_name != capacity_provider || profile.availability_zone.empty()) continue;
    if (find_zone(zones, profile.availability_zone) == zones.end()) zones.push_back({profile.availability_zone, {}});
  }
  return zones;
}

/// What the group launches of a type: a profile for each zone; nothing for a type that is not known, which is reported.
std::optional<InstanceGroup::Type> load_type(Loading& loading, const model::AutoScalingGroup& written,
                                             const model::StringField& type, const std::string& capacity_provider,
                                             const std::vector<LaunchZone>& zones) {
  auto entry = written.instances;
  entry.instance_type = type;
  auto pattern = pattern_of(loading, entry);
  if (!pattern) return std::nullopt;
  pattern->capacity_provider_name = capacity_provider;
  InstanceGroup::Type launched;
  for (const auto& zone : zones) {
    pattern->subnet_id = zone.subnet;
    launched.profiles.push_back(add_profile(loading, *pattern, zone.name));
  }
  return launched;
}

/// Whether an event sets the desired capacity of the provider's group. Events are loaded after groups, which they name.
bool is_resized(const model::ScenarioFile& file, const model::StringField& provider) {
  if (!file.events || !provider.known()) return false;
  const auto events = file.events.children();
  return std::any_of(events.begin(), events.end(), [&](Value event) {
    const Value asked = event.find("setDesiredCapacity");
    const Value named = asked ? asked.find("capacityProvider") : Value();
    return named && named.text() == *provider;
  });
}

/// The group of a provider; nothing if it launches nothing, or if something is wrong with it, which is reported.
std::optional<InstanceGroup> load_group(Loading& loading, const model::ScenarioFile& file,
                                        const model::CapacityProvider& provider, bool boot_time_is_set) {
  const auto& written = provider.auto_scaling_group;
  const std::size_t errors = loading.sources.error_count();
  InstanceGroup group = read_group(loading, provider);
  check_sizes(loading, written, group);
  check_steps(loading, provider, group);
  // A group that keeps nothing and does not scale takes no time.
  const bool launches = group.is_managed || group.min_size > 0 || is_resized(file, provider.name);

  // The zones stated, else those of the subnets, else of the instances that are there; one without a name when no file
  // says.
  auto zones = stated_zones(loading, group.capacity_provider, written.instances.availability_zones, written.subnets);
  if (zones.empty()) {
    zones = zones_of_instances(loading.scenario, group.capacity_provider);
    if (!zones.empty() && launches) {
      assume(loading.scenario, "group-zones-assumed", group.capacity_provider,
             fmt::format("the group of {} states no zones: it launches in those of its instances",
                         group.capacity_provider));
    }
  }
  if (zones.empty()) zones.emplace_back();

  if (written.instance_types.empty() && launches) {
    loading.sources.fail(written.node,
                         fmt::format("instanceTypes of the group of '{}' are missing", group.capacity_provider),
                         "what it launches, for example instanceTypes: [p3.2xlarge]");
  }
  for (const auto& type : written.instance_types) {
    if (!type) continue;
    if (auto launched = load_type(loading, written, type, group.capacity_provider, zones))
      group.types.push_back(std::move(*launched));
  }
  if (loading.sources.error_count() > errors || group.types.empty()) return std::nullopt;

  for (const auto& zone : zones) group.availability_zones.push_back(zone.name);
  if (!boot_time_is_set && !written.boot_time.present() && launches) {
    assume(loading.scenario, "boot-time-assumed", group.capacity_provider,
           fmt::format("instances of {} are ACTIVE {} seconds after their launch", group.capacity_provider,
                       group.boot_time));
  }
  return group;
}

}  // namespace

std::vector<LaunchZone> stated_zones(Loading& loading, const std::string& capacity_provider,
                                     const model::List<model::StringField>& availability_zones,
                                     const model::List<model::StringField>& subnets) {
  std::vector<LaunchZone> zones;
  for (const auto& written : availability_zones) {
    const std::string_view name = written.value.value_or("");
    if (find_zone(zones, name) == zones.end()) zones.push_back({std::string(name), {}});
  }
  const bool are_stated = !zones.empty();
  for (const auto& subnet : subnets) {
    const std::string name(subnet.value.value_or(subnet.node.text()));
    const auto known = loading.scenario.subnets.find(name);
    if (known == loading.scenario.subnets.end()) {
      assume(loading.scenario, "subnet-zone-unknown", name,
             fmt::format("the zone of {} is not stated; {} is not tied to it", name, capacity_provider));
      continue;
    }
    const std::string& its_zone = known->second.availability_zone;
    const auto zone = find_zone(zones, its_zone);
    if (zone == zones.end() && are_stated) {
      loading.sources.fail(subnet.node,
                           fmt::format("{} is in {}, which availabilityZones does not name", name, its_zone), {});
    } else if (zone == zones.end()) {
      zones.push_back({its_zone, name});
    } else if (zone->subnet.empty()) {
      zone->subnet = name;
    }
  }
  return zones;
}

void add_groups(Loading& loading, const model::ScenarioFile& written) {
  loading.profiles_of_cluster = loading.scenario.profiles.size();
  UniqueNames names(loading.sources, "capacity provider");
  for (const auto& provider : written.capacity_providers) names.add(provider.name);
  const bool boot_time_is_set = written.timing && written.timing.find("bootTime");
  for (const auto& provider : written.capacity_providers) {
    if (provider.auto_scaling_group.node) {
      if (auto group = load_group(loading, written, provider, boot_time_is_set))
        loading.scenario.timetable.groups.push_back(std::move(*group));
    }
    if (provider.managed_instances.present()) add_managed_instances(loading, provider, boot_time_is_set);
  }
}

namespace {

/// Whether the scenario states something that takes time, or has groups of its own.
bool runs_over_time(const Loading& loading, const ScenarioRequest& request, const model::ScenarioFile& written) {
  constexpr std::string_view kTimes[] = {"startAt", "startDelay", "duration"};
  const auto takes_time = [&](Value list) {
    return list && std::any_of(list.children().begin(), list.children().end(), [&](Value one) {
             return std::any_of(std::begin(kTimes), std::end(kTimes), [&](auto key) { return one.find(key); });
           });
  };
  const bool has_events = written.events && written.events.size() > 0;
  const bool has_requests = loading.requests.first_start_at() || loading.requests.first_duration();
  const bool has_services = std::any_of(written.services.begin(), written.services.end(),
                                        [](const auto& service) { return service.start_delay || service.duration; });
  return request.until || has_events || has_requests || has_services || written.when_full.value == "wait" ||
         !loading.scenario.timetable.groups.empty() || takes_time(written.tasks);
}

}  // namespace

void add_described_groups(Loading& loading, const ScenarioRequest& request, const model::ScenarioFile& written) {
  const auto& groups = loading.scenario.timetable.groups;
  const bool has_instances = !loading.scenario.instances.empty();
  if (request.keeps_groups || (has_instances && !runs_over_time(loading, request, written))) return;
  const bool boot_time_is_set = written.timing && written.timing.find("bootTime");
  for (const auto& described : loading.managed_instances_providers) {
    const std::string& name = described.first;
    const bool is_written =
        std::any_of(groups.begin(), groups.end(), [&](const auto& group) { return group.capacity_provider == name; });
    const auto provider = model::bind_capacity_provider(described.second, loading.placeholders);
    // What ECS has accepted is no error here, whatever the catalog lacks.
    if (!is_written && has_types_to_launch(loading, provider))
      add_managed_instances(loading, provider, boot_time_is_set);
  }
}

}  // namespace bayplan::scenario
