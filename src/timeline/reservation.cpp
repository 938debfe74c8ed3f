#include "timeline/reservation.hpp"

#include <algorithm>
#include <limits>

namespace bayplan::timeline {

using capacity::GpuForm;
using capacity::TaskRequirement;
using placement::InstanceGroup;
using placement::InstanceProfile;
using placement::Scenario;

namespace {

constexpr std::int64_t kUnlimited = std::numeric_limits<std::int64_t>::max();

std::int64_t divide_up(std::int64_t value, std::int64_t by) {
  return (value + by - 1) / by;
}

/// What an instance offers, each figure by itself.
struct InstanceFigures {
  CpuUnits cpu = 0;
  MiB memory = 0;
  std::int64_t network_interfaces = 0;
  std::int64_t whole_gpus = 0;
  std::int64_t neuron_devices = 0;
  MiB gpu_memory = 0;                 ///< Memory of one whole GPU.
  std::int64_t shares = 0;            ///< Devices of a fractional type.
  std::int64_t share_millionths = 0;  ///< Share of one of them.
  std::int64_t ebs_attachments = 0;   ///< Attachments for volumes only.
  /// Attachments for volumes and network interfaces together; unlimited if interfaces need none.
  std::int64_t shared_attachments = 0;
};

InstanceFigures compute_figures(const InstanceProfile& profile) {
  InstanceFigures figures{profile.cpu,
                          profile.memory,
                          profile.network_interfaces,
                          0,
                          profile.neuron_devices,
                          0,
                          0,
                          0,
                          profile.ebs_attachments,
                          profile.interfaces_take_attachments ? profile.ebs_attachments : kUnlimited};
  if (profile.gpu_fraction_millionths < 1'000'000) {
    figures.shares = profile.gpu_count;
    figures.share_millionths = profile.gpu_fraction_millionths;
  } else {
    figures.whole_gpus = profile.gpu_count;
    figures.gpu_memory = profile.gpu_memory;
  }
  return figures;
}

template <typename Choose>
InstanceFigures combined(const InstanceFigures& a, const InstanceFigures& b, Choose choose) {
  return {choose(a.cpu, b.cpu),
          choose(a.memory, b.memory),
          choose(a.network_interfaces, b.network_interfaces),
          choose(a.whole_gpus, b.whole_gpus),
          choose(a.neuron_devices, b.neuron_devices),
          choose(a.gpu_memory, b.gpu_memory),
          choose(a.shares, b.shares),
          choose(a.share_millionths, b.share_millionths),
          choose(a.ebs_attachments, b.ebs_attachments),
          choose(a.shared_attachments, b.shared_attachments)};
}

struct Range {
  InstanceFigures smallest;
  InstanceFigures largest;
};

/// Profiles of one type differ in their zone alone.
Range range_of(const Scenario& scenario, const InstanceGroup& group) {
  const auto figures = [&](const InstanceGroup::Type& type) {
    return compute_figures(scenario.profiles[type.profiles.front()]);
  };
  Range range{figures(group.types.front()), figures(group.types.front())};
  for (const auto& type : group.types) {
    range.smallest = combined(range.smallest, figures(type), [](auto a, auto b) { return std::min(a, b); });
    range.largest = combined(range.largest, figures(type), [](auto a, auto b) { return std::max(a, b); });
  }
  return range;
}

std::int64_t copies_by(std::int64_t offered, std::int64_t wanted) {
  return wanted > 0 ? offered / wanted : kUnlimited;
}

std::int64_t copies_by_gpu_memory(const InstanceFigures& figures, MiB wanted) {
  if (figures.whole_gpus == 0) return 0;
  return wanted > 0 ? figures.gpu_memory / wanted * figures.whole_gpus : kUnlimited;
}

std::int64_t copies_by_gpu(const InstanceFigures& figures, const TaskRequirement& task) {
  switch (task.gpu_form) {
    case GpuForm::kCount:
      return copies_by(figures.whole_gpus, task.gpu_count);
    case GpuForm::kAll:
      return figures.whole_gpus + figures.shares > 0 && task.gpu_containers.size() <= 1 ? 1 : 0;
    case GpuForm::kNeuron:
      return figures.neuron_devices > 0 && task.gpu_containers.size() <= 1 ? 1 : 0;
    case GpuForm::kFraction:
      return figures.share_millionths / std::max<std::int64_t>(1, task.gpu_fraction_millionths) * figures.shares;
    case GpuForm::kMps:
      return copies_by_gpu_memory(figures, task.mps_memory);
    case GpuForm::kNone:
      break;
  }
  return kUnlimited;
}

/// Copies on an empty instance of these figures.
std::int64_t copies_on(const InstanceFigures& figures, const WaitingKind& kind) {
  const TaskRequirement& task = *kind.requirement;
  const bool has_fixed_ports = !task.tcp_ports.empty() || !task.udp_ports.empty();
  return std::min({copies_by(figures.cpu, task.cpu), copies_by(figures.memory, task.memory),
                   copies_by(figures.network_interfaces, task.network_interfaces), copies_by_gpu(figures, task),
                   copies_by(figures.ebs_attachments, task.ebs_volumes),
                   copies_by(figures.shared_attachments, task.ebs_volumes + task.network_interfaces),
                   kind.is_distinct || has_fixed_ports ? 1 : kUnlimited});
}

}  // namespace

std::optional<std::int64_t> instances_to_add(const Scenario& scenario, const InstanceGroup& group,
                                             std::span<const WaitingKind> kinds) {
  const Range range = range_of(scenario, group);
  std::optional<std::int64_t> most;
  for (const auto& kind : kinds) {
    if (copies_on(range.smallest, kind) == 0) continue;
    const std::int64_t copies = std::min(copies_on(range.largest, kind), std::max<std::int64_t>(1, kind.count));
    most = std::max(most.value_or(0), divide_up(kind.count, copies));
  }
  if (!most) return std::nullopt;
  return std::min(std::max(*most, group.minimum_scaling_step_size), group.maximum_scaling_step_size);
}

std::int64_t Reservation::percent_millionths() const {
  constexpr std::int64_t kPercent = 1'000'000;
  if (running == 0) return needed == 0 ? 100 * kPercent : 200 * kPercent;
  return needed * 100 * kPercent / running;
}

bool Reservation::is_above(std::int64_t target) const {
  if (running == 0) return needed > 0 || target < 100;
  return needed * 100 > target * running;
}

bool Reservation::is_below(std::int64_t target) const {
  return needed * 100 < target * running;
}

std::int64_t capacity_for(const Reservation& reservation, const InstanceGroup& group) {
  // Target tracking takes an empty group as one instance, of which the metric is 200 %.
  const std::int64_t needed = reservation.running == 0 && reservation.needed > 0 ? 2 : reservation.needed;
  const std::int64_t wanted = divide_up(needed * 100, group.target_capacity);
  return std::max(group.min_size, std::min(group.max_size, wanted));
}

Scaling ScalingAlarm::at_data_point(placement::Seconds now, const Reservation& reservation,
                                    std::int64_t desired_capacity, const InstanceGroup& group,
                                    const placement::Timing& timing) {
  points_above_ = reservation.is_above(group.target_capacity) ? points_above_ + 1 : 0;
  points_below_ = reservation.is_below(group.target_capacity) ? points_below_ + 1 : 0;
  const std::int64_t wanted = capacity_for(reservation, group);
  if (points_above_ >= timing.scale_out_data_points && reservation.needed > 0 && wanted > desired_capacity &&
      !is_warming_up(now, group)) {
    last_scale_out_ = now;
    return {Scaling::Kind::kOut, wanted};
  }
  if (points_below_ >= timing.scale_in_data_points && wanted < desired_capacity) {
    const auto most_to_go = std::max<std::int64_t>(1, divide_up(desired_capacity, 2) - 1);
    return {Scaling::Kind::kIn, std::min(desired_capacity - wanted, most_to_go)};
  }
  return {};
}

bool ScalingAlarm::is_warming_up(placement::Seconds now, const InstanceGroup& group) const {
  return last_scale_out_ && now < *last_scale_out_ + group.instance_warmup_period;
}

}  // namespace bayplan::timeline
