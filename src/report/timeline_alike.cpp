#include "report/timeline_alike.hpp"

namespace bayplan::report {

using namespace timeline;  // NOLINT: the report is about nothing else

EventKey key_of(const TimelineReport& report, const Event& event) {
  EventKey key{event.at, event.kind, event.stop, event.subject, 0};
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
