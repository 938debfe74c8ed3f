#include "timeline/instance_groups.hpp"

#include <algorithm>
#include <string_view>
#include <tuple>

#include "base/pattern.hpp"

namespace bayplan::timeline {

using placement::ConstraintType;

InstanceGroups::InstanceGroups(Cluster& cluster)
    : cluster_(cluster), groups_(cluster.timetable().groups.size()), classes_(groups_.size()) {
  const auto& scenario = cluster.scenario();
  for (const auto& instance : scenario.instances) ++number_[scenario.profiles[instance.profile].instance_type];
  for (const auto& workload : scenario.workloads) {
    is_distinct_.push_back(std::any_of(workload.constraints.begin(), workload.constraints.end(),
                                       [](const auto& one) { return one.type == ConstraintType::kDistinctInstance; }));
  }
  const auto& classes = cluster.occupancy().classes();
  for (std::uint32_t group = 0; group < groups_.size(); ++group) {
    const auto& provider = plan(group).capacity_provider;
    for (std::uint32_t i = 0; i < cluster.instance_count(); ++i) {
      if (cluster.profile(i).capacity_provider_name != provider) continue;
      groups_[group].members.push_back(i);
      cluster.history().instances[i].group = group;
    }
    for (std::uint32_t i = 0; i < classes.size(); ++i) {
      if (classes.find_provider(i) == provider) classes_[group].push_back(i);
    }
    groups_[group].desired = std::max(plan(group).min_size, static_cast<std::int64_t>(groups_[group].members.size()));
  }
}

bool InstanceGroups::has_managed() const {
  const auto& plans = cluster_.timetable().groups;
  return std::any_of(plans.begin(), plans.end(), [](const auto& one) { return one.follows_reservation(); });
}

std::int64_t InstanceGroups::quiet_ticks() const {
  const auto& timing = cluster_.timetable().timing;
  Seconds warm_up = 0;
  for (const auto& one : cluster_.timetable().groups) warm_up = std::max(warm_up, one.instance_warmup_period);
  return timing.scale_in_data_points + (warm_up + timing.metric_period - 1) / timing.metric_period + 1;
}

void InstanceGroups::drop_gone(Group& group) {
  std::erase_if(group.members, [&](std::uint32_t i) {
    const auto& instance = cluster_.instance(i);
    const bool is_gone = instance.stage == InstanceStage::kGone;
    if (is_gone) group.reason = instance.last_event;  // its end is why another comes
    return is_gone;
  });
}

/// Neither gone nor on its way out.
bool InstanceGroups::stays(std::uint32_t instance) const {
  const auto& own = cluster_.instance(instance);
  return own.stage != InstanceStage::kGone && !own.is_terminating;
}

std::int64_t InstanceGroups::staying(const Group& group) const {
  return std::count_if(group.members.begin(), group.members.end(), [&](std::uint32_t i) { return stays(i); });
}

std::string InstanceGroups::next_id(std::uint32_t profile) {
  const auto& type = cluster_.scenario().profiles[profile].instance_type;
  return type + "#" + std::to_string(++number_[type]);
}

bool InstanceGroups::has_capacity(std::uint32_t profile) const {
  const auto& own = cluster_.scenario().profiles[profile];
  if (lost_zones_.contains(own.availability_zone)) return false;
  return !own.is_spot || std::none_of(lost_pools_.begin(), lost_pools_.end(), [&](const std::string& glob) {
    return glob_matches(glob, placement::spot_pool(own));
  });
}

std::vector<std::int64_t> InstanceGroups::members_by_zone(std::uint32_t group) const {
  const auto& zones = plan(group).availability_zones;
  std::vector<std::int64_t> count(zones.size());
  for (const std::uint32_t i : groups_[group].members) {
    const auto zone = std::find(zones.begin(), zones.end(), cluster_.profile(i).availability_zone);
    if (stays(i) && zone != zones.end()) ++count[static_cast<std::size_t>(zone - zones.begin())];
  }
  return count;
}

std::size_t InstanceGroups::zone_with_fewest(std::uint32_t group) const {
  const auto& zones = plan(group).availability_zones;
  const auto count = members_by_zone(group);
  std::size_t best = zones.size();
  for (std::size_t zone = 0; zone < zones.size(); ++zone) {
    if (lost_zones_.contains(zones[zone])) continue;
    if (best == zones.size() || count[zone] < count[best]) best = zone;
  }
  return best;
}

std::optional<std::uint32_t> InstanceGroups::next_profile(std::uint32_t group) const {
  const auto count = members_by_zone(group);
  for (const auto& type : plan(group).types) {
    std::optional<std::size_t> best;
    for (std::size_t zone = 0; zone < type.profiles.size(); ++zone) {
      if (has_capacity(type.profiles[zone]) && (!best || count[zone] < count[*best])) best = zone;
    }
    if (best) return type.profiles[*best];
  }
  return std::nullopt;
}

/// False when no pool or zone is left to launch in.
bool InstanceGroups::launch(std::uint32_t group, OptionalIndex cause) {
  const auto profile = next_profile(group);
  if (!profile) return false;
  groups_[group].members.push_back(cluster_.launch(*profile, group, next_id(*profile), cause));
  return true;
}

void InstanceGroups::replace(std::uint32_t instance, OptionalIndex cause) {
  const OptionalIndex own = cluster_.history().instances[instance].group;
  if (!own) return;
  const std::uint32_t group = *own;
  if (!plan(group).rebalances_capacity || !stays(instance)) return;
  const bool is_replaced =
      std::any_of(replacements_.begin(), replacements_.end(), [&](const auto& one) { return one.second == instance; });
  if (is_replaced || !launch(group, cause)) return;
  const std::uint32_t replacement = groups_[group].members.back();
  cluster_.agenda.add(Step::kActive, cluster_.now + plan(group).boot_time, replacement);
  replacements_.emplace(replacement, instance);
}

/// The old instance drains when its replacement is ACTIVE, and goes when it is empty.
void InstanceGroups::settle_replacements() {
  std::erase_if(replacements_, [&](const auto& one) {
    const auto [replacement, old] = one;
    if (cluster_.instance(replacement).stage == InstanceStage::kBooting) return false;
    if (!stays(old)) return true;
    const OptionalIndex cause = cluster_.instance(replacement).last_event;
    cluster_.mark_terminating(old);
    leaving_.insert(std::lower_bound(leaving_.begin(), leaving_.end(), old), old);
    if (cluster_.instance(old).stage == InstanceStage::kActive) cluster_.drain(old, cause);
    return true;
  });
}

void InstanceGroups::fill_up_at_start() {
  for (std::uint32_t group = 0; group < groups_.size(); ++group) {
    while (staying(groups_[group]) < groups_[group].desired && launch(group, kNoIndex))
      cluster_.activate(groups_[group].members.back());
  }
}

void InstanceGroups::settle() {
  std::erase_if(leaving_, [&](std::uint32_t i) {
    const auto& own = cluster_.instance(i);
    if (own.stage != InstanceStage::kGone && own.busy == 0) cluster_.terminate(i, own.last_event);
    return own.stage == InstanceStage::kGone;
  });
  settle_managed_instances();
  settle_replacements();
  for (std::uint32_t group = 0; group < groups_.size(); ++group) {
    if (groups_[group].shrunk_by) shrink(group);
  }
  if (cluster_.occupancy().changes() == changes_ && !is_resized_) return;
  is_resized_ = false;
  for (std::uint32_t group = 0; group < groups_.size(); ++group) {
    auto& own = groups_[group];
    if (plan(group).managed_instances) continue;
    drop_gone(own);
    while (staying(own) < own.desired) {
      // What set the size, or what lost an instance of it.
      const OptionalIndex cause = own.reason ? own.reason : cluster_.last_event();
      if (!launch(group, cause)) break;
      cluster_.agenda.add(Step::kActive, cluster_.now + plan(group).boot_time, own.members.back());
    }
    own.reason = std::nullopt;
  }
  changes_ = cluster_.occupancy().changes();
}

void InstanceGroups::settle_managed_instances() {
  for (std::uint32_t group = 0; group < groups_.size(); ++group) {
    if (!plan(group).managed_instances) continue;
    drop_gone(groups_[group]);
    launch_for_waiting(group);
    note_idle(group);
  }
}

ManagedLaunches& InstanceGroups::managed_launches(std::uint32_t group) {
  return managed_.try_emplace(group, cluster_.occupancy(), plan(group), classes_[group]).first->second;
}

/// Instances that boot hold what they can; for the rest more are launched, the next one where the group has fewest.
void InstanceGroups::launch_for_waiting(std::uint32_t group) {
  auto& launches = managed_launches(group);
  launches.begin([&](std::uint32_t task_class) { return cluster_.provisioning_of(task_class); });
  for (const std::uint32_t i : groups_[group].members) {
    if (cluster_.instance(i).stage == InstanceStage::kBooting) launches.use(cluster_.history().instances[i].profile);
  }
  while (launches.has_waiting()) {
    const std::size_t zone = zone_with_fewest(group);
    if (zone == plan(group).availability_zones.size()) return;
    const auto profile = launches.choose(zone, [&](std::uint32_t one) { return has_capacity(one); });
    if (!profile) return;
    launch_managed(group, *profile);
  }
}

void InstanceGroups::launch_managed(std::uint32_t group, std::uint32_t profile) {
  const std::uint32_t instance = cluster_.launch(profile, group, next_id(profile), first_waiting(group));
  groups_[group].members.push_back(instance);
  cluster_.agenda.add(Step::kActive, cluster_.now + plan(group).boot_time, instance);
  // Ages matter where the run has an end: without one it would go on for as long as a service replaces its tasks.
  const Seconds drains_at = cluster_.now + plan(group).managed_instances->drains_after;
  if (cluster_.timetable().until.value_or(-1) >= drains_at) cluster_.agenda.add(Step::kAge, drains_at, instance);
}

void InstanceGroups::note_idle(std::uint32_t group) {
  const auto& terms = *plan(group).managed_instances;
  if (!terms.scales_in) return;
  for (const std::uint32_t i : groups_[group].members) {
    const auto& own = cluster_.instance(i);
    if (own.stage == InstanceStage::kBooting) continue;
    if (own.busy > 0) {
      ends_idle_.erase(i);
    } else if (!ends_idle_.contains(i)) {
      const bool has_gpu = cluster_.profile(i).gpu_count > 0;
      const Seconds at = cluster_.now + (has_gpu ? terms.scale_in_after_gpu : terms.scale_in_after);
      ends_idle_.emplace(i, at);
      cluster_.agenda.add(Step::kIdle, at, i);
    }
  }
}

bool InstanceGroups::ends_idle_at(std::uint32_t instance, Seconds at) const {
  const auto found = ends_idle_.find(instance);
  return found != ends_idle_.end() && found->second == at &&
         cluster_.instance(instance).stage != InstanceStage::kGone && cluster_.instance(instance).busy == 0;
}

void InstanceGroups::age(std::uint32_t instance) {
  const std::uint32_t group = *cluster_.history().instances[instance].group;
  const auto& terms = *plan(group).managed_instances;
  const Seconds launched_at = cluster_.history().instances[instance].launched_at;
  if (cluster_.now >= launched_at + terms.ends_after) return cluster_.terminate(instance, kNoIndex);
  cluster_.agenda.add(Step::kAge, launched_at + terms.ends_after, instance);
  if (cluster_.instance(instance).stage == InstanceStage::kActive) cluster_.drain(instance, kNoIndex);
}

std::vector<WaitingKind> InstanceGroups::waiting(std::uint32_t group) const {
  std::vector<WaitingKind> kinds;
  for (const std::uint32_t task_class : classes_[group]) {
    const std::int64_t count = cluster_.provisioning_of(task_class);
    const std::uint32_t workload = cluster_.occupancy().classes().workload_of(task_class);
    if (count > 0)
      kinds.push_back({&cluster_.scenario().workloads[workload].requirement, is_distinct_[workload] != 0, count});
  }
  return kinds;
}

/// On an instance on its way out, tasks of services have others in their place; standalone tasks do not, and would be
/// missed: without them one idle instance would empty a busy group.
Reservation InstanceGroups::measure(std::uint32_t group) const {
  Reservation reservation;
  std::int64_t busy = 0;
  for (const std::uint32_t i : groups_[group].members) {
    const auto& own = cluster_.instance(i);
    const bool is_up = own.stage == InstanceStage::kActive || own.stage == InstanceStage::kDraining;
    if (!is_up) continue;
    if (!own.is_terminating) ++reservation.running;
    if (own.is_terminating ? cluster_.has_standalone(i) : own.busy > 0) ++busy;
  }
  const auto kinds = waiting(group);
  if (kinds.empty()) {
    reservation.needed = busy;
  } else {
    reservation.needed = reservation.running + instances_to_add(cluster_.scenario(), plan(group), kinds).value_or(0);
  }
  return reservation;
}

void InstanceGroups::at_data_point() {
  for (std::uint32_t group = 0; group < groups_.size(); ++group) {
    if (plan(group).follows_reservation()) data_point(group);
  }
}

/// The event by which the longest waiting task of the group became PROVISIONING.
OptionalIndex InstanceGroups::first_waiting(std::uint32_t group) const {
  const auto& own = classes_[group];
  const auto& all = cluster_.provisioning();
  const auto first = std::find_if(all.begin(), all.end(), [&](std::uint32_t task) {
    return std::binary_search(own.begin(), own.end(), cluster_.class_of(task));
  });
  return first == all.end() ? kNoIndex : cluster_.live(*first).last_event;
}

void InstanceGroups::data_point(std::uint32_t group) {
  auto& own = groups_[group];
  drop_gone(own);
  const Reservation reservation = measure(group);
  Metric metric{.group = group,
                .needed = reservation.needed,
                .running = reservation.running,
                .percent_millionths = reservation.percent_millionths(),
                .desired_capacity = own.desired};
  if (own.last) metric.at = own.last->at;
  if (metric != own.last) {
    metric.at = cluster_.now;
    own.last = metric;
    cluster_.history().metrics.push_back(metric);
  }
  const Scaling scaling =
      own.alarm.at_data_point(cluster_.now, reservation, own.desired, plan(group), cluster_.timetable().timing);
  if (scaling.kind == Scaling::Kind::kIn) return scale_in(group, scaling.instances);
  if (scaling.kind != Scaling::Kind::kOut) return;
  own.desired = scaling.instances;
  is_resized_ = true;
  const OptionalIndex cause = first_waiting(group);
  own.reason = cluster_.log({.kind = EventKind::kScaleOut, .subject = group, .cause = cause, .value = own.desired});
}

/// One after another: in the zone that has most, the one that was launched first.
std::vector<std::uint32_t> InstanceGroups::victims(std::uint32_t group, std::int64_t count) const {
  std::vector<std::uint32_t> stay;
  for (const std::uint32_t i : groups_[group].members) {
    if (stays(i)) stay.push_back(i);
  }
  const auto& zones = plan(group).availability_zones;
  std::vector<std::uint32_t> chosen;
  while (static_cast<std::int64_t>(chosen.size()) < count) {
    std::map<std::string_view, std::int64_t> sizes;
    for (const std::uint32_t i : stay) ++sizes[cluster_.profile(i).availability_zone];
    const auto rank = [&](std::uint32_t i) {
      const auto& zone = cluster_.profile(i).availability_zone;
      return std::tuple(-sizes[zone], std::find(zones.begin(), zones.end(), zone),
                        cluster_.history().instances[i].launched_at, i);
    };
    std::vector<std::uint32_t> candidates;
    for (const std::uint32_t i : stay) {
      if (!plan(group).has_termination_protection || cluster_.instance(i).busy == 0) candidates.push_back(i);
    }
    if (candidates.empty()) break;
    const auto first =
        *std::min_element(candidates.begin(), candidates.end(), [&](auto a, auto b) { return rank(a) < rank(b); });
    chosen.push_back(first);
    std::erase(stay, first);
  }
  return chosen;
}

void InstanceGroups::scale_in(std::uint32_t group, std::int64_t count) {
  auto& own = groups_[group];
  const auto chosen = victims(group, count);
  if (chosen.empty()) return;
  own.desired -= static_cast<std::int64_t>(chosen.size());
  const std::uint32_t event = cluster_.log({.kind = EventKind::kScaleIn, .subject = group, .value = own.desired});
  for (const std::uint32_t i : chosen) remove(group, i, event);
}

void InstanceGroups::remove(std::uint32_t group, std::uint32_t instance, std::uint32_t cause) {
  if (!plan(group).has_managed_draining || cluster_.instance(instance).busy == 0)
    return cluster_.terminate(instance, cause);
  cluster_.mark_terminating(instance);
  leaving_.insert(std::lower_bound(leaving_.begin(), leaving_.end(), instance), instance);
  if (cluster_.instance(instance).stage == InstanceStage::kActive) cluster_.drain(instance, cause);
}

void InstanceGroups::set_desired_capacity(std::uint32_t group, std::int64_t desired, std::uint32_t cause) {
  auto& own = groups_[group];
  own.desired = desired;
  own.reason = cause;
  own.shrunk_by = cause;
  is_resized_ = true;
}

/// Instances that are protected from scale-in stay beyond the desired capacity until they are not any more (Auto
/// Scaling guide, ec2-auto-scaling-instance-protection). So do those whose replacement boots.
void InstanceGroups::shrink(std::uint32_t group) {
  auto& own = groups_[group];
  const auto replaced = std::count_if(replacements_.begin(), replacements_.end(), [&](const auto& one) {
    return cluster_.history().instances[one.second].group == group && stays(one.second);
  });
  const std::int64_t surplus = staying(own) - replaced - own.desired;
  if (surplus > 0) {
    for (const std::uint32_t i : victims(group, surplus)) remove(group, i, *own.shrunk_by);
  }
  if (staying(own) - replaced <= own.desired) own.shrunk_by = std::nullopt;
}

}  // namespace bayplan::timeline
