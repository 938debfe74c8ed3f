#include "placement/model/timetable.hpp"

#include <algorithm>
#include <utility>

namespace bayplan::placement {

std::int64_t CircuitBreaker::threshold(std::int64_t desired_count) const {
  constexpr std::int64_t kLeast = 3;  // API_DeploymentCircuitBreaker; 10 in the guide of 2023
  constexpr std::int64_t kMost = 200;
  if (type == ThresholdType::kCount) return std::max<std::int64_t>(1, value);
  const std::int64_t share = (desired_count * value + 99) / 100;
  return type == ThresholdType::kBoundedPercent ? std::clamp(share, kLeast, kMost) : std::max<std::int64_t>(1, share);
}

const std::string& named_subject(const ClusterEvent& event) {
  static const std::string kNothing;
  if (const auto* terminate = std::get_if<TerminateInstances>(&event)) return terminate->pattern;
  if (const auto* drain = std::get_if<DrainInstances>(&event)) return drain->pattern;
  if (const auto* lose = std::get_if<LoseAvailabilityZone>(&event)) return lose->zone;
  if (const auto* stop = std::get_if<StopTasks>(&event)) return stop->pattern;
  if (const auto* alarm = std::get_if<RaiseAlarm>(&event)) return alarm->name;
  if (const auto* spot = std::get_if<InterruptSpotInstances>(&event)) return spot->pattern;
  if (const auto* spot = std::get_if<RecommendRebalance>(&event)) return spot->pattern;
  return kNothing;
}

const model::DeploymentSettings* settings_of(const Timetable& timetable, std::uint32_t workload) {
  const auto found = std::find_if(timetable.services.begin(), timetable.services.end(),
                                  [&](const ServicePlan& plan) { return plan.workload == workload; });
  return found == timetable.services.end() ? nullptr : &found->settings;
}

std::string duration_text(Seconds seconds) {
  std::string text;
  for (const auto& [unit, length] : {std::pair('h', Seconds{3'600}), std::pair('m', Seconds{60})}) {
    if (seconds >= length) text += std::to_string(seconds / length) + unit;
    seconds %= length;
  }
  return seconds > 0 || text.empty() ? text + std::to_string(seconds) + 's' : text;
}

}  // namespace bayplan::placement
