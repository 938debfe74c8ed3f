#include "timeline/spot_interruptions.hpp"

#include <cmath>

#include "placement/model/random.hpp"

namespace bayplan::timeline {

namespace {

constexpr Seconds kNotice = 120;
constexpr Seconds kHourOfRate = 3'600;
constexpr double kHoursOfRate = 720;  // 30 days
constexpr double kMillion = 1e6;

}  // namespace

SpotInterruptions::SpotInterruptions(Cluster& cluster, InstanceGroups& groups)
    : cluster_(cluster), groups_(groups), generator_(cluster.scenario().seed) {}

bool SpotInterruptions::can_interrupt(std::uint32_t instance) const {
  return cluster_.profile(instance).is_spot && cluster_.instance(instance).stage != InstanceStage::kGone &&
         !interrupted_.contains(instance);
}

void SpotInterruptions::interrupt(std::uint32_t instance, OptionalIndex cause) {
  if (!can_interrupt(instance)) return;
  interrupted_.insert(instance);
  const std::uint32_t notice =
      cluster_.log({.kind = EventKind::kSpotInterruption, .subject = instance, .instance = instance, .cause = cause});
  notices_.resize(cluster_.instance_count());
  notices_[instance] = notice;
  if (cluster_.profile(instance).has_spot_draining && cluster_.instance(instance).stage == InstanceStage::kActive)
    cluster_.drain(instance, notice);
  cluster_.agenda.add(Step::kReclaim, cluster_.now + kNotice, instance);
}

void SpotInterruptions::recommend_rebalance(std::uint32_t instance) {
  const std::uint32_t event =
      cluster_.log({.kind = EventKind::kRebalanceRecommendation, .subject = instance, .instance = instance});
  groups_.replace(instance, event);
}

void SpotInterruptions::reclaim(std::uint32_t instance) {
  cluster_.terminate(instance, notices_[instance]);
}

/// Each hour has the same chance, so that of 30 days it is the rate; within the hour each second has.
std::optional<Seconds> SpotInterruptions::draw_delay(std::int64_t millionths, Seconds within) {
  if (millionths <= 0) return std::nullopt;
  const double stays_an_hour = std::pow(1 - static_cast<double>(millionths) / kMillion, 1 / kHoursOfRate);
  constexpr std::uint64_t kParts = std::uint64_t{1} << 53;
  const auto ends = static_cast<std::uint64_t>(std::llround((1 - stays_an_hour) * static_cast<double>(kParts)));
  for (Seconds hour = 0; hour * kHourOfRate <= within; ++hour) {
    if (placement::draw(generator_, kParts) >= ends) continue;
    return hour * kHourOfRate + static_cast<Seconds>(placement::draw(generator_, kHourOfRate));
  }
  return std::nullopt;
}

void SpotInterruptions::draw_for_new() {
  const auto& rates = cluster_.timetable().spot;
  const auto until = cluster_.timetable().until;
  if (rates.is_zero() || !until) return;
  for (; drawn_ < cluster_.instance_count(); ++drawn_) {
    const auto& profile = cluster_.profile(drawn_);
    if (!profile.is_spot || cluster_.instance(drawn_).stage == InstanceStage::kGone) continue;
    const auto delay = draw_delay(rates.of(placement::spot_pool(profile)), *until - cluster_.now);
    if (delay) cluster_.agenda.add(Step::kInterruption, cluster_.now + *delay, drawn_);
  }
}

}  // namespace bayplan::timeline
