#include "report/timeline/timeline_report.hpp"

#include <algorithm>
#include <map>

#include "base/json_items.hpp"
#include "base/json_writer.hpp"
#include "placement/explain/ecs_words.hpp"
#include "report/document/assumptions.hpp"
#include "report/document/figures.hpp"
#include "report/document/json_parts.hpp"
#include "report/document/prices.hpp"
#include "report/place/place_json_parts.hpp"
#include "report/place/rollout_words.hpp"
#include "report/timeline/timeline_events.hpp"
#include "report/timeline/timeline_series.hpp"
#include "report/timeline/timeline_words.hpp"
#include "timeline/tasks.hpp"

namespace bayplan::report {

using namespace timeline;  // NOLINT: the report is about nothing else
using placement::Scenario;

namespace {

using Layout = JsonWriter::Layout;

placement::PlacementAttempt make_attempt(const Task& task) {
  return {*task.workload, task.number, 0, task.capacity_provider};
}

/// GPU-seconds.
void write_gpu_seconds(JsonWriter& json, std::string_view name, double millionths) {
  json.member(name, rounded(millionths / 1e6));
}

void write_placement(JsonWriter& json, const TimelineReport& report, const Task& task) {
  const auto& scenario = report.everything();
  const auto& instance = scenario.instances[*task.instance];
  const auto& profile = scenario.profiles[instance.profile];
  const auto attempt = make_attempt(task);
  json.begin_object(Layout::kLine);
  write_task(json, scenario, attempt);
  json.member("containerInstance", instance.id).member("instanceType", profile.instance_type);
  write_zone(json, profile);
  write_containers(json, scenario, {attempt, *task.instance, task.gpus, task.tied});
  json.member("arrivedAt", task.arrived_at).member("placedAt", task.placed_at);
  json.member("startedAt", task.started_at).member("stoppedAt", task.stopped_at);
  json.key("stopCause");
  task.stop == StopCause::kNone ? json.null() : json.value(name_of(task.stop));
  json.member("tied", task.tied).end_object();
}

/// Writes the placements sorted by time, then by arrival.
void write_placements(JsonWriter& json, const TimelineReport& report) {
  const auto& tasks = report.history().tasks;
  std::vector<std::uint32_t> placed;
  for (std::uint32_t i = 0; i < tasks.size(); ++i) {
    if (tasks[i].placed_at && tasks[i].running == kNoIndex) placed.push_back(i);
  }
  const auto is_earlier = [&](std::uint32_t a, std::uint32_t b) { return *tasks[a].placed_at < *tasks[b].placed_at; };
  // Where no task waits, they are in order.
  if (!std::is_sorted(placed.begin(), placed.end(), is_earlier))
    std::stable_sort(placed.begin(), placed.end(), is_earlier);
  json.key("placements").begin_array();
  write_items(json, placed.size(),
              [&](JsonWriter& items, std::size_t i) { write_placement(items, report, tasks[placed[i]]); });
  json.end_array();
}

std::string_view state_word(TaskWithoutPlace::State state) {
  switch (state) {
    case TaskWithoutPlace::State::kWaiting:
      return "WAITING";
    case TaskWithoutPlace::State::kProvisioning:
      return "PROVISIONING";
    default:
      return {};
  }
}

/// Nobody looked for a place for it.
void write_unexplained(JsonWriter& json, const Task& task) {
  const auto reason = task.stop == StopCause::kNone ? std::string_view("QUEUE") : name_of(task.stop);
  json.member("reason", reason);
  json.member("message", task.stop == StopCause::kNone ? "behind others in the queue" : reason);
  json.key("closest").null().key("rejected").begin_object(Layout::kLine).end_object();
}

void write_failures(JsonWriter& json, const TimelineReport& report) {
  const auto& scenario = report.everything();
  std::map<const placement::Failure*, std::string> described;
  json.key("failures").begin_array();
  for (const auto& one : report.without_place()) {
    const Task& task = report.history().tasks[one.task];
    const auto id = task_id(report.scenario(), task);
    const auto [entry, is_first] = described.try_emplace(one.why, id);
    json.begin_object(one.why != nullptr && is_first ? Layout::kBlock : Layout::kLine);
    write_task(json, scenario, make_attempt(task));
    json.member("at", one.at);
    if (const auto state = state_word(one.state); !state.empty()) json.member("state", state);
    json.member("why", reason_words(report, one));
    if (one.why == nullptr) {
      write_unexplained(json, task);
    } else {
      json.member("reason", failure_reason(scenario, *one.why)).member("message", failure_message(scenario, *one.why));
      json.key("closest");
      one.why->closest ? json.value(scenario.instances[*one.why->closest].id) : json.null();
      is_first ? write_rejections(json, scenario, *one.why) : static_cast<void>(json.member("sameAs", entry->second));
      write_rejected(json, one.why->rejected);
    }
    json.end_object();
  }
  json.end_array();
}

void write_delay(JsonWriter& json, std::string_view name, const TimelineReport& report,
                 const std::optional<Delay>& delay) {
  json.key(name);
  if (!delay) {
    json.null();
    return;
  }
  json.begin_object(Layout::kLine).member("p50", delay->p50).member("p95", delay->p95).member("worst", delay->worst);
  json.member("worstTask", task_id(report.scenario(), report.history().tasks[*delay->worst_task])).end_object();
}

void write_waits(JsonWriter& json, const TimelineReport& report, const WaitTimes& waits) {
  json.begin_object(Layout::kLine);
  if (!waits.name.empty()) json.member("name", waits.name);
  json.member("arrived", waits.arrived).member("placed", waits.placed).member("ran", waits.ran);
  json.member("ended", waits.ended).member("failed", waits.failed).member("waiting", waits.waiting);
  json.member("stoppedBefore", waits.given_up);
  write_delay(json, "toPlacement", report, waits.to_place);
  write_delay(json, "toRunning", report, waits.to_running);
  json.end_object();
}

void write_waiting(JsonWriter& json, const TimelineReport& report) {
  json.key("waiting").begin_object();
  json.key("all");
  write_waits(json, report, report.figures().all);
  json.key("names").begin_array();
  for (const auto& name : report.figures().names) write_waits(json, report, name);
  json.end_array();
  json.member("most", report.figures().worst_waiting).member("mostAt", report.figures().worst_waiting_at);
  json.end_object();
}

void write_series(JsonWriter& json, const Series& series) {
  json.key("series").begin_object().member("width", series.width);
  write_series_columns(json, series);
  json.key("totalCost").begin_array(Layout::kLine);
  double cost = 0;
  for (std::size_t i = 0; i < series.buckets.size(); ++i) {
    cost = cost_so_far(series, i, cost);
    json.value(rounded(cost));
  }
  json.end_array().end_object();
}

void write_gpu(JsonWriter& json, const Figures& figures) {
  const auto& levels = figures.levels;
  json.key("gpu").begin_object(Layout::kLine);
  write_gpu_seconds(json, "paid", levels.of(Level::kGpuRegistered) + levels.of(Level::kGpuBooting));
  write_gpu_seconds(json, "used", levels.of(Level::kGpuReserved) - levels.gpu_pinned());
  write_gpu_seconds(json, "cutOff", figures.gpu_cut_off);
  json.key("pinned").begin_object(Layout::kLine);
  write_gpu_seconds(json, "startDelay", levels.of(Level::kGpuStarting));
  write_gpu_seconds(json, "job", levels.of(Level::kGpuJob));
  write_gpu_seconds(json, "stopping", levels.of(Level::kGpuStopping));
  json.end_object();
  write_gpu_seconds(json, "idle", levels.gpu_idle());
  write_gpu_seconds(json, "booting", levels.of(Level::kGpuBooting));
  json.end_object();
}

void write_mean(JsonWriter& json, std::string_view name, const LevelSeconds& levels, Level reserved, Level registered) {
  json.key(name);
  levels.of(registered) == 0 ? json.null() : json.value(rounded(levels.of(reserved) / levels.of(registered)));
}

void write_mean_utilization(JsonWriter& json, const LevelSeconds& levels) {
  json.key("utilization").begin_object(Layout::kLine);
  write_mean(json, "CPU", levels, Level::kCpuReserved, Level::kCpuRegistered);
  write_mean(json, "MEMORY", levels, Level::kMemoryReserved, Level::kMemoryRegistered);
  write_mean(json, "GPU", levels, Level::kGpuReserved, Level::kGpuRegistered);
  json.end_object();
}

void write_cost(JsonWriter& json, const Cost& cost) {
  json.key("cost").begin_object();
  json.member("total", usd_number(cost.total)).member("idle", usd_number(cost.idle));
  json.member("booting", usd_number(cost.booting)).member("unpriced", cost.unpriced);
  json.key("types").begin_array();
  for (const auto& type : cost.types) {
    json.begin_object(Layout::kLine).member("instanceType", type.instance_type).member("instances", type.instances);
    json.member("seconds", type.seconds);
    write_usd(json, "hourlyPrice", type.hourly_price);
    json.member("cost", usd_number(type.cost)).member("idle", usd_number(type.idle_cost)).end_object();
  }
  json.end_array().end_object();
}

void write_groups(JsonWriter& json, const TimelineReport& report) {
  json.key("groups").begin_array();
  for (const auto& use : report.figures().groups) {
    const auto& group = report.scenario().timetable.groups[use.group];
    json.begin_object(Layout::kLine).member("capacityProviderName", group.capacity_provider);
    json.member("minSize", group.min_size).key("maxSize");
    group.managed_instances ? json.null() : json.value(group.max_size);
    json.member("launched", use.launched).member("least", use.least).member("most", use.most).member("last", use.last);
    json.member("cost", usd_number(use.cost)).member("idleSeconds", use.idle_seconds);
    json.member("fullSeconds", use.full_seconds);
    json.member("idleCost", usd_number(use.idle_cost)).member("surpluses", use.surpluses).key("longestSurplus");
    if (use.longest) {
      json.begin_object(Layout::kLine).member("from", use.longest->from).member("to", use.longest->to);
      json.member("needed", use.longest->needed).member("paid", use.longest->paid).end_object();
    } else {
      json.null();
    }
    json.end_object();
  }
  json.end_array();
}

void write_below_desired(JsonWriter& json, const TimelineReport& report) {
  const auto& scenario = report.everything();
  json.key("belowDesired").begin_array();
  for (const auto& below : compute_below_desired(scenario, report.history())) {
    json.begin_object(Layout::kLine);
    json.member("service", scenario.workloads[scenario.timetable.services[below.service].workload].name);
    json.member("seconds", below.total).key("events").begin_array();
    for (const auto& part : below.parts) {
      if (part.event == kNoIndex) continue;
      const auto& subject = placement::named_subject(scenario.timetable.events[*part.event].event);
      json.begin_object().member("at", part.at);
      if (!subject.empty()) json.member("subject", subject);
      json.member("seconds", part.seconds).end_object();
    }
    json.end_array().end_object();
  }
  json.end_array();
}

void write_instance_times(JsonWriter& json, const TimelineReport& report) {
  const auto& instances = report.history().instances;
  json.key("instances").begin_array();
  for (std::size_t i = 0; i < instances.size(); ++i) {
    const Instance& one = instances[i];
    const auto& cost = report.figures().cost.instances[i];
    json.begin_object(Layout::kLine).member("id", one.id);
    json.member("instanceType", report.scenario().profiles[one.profile].instance_type);
    json.member("launchedAt", one.launched_at).member("activeAt", one.active_at);
    json.member("drainingAt", one.draining_at).member("terminatedAt", one.terminated_at);
    json.member("paidSeconds", cost.seconds).member("idleSeconds", cost.idle_seconds);
    write_usd(json, "cost", cost.cost);
    json.end_object();
  }
  json.end_array();
}

void write_stages(JsonWriter& json, const Deployment& deployment) {
  json.key("stages").begin_array(Layout::kLine);
  for (const auto& stage : deployment.stages) {
    json.begin_object(Layout::kLine).member("stage", model::name_of(stage.stage)).member("at", stage.at).end_object();
  }
  json.end_array();
}

void write_deployments(JsonWriter& json, const TimelineReport& report) {
  const auto& scenario = report.scenario();
  json.key("deployments").begin_array();
  const auto& deployments = report.history().deployments;
  for (std::uint32_t i = 0; i < deployments.size(); ++i) {
    const auto& one = deployments[i];
    const auto& workload = scenario.workloads[one.workload];
    json.begin_object(Layout::kLine).member("serviceName", workload.name);
    json.member("taskDefinition", scenario.task_definitions[workload.task_definition].name);
    json.member("startedAt", one.started_at).member("endedAt", one.ended_at);
    json.member("rolloutState", rollout_state(one.state)).member("stuck", one.is_stuck);
    json.member("failedTasks", one.failed_tasks);
    if (one.failure != DeploymentFailure::kNone) json.member("failure", name_of(one.failure));
    if (!one.stages.empty()) write_stages(json, one);
    if (const auto* held = report.held(i)) write_holdup(json, report, *held);
    json.end_object();
  }
  json.end_array();
}

void write_jobs(JsonWriter& json, const TimelineReport& report) {
  json.key("jobs").begin_array();
  for (const auto& job : report.history().jobs) {
    json.begin_object(Layout::kLine).key("tasks").begin_array(Layout::kLine);
    for (const auto task : job.tasks) json.value(task_id(report.scenario(), report.history().tasks[task]));
    json.end_array().member("startedAt", job.started_at).member("failed", job.failed).end_object();
  }
  json.end_array();
}

void write_metrics(JsonWriter& json, const TimelineReport& report) {
  json.key("metrics").begin_array();
  for (const auto& metric : report.history().metrics) {
    json.begin_object(Layout::kLine).member("at", metric.at);
    json.member("capacityProviderName", report.scenario().timetable.groups[metric.group].capacity_provider);
    json.member("M", metric.needed).member("N", metric.running);
    json.member("percent", rounded(static_cast<double>(metric.percent_millionths) / 1e6));
    json.member("desiredCapacity", metric.desired_capacity).end_object();
  }
  json.end_array();
}

void write_cut_off(JsonWriter& json, const TimelineReport& report) {
  json.key("cutOff").begin_array();
  for (const auto& one : report.figures().interrupted_tasks) {
    const Task& task = report.history().tasks[one.task];
    json.begin_object(Layout::kLine).member("task", task_id(report.scenario(), task)).member("at", task.stopped_at);
    json.member("ran", one.ran).member("message", cut_off_words(report, one)).end_object();
  }
  json.end_array();
}

void write_held_drains(JsonWriter& json, const TimelineReport& report) {
  const auto& scenario = report.scenario();
  const auto& history = report.history();
  json.key("heldDrains").begin_array();
  for (const auto& one : report.figures().held_drains) {
    const auto& workload = scenario.workloads[scenario.timetable.services[one.service].workload];
    json.begin_object(Layout::kLine).member("containerInstance", history.instances[one.instance].id);
    json.member("serviceName", workload.name).key("tasks").begin_array(Layout::kLine);
    for (const auto task : one.tasks) json.value(task_id(scenario, history.tasks[task]));
    json.end_array().member("message", held_drain_words(report, one)).end_object();
  }
  json.end_array();
}

std::string_view reason_word(EndReason reason) {
  switch (reason) {
    case EndReason::kUntil:
      return "until";
    case EndReason::kEndless:
      return "endless";
    default:
      return "nothingLeft";
  }
}

void write_timeline(JsonWriter& json, const TimelineReport& report) {
  json.key("timeline").begin_object();
  write_timeline_figures(json, report);
  write_instance_times(json, report);
  write_deployments(json, report);
  write_jobs(json, report);
  write_cut_off(json, report);
  write_held_drains(json, report);
  write_metrics(json, report);
  write_series(json, report.figures().series);
  json.end_object();
}

}  // namespace

void write_timeline_figures(JsonWriter& json, const TimelineReport& report) {
  const auto& figures = report.figures();
  json.member("end", report.history().end).member("endReason", reason_word(report.history().end_reason));
  write_waiting(json, report);
  write_mean_utilization(json, figures.levels);
  write_gpu(json, figures);
  write_cost(json, figures.cost);
  write_groups(json, report);
  write_below_desired(json, report);
}

void write_timeline_json(std::ostream& out, const TimelineReport& report, const PlaceJsonOptions& options) {
  JsonWriter json(out);
  const auto& cluster = report.cluster();
  begin_report(json, "place-report", timeline_headline(report));
  json.member("seed", report.scenario().seed);
  write_prices_json(json, find_price_range(report.scenario()));
  write_assumptions_json(json, cluster.assumptions);
  if (options.placements) write_running(json, report.scenario());
  if (options.placements) write_placements(json, report);
  write_failures(json, report);
  write_instances(json, cluster);
  write_cluster_findings_json(json, cluster.cluster_findings);
  write_timeline_events(json, report);
  write_summary(json, cluster);
  write_timeline(json, report);
  json.end_object().finish();
}

}  // namespace bayplan::report
