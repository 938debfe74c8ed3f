// capacityProviders with an Auto Scaling group -> Timetable::groups.
#include <algorithm>

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

/// One provider on the way to its group.
class GroupLoader {
 public:
  GroupLoader(Loading& loading, const model::CapacityProvider& provider, bool boot_time_is_set)
      : loading_(loading),
        provider_(provider),
        written_(provider.auto_scaling_group),
        boot_time_is_set_(boot_time_is_set || written_.boot_time.present()) {}

  void run() {
    const std::size_t errors = loading_.sources.error_count();
    read();
    check_sizes();
    check_steps();
    const auto zones = list_zones();
    if (written_.instance_types.empty()) return check_launches_nothing();
    for (const auto& type : written_.instance_types) add_type(type, zones);
    if (loading_.sources.error_count() > errors || group_.types.empty()) return;  // none known: reported
    for (const auto& zone : zones) group_.availability_zones.push_back(zone.name);
    note_boot_time();
    loading_.scenario.timetable.groups.push_back(std::move(group_));
  }

 private:
  void read() {
    const auto& scaling = provider_.managed_scaling;
    group_.capacity_provider = provider_.name.value.value_or("");
    group_.origin = find_origin(loading_.sources, provider_.node);
    group_.is_managed = is_enabled(scaling.status, false);
    group_.target_capacity = scaling.target_capacity.value.value_or(group_.target_capacity);
    group_.minimum_scaling_step_size =
        scaling.minimum_scaling_step_size.value.value_or(group_.minimum_scaling_step_size);
    group_.maximum_scaling_step_size =
        scaling.maximum_scaling_step_size.value.value_or(group_.maximum_scaling_step_size);
    group_.instance_warmup_period = scaling.instance_warmup_period.value.value_or(kDefaultWarmup);
    group_.has_termination_protection = is_enabled(provider_.managed_termination_protection, false);
    group_.has_managed_draining = is_enabled(provider_.managed_draining, true);
    group_.rebalances_capacity = written_.capacity_rebalance.value.value_or(false);
    group_.boot_time = read_duration(loading_, written_.boot_time, {.most = kLongestBoot})
                           .value_or(loading_.scenario.timetable.timing.boot_time);
    group_.min_size = written_.min_size.value.value_or(0);
    group_.max_size = written_.max_size.value.value_or(std::max(group_.min_size, instances_there()));
  }

  std::int64_t instances_there() const {
    const auto& scenario = loading_.scenario;
    return std::count_if(scenario.instances.begin(), scenario.instances.end(), [&](const auto& instance) {
      return scenario.profiles[instance.profile].capacity_provider_name == group_.capacity_provider;
    });
  }

  void check_sizes() {
    const std::int64_t there = instances_there();
    if (auto beyond = loading_.instances.add(group_.min_size - there)) {
      loading_.sources.fail_with(written_.min_size.node, *beyond);
    }
    if (group_.is_managed && !written_.max_size.present()) {
      fail(written_.node, fmt::format("maxSize of the group of '{}' is missing", group_.capacity_provider),
           "how many instances it may have, for example 10");
    } else if (group_.min_size > group_.max_size) {
      fail(written_.min_size.node,
           fmt::format("minSize is {}, more than maxSize, which is {}", group_.min_size, group_.max_size),
           "an Auto Scaling group keeps between the two");
    } else if (there > group_.max_size) {
      fail(written_.max_size.node,
           fmt::format("{} of '{}' {} there, and maxSize is {}", count_of(there, "instance"), group_.capacity_provider,
                       there == 1 ? "is" : "are", group_.max_size),
           fmt::format("an Auto Scaling group never exceeds maxSize: set {} or more", there));
    }
  }

  void check_steps() {
    const auto& scaling = provider_.managed_scaling;
    if (group_.minimum_scaling_step_size <= group_.maximum_scaling_step_size) return;
    const auto& at = scaling.minimum_scaling_step_size.present() ? scaling.minimum_scaling_step_size
                                                                 : scaling.maximum_scaling_step_size;
    fail(at.node,
         fmt::format("minimumScalingStepSize is {}, more than maximumScalingStepSize, which is {}",
                     group_.minimum_scaling_step_size, group_.maximum_scaling_step_size),
         "each step adds a number of instances between the two");
  }

  void check_launches_nothing() {
    if (!launches()) return;
    fail(written_.node, fmt::format("instanceTypes of the group of '{}' are missing", group_.capacity_provider),
         "what it launches, for example instanceTypes: [p3.2xlarge]");
  }

  /// The zones stated, else those of the subnets, else of the instances that are there; one without a name when no file
  /// says.
  std::vector<LaunchZone> list_zones() {
    auto zones =
        stated_zones(loading_, group_.capacity_provider, written_.instances.availability_zones, written_.subnets);
    if (zones.empty()) add_zones_there(zones);
    if (zones.empty()) zones.emplace_back();
    return zones;
  }

  void add_zones_there(std::vector<LaunchZone>& zones) {
    for (const auto& instance : loading_.scenario.instances) {
      const auto& profile = loading_.scenario.profiles[instance.profile];
      if (profile.capacity_provider_name != group_.capacity_provider || profile.availability_zone.empty()) continue;
      if (find_zone(zones, profile.availability_zone) == zones.end()) zones.push_back({profile.availability_zone, {}});
    }
    if (zones.empty() || !launches()) return;
    assume(loading_.scenario, "group-zones-assumed", group_.capacity_provider,
           fmt::format("the group of {} states no zones: it launches in those of its instances",
                       group_.capacity_provider));
  }

  /// A group that keeps nothing and does not scale takes no time.
  bool launches() const { return group_.is_managed || group_.min_size > 0; }

  void add_type(const model::StringField& type, const std::vector<LaunchZone>& zones) {
    if (!type) return;
    auto entry = written_.instances;
    entry.instance_type = type;
    auto pattern = pattern_of(loading_, entry);
    if (!pattern) return;
    pattern->capacity_provider_name = group_.capacity_provider;
    auto& row = group_.types.emplace_back();
    for (const auto& zone : zones) {
      pattern->subnet_id = zone.subnet;
      row.profiles.push_back(add_profile(loading_, *pattern, zone.name));
    }
  }

  void note_boot_time() {
    if (boot_time_is_set_ || !launches()) return;
    assume(loading_.scenario, "boot-time-assumed", group_.capacity_provider,
           fmt::format("instances of {} are ACTIVE {} seconds after their launch", group_.capacity_provider,
                       group_.boot_time));
  }

  void fail(Value at, std::string message, std::string help) {
    loading_.sources.fail(at, std::move(message), std::move(help));
  }

  Loading& loading_;
  const model::CapacityProvider& provider_;
  const model::AutoScalingGroup& written_;
  bool boot_time_is_set_;  ///< The group or the scenario sets the boot time.
  InstanceGroup group_;
};

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
    const auto known = loading.subnet_zones.find(name);
    if (known == loading.subnet_zones.end()) {
      assume(loading.scenario, "subnet-zone-unknown", name,
             fmt::format("the zone of {} is not stated; {} is not tied to it", name, capacity_provider));
      continue;
    }
    const std::string& its_zone = known->second.zone;
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
    if (provider.auto_scaling_group.node) GroupLoader(loading, provider, boot_time_is_set).run();
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
