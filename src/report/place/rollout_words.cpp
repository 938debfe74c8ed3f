#include "report/place/rollout_words.hpp"

#include <fmt/core.h>

#include "base/strings.hpp"
#include "report/document/amounts.hpp"
#include "report/document/figures.hpp"
#include "report/document/json_parts.hpp"
#include "report/place/place_words.hpp"

namespace bayplan::report {

using study::BlockedDeployment;
using study::DeploymentBlocker;
using study::Remedy;

namespace {

struct ChangeWords {
  const Remedy& remedy;

  std::string operator()(const study::SetMinimumHealthyPercent& change) const {
    return fmt::format("minimumHealthyPercent {}", change.percent);
  }
  std::string operator()(const study::SetMaximumPercent& change) const {
    return fmt::format("maximumPercent {}", change.percent);
  }
  std::string operator()(const study::ChangePorts& change) const {
    std::vector<std::string> ports;
    for (const auto& port : change.ports) ports.push_back(fmt::format("{} {}", port.is_udp ? "UDP" : "TCP", port.from));
    return "hostPort 0 (dynamic) instead of " + join(ports, ", ");
  }
  std::string operator()(const placement::AddInstances& change) const {
    const auto& profile = change.profiles.front();
    const auto zone = profile.availability_zone.empty() ? "" : " in " + profile.availability_zone;
    const auto cost = added_cost(remedy.hourly_cost);
    return fmt::format("{} more {}{} ({})", change.instances.size(), profile.instance_type, zone, cost);
  }
  std::string operator()(const study::SetRolling&) const { return "strategy ROLLING"; }
  template <class Other>
  std::string operator()(const Other&) const {
    return {};
  }
};

struct ChangeKind {
  std::string_view operator()(const study::SetMinimumHealthyPercent&) const { return "minimumHealthyPercent"; }
  std::string_view operator()(const study::SetMaximumPercent&) const { return "maximumPercent"; }
  std::string_view operator()(const study::ChangePorts&) const { return "hostPort"; }
  std::string_view operator()(const placement::AddInstances&) const { return "instance"; }
  std::string_view operator()(const study::SetRolling&) const { return "strategy"; }
  template <class Other>
  std::string_view operator()(const Other&) const {
    return {};
  }
};

/// Old tasks that use the room; empty when none does.
std::string old_tasks_words(const BlockedDeployment& held) {
  if (!held.side_by_side.empty() && held.old_tasks > 0) {
    return fmt::format("; {} run on until all {} new ones are healthy ({})", count_of(held.old_tasks, "old task"),
                       held.terms.desired, held.side_by_side);
  }
  if (held.old_tasks == 0 || held.terms.minimum_healthy_percent == 0) return {};
  return fmt::format("; {} cannot be stopped (minimumHealthyPercent {})", count_of(held.old_tasks, "old task"),
                     held.terms.minimum_healthy_percent);
}

/// What a lower minimumHealthyPercent costs: " (at least 5 of 6 healthy)"
std::string health_words(const BlockedDeployment& held, const Remedy& remedy) {
  const auto* change = std::get_if<study::SetMinimumHealthyPercent>(&remedy.change);
  if (change == nullptr || held.terms.desired == 0) return {};
  auto terms = held.terms;
  terms.minimum_healthy_percent = change->percent;
  if (terms.lower() == 0) return " (temporarily 0 healthy)";
  return fmt::format(" (at least {} of {} healthy)", terms.lower(), terms.desired);
}

}  // namespace

std::string blocker_words(const TimelineReport& report, const BlockedDeployment& held) {
  switch (held.blocker) {
    case DeploymentBlocker::kNoPlace:
      return fmt::format("{} cannot be placed: {}{}", count_of(held.without_place, "new task"),
                         why_not(report.everything(), report.history().failures[*held.failure]), old_tasks_words(held));
    case DeploymentBlocker::kHealthyPercents:
      if (!held.side_by_side.empty()) return "not all of its tasks are healthy";
      return fmt::format("no task may start (maximumPercent {}) and none may be stopped (minimumHealthyPercent {})",
                         held.terms.maximum_percent, held.terms.minimum_healthy_percent);
    case DeploymentBlocker::kTasksEnd:
      break;
  }
  return "its tasks end before they are healthy";
}

std::string_view name_of(DeploymentBlocker blocker) {
  switch (blocker) {
    case DeploymentBlocker::kNoPlace:
      return "noPlace";
    case DeploymentBlocker::kHealthyPercents:
      return "healthyPercents";
    case DeploymentBlocker::kTasksEnd:
      break;
  }
  return "tasksEnd";
}

std::string rollout_change_words(const Remedy& remedy) {
  return std::visit(ChangeWords{remedy}, remedy.change);
}

std::string_view rollout_change_kind(const Remedy& remedy) {
  return std::visit(ChangeKind{}, remedy.change);
}

std::vector<std::string> remedy_lines(const BlockedDeployment& held) {
  std::vector<std::string> lines;
  for (const auto& remedy : held.remedies) {
    lines.push_back(fmt::format("Fix: {}{}; finishes in {}", rollout_change_words(remedy), health_words(held, remedy),
                                duration(remedy.takes)));
  }
  if (held.exhausted) {
    lines.push_back("Not all fixes were simulated: the run is long");
  } else if (lines.empty() && held.blocker != DeploymentBlocker::kTasksEnd) {
    lines.push_back("No single change that was simulated fixes it");
  }
  return lines;
}

std::vector<RichText> remedy_items(const BlockedDeployment& held) {
  std::vector<RichText> items;
  for (const auto& remedy : held.remedies) {
    const auto words = fmt::format("{}{}; finishes in {}", rollout_change_words(remedy), health_words(held, remedy),
                                   duration(remedy.takes));
    const auto* added = std::get_if<placement::AddInstances>(&remedy.change);
    const auto flag = added == nullptr ? std::string() : add_flag(*added);
    items.push_back(flag.empty() ? RichText(words) : RichText{{words + ": "}, in_command(flag)});
  }
  const auto lines = remedy_lines(held);
  for (auto i = items.size(); i < lines.size(); ++i) items.emplace_back(lines[i]);
  return items;
}

void write_holdup(JsonWriter& json, const TimelineReport& report, const BlockedDeployment& held) {
  json.member("holdup", name_of(held.blocker)).member("reason", blocker_words(report, held));
  json.key("remedies").begin_array();
  for (const auto& remedy : held.remedies) {
    json.begin_object(JsonWriter::Layout::kLine)
        .member("kind", rollout_change_kind(remedy))
        .member("change", rollout_change_words(remedy))
        .member("seconds", remedy.takes);
    write_usd(json, "hourlyCost", remedy.hourly_cost);
    json.end_object();
  }
  json.end_array().member("effortExhausted", held.exhausted);
}

}  // namespace bayplan::report
