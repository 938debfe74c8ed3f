#include <fmt/core.h>

#include "base/strings.hpp"
#include "report/document/amounts.hpp"
#include "report/document/assumptions.hpp"
#include "report/document/figures.hpp"
#include "report/document/first_screen.hpp"
#include "report/document/prices.hpp"
#include "report/place/cluster_data.hpp"
#include "report/place/cluster_picture.hpp"
#include "report/place/left_out.hpp"
#include "report/place/place_tables.hpp"
#include "report/place/place_words.hpp"
#include "report/place/rollout_words.hpp"
#include "report/timeline/timeline_events.hpp"
#include "report/timeline/timeline_report.hpp"
#include "report/timeline/timeline_series.hpp"
#include "report/timeline/timeline_tables.hpp"
#include "report/timeline/timeline_words.hpp"
#include "timeline/tasks.hpp"

namespace bayplan::report {

using namespace timeline;  // NOLINT: the report is about nothing else

namespace {

constexpr std::size_t kDeploymentsOfComment = 40;
constexpr std::size_t kMarkedEvents = 300;
constexpr std::size_t kNamesOfTimeline = 40;
constexpr std::size_t kLossesOfComment = 20;

/// "2 p3.2xlarge for 1h34m", "3 c5.large for 2h10m together"
std::string paid_words(const TypeCost& type) {
  constexpr Seconds kHour = 3'600;
  constexpr Seconds kLong = 100 * kHour;
  const auto who = fmt::format("{} {}", type.instances, type.instance_type);
  if (type.each) return who + " for " + duration(*type.each);
  if (type.seconds < kLong) return who + " for " + duration(type.seconds) + " together";
  return who + fmt::format(" for {} hours together", (type.seconds + kHour / 2) / kHour);
}

void add_cost(ReportDocument& document, const TimelineReport& report) {
  constexpr std::size_t kShownTypes = 4;
  const auto& cost = report.figures().cost;
  if (cost.types.empty()) return;
  std::vector<std::string> types;
  for (const auto& type : cost.types) {
    if (types.size() < kShownTypes) types.push_back(paid_words(type));
  }
  if (cost.types.size() > kShownTypes) types.push_back(fmt::format("{} more types", cost.types.size() - kShownTypes));
  std::string text =
      fmt::format("Simulated cost: ${} ({}): {}", money(cost.total), report.scenario().region, join(types, ", "));
  std::vector<std::string> waste;
  if (cost.idle > 0) waste.push_back(fmt::format("${} for {}", money(cost.idle), idle_words(report)));
  if (cost.booting > 0) waste.push_back(fmt::format("${} while booting", money(cost.booting)));
  if (!waste.empty()) text += "; including " + join(waste, ", ");
  if (cost.unpriced > 0)
    text += fmt::format("; excluding {} without a known price", count_of(cost.unpriced, "instance"));
  document.line(0, text);
}

void add_end(ReportDocument& document, const TimelineReport& report) {
  const auto& history = report.history();
  if (report.continued()) {
    const auto& earlier = *report.continued();
    document.line(0, fmt::format("Continues {}, which ends at {}: all {} were reproduced", earlier.file,
                                 duration(earlier.end), count_of(static_cast<std::int64_t>(earlier.events), "event")));
    if (history.end <= earlier.end)
      document.line(0, history.end_reason == EndReason::kUntil ? "--until is not later: nothing new"
                                                               : "That run had already ended: nothing more can happen");
  }
  if (history.end_reason == EndReason::kEndless) {
    document.line(0, fmt::format("The run never ends: it only repeats for {}, so the simulation stops at {} "
                                 "(settings.timing endlessAfter)",
                                 duration(report.scenario().timetable.timing.endless_after), duration(history.end)));
  } else if (history.end_reason == EndReason::kUntil) {
    document.line(0, fmt::format("Stopped at {} with events pending", duration(history.end)));
  }
}

/// The cluster at the end of the run.
void add_end_state(ReportDocument& document, const TimelineReport& report, const ClusterView& view) {
  const auto& cluster = report.cluster();
  const auto at = duration(report.history().end);
  document.gap();
  if (cluster.scenario.instances.empty()) {
    document.line(0, "No instances remain at " + at);
  } else {
    document.line(0, "Cluster at " + at);
    add_cluster(document, cluster, view);
  }
  if (report.booting() > 0)
    document.line(0, count_of(report.booting(), "more instance") + " launched but not yet active");
}

/// What a terminal shows below the answer.
void add_run(ReportDocument& document, const TimelineReport& report, const ClusterView& view) {
  add_cost(document, report);
  add_end(document, report);
  document.gap();
  add_task_times(document, report);
  add_wait_lines(document, report);
  document.line(0, spot_words(report));
  document.line(0, below_desired_words(report));
  add_gpu_time(document, report);
  document.later(kTerminal, [&report, view](ReportDocument& text, const Screen& screen) {
    if (report.figures().series.end > 0) {
      text.gap();
      text.line(0, "Over time");
      text.add(block::Drawing{timeline_chart(report, view, screen.options)});
    }
    add_deployment_lines(text, report, screen);
    add_unplaced_lines(text, report, screen);
    add_interrupted_lines(text, report, screen);
    add_drain_lines(text, report, screen);
  });
  document.later(Medium::kFullText, [&report](ReportDocument& text) { add_groups(text, report); });
  // The log fills the rest of a first screen.
  document.later(kTerminal, [&report, view](ReportDocument& text, const Screen& screen) {
    const bool is_whole = screen.options.verbose || view.is_asked();
    add_log(text, report, screen.options.verbose, is_whole ? kTerminalLines / 2 : screen.lines_left);
    if (is_whole) add_end_state(text, report, view);
  });
}

std::string time_cell(const std::optional<Delay>& delay, Seconds Delay::*which) {
  return delay ? duration((*delay).*which) : "-";
}

void add_names(ReportDocument& document, const TimelineReport& report) {
  Table table({"tasks of", number_column("arrived"), number_column("ran"), number_column("ended"),
               number_column("failed"), number_column("waiting"), number_column("wait p50"), number_column("p95"),
               number_column("worst")});
  for (const auto& name : report.figures().names) {
    table.add({name.name, std::to_string(name.arrived), std::to_string(name.ran), std::to_string(name.ended),
               std::to_string(name.failed), std::to_string(name.waiting), time_cell(name.to_place, &Delay::p50),
               time_cell(name.to_place, &Delay::p95), time_cell(name.to_place, &Delay::worst)});
  }
  document.table(std::move(table), {.comment = kNamesOfTimeline});
}

void add_deployments(ReportDocument& document, const TimelineReport& report) {
  const auto& deployments = report.history().deployments;
  Table table({"deployment", number_column("starts"), number_column("ends"), "state"});
  for (std::uint32_t i = 0; i < deployments.size(); ++i) {
    const auto& one = deployments[i];
    std::string state = one.is_stuck ? "never finishes" : std::string(rollout_state(one.state));
    if (const auto* held = report.held(i); held != nullptr) state += ": " + blocker_words(report, *held);
    table.add({deployment_name(report.scenario(), one), duration(one.started_at),
               one.ended_at ? duration(*one.ended_at) : "-", state});
  }
  document.table(std::move(table), {.comment = kDeploymentsOfComment});
}

void add_waits(ReportDocument& document, const TimelineReport& report) {
  document.section("waits", "Waiting time");
  add_names(document, report);
  if (report.history().deployments.empty()) return;
  document.section("deployments", "Deployments");
  add_deployments(document, report);
}

RichText named_item(std::string_view name, std::string_view text) {
  return {in_code(name), {" " + std::string(text)}};
}

void add_losses(ReportDocument& document, const TimelineReport& report) {
  const auto& figures = report.figures();
  std::vector<RichText> items;
  for (const auto& one : figures.interrupted_tasks) {
    items.push_back(named_item(task_id(report.scenario(), report.history().tasks[one.task]),
                               fmt::format("interrupted after {}: {}", duration(one.ran), cut_off_words(report, one))));
    if (items.size() >= kLossesOfComment) break;
  }
  for (const auto& one : figures.held_drains) {
    if (items.size() >= kLossesOfComment) break;
    items.push_back(
        named_item(report.history().instances[one.instance].id, "never drained: " + held_drain_words(report, one)));
  }
  const auto left_out = figures.interrupted_tasks.size() + figures.held_drains.size() - items.size();
  if (left_out > 0) items.emplace_back(fmt::format("and {} more", left_out));
  document.list(std::move(items));
}

std::string run_totals(const TimelineReport& report) {
  const auto& figures = report.figures();
  std::vector<std::string> parts{"The run goes to " + duration(report.history().end)};
  if (figures.cost.unpriced == 0 && !figures.cost.types.empty())
    parts.push_back(fmt::format("costs ${} ({})", money(figures.cost.total), report.scenario().region));
  parts.push_back(fmt::format("uses at most {} at a time", count_of(figures.most_instances, "instance")));
  return join(parts, ", ");
}

std::vector<std::pair<std::string, std::string>> run_figures(const TimelineReport& report) {
  const auto& figures = report.figures();
  std::vector<std::pair<std::string, std::string>> all = {{"length of the run", duration(report.history().end)},
                                                          {"tasks that ran", with_separators(figures.all.ran)}};
  if (figures.cost.unpriced == 0 && !figures.cost.types.empty())
    all.emplace_back("simulated cost", "$" + money(figures.cost.total));
  all.emplace_back("most instances at a time", with_separators(figures.most_instances));
  if (const auto& wait = figures.all.to_place)
    all.emplace_back("waiting time p50 / p95 / worst",
                     fmt::format("{} / {} / {}", duration(wait->p50), duration(wait->p95), duration(wait->worst)));
  return all;
}

/// The cluster when the run ends.
std::vector<std::pair<std::string, std::string>> end_figures(const TimelineReport& report) {
  auto all = cluster_figures(report.cluster().summary);
  all.erase(all.begin());  // tasks placed: the run says it
  return all;
}

void add_cut_off(ReportDocument& document, const TimelineReport& report) {
  const auto& all = report.figures().interrupted_tasks;
  if (all.empty()) return;
  document.section("cut-off", "Interrupted");
  Table table({"task", "after", "reason"});
  table.holds_sentences = true;
  for (const auto& one : all)
    table.add(
        {task_id(report.scenario(), report.history().tasks[one.task]), duration(one.ran), cut_off_words(report, one)});
  document.table(std::move(table));
}

/// Deployments that do not finish, and drains that never end.
void add_held(ReportDocument& document, const TimelineReport& report) {
  Table table({"what", "reason"});
  Table fixes({"deployment", "fix (simulated)"});
  table.holds_sentences = fixes.holds_sentences = true;
  const auto& deployments = report.history().deployments;
  for (std::uint32_t i = 0; i < deployments.size(); ++i) {
    const auto* held = report.held(i);
    if (held == nullptr) continue;
    const auto name = deployment_name(report.scenario(), deployments[i]);
    table.add({name, blocker_words(report, *held)});
    for (auto& item : remedy_items(*held)) fixes.add({name, std::move(item)});
  }
  for (const auto& drain : report.figures().held_drains)
    table.add({report.history().instances[drain.instance].id, held_drain_words(report, drain)});
  if (table.rows.empty()) return;
  document.section("held", "Not finished");
  document.table(std::move(table));
  if (fixes.rows.empty()) return;
  document.section("remedies", "Fixes");
  document.table(std::move(fixes));
}

/// Whether the event is of the scenario or of the cluster as a whole, not of one task.
bool is_marked(const Event& event) {
  if (is_about_scenario_event(event.kind)) return true;
  switch (event.kind) {
    case EventKind::kSpotInterruption:
    case EventKind::kDeploymentFailed:
    case EventKind::kDeploymentStuck:
    case EventKind::kRollback:
    case EventKind::kScaleOut:
    case EventKind::kScaleIn:
      return true;
    case EventKind::kInstanceDraining:
    case EventKind::kInstanceTerminated:
    case EventKind::kInstanceLaunched:
      return event.cause == kNoIndex && event.at > 0;
    default:
      return false;
  }
}

/// What the charts mark: when, what, and the zone that is gone from then on.
void write_page_events(JsonWriter& json, const TimelineReport& report) {
  json.key("events").begin_array();
  std::size_t count = 0;
  for (const auto& event : report.history().events) {
    if (!is_marked(event) || count++ >= kMarkedEvents) continue;
    const auto names = event_names(report.scenario(), report.history(), event);
    json.begin_object(JsonWriter::Layout::kLine).member("at", event.at);
    json.member("text", event_words(report, event));
    if (event.kind == EventKind::kZoneLost) json.member("zone", names.subject);
    json.end_object();
  }
  json.end_array();
}

void write_page_series(JsonWriter& json, const Series& series) {
  json.key("series").begin_object().member("width", series.width).key("columns").begin_object();
  write_series_columns(json, series);
  json.end_object().end_object();
}

}  // namespace

void write_page_run(JsonWriter& json, const TimelineReport& report) {
  write_cluster_data(json, make_cluster_picture(report));
  write_page_series(json, report.figures().series);
  write_page_events(json, report);
}

ReportDocument timeline_document(const TimelineReport& report, const ClusterView& view) {
  const auto& cluster = report.cluster();
  ReportDocument document("place");
  document.answer(report.scenario().file, timeline_headline(report), !report.has_failures());
  document.notes(notes_of(cluster.assumptions));
  document.prices = price_words(find_price_range(report.scenario()));
  document.has_all_lines = view.is_asked();
  document.later(kTerminal, [&report, view](ReportDocument& text) { add_run(text, report, view); });
  document.later(Medium::kPage, [&report](ReportDocument& page) {
    page.section("summary", "Summary");
    page.add(block::Figures{run_figures(report)});
    page.add(block::Heading{"At the end"});
    page.add(block::Figures{end_figures(report)});
    add_held(page, report);
    page.section("timeline", "Over time");
    page.view("timeline", "The charts need JavaScript; the text report below has one.");
    add_cluster_views(page);
    add_left_out_table(page, report.scenario(), left_out(report));
    page.paragraph(below_desired_words(report));
    add_cut_off(page, report);
    add_waits(page, report);
  });
  document.later(Medium::kComment, [&report](ReportDocument& comment) {
    comment.paragraph(run_totals(report));
    comment.paragraph(below_desired_words(report));
    add_names(comment, report);
    add_deployments(comment, report);
    add_left_out_list(comment, left_out(report));
    add_losses(comment, report);
  });
  // What holds for the whole report.
  ReportDocument end("place");
  end.gap();
  end.add(block::ClusterFindings{cluster.cluster_findings});
  end.later(Medium::kComment, [&report, &cluster](ReportDocument& comment) {
    comment.paragraph({.text = cluster_totals(report.scenario(), cluster.summary), .lead = "At the end:"});
    add_instance_list(comment, cluster);
  });
  end.add(block::Assumptions{cluster.assumptions});
  document.footer = std::move(end.blocks);
  document.has_text = true;
  document.data = [&report](JsonWriter& json) {
    json.begin_object();
    write_page_run(json, report);
    json.end_object();
  };
  return document;
}

}  // namespace bayplan::report
