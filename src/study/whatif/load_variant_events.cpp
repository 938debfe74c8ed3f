// Events: what happens to the cluster.
#include <algorithm>
#include <iterator>
#include <map>
#include <set>
#include <utility>

#include <fmt/core.h>

#include "base/strings.hpp"
#include "placement/model/totals.hpp"
#include "study/whatif/variant_in_work.hpp"
#include "study/whatif/variant_subjects.hpp"

namespace bayplan::study {

using placement::AddInstances;
using placement::DrainInstances;
using placement::InstanceProfile;
using placement::LoseAvailabilityZone;
using placement::RemoveInstances;
using placement::Scale;
using placement::SetDesiredCapacity;
using placement::TerminateInstances;

namespace {

using Indexes = std::vector<std::uint32_t>;
using Zones = std::set<std::string>;

constexpr std::int64_t kMostDesiredCapacity = 100'000;  // as in a scenario

void sort_unique(Indexes& indexes) {
  std::sort(indexes.begin(), indexes.end());
  indexes.erase(std::unique(indexes.begin(), indexes.end()), indexes.end());
}

bool holds(const Indexes& sorted, std::uint32_t index) {
  return std::binary_search(sorted.begin(), sorted.end(), index);
}

void check_each_zone(VariantInWork& work, const PlannedInstances& planned) {
  if (!work.written.each_az) return;
  const auto& profiles = planned.profiles();
  const auto has_zone = [](const auto* profile) { return !profile->availability_zone.empty(); };
  if (std::any_of(profiles.begin(), profiles.end(), has_zone)) return;
  const auto& origin = work.written.origin;
  work.fail_at(origin, {.message = fmt::format("{}each-az: no instance states its zone", origin.line == 0 ? "--" : ""),
                        .help = "set zones after @ in --instances, or with availabilityZone"});
}

/// Instances come and go in a run: it finds out by itself which the names mean. Zones are known before.
void name_losses(VariantInWork& work) {
  std::set<std::string_view> zones;
  for (const auto& profile : work.scenario.profiles) zones.insert(profile.availability_zone);
  zones.erase("");
  const std::vector<std::string_view> known(zones.begin(), zones.end());
  work.each(VariationKey::kLoseAz, [&](const auto& one) {
    if (zones.contains(one.text)) return;
    work.fail(one, fmt::format("no instance and no group is in {}", one.text),
              known.empty() ? "none states its zone" : "zones are " + one_of(known, "and"));
  });
  for (const auto& one : work.written.variations) {
    if (auto event = timed_event(one.key, one.text))
      work.variant().timed_events.push_back({0, std::move(*event), one.origin});
  }
}

/// The instances that all variations of the key name, as `find` looks them up; what it does not find is an error.
template <class Find>
Indexes find_instances(VariantInWork& work, VariationKey key, Find find) {
  Indexes all;
  work.each(key, [&](const WrittenVariation& one) {
    const Result<Indexes> found = find(one.text);
    if (!found) return work.fail(one, found.error());
    all.insert(all.end(), found->begin(), found->end());
  });
  sort_unique(all);
  return all;
}

/// `lost`: the terminated instances, and those of lost zones, sorted.
void load_drains(VariantInWork& work, const PlannedInstances& planned, const Indexes& terminated, const Indexes& lost) {
  Indexes drained;
  work.each(VariationKey::kDrain, [&](const auto& one) {
    const auto named = instances_named(planned, one.text);
    if (!named) return work.fail(one, named.error());
    const auto both = std::find_if(named->begin(), named->end(), [&](auto i) { return holds(terminated, i); });
    if (both != named->end()) {
      return work.fail(one, fmt::format("{} is both drained and terminated", planned.instances()[*both].id),
                       "a terminated instance is removed at once, a drained one after its tasks have moved");
    }
    // An instance of a lost zone is gone before it could drain.
    const std::size_t before = drained.size();
    std::set_difference(named->begin(), named->end(), lost.begin(), lost.end(), std::back_inserter(drained));
    if (drained.size() == before && !named->empty())
      work.fail(one, "the variant loses the zone of what it drains", "drain what stays");
  });
  sort_unique(drained);
  if (!drained.empty()) work.variant().events.emplace_back(DrainInstances{std::move(drained), {}});
}

std::int64_t count_left(const PlannedInstances& planned, const std::string& type, const Indexes& lost) {
  std::int64_t left = 0;
  for (std::uint32_t i = 0; i < planned.instances().size(); ++i)
    left += planned.profile_of(i).instance_type == type && !holds(lost, i) ? 1 : 0;
  return left;
}

void load_removals(VariantInWork& work, const PlannedInstances& planned, const Indexes& lost) {
  std::map<std::string, std::int64_t> removed;
  std::vector<std::string> order;
  work.each(VariationKey::kRemove, [&](const auto& one) {
    const auto wanted = work.count_of(one, {});
    if (!wanted) return;
    const auto& [type, count] = *wanted;
    if (planned.count_of(type) == 0) return work.fail(one, no_such_type(work.scenario, planned, type));
    const std::int64_t left = count_left(planned, type, lost) - removed[type];
    if (count > left) {
      return work.fail(one, fmt::format("only {} of {} can be removed", bayplan::count_of(left, "instance"), type),
                       lost.empty() ? "" : "what the variant loses is gone already");
    }
    if (removed[type] == 0) order.push_back(type);
    removed[type] += count;
  });
  for (const auto& type : order) work.variant().events.emplace_back(RemoveInstances{type, removed[type]});
}

void note_new_zones(VariantInWork& work, const PlannedInstances& planned, const std::vector<std::string>& zones) {
  const auto& profiles = planned.profiles();
  for (const auto& zone : zones) {
    const auto is_there = [&](const InstanceProfile* profile) { return profile->availability_zone == zone; };
    if (std::none_of(profiles.begin(), profiles.end(), is_there))
      work.assume({"zone-new", zone, fmt::format("the cluster has no instance in {} yet", zone)});
  }
}

/// Zones that stay, those with the fewest instances first, then by name.
std::vector<std::string> zones_to_fill(const PlannedInstances& planned, const Zones& lost_zones, const Indexes& lost) {
  std::map<std::string, std::int64_t> counts;
  for (std::uint32_t i = 0; i < planned.instances().size(); ++i) {
    const auto& zone = planned.profile_of(i).availability_zone;
    if (!zone.empty() && !lost_zones.contains(zone)) counts[zone] += holds(lost, i) ? 0 : 1;
  }
  std::vector<std::string> zones;
  for (const auto& [zone, count] : counts) zones.push_back(zone);
  std::stable_sort(zones.begin(), zones.end(), [&](const auto& a, const auto& b) { return counts[a] < counts[b]; });
  if (zones.empty()) zones.emplace_back();  // none is stated
  return zones;
}

void load_additions(VariantInWork& work, const PlannedInstances& planned, const Zones& lost_zones,
                    const Indexes& lost) {
  std::map<std::string, std::int64_t> numbers;  // instances of each type, if any are added
  NewInstances added;
  work.each(VariationKey::kAdd, [&](const auto& one) {
    const auto argument = work.instances_of(one);
    if (!argument) return;
    auto pattern = one_more_of(planned, work.catalog, argument->instance_type);
    if (!pattern) return work.fail(one, pattern.error());
    scenario::use_argument(*argument, *pattern);
    const auto& zones = argument->availability_zones;
    const auto gone = std::find_if(zones.begin(), zones.end(), [&](const auto& z) { return lost_zones.contains(z); });
    if (gone != zones.end())
      return work.fail(one, fmt::format("the variant loses {}", *gone), "add to a zone that stays");
    note_new_zones(work, planned, zones);
    if (numbers.empty()) numbers = list_types(planned);
    deal(work, planned, *pattern, zones.empty() ? zones_to_fill(planned, lost_zones, lost) : zones, argument->count,
         numbers[pattern->instance_type], added);
  });
  if (added.instances.empty()) return;
  work.variant().events.emplace_back(AddInstances{std::move(added.profiles), std::move(added.instances)});
}

void load_scales(VariantInWork& work) {
  std::set<std::uint32_t> scaled;
  work.each(VariationKey::kScale, [&](const auto& one) {
    const auto wanted = work.count_of(one, {0, placement::kMaxTasks});
    if (!wanted) return;
    auto workloads = scalable_named(work.scenario, wanted->name);
    if (!workloads) return work.fail(one, workloads.error());
    if (!scaled.insert(workloads->front()).second)
      return work.fail(one, fmt::format("'{}' is scaled twice", wanted->name), "keep one of them");
    work.variant().events.emplace_back(Scale{std::move(*workloads), wanted->count});
  });
}

/// Groups exist only in a run over time; at time 0 there are instances alone.
void load_desired_capacities(VariantInWork& work) {
  const auto& timetable = work.scenario.timetable;
  std::set<std::string> set;
  work.each(VariationKey::kSetDesiredCapacity, [&](const auto& one) {
    const auto wanted = work.count_of(one, {0, kMostDesiredCapacity});
    if (!wanted) return;
    if (!timetable.has_time) {
      return work.fail(one, "an Auto Scaling group changes only in a scenario that runs over time",
                       "give the scenario events or minSize of the group, or use --add and --remove");
    }
    const auto group = placement::find_group(timetable, wanted->name);
    if (!group) {
      std::vector<std::string_view> known;
      for (const auto& each : timetable.groups) {
        if (!each.managed_instances) known.push_back(each.capacity_provider);
      }
      return work.fail(one, fmt::format("no capacity provider '{}' has an Auto Scaling group", wanted->name),
                       known.empty() ? "set its autoScalingGroup under capacityProviders"
                                     : "those that have one are " + one_of(known, "and"));
    }
    if (const auto refused = timetable.groups[*group].find_capacity_error(wanted->count))
      return work.fail(one, *refused);
    if (!set.insert(wanted->name).second)
      return work.fail(one, fmt::format("the desired capacity of '{}' is set twice", wanted->name), "keep one of them");
    work.variant().timed_events.push_back({0, SetDesiredCapacity{wanted->name, wanted->count}, one.origin});
  });
}

void load_deployments(VariantInWork& work) {
  std::set<std::uint32_t> deployed;
  work.each(VariationKey::kDeploy, [&](const auto& one) {
    const auto names = work.split_pair(one);
    if (!names) return;
    const auto service = service_named(work.scenario, names->left);
    if (!service) return work.fail(one, service.error());
    const auto definition = definition_named(work.scenario, names->right);
    if (!definition) return work.fail(one, definition.error());
    if (!deployed.insert(*service).second)
      return work.fail(one, fmt::format("'{}' is deployed twice", names->left), "keep one of them");
    // A run may have come to another definition by then.
    const auto now = work.scenario.workloads[*service].task_definition;
    if (*definition == now && !work.scenario.timetable.has_time) {
      return work.fail(one, fmt::format("'{}' has {} already", names->left, work.scenario.task_definitions[now].name),
                       "name its replacement: a file, or another revision");
    }
    work.variant().deployments.push_back({*service, *definition});
  });
}

}  // namespace

std::optional<placement::TimelineEvent> timed_event(VariationKey key, const std::string& subject) {
  if (key == VariationKey::kLoseAz) return LoseAvailabilityZone{subject};
  if (key == VariationKey::kTerminate) return TerminateInstances{{}, subject};
  if (key == VariationKey::kDrain) return DrainInstances{{}, subject};
  return std::nullopt;
}

void load_events(VariantInWork& work) {
  const PlannedInstances planned(work.scenario, work.variant().changes);
  check_each_zone(work, planned);
  Zones lost_zones;
  work.each(VariationKey::kLoseAz, [&](const auto& one) { lost_zones.insert(one.text); });
  Indexes lost;  // the terminated instances, and those of lost zones
  if (work.scenario.timetable.has_time) {
    name_losses(work);
  } else {
    lost = find_instances(work, VariationKey::kLoseAz, [&](const auto& zone) { return instances_in(planned, zone); });
  }
  if (work.knows_instances && !work.scenario.timetable.has_time) {
    const auto terminated =
        find_instances(work, VariationKey::kTerminate, [&](const auto& id) { return instances_named(planned, id); });
    lost.insert(lost.end(), terminated.begin(), terminated.end());
    sort_unique(lost);
    if (!lost.empty()) work.variant().events.emplace_back(TerminateInstances{lost, {}});
    load_drains(work, planned, terminated, lost);
  }
  if (work.knows_instances) {
    load_removals(work, planned, lost);
    load_additions(work, planned, lost_zones, lost);
  }
  load_scales(work);
  load_desired_capacities(work);
  load_deployments(work);
}

}  // namespace bayplan::study
