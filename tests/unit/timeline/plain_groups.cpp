// Auto Scaling groups and managed scaling.
#include <algorithm>
#include <limits>
#include <map>
#include <tuple>

#include "timeline/plain_run.hpp"

namespace bayplan::timeline::plain {

using capacity::GpuForm;
using capacity::TaskRequirement;
using placement::InstanceGroup;
using placement::InstanceProfile;
using placement::InstanceStatus;

namespace {

std::int64_t divide_up(std::int64_t a, std::int64_t b) {
  return (a + b - 1) / b;
}

/// What an empty instance has; each figure by itself the largest or the smallest of the group's types.
struct Figures {
  std::int64_t cpu = 0;
  std::int64_t memory = 0;
  std::int64_t interfaces = 0;
  std::int64_t whole_gpus = 0;
  std::int64_t gpu_memory = 0;
  std::int64_t fractional_gpus = 0;
  std::int64_t fraction = 0;
  std::int64_t attachments = 0;
  std::int64_t attachments_with_interfaces = 0;
  std::int64_t neuron_devices = 0;
};

Figures compute_figures(const InstanceProfile& profile) {
  const bool is_fractional = profile.gpu_fraction_millionths < 1'000'000;
  Figures own{
      profile.cpu, profile.memory, profile.network_interfaces, 0, is_fractional ? 0 : profile.gpu_memory, 0, 0, 0, 0};
  (is_fractional ? own.fractional_gpus : own.whole_gpus) = profile.gpu_count;
  own.neuron_devices = profile.neuron_devices;
  own.attachments = profile.ebs_attachments;
  own.attachments_with_interfaces =
      profile.interfaces_take_attachments ? profile.ebs_attachments : std::numeric_limits<std::int64_t>::max();
  if (is_fractional) own.fraction = profile.gpu_fraction_millionths;
  return own;
}

template <class Pick>
Figures combine(const Figures& a, const Figures& b, Pick pick) {
  return {pick(a.cpu, b.cpu),
          pick(a.memory, b.memory),
          pick(a.interfaces, b.interfaces),
          pick(a.whole_gpus, b.whole_gpus),
          pick(a.gpu_memory, b.gpu_memory),
          pick(a.fractional_gpus, b.fractional_gpus),
          pick(a.fraction, b.fraction),
          pick(a.attachments, b.attachments),
          pick(a.attachments_with_interfaces, b.attachments_with_interfaces),
          pick(a.neuron_devices, b.neuron_devices)};
}

constexpr std::int64_t kNoLimit = std::numeric_limits<std::int64_t>::max();

std::int64_t gpu_copies(const Figures& has, const TaskRequirement& task) {
  switch (task.gpu_form) {
    case GpuForm::kNone:
      return kNoLimit;
    case GpuForm::kCount:
      return task.gpu_count > 0 ? has.whole_gpus / task.gpu_count : kNoLimit;
    case GpuForm::kAll:
      return has.whole_gpus + has.fractional_gpus > 0 ? 1 : 0;
    case GpuForm::kNeuron:
      return has.neuron_devices > 0 && task.gpu_containers.size() == 1 ? 1 : 0;
    case GpuForm::kMps:
      return task.mps_memory > 0 ? has.gpu_memory / task.mps_memory * has.whole_gpus : kNoLimit;
    case GpuForm::kFraction:
      return task.gpu_fraction_millionths > 0 ? has.fraction / task.gpu_fraction_millionths * has.fractional_gpus
                                              : kNoLimit;
  }
  return kNoLimit;
}

std::int64_t copies_on(const Figures& has, const placement::Workload& workload) {
  const auto& task = workload.requirement;
  std::int64_t copies = gpu_copies(has, task);
  if (task.cpu > 0) copies = std::min(copies, has.cpu / task.cpu);
  if (task.memory > 0) copies = std::min(copies, has.memory / task.memory);
  if (task.network_interfaces > 0) copies = std::min(copies, has.interfaces / task.network_interfaces);
  if (task.ebs_volumes > 0) copies = std::min(copies, has.attachments / task.ebs_volumes);
  const auto both = task.ebs_volumes + task.network_interfaces;
  if (both > 0) copies = std::min(copies, has.attachments_with_interfaces / both);
  const bool is_distinct = std::any_of(
      workload.constraints.begin(), workload.constraints.end(),
      [](const auto& constraint) { return constraint.type == placement::ConstraintType::kDistinctInstance; });
  if (is_distinct || !task.tcp_ports.empty() || !task.udp_ports.empty()) copies = std::min<std::int64_t>(copies, 1);
  return copies;
}

}  // namespace

bool PlainRun::has_managed_group() const {
  return std::any_of(table_.groups.begin(), table_.groups.end(), [](const auto& group) { return group.is_managed; });
}

std::int64_t PlainRun::quiet_limit() const {
  Seconds warmup = 0;
  for (const auto& group : table_.groups) {
    warmup = std::max(warmup, group.instance_warmup_period);
  }
  return table_.timing.scale_in_data_points + divide_up(warmup, table_.timing.metric_period) + 1;
}

/// Whether it changed anything.
bool PlainRun::tick() {
  if (!is_ticking_) return false;
  quiet_ticks_ = history_.events.size() == events_at_last_tick_ ? quiet_ticks_ + 1 : 0;
  events_at_last_tick_ = history_.events.size();
  if (quiet_ticks_ >= quiet_limit()) is_ticking_ = false;
  for (std::uint32_t i = 0; i < table_.groups.size(); ++i) {
    if (table_.groups[i].is_managed) add_data_point(i);
  }
  return history_.events.size() != events_at_last_tick_;
}

/// All that are there or boot, but those that are sent away.
Indices PlainRun::members(std::uint32_t group) const {
  Indices own;
  for (std::uint32_t i = 0; i < instances_.size(); ++i) {
    const bool leaves = instances_[i].is_gone || instances_[i].is_terminating;
    if (history_.instances[i].group == group && !leaves) own.push_back(i);
  }
  return own;
}

std::int64_t PlainRun::running_instances(std::uint32_t group) const {
  const auto own = members(group);
  return std::count_if(own.begin(), own.end(),
                       [&](auto i) { return status_of(i) == InstanceStatus::kActive || is_draining(i); });
}

/// Instances for the tasks that are PROVISIONING on the group, without bounds; 0 when none of them ever fits.
std::int64_t PlainRun::added_for_waiting(const InstanceGroup& group) const {
  std::map<std::uint32_t, std::int64_t> kinds;
  for (std::uint32_t i = 0; i < tasks_.size(); ++i) {
    if (is_provisioning(i) && tasks_[i].provider == group.capacity_provider) ++kinds[*history_.tasks[i].workload];
  }
  Figures largest = compute_figures(world_.profiles[group.types.front().profiles.front()]);
  Figures smallest = largest;
  for (const auto& type : group.types) {
    const auto own = compute_figures(world_.profiles[type.profiles.front()]);
    largest = combine(largest, own, [](auto a, auto b) { return std::max(a, b); });
    smallest = combine(smallest, own, [](auto a, auto b) { return std::min(a, b); });
  }
  std::int64_t added = 0;
  for (const auto& [workload, count] : kinds) {
    if (copies_on(smallest, world_.workloads[workload]) == 0) continue;
    const std::int64_t copies = copies_on(largest, world_.workloads[workload]);
    added = std::max(added, copies == kNoLimit ? 1 : divide_up(count, copies));
  }
  return added;
}

std::int64_t PlainRun::needed(std::uint32_t index, std::int64_t running) const {
  const auto& group = table_.groups[index];
  bool is_waited_for = false;
  for (std::uint32_t i = 0; i < tasks_.size(); ++i) {
    is_waited_for = is_waited_for || (is_provisioning(i) && tasks_[i].provider == group.capacity_provider);
  }
  if (is_waited_for) {
    const std::int64_t added = added_for_waiting(group);
    if (added == 0) return running;
    return running + std::min(std::max(added, group.minimum_scaling_step_size), group.maximum_scaling_step_size);
  }
  std::int64_t busy = 0;
  for (std::uint32_t i = 0; i < instances_.size(); ++i) {
    if (history_.instances[i].group != index || instances_[i].is_gone) continue;
    const bool runs = status_of(i) == InstanceStatus::kActive || is_draining(i);
    const bool has_own = instances_[i].is_terminating ? has_standalone_work(i) : has_work(i);
    busy += runs && has_own ? 1 : 0;
  }
  return busy;
}

void PlainRun::add_data_point(std::uint32_t index) {
  const auto& group = table_.groups[index];
  auto& notes = scaling_[index];
  Metric metric{now_, index, 0, running_instances(index), 0, notes.desired};
  metric.needed = needed(index, metric.running);
  constexpr std::int64_t kHundred = 100'000'000;  // percent, in millionths
  metric.percent_millionths = metric.running > 0   ? metric.needed * kHundred / metric.running
                              : metric.needed == 0 ? kHundred
                                                   : 2 * kHundred;
  Metric like_last = notes.last.value_or(Metric{});
  like_last.at = now_;
  if (!notes.last || !(like_last == metric)) history_.metrics.push_back(metric);
  notes.last = metric;
  const std::int64_t share = metric.running > 0 ? metric.needed * 100 : metric.needed == 0 ? 100 : 200;
  const std::int64_t wanted = group.target_capacity * (metric.running > 0 ? metric.running : 1);
  notes.points_above = share > wanted ? notes.points_above + 1 : 0;
  notes.points_below = share < wanted ? notes.points_below + 1 : 0;
  if (notes.points_above >= table_.timing.scale_out_data_points) scale_out(index, metric);
  if (notes.points_below >= table_.timing.scale_in_data_points) scale_in(index, metric);
}

void PlainRun::scale_out(std::uint32_t index, const Metric& metric) {
  const auto& group = table_.groups[index];
  auto& notes = scaling_[index];
  if (metric.needed == 0) return;
  if (notes.scaled_out_at && now_ < *notes.scaled_out_at + group.instance_warmup_period) return;
  const std::int64_t goal =
      std::min(group.max_size, divide_up(metric.running > 0 ? metric.needed * 100 : 200, group.target_capacity));
  if (goal <= notes.desired) return;
  notes.desired = goal;
  notes.scaled_out_at = now_;
  log(EventKind::kScaleOut, index, kNoIndex, StopCause::kNone, goal);
}

void PlainRun::scale_in(std::uint32_t index, const Metric& metric) {
  const auto& group = table_.groups[index];
  auto& notes = scaling_[index];
  const std::int64_t goal =
      std::max(group.min_size, std::min(group.max_size, divide_up(metric.needed * 100, group.target_capacity)));
  const std::int64_t less_than_half = std::max<std::int64_t>(1, divide_up(notes.desired, 2) - 1);
  const std::int64_t fewer = std::min(notes.desired - goal, less_than_half);
  Indices victims;
  while (static_cast<std::int64_t>(victims.size()) < fewer) {
    const auto victim = next_victim(index, {victims.begin(), victims.end()});
    if (!victim) break;
    victims.push_back(*victim);
  }
  if (victims.empty()) return;
  notes.desired -= static_cast<std::int64_t>(victims.size());
  log(EventKind::kScaleIn, index, kNoIndex, StopCause::kNone, notes.desired);
  for (const auto victim : victims) send_away(index, victim);
}

std::optional<std::uint32_t> PlainRun::next_victim(std::uint32_t index, const std::set<std::uint32_t>& chosen) const {
  const auto& group = table_.groups[index];
  const auto& zones = group.availability_zones;
  std::map<std::string, std::int64_t> in_zone;
  Indices eligible;
  for (const auto i : members(index)) {
    if (chosen.count(i) > 0) continue;
    ++in_zone[zone_of(i)];
    if (!group.has_termination_protection || !has_work(i)) eligible.push_back(i);
  }
  if (eligible.empty()) return std::nullopt;
  const auto key = [&](std::uint32_t i) {
    return std::tuple(-in_zone.at(zone_of(i)), std::find(zones.begin(), zones.end(), zone_of(i)),
                      history_.instances[i].launched_at, i);
  };
  return *std::min_element(eligible.begin(), eligible.end(), [&](auto a, auto b) { return key(a) < key(b); });
}

void PlainRun::send_away(std::uint32_t group, std::uint32_t instance) {
  if (!table_.groups[group].has_managed_draining || !has_work(instance)) return terminate(instance);
  instances_[instance].is_terminating = true;
  if (!is_draining(instance)) drain(instance);
}

void PlainRun::terminate_emptied() {
  for (std::uint32_t i = 0; i < instances_.size(); ++i) {
    if (instances_[i].is_terminating && !instances_[i].is_gone && !has_work(i)) terminate(i);
  }
}

/// More than the desired capacity: after an event set it, and protected ones until they are idle.
void PlainRun::terminate_surplus() {
  for (std::uint32_t i = 0; i < table_.groups.size(); ++i) {
    Indices chosen;
    const auto surplus = static_cast<std::int64_t>(members(i).size()) - scaling_[i].desired;
    while (static_cast<std::int64_t>(chosen.size()) < surplus) {
      const auto victim = next_victim(i, {chosen.begin(), chosen.end()});
      if (!victim) break;
      chosen.push_back(*victim);
    }
    for (const auto instance : chosen) send_away(i, instance);
  }
}

void PlainRun::launch_missing() {
  for (std::uint32_t i = 0; i < table_.groups.size(); ++i) {
    while (static_cast<std::int64_t>(members(i).size()) < scaling_[i].desired && launch(i, false)) {
    }
  }
}

/// In the zone with fewest of the group; false when all its zones are lost.
bool PlainRun::launch(std::uint32_t index, bool at_once) {
  const auto& group = table_.groups[index];
  std::optional<std::size_t> best;
  std::int64_t fewest = 0;
  const auto own = members(index);
  for (std::size_t z = 0; z < group.availability_zones.size(); ++z) {
    const auto& zone = group.availability_zones[z];
    if (lost_zones_.count(zone) > 0) continue;
    const std::int64_t count = std::count_if(own.begin(), own.end(), [&](auto i) { return zone_of(i) == zone; });
    if (best && count >= fewest) continue;
    best = z;
    fewest = count;
  }
  if (!best) return false;
  const auto boot_time = at_once ? std::nullopt : std::optional(group.boot_time);
  add_instance(group.types.front().profiles[*best], {}, index, boot_time);
  return true;
}

}  // namespace bayplan::timeline::plain
