#include "report/timeline/timeline_tables.hpp"

#include <algorithm>
#include <map>
#include <span>
#include <tuple>
#include <utility>

#include <fmt/core.h>

#include "base/strings.hpp"
#include "report/document/figures.hpp"
#include "report/document/table.hpp"
#include "report/place/place_words.hpp"
#include "report/place/rollout_words.hpp"
#include "report/timeline/timeline_words.hpp"
#include "timeline/tasks.hpp"

namespace bayplan::report {

using namespace timeline;  // NOLINT: the report is about nothing else

namespace {

constexpr std::size_t kShownTasks = 6;
constexpr std::size_t kShownRows = 4;

std::string moment(const std::optional<Seconds>& at) {
  return at ? duration(*at) : "-";
}

std::string_view cause_words(StopCause cause) {
  switch (cause) {
    case StopCause::kScaledIn:
      return "scaled in";
    case StopCause::kInstanceGone:
      return "instance gone";
    case StopCause::kJobFailed:
      return "job failed";
    case StopCause::kRolledBack:
      return "rolled back";
    default:
      return name_of(cause);
  }
}

std::string end_of(const Task& task) {
  if (!task.stopped_at) return "-";
  if (task.stop == StopCause::kEnded || task.stop == StopCause::kNone) return duration(*task.stopped_at);
  return fmt::format("{} ({})", duration(*task.stopped_at), cause_words(task.stop));
}

/// Lists the tasks that were placed in the run, daemons only with `verbose`.
std::vector<const Task*> shown_tasks(const TimelineReport& report, bool verbose) {
  std::vector<const Task*> tasks;
  for (const auto& task : report.history().tasks) {
    if (!task.placed_at || task.running != kNoIndex) continue;
    if (!verbose && is_daemon(report.scenario(), task)) continue;
    tasks.push_back(&task);
  }
  return tasks;
}

Table make_table_of_tasks(const TimelineReport& report, const std::vector<const Task*>& tasks) {
  const bool has_delay =
      std::any_of(tasks.begin(), tasks.end(), [](const Task* task) { return task->started_at != task->placed_at; });
  Table table({"task", number_column("arrives"), number_column("waits")});
  if (has_delay) table.columns.push_back(number_column("placed"));
  table.columns.push_back(number_column(has_delay ? "RUNNING" : "starts"));
  table.columns.push_back(number_column("ends"));
  table.columns.emplace_back("instance");
  for (const Task* task : tasks) {
    std::vector<Cell> cells{task_id(report.scenario(), *task), duration(task->arrived_at),
                            duration(*task->placed_at - task->arrived_at)};
    if (has_delay) cells.emplace_back(moment(task->placed_at));
    cells.emplace_back(moment(task->started_at));
    cells.emplace_back(end_of(*task));
    cells.emplace_back(report.history().instances[*task->instance].id);
    table.add(std::move(cells));
  }
  return table;
}

/// First start and last end of the tasks of a name.
struct Span {
  std::optional<Seconds> first;
  std::optional<Seconds> last;
};

Table make_table_of_names(const TimelineReport& report, const std::vector<const Task*>& tasks) {
  std::map<std::string_view, Span> spans;
  for (const Task* task : tasks) {
    auto& span = spans[report.scenario().workloads[*task->workload].name];
    if (task->started_at) span.first = std::min(span.first.value_or(*task->started_at), *task->started_at);
    if (task->stopped_at) span.last = std::max(span.last.value_or(0), *task->stopped_at);
  }
  Table table({"tasks of"});
  for (const char* heading : {"arrived", "ran", "ended", "first starts", "last ends"})
    table.columns.push_back(number_column(heading));
  for (const auto& name : report.figures().names) {
    const auto& span = spans[name.name];
    table.add({name.name, std::to_string(name.arrived), std::to_string(name.ran), std::to_string(name.ended),
               moment(span.first), moment(span.last)});
  }
  return table;
}

/// "1.53 GPU-hours", "12.5 GPU-minutes"
class GpuTime {
 public:
  explicit GpuTime(double longest) : minutes_(longest < 2 * 3600e6) {}
  std::string of(double gpu_seconds) const {
    auto text = fmt::format("{:.2f}", gpu_seconds / (minutes_ ? 60e6 : 3600e6));
    while (text.back() == '0') text.pop_back();
    if (text.back() == '.') text.pop_back();
    return text;
  }
  std::string_view unit() const { return minutes_ ? "GPU-minutes" : "GPU-hours"; }

