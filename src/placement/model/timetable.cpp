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

const std::string& named_subject(const TimelineEvent& event) {
  static const std::string kNothing;
  const std::string* subject = std::visit([](const auto& one) { return subject_of(one); }, event);
  return subject == nullptr ? kNothing : *subject;
}

std::optional<std::uint32_t> named_service(const TimelineEvent& event) {
  return std::visit(
      [](const auto& one) -> std::optional<std::uint32_t> {
        if constexpr (requires { one.service; }) return one.service;
        return std::nullopt;
      },
      event);
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
