#include <algorithm>
#include <numeric>
#include <sstream>

#include <fmt/core.h>

#include "base/strings.hpp"
#include "base/utf8.hpp"
#include "report/document/amounts.hpp"
#include "report/document/assumptions.hpp"
#include "report/document/figures.hpp"
#include "report/document/json_parts.hpp"
#include "report/document/prices.hpp"
#include "report/document/terminal.hpp"
#include "report/place/better_scheduler_parts.hpp"
#include "report/place/cluster_data.hpp"
#include "report/place/cluster_picture.hpp"
#include "report/place/instance_columns.hpp"
#include "report/place/left_out.hpp"
#include "report/place/place_report.hpp"
#include "report/place/place_words.hpp"
#include "report/place/rollout_words.hpp"
#include "report/timeline/timeline_events.hpp"
#include "report/timeline/timeline_report.hpp"
#include "report/timeline/timeline_series.hpp"
#include "report/timeline/timeline_tables.hpp"
#include "report/timeline/timeline_words.hpp"
#include "timeline/tasks.hpp"

namespace bayplan::report {

using placement::Scenario;
using timeline::Seconds;
using timeline::Series;

namespace {

constexpr std::size_t kDeploymentsOfComment = 40;
constexpr std::size_t kMarkedEvents = 300;
constexpr std::size_t kExplainedTasks = 3;         ///< The most tasks that each instance of the map explains.
constexpr std::size_t kFailuresOfFirstScreen = 6;  ///< If there are more, they are shown below the map.
constexpr std::size_t kNamesOfComment = 40;
constexpr std::size_t kLeftOutOfComment = 20;
constexpr std::size_t kInstancesOfComment = 100;

/// Those that somebody has to look at come first.
std::vector<std::uint32_t> workloads_by_need(const std::vector<std::int64_t>& failed) {
  std::vector<std::uint32_t> order(failed.size());
  for (std::uint32_t i = 0; i < order.size(); ++i) order[i] = i;
  std::stable_partition(order.begin(), order.end(), [&](std::uint32_t workload) { return failed[workload] > 0; });
  return order;
}

void add_workloads(ReportDocument& document, const PlaceReport& report, const std::vector<LeftOut>& left_out) {
  const auto& workloads = report.scenario.workloads;
  std::vector<std::int64_t> placed(workloads.size());
  std::vector<std::int64_t> failed(workloads.size());
  for (const auto& placement : report.outcome.placements) ++placed[placement.attempt.workload];
  for (const auto& one : left_out) failed[one.workload] += one.tasks;
  Table table({"tasks of", "each needs", number_column("placed"), number_column("not placed")});
  for (const auto workload : workloads_by_need(failed)) {
    table.add({workloads[workload].name, describe(workloads[workload].requirement), std::to_string(placed[workload]),
               std::to_string(failed[workload])});
  }
  document.table(std::move(table), {.comment = kNamesOfComment});
}

RichText named_item(std::string_view name, std::string_view text) {
  return {in_code(name), {" " + std::string(text)}};
}

void add_left_out_list(ReportDocument& document, const std::vector<LeftOut>& left_out) {
  const std::size_t shown = std::min(kLeftOutOfComment, left_out.size());
  std::vector<RichText> items;
  for (std::size_t i = 0; i < shown; ++i) {
    const auto& one = left_out[i];
    auto text = one.state + ": " + one.why;
    if (!one.closest.empty()) text += "; closest match: " + one.closest;
    if (!one.rejected.empty()) text += "; rejected: " + one.rejected;
    items.push_back(named_item(one.names, text));
  }
  if (shown < left_out.size()) items.emplace_back(fmt::format("and {} more", left_out.size() - shown));
  document.list(std::move(items));
}

/// A row for all tasks of a workload of which the same is to be said.
void add_left_out_table(ReportDocument& document, const Scenario& scenario, const std::vector<LeftOut>& left_out) {
  if (left_out.empty()) return;
  document.section("failures", "Not placed");
  Table table({number_column("tasks"), "names", "state", "reason", "closest match", "rejected", "needs"});
  table.holds_sentences = true;
  for (const auto& one : left_out) {
    table.add({std::to_string(one.tasks), one.names, Cell(one.state, Tone::kBad), one.why, one.closest, one.rejected,
               describe(scenario.workloads[one.workload].requirement)});
  }
  table.drop_empty_columns();
  document.table(std::move(table));
}

/// How many of a task fit.
void add_limits(ReportDocument& document, const PlaceReport& report) {
  const auto limits = limits_of(report);
  if (limits.empty()) return;
  document.section("limits", "Capacity");
  std::vector<RichText> words;
  for (const auto& limit : limits) words.emplace_back(limit_words(report, limit));
  for (const auto& text : words) document.paragraph(text, Medium::kPage);
  document.list(std::move(words), Medium::kComment);
}

void add_instances(ReportDocument& document, const PlaceReport& report) {
  std::vector<std::uint32_t> all(report.scenario.instances.size());
  if (all.empty()) return;
  std::iota(all.begin(), all.end(), 0U);
  auto table = make_instance_table(report, std::move(all), InstanceTableKind::kComment, Glyphs{}, nullptr).table;
  auto summary = count_of(static_cast<std::int64_t>(table.rows.size()), "instance");
  document.folded(std::move(summary), {block::ShownTable{std::move(table), {.comment = kInstancesOfComment}}});
}

std::string share_words(const placement::Share& share) {
  return percent(share.reserved, share.registered);
}

std::string part_of(std::int64_t part, std::int64_t whole) {
  return with_separators(part) + " of " + with_separators(whole);
}

std::vector<std::pair<std::string, std::string>> compute_figures(const placement::Summary& summary) {
  std::vector<std::pair<std::string, std::string>> all = {
      {"tasks placed", part_of(summary.placed, summary.placed + summary.without_place())},
      {"instances used", part_of(summary.instances_used, summary.instances)},
      {"CPU reserved", share_words(summary.cpu)},
      {"memory reserved", share_words(summary.memory)}};
  if (summary.gpu_devices.registered > 0)
    all.emplace_back("GPUs in use", part_of(summary.gpu_devices.reserved, summary.gpu_devices.registered));
  if (summary.neuron_devices.registered > 0)
    all.emplace_back("Neuron devices in use",
                     part_of(summary.neuron_devices.reserved, summary.neuron_devices.registered));
  all.emplace_back("price", summary.hourly_cost ? "$" + usd(*summary.hourly_cost) + "/h" : "unknown");
  if (summary.hourly_cost) all.emplace_back("per month (730 h)", monthly(*summary.hourly_cost));
  return all;
}

/// Whether every tie order that was tried places every task: what one order places, another may not.
bool is_good(const PlaceReport& report) {
  return report.tie_orders.all_fit() && report.summary.without_place() == 0;
}

/// "4 GPUs short"; the check that failed where nothing is short.
std::string rejected_here_words(const Scenario& scenario, const placement::Failure& failure,
                                const placement::Rejection& rejection) {
  const auto& profile = scenario.profiles[scenario.instances[rejection.instance].profile];
  auto words = shortfall_text(scenario, failure, rejection);
  if (!words.empty()) return words;
  return reason_text(rejection.failed.first(), profile.status);
}

/// What other orders of ties do.
void add_runs(ReportDocument& document, const PlaceReport& report) {
  if (const auto words = tie_orders_words(report); !words.empty()) document.paragraph(words);
  const auto& runs = report.runs ? report.runs : report.tie_orders.others;
  if (!runs) return;
  Table table({"tasks of", number_column("min"), number_column("median"), number_column("max")});
  const auto add = [&](const std::string& name, const placement::Distribution& numbers) {
    table.add({name, std::to_string(numbers.min), std::to_string(numbers.median), std::to_string(numbers.max)});
  };
  for (const auto& name : runs->names) {
    if (name.fit) add(name.name + " fit", *name.fit);
    if (name.unplaced.max > 0) add(name.name + " not placed", name.unplaced);
  }
  document.table(std::move(table));
}

void add_remedy(ReportDocument& document, const PlaceReport& report) {
  const auto next = next_step_words(report);
  if (report.remedies.list.empty() && next.empty()) return;
  document.section("remedies", "Fixes");
  if (report.remedies.list.empty()) {
    document.paragraph(next);
    return;
  }
  std::vector<RichText> fixes;
  for (const auto& remedy : report.remedies.list) {
    const auto flag = remedy_flag(remedy);
    fixes.push_back(flag.empty() ? RichText(remedy_words(remedy))
                                 : RichText{{remedy_words(remedy) + ": bayplan whatif "}, in_command(flag)});
  }
  document.paragraph(report.remedies.list.size() == 1 ? "Simulated: with it, every task is placed."
                                                      : "Simulated: with any one of these, every task is placed.");
  document.list(std::move(fixes));
}

void add_cluster(ReportDocument& document) {
  document.section("cluster", "Cluster");
  document.view("cluster",
                "The map and the list of instances need JavaScript; the text report below has the same data.");
  document.section("fragmentation", "Fragmentation");
  document.view("fragmentation", "This chart needs JavaScript.");
}

std::string time_cell(const std::optional<timeline::Delay>& delay, Seconds timeline::Delay::*which) {
  return delay ? duration((*delay).*which) : "-";
}

void add_names(ReportDocument& document, const TimelineReport& report) {
  Table table({"tasks of", number_column("arrived"), number_column("ran"), number_column("ended"),
               number_column("failed"), number_column("waiting"), number_column("wait p50"), number_column("p95"),
               number_column("worst")});
  for (const auto& name : report.figures().names) {
    table.add({name.name, std::to_string(name.arrived), std::to_string(name.ran), std::to_string(name.ended),
               std::to_string(name.failed), std::to_string(name.waiting),
               time_cell(name.to_place, &timeline::Delay::p50), time_cell(name.to_place, &timeline::Delay::p95),
               time_cell(name.to_place, &timeline::Delay::worst)});
  }
  document.table(std::move(table), {.comment = kNamesOfComment});
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

void add_losses(ReportDocument& document, const TimelineReport& report) {
  const auto& figures = report.figures();
  std::vector<RichText> items;
  for (const auto& one : figures.interrupted_tasks) {
    items.push_back(named_item(task_id(report.scenario(), report.history().tasks[one.task]),
                               fmt::format("interrupted after {}: {}", duration(one.ran), cut_off_words(report, one))));
    if (items.size() >= kLeftOutOfComment) break;
  }
  for (const auto& one : figures.held_drains) {
    if (items.size() >= kLeftOutOfComment) break;
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
  auto all = compute_figures(report.cluster().summary);
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
    table.add({timeline::task_id(report.scenario(), report.history().tasks[one.task]), duration(one.ran),
               cut_off_words(report, one)});
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

/// What a task that is not placed lacks on each instance: a column of indices into "reasons", 0 = not said.
void write_page_rejections(JsonWriter& json, const PlaceReport& report) {
  const auto& scenario = report.scenario;
  std::size_t count = 0;
  json.key("rejections").begin_array();
  for (const auto& failure : report.outcome.failures) {
    if (failure.same_as || failure.instances.empty() || count++ >= kExplainedTasks) continue;
    std::vector<std::string> reasons(1);
    std::vector<std::size_t> why(scenario.instances.size());
    for (const auto& rejection : failure.instances) {
      const auto words = rejected_here_words(scenario, failure, rejection);
      const auto found = std::find(reasons.begin(), reasons.end(), words);
      why[rejection.instance] = static_cast<std::size_t>(found - reasons.begin());
      if (found == reasons.end()) reasons.push_back(words);
    }
    json.begin_object().member("task", task_id(scenario, failure.attempt));
    write_list(json, "reasons", reasons);
    write_list(json, "why", why);
    json.end_object();
  }
  json.end_array();
}

/// Whether the event is of the scenario or of the cluster as a whole, not of one task.
bool is_marked(const timeline::Event& event) {
  using timeline::EventKind;
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
      return event.cause == timeline::kNoIndex && event.at > 0;
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
    if (event.kind == timeline::EventKind::kZoneLost) json.member("zone", names.subject);
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

ReportDocument place_document(const PlaceReport& report) {
  ReportDocument document("place");
  document.answer(report.scenario.file, headline(report), is_good(report));
  document.notes(notes_of(report.assumptions));
  document.prices = price_words(find_price_range(report.scenario));
  // A page shows the figures and the map first, a comment what each service has.
  document.later(Medium::kPage, [&report](ReportDocument& page) {
    const auto without_place = left_out(report);
    page.section("summary", "Summary");
    page.add(block::Figures{compute_figures(report.summary)});
    add_runs(page, report);
    add_remedy(page, report);
    add_better_scheduler(page, report);
    if (without_place.size() <= kFailuresOfFirstScreen) add_left_out_table(page, report.scenario, without_place);
    add_cluster(page);
    if (without_place.size() > kFailuresOfFirstScreen) add_left_out_table(page, report.scenario, without_place);
  });
  document.later(Medium::kComment, [&report](ReportDocument& comment) {
    const auto without_place = left_out(report);
    comment.paragraph(cluster_totals(report.scenario, report.summary));
    add_workloads(comment, report, without_place);
    add_left_out_list(comment, without_place);
  });
  add_limits(document, report);
  document.later(Medium::kComment, [&report](ReportDocument& comment) {
    if (!report.remedies.list.empty()) {
      const auto& fix = report.remedies.list.front();
      const auto flags = added_flags(fix.added);
      const auto words = " " + remedy_words(fix);
      comment.paragraph(flags.empty() ? RichText{in_bold("Fix:"), {words}}
                                      : RichText{in_bold("Fix:"), {words + ": "}, in_command(flags)});
    }
    add_better_scheduler(comment, report);
    comment.paragraph(tie_orders_words(report));
  });
  document.add(block::ClusterFindings{report.cluster_findings});
  document.later(Medium::kComment, [&report](ReportDocument& comment) { add_instances(comment, report); });
  document.add(block::Assumptions{report.assumptions});
  document.as_text([&report](std::ostream& text) { write_place_text(text, report, {{.verbose = true}, {}}); });
  document.data = [&report](JsonWriter& json) {
    json.begin_object();
    write_cluster_data(json, make_cluster_picture(report));
    write_page_rejections(json, report);
    json.end_object();
  };
  return document;
}

ReportDocument timeline_document(const TimelineReport& report) {
  const auto& cluster = report.cluster();
  ReportDocument document("place");
  document.answer(report.scenario().file, timeline_headline(report), !report.has_failures());
  document.notes(notes_of(cluster.assumptions));
  document.prices = price_words(find_price_range(report.scenario()));
  document.later(Medium::kPage, [&report](ReportDocument& page) {
    page.section("summary", "Summary");
    page.add(block::Figures{run_figures(report)});
    page.add(block::Heading{"At the end"});
    page.add(block::Figures{end_figures(report)});
    add_held(page, report);
    page.section("timeline", "Over time");
    page.view("timeline", "The charts need JavaScript; the text report below has one.");
    add_cluster(page);
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
  document.add(block::ClusterFindings{cluster.cluster_findings});
  document.later(Medium::kComment, [&report, &cluster](ReportDocument& comment) {
    comment.paragraph({.text = cluster_totals(report.scenario(), cluster.summary), .lead = "At the end:"});
    add_instances(comment, cluster);
  });
  document.add(block::Assumptions{cluster.assumptions});
  document.as_text([&report](std::ostream& text) { write_timeline_text(text, report, {{.verbose = true}, {}}); });
  document.data = [&report](JsonWriter& json) {
    json.begin_object();
    write_cluster_data(json, make_cluster_picture(report));
    write_page_series(json, report.figures().series);
    write_page_events(json, report);
    json.end_object();
  };
  return document;
}

}  // namespace bayplan::report