 private:
  bool minutes_;
};

std::string state_words(const Deployment& deployment) {
  const auto took = [&] { return duration(deployment.ended_at.value_or(0) - deployment.started_at); };
  switch (deployment.state) {
    case Deployment::State::kCompleted:
      return "COMPLETED after " + took();
    case Deployment::State::kFailed:
      return fmt::format("FAILED after {}: {}", took(), failure_words(deployment));
    case Deployment::State::kSuperseded:
      return "superseded after " + took();
    default:
      return deployment.is_stuck ? "never finishes" : "IN_PROGRESS";
  }
}

/// `until`: of the last of those that are alike.
std::string since_words(const TaskWithoutPlace& one, Seconds until) {
  const bool differ = until != one.at;
  switch (one.state) {
    case TaskWithoutPlace::State::kFailed:
      return "failed at " + duration(one.at) + (differ ? " to " + duration(until) : "");
    case TaskWithoutPlace::State::kProvisioning:
      return (differ ? "PROVISIONING, the first since " : "PROVISIONING since ") + duration(one.at);
    default:
      return (differ ? "waiting, the first since " : "waiting since ") + duration(one.at);
  }
}

/// Whether the blocked deployment of the task, which is listed with its reason and fixes, says all of it.
bool is_explained_by_deployment(const TimelineReport& report, const TaskWithoutPlace& one) {
  const auto deployment = report.history().tasks[one.task].deployment;
  const auto* held = deployment == timeline::kNoIndex ? nullptr : report.held(*deployment);
  return held != nullptr && held->blocker == study::DeploymentBlocker::kNoPlace && held->failure != timeline::kNoIndex;
}

/// What the group's instances were and cost, and what of it it did not need.
void add_group(ReportDocument& document, const TimelineReport& report, const timeline::GroupUse& use) {
  const auto& group = report.scenario().timetable.groups[use.group];
  const auto limits = group.managed_instances
                          ? std::string()
                          : fmt::format("{} to {} instances allowed: ", group.min_size, group.max_size);
  std::string words = fmt::format("{}  {}at most {} at a time, {} at the end, {} launched", group.capacity_provider,
                                  limits, use.most, use.last, use.launched);
  if (use.cost > 0) words += fmt::format("; ${}", money(use.cost));
  if (use.idle_cost > 0) words += fmt::format(", including ${} for {}", money(use.idle_cost), idle_words(report));
  document.line(2, words);
  if (use.longest) {
    const auto& surplus = *use.longest;
    auto surplus_words = fmt::format("pays for {} but needs {} for {} ({} to {})", surplus.paid,
                                     surplus.needed == 0 ? std::string("none") : fmt::format("only {}", surplus.needed),
                                     duration(surplus.to - surplus.from), duration(surplus.from), duration(surplus.to));
    if (use.surpluses > 1) surplus_words += fmt::format("; {} such periods in total", use.surpluses);
    document.line(4, surplus_words);
  }
  if (use.full_seconds > 0)
    document.line(4, fmt::format("at its maxSize of {} for {} while tasks wait, first at {}", group.max_size,
                                 duration(use.full_seconds), duration(use.full_from)));
  if (group.managed_instances) return;
  for (const auto& metric : report.history().metrics) {  // the data points that differ from the previous one
    if (metric.group != use.group) continue;
    document.paragraph(
        {.text =
             fmt::format("M {}, N {}: CapacityProviderReservation {:.1f}%, desired capacity {}", metric.needed,
                         metric.running, static_cast<double>(metric.percent_millionths) / 1e6, metric.desired_capacity),
         .lead = fmt::format("{:>8} ", duration(metric.at)),
         .indent = 4,
         .lead_tone = Tone::kPlain},
        kTerminal);
  }
}

}  // namespace

std::string money(MicroUsd amount) {
  constexpr MicroUsd kCent = kMicroUsdPerUsd / 100;
  return usd(amount >= kMicroUsdPerUsd ? (amount + kCent / 2) / kCent * kCent : amount);
}

void add_task_times(ReportDocument& document, const TimelineReport& report) {
  const auto in_short = shown_tasks(report, false);
  const bool are_few = in_short.size() <= kShownTasks;
  if (are_few) {
    document.table(make_table_of_tasks(report, in_short), {}, Medium::kText);
  } else {
    document.table(make_table_of_names(report, in_short), {.text = kShownRows}, Medium::kText);
  }
  document.later(Medium::kFullText, [&report](ReportDocument& text) {
    text.table(make_table_of_tasks(report, shown_tasks(report, true)));
  });
}

void add_wait_lines(ReportDocument& document, const TimelineReport& report) {
  const auto& all = report.figures().all;
  if (!all.to_place || all.to_place->worst == 0) return;
  const auto words = [&](const WaitTimes& waits) {
    const auto& delay = *waits.to_place;
    return fmt::format("p50 {}, p95 {}, worst {} ({})", duration(delay.p50), duration(delay.p95), duration(delay.worst),
                       task_id(report.scenario(), report.history().tasks[*delay.worst_task]));
  };
  document.line(0, "Waiting time: " + words(all));
  const auto& names = report.figures().names;
  if (names.size() < 2) return;
  for (const auto& name : names) {
    if (name.to_place && name.to_place->worst > 0) document.line(2, name.name + ": " + words(name), Medium::kFullText);
  }
}

void add_gpu_time(ReportDocument& document, const TimelineReport& report) {
  const auto& levels = report.figures().levels;
  const double paid = levels.of(Level::kGpuRegistered) + levels.of(Level::kGpuBooting);
  if (paid == 0) return;
  const GpuTime time(paid);
  const double used = levels.of(Level::kGpuReserved) - levels.gpu_pinned();
  const double interrupted_tasks = report.figures().gpu_cut_off;
  std::vector<std::string> parts{fmt::format(
      "{} used ({}{})", time.of(used), percent(used, paid),
      interrupted_tasks == 0 ? "" : "; " + time.of(interrupted_tasks) + " of it lost with interrupted tasks")};
  std::vector<std::string> causes;
  const auto cause = [&](std::string_view words, Level level) {
    if (levels.of(level) == 0) return;
    const bool is_all = levels.of(level) == levels.gpu_pinned();
    causes.push_back(is_all ? std::string(words) : fmt::format("{} {}", time.of(levels.of(level)), words));
  };
  cause("starting tasks", Level::kGpuStarting);
  cause("jobs waiting for their last task", Level::kGpuJob);
  cause("stopping tasks", Level::kGpuStopping);
  if (!causes.empty())
    parts.push_back(fmt::format("{} reserved but idle ({})", time.of(levels.gpu_pinned()), join(causes, ", ")));
  if (levels.gpu_idle() > 0) parts.push_back(time.of(levels.gpu_idle()) + " unreserved");
  if (levels.of(Level::kGpuBooting) > 0)
    parts.push_back(time.of(levels.of(Level::kGpuBooting)) + " during instance boot");
  document.line(0, fmt::format("{} {} paid: {}", time.of(paid), time.unit(), join(parts, ", ")), Medium::kFullText);
}

void add_deployment_lines(ReportDocument& document, const TimelineReport& report, const Screen& screen) {
  const auto& deployments = report.history().deployments;
  std::vector<std::uint32_t> shown;
  for (std::uint32_t i = 0; i < deployments.size(); ++i) {
    if (screen.options.verbose || deployments[i].state != Deployment::State::kCompleted) shown.push_back(i);
  }
  if (shown.empty()) return;
  document.gap();
  document.line(0, "Deployments");
  const auto most = screen.options.verbose ? shown.size() : std::min(kShownRows, shown.size());
  for (const auto i : std::span(shown).first(most)) {
    const auto& one = deployments[i];
    auto words = fmt::format("{}  at {}: {}", deployment_name(report.scenario(), one), duration(one.started_at),
                             state_words(one));
    const auto* held = report.held(i);
    if (held != nullptr) words += ": " + blocker_words(report, *held);
    document.line(2, words);
    if (held == nullptr) continue;
    for (const auto& line : remedy_lines(*held)) document.line(4, line);
  }
  document.left_out(shown.size() - most);
}

void add_groups(ReportDocument& document, const TimelineReport& report) {
  const auto& groups = report.scenario().timetable.groups;
  for (const bool is_managed : {false, true}) {
    bool is_first = true;
    for (const auto& use : report.figures().groups) {
      if (groups[use.group].managed_instances.has_value() != is_managed) continue;
      if (std::exchange(is_first, false)) {
        document.gap();
        document.line(0, is_managed ? "Managed Instances" : "Auto Scaling groups");
      }
      add_group(document, report, use);
    }
  }
}

void add_unplaced_lines(ReportDocument& document, const TimelineReport& report, const Screen& screen) {
  auto all = report.without_place();
  if (!screen.options.verbose)
    std::erase_if(all, [&](const TaskWithoutPlace& one) { return is_explained_by_deployment(report, one); });
  if (all.empty()) return;
  document.gap();
  document.line(0, "Not placed");
  using Key = std::tuple<OptionalIndex, TaskWithoutPlace::State, std::string>;  // what is reported together
  std::map<Key, std::size_t> groups;
  std::vector<std::vector<std::size_t>> alike;
  for (std::size_t i = 0; i < all.size(); ++i) {
    const auto& task = report.history().tasks[all[i].task];
    const auto [entry, is_new] =
        groups.try_emplace(Key{task.workload, all[i].state, reason_words(report, all[i])}, alike.size());
    if (is_new) alike.emplace_back();
    alike[entry->second].push_back(i);
  }
  const auto& scenario = report.everything();
  const std::size_t shown = screen.options.verbose ? alike.size() : std::min(kShownRows, alike.size());
  for (const auto& group : std::span(alike).first(shown)) {
    std::vector<std::uint32_t> tasks;
    for (const auto one : group) tasks.push_back(all[one].task);
    const auto& first = all[group.front()];
    const auto& workload = scenario.workloads[*report.history().tasks[first.task].workload];
    document.line(
        2, {in_bold(task_names(report.scenario(), report.history(), tasks)), {"  " + describe(workload.requirement)}});
    document.paragraph(
        {.text = since_words(first, all[group.back()].at) + ": " + reason_words(report, first), .indent = 4});
    if (first.why == nullptr) continue;
    if (first.why->closest) document.line(4, "closest match: " + closest_words(scenario, *first.why));
    if (const auto counts = reason_counts(scenario, *first.why); !counts.empty())
      document.paragraph({.text = counts, .lead = "rejected:", .indent = 4, .lead_tone = Tone::kPlain});
  }
  document.left_out(alike.size() - shown);
}

void add_interrupted_lines(ReportDocument& document, const TimelineReport& report, const Screen& screen) {
  const auto& all = report.figures().interrupted_tasks;
  if (all.empty()) return;
  document.gap();
  document.line(0, "Interrupted");
  struct Alike {
    std::string words;
    std::vector<std::uint32_t> tasks;
  };
  std::vector<Alike> groups;
  for (const auto& one : all) {
    auto words = fmt::format("after {}: {}", duration(one.ran), cut_off_words(report, one));
    const auto same =
        std::find_if(groups.begin(), groups.end(), [&](const Alike& each) { return each.words == words; });
    if (same != groups.end()) {
      same->tasks.push_back(one.task);
    } else {
      groups.push_back({std::move(words), {one.task}});
    }
  }
  const std::size_t shown = screen.options.verbose ? groups.size() : std::min(kShownRows, groups.size());
  for (const auto& group : std::span(groups).first(shown))
    document.line(2, task_names(report.scenario(), report.history(), group.tasks) + "  " + group.words);
  document.left_out(groups.size() - shown);
}

void add_drain_lines(ReportDocument& document, const TimelineReport& report, const Screen& screen) {
  const auto& all = report.figures().held_drains;
  if (all.empty()) return;
  document.gap();
  document.line(0, "Never drained");
  const std::size_t shown = screen.options.verbose ? all.size() : std::min(kShownRows, all.size());
  for (const auto& drain : std::span(all).first(shown)) {
    const auto tasks = task_names(report.scenario(), report.history(), drain.tasks);
    document.line(2, fmt::format("{}  {} {}: {}", report.history().instances[drain.instance].id, tasks,
                                 drain.tasks.size() == 1 ? "stays" : "stay", held_drain_words(report, drain)));
  }
  document.left_out(all.size() - shown);
}

std::string idle_words(const TimelineReport& report) {
  return report.has_daemons() ? "instances with daemon tasks only" : "idle instances";
}

}  // namespace bayplan::report
