#include "placement/model/timetable.hpp"

#include <algorithm>
#include <utility>

#include <fmt/core.h>

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

std::optional<Error> InstanceGroup::find_capacity_error(std::int64_t desired) const {
  if (desired >= min_size && desired <= max_size) return std::nullopt;
  const bool is_less = desired < min_size;
  return Error{.message = fmt::format("desiredCapacity is {}, {} of the group of '{}', which is {}", desired,
                                      is_less ? "less than minSize" : "more than maxSize", capacity_provider,
                                      is_less ? min_size : max_size),
               .help = fmt::format("set a number from {} to {}, or another {} of the group", min_size, max_size,
                                   is_less ? "minSize" : "maxSize")};
}

std::optional<std::uint32_t> find_group(const Timetable& timetable, std::string_view capacity_provider) {
  const auto& groups = timetable.groups;
  const auto found = std::find_if(groups.begin(), groups.end(), [&](const InstanceGroup& group) {
    return group.capacity_provider == capacity_provider && !group.managed_instances;
  });
  if (found == groups.end()) return std::nullopt;
  return static_cast<std::uint32_t>(found - groups.begin());
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
