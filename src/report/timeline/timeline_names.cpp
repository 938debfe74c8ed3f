#include "report/timeline/timeline_words.hpp"

#include <fmt/core.h>

#include "base/strings.hpp"
#include "report/document/figures.hpp"
#include "report/timeline/numbered_names.hpp"

namespace bayplan::report {

using namespace timeline;  // NOLINT: the report is about nothing else
using placement::Scenario;

std::string task_names(const Scenario& scenario, const History& history, const std::vector<std::uint32_t>& tasks) {
  NumberedNames names;
  for (const auto index : tasks) {
    const Task& task = history.tasks[index];
    if (task.running == kNoIndex) {
      names.add(scenario.workloads[*task.workload].name, task.number);
    } else {
      names.add_unnumbered(scenario.running[*task.running].id);
    }
  }
  return names.text();
}

namespace {

struct NumberedId {
  std::string_view name;
  std::optional<std::int64_t> number;
};

/// "p3.2xlarge#1" in its parts; no number where the id has none.
NumberedId parts_of(std::string_view id) {
  const auto mark = id.rfind('#');
  const auto number = mark == std::string_view::npos ? std::nullopt : to_integer(id.substr(mark + 1));
  return {number ? id.substr(0, mark) : id, number};
}

}  // namespace

std::string instance_names(const History& history, const std::vector<std::uint32_t>& instances) {
  NumberedNames names;
  for (const auto index : instances) {
    const auto [name, number] = parts_of(history.instances[index].id);
    number ? names.add(name, *number) : names.add_unnumbered(name);
  }
  return names.text();
}

std::string instance_name(const Instance& instance) {
  const auto [name, number] = parts_of(instance.id);
  std::string text(name);
  if (number) (text += '#') += std::to_string(*number);
  return text;
}

std::string failure_words(const Deployment& deployment) {
  const auto stage = deployment.stages.empty() ? std::string()
                                               : fmt::format("in {}: ", model::name_of(deployment.stages.back().stage));
  switch (deployment.failure) {
    case DeploymentFailure::kStageLimit: {
      const auto since = deployment.stages.back().at;
      return fmt::format("{}not all new tasks were healthy within {}", stage,
                         duration(deployment.ended_at.value_or(since) - since));
    }
    case DeploymentFailure::kAlarm:
      return stage + "an alarm went into ALARM";
    case DeploymentFailure::kHook:
      return stage + "a PAUSE hook was not continued in time";
    case DeploymentFailure::kStopped:
      return stage + "it was stopped";
    default:
      return stage + count_of(deployment.failed_tasks, "failed task");
  }
}

std::string deployment_name(const Scenario& scenario, const Deployment& deployment) {
  const auto& workload = scenario.workloads[deployment.workload];
  return fmt::format("{} ({})", workload.name, scenario.task_definitions[workload.task_definition].name);
}

using namespace timeline;  // NOLINT: the report is about nothing else

EventKey key_of(const TimelineReport& report, const Event& event) {
  EventKey key{event.at, event.kind, event.stop, event.subject, 0};
  if (event.kind == EventKind::kDeploymentStage) key.detail = static_cast<std::uint32_t>(event.value);
  if (is_notice(event.kind)) {
    key.name = event.cause;
    return key;
  }
  if (is_about_instance(event.kind)) {
    // Each instance is ACTIVE because it was launched: what counts is when.
    const bool is_active = event.kind == EventKind::kInstanceActive;
    key.name = is_active ? 0 : event.cause;
    if (is_active) key.detail = static_cast<std::uint32_t>(report.history().instances[event.subject].launched_at);
    return key;
  }
  if (!is_about_task(event.kind)) return key;
  const Task& task = report.history().tasks[event.subject];
  key.name = task.workload;
  switch (event.kind) {
    case EventKind::kTaskPlaced:
      key.detail = static_cast<std::uint32_t>(event.at - task.arrived_at);
      break;
    case EventKind::kTaskWaiting:
      key.detail = report.figures().was_behind[event.subject] ? 1 : 0;
      break;
    case EventKind::kTaskFailed:
      key.detail = report.why(task) == nullptr ? 1 : 0;
      break;
    case EventKind::kTaskCouldStart:
      key.detail = event.subject;
      break;
    case EventKind::kTaskStopped:
    case EventKind::kTaskStopping:
      if (event.stop == StopCause::kInstanceGone || event.stop == StopCause::kDraining) key.detail = task.instance;
      break;
    default:
      break;
  }
  return key;
}

bool goes_without_saying(const TimelineReport& report, const Event& event) {
  const auto& history = report.history();
  switch (event.kind) {
    case EventKind::kTaskArrived:
      return true;
    case EventKind::kTaskRunning:
      return history.tasks[event.subject].placed_at == std::optional(event.at);
    case EventKind::kTaskStopping:
      return history.tasks[event.subject].stopped_at == std::optional(event.at);
    case EventKind::kInstanceLaunched:
      return history.instances[event.subject].active_at == std::optional(event.at);
    default:
      return false;
  }
}

}  // namespace bayplan::report
