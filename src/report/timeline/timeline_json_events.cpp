#include "base/json_items.hpp"
#include "placement/explain/ecs_words.hpp"
#include "report/timeline/timeline_events.hpp"
#include "report/timeline/timeline_words.hpp"
#include "timeline/tasks.hpp"

namespace bayplan::report {

using namespace timeline;  // NOLINT: the report is about nothing else
using placement::Scenario;
using placement::WorkloadKind;

namespace {

using Layout = JsonWriter::Layout;

std::string_view service_of(const Scenario& scenario, std::uint32_t workload) {
  const auto& own = scenario.workloads[workload];
  return own.kind == WorkloadKind::kTasks ? std::string_view() : own.name;
}

const std::string& plan_name(const Scenario& scenario, std::uint32_t service) {
  return scenario.workloads[scenario.timetable.services[service].workload].name;
}

void write_name(JsonWriter& json, JsonWriter::Name key, std::string_view name) {
  if (!name.empty()) json.member(key, name);
}

void write_index(JsonWriter& json, JsonWriter::Name key, OptionalIndex index) {
  json.key(key);
  index ? json.value(*index) : json.null();
}

/// What ECS, or the log, has for a reason in one word.
void write_reason(JsonWriter& json, const TimelineReport& report, const Event& event) {
  if (event.stop != StopCause::kNone) return write_name(json, "reason", name_of(event.stop));
  const bool lacks_place = event.kind == EventKind::kTaskWaiting || event.kind == EventKind::kTaskProvisioning ||
                           event.kind == EventKind::kTaskFailed;
  const bool is_behind = event.kind == EventKind::kTaskWaiting && report.figures().was_behind[event.subject];
  if (!lacks_place || is_behind) return;
  const auto* why = report.why(report.history().tasks[event.subject]);
  if (why != nullptr) write_name(json, "reason", failure_reason(report.everything(), *why));
}

void write_event(JsonWriter& json, const TimelineReport& report, const Event& event) {
  const auto& history = report.history();
  const auto& scenario = report.scenario();
  const auto names = event_names(scenario, history, event);
  json.begin_object(Layout::kLine).member("at", event.at).member("eventName", name_of(event.kind));
  write_name(json, "task", names.task);
  write_name(json, "containerInstance", names.container_instance);
  write_name(json, "serviceName", names.service_name);
  write_name(json, "capacityProviderName", names.capacity_provider_name);
  write_name(json, "subject", names.subject);
  if (event.kind == EventKind::kTaskCouldStart)
    json.member("behind", task_id(scenario, history.tasks[static_cast<std::size_t>(event.value)]));
  if (event.kind == EventKind::kScaleOut || event.kind == EventKind::kScaleIn ||
      event.kind == EventKind::kDesiredCapacitySet)
    json.member("desiredCapacity", event.value);
  if (is_about_deployment(event.kind)) json.member("deployment", event.subject);
  if (event.kind == EventKind::kDeploymentStage)
    json.member("stage", model::name_of(static_cast<model::DeploymentStage>(event.value)));
  if (event.kind == EventKind::kJobStarted || event.kind == EventKind::kJobFailed) json.member("job", event.subject);
  write_reason(json, report, event);
  write_index(json, "cause", event.cause);
  json.member("message", event_words(report, event)).end_object();
}

}  // namespace

EventNames event_names(const Scenario& scenario, const History& history, const Event& event) {
  EventNames names;
  if (event.instance != kNoIndex) names.container_instance = history.instances[*event.instance].id;
  if (is_about_task(event.kind)) {
    const Task& task = history.tasks[event.subject];
    names.task = task_id(scenario, task);
    if (task.running == kNoIndex) names.service_name = service_of(scenario, *task.workload);
    names.capacity_provider_name = capacity_provider_of(scenario, task);
  } else if (is_about_instance(event.kind) || is_notice(event.kind)) {
    const Instance& instance = history.instances[event.subject];
    names.container_instance = instance.id;
    if (instance.group != kNoIndex)
      names.capacity_provider_name = scenario.timetable.groups[*instance.group].capacity_provider;
  } else if (is_about_scenario_event(event.kind) || event.kind == EventKind::kNothingNamed) {
    const auto& happened = scenario.timetable.events[event.subject].event;
    if (const auto service = placement::named_service(happened)) names.service_name = plan_name(scenario, *service);
    names.subject = placement::named_subject(happened);
    if (event.kind == EventKind::kDesiredCapacitySet) names.capacity_provider_name = names.subject;
  } else if (is_about_deployment(event.kind)) {
    names.service_name = plan_name(scenario, history.deployments[event.subject].service);
  } else {
    switch (event.kind) {
      case EventKind::kSteadyState:
      case EventKind::kLaunchRateReached:
      case EventKind::kRebalancingStarted:
      case EventKind::kRebalancingCompleted:
        names.service_name = plan_name(scenario, event.subject);
        break;
      case EventKind::kScaleOut:
      case EventKind::kScaleIn:
        names.capacity_provider_name = scenario.timetable.groups[event.subject].capacity_provider;
        break;
      default:
        break;
    }
  }
  return names;
}

void write_timeline_events(JsonWriter& json, const TimelineReport& report) {
  json.key("events").begin_array();
  const auto& events = report.history().events;
  write_items(json, events.size(), [&](JsonWriter& items, std::size_t i) { write_event(items, report, events[i]); });
  json.end_array();
}

}  // namespace bayplan::report
