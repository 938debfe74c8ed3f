#include "report/html/place_page.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <sstream>

#include "base/strings.hpp"
#include "report/assumptions.hpp"
#include "report/cluster_picture.hpp"
#include "report/figures.hpp"
#include "report/html/cluster_data.hpp"
#include "report/html/page.hpp"
#include "report/left_out.hpp"
#include "report/place_text.hpp"
#include "report/place_words.hpp"
#include "report/rollout_words.hpp"
#include "report/timeline_headline.hpp"
#include "report/timeline_names.hpp"
#include "report/timeline_reasons.hpp"
#include "report/timeline_series.hpp"
#include "report/timeline_text.hpp"
#include "timeline/tasks.hpp"

namespace bayplan::report {

using placement::Scenario;
using timeline::Series;

namespace {

constexpr std::size_t kShownFailureRows = 500;

std::string share_words(const placement::Share& share) {
  return percent(share.reserved, share.registered);
}

std::vector<std::pair<std::string, std::string>> figures_of(const placement::Summary& summary) {
  std::vector<std::pair<std::string, std::string>> all = {
      {"tasks placed", fmt::format("{} of {}", summary.placed, summary.placed + summary.without_place())},
      {"instances used", fmt::format("{} of {}", summary.instances_used, summary.instances)},
      {"CPU reserved", share_words(summary.cpu)},
      {"memory reserved", share_words(summary.memory)}};
  if (summary.gpu_devices.registered > 0)
    all.emplace_back("GPUs taken",
                     fmt::format("{} of {}", summary.gpu_devices.reserved, summary.gpu_devices.registered));
  all.emplace_back("price", summary.hourly_cost ? fmt::format("${}/h", usd(*summary.hourly_cost)) : "not known");
  return all;
}

/// A row for all tasks of a workload of which the same is to be said.
void add_failures(Page& page, const Scenario& scenario, const std::vector<LeftOut>& left_out) {
  if (left_out.empty()) return;
  page.section("failures", "Without a place");
  PageTable table{{"tasks", "which", "asks for", "state", "why not"}, {}};
  for (std::size_t i = 0; i < std::min(left_out.size(), kShownFailureRows); ++i) {
    const auto& one = left_out[i];
    table.rows.push_back({std::to_string(one.tasks), one.names, describe(scenario.workloads[one.workload].requirement),
                          one.state, one.why});
  }
  page.table(table);
  if (left_out.size() > kShownFailureRows)
    page.paragraph(
        fmt::format("and {} more groups of tasks, which the JSON report has", left_out.size() - kShownFailureRows));
}

void add_limits(Page& page, const PlaceReport& report) {
  const auto limits = limits_of(report);
  if (limits.empty()) return;
  page.section("limits", "How many fit");
  for (const auto& limit : limits) page.paragraph(limit_words(report, limit));
}

void add_cluster(Page& page, const char* heading) {
  page.section("cluster", heading);
  page.view("cluster",
            "The map and the list of instances are drawn by scripts; the report as text, below, says the same.");
  page.section("fragmentation", "How broken up the room is");
  page.view("fragmentation", "Drawn by a script.");
}

/// The same report as in a terminal, without colour.
template <class Report, class Write>
void add_text(Page& page, const Report& report, Write write) {
  std::ostringstream text;
  write(text, report, PlaceTextOptions());
  page.section("text", "As text");
  page.text("the report as a terminal shows it", text.str());
}

void write_page_series(JsonWriter& json, const Series& series) {
  json.key("series").begin_object().member("width", series.width).key("columns").begin_object();
  write_series_columns(json, series);
  json.end_object().end_object();
}

void add_cut_off(Page& page, const TimelineReport& report) {
  const auto& all = report.figures().cut_off;
  if (all.empty()) return;
  page.section("cut-off", "Cut off");
  PageTable table{{"task", "after", "why"}, {}};
  for (const auto& one : all) {
    if (table.rows.size() < kShownFailureRows)
      table.rows.push_back({timeline::task_id(report.scenario(), report.history().tasks[one.task]), duration(one.ran),
                            cut_off_words(report, one)});
  }
  page.table(table);
  if (all.size() > kShownFailureRows)
    page.paragraph(fmt::format("and {} more, which the JSON report has", all.size() - kShownFailureRows));
}

/// Deployments that do not finish, and drains that never end.
void add_held(Page& page, const TimelineReport& report) {
  PageTable table{{"what", "why it does not finish"}, {}};
  const auto& deployments = report.history().deployments;
  for (std::uint32_t i = 0; i < deployments.size(); ++i) {
    if (const auto* held = report.held(i))
      table.rows.push_back({deployment_name(report.scenario(), deployments[i]), holdup_words(report, *held)});
  }
  for (const auto& drain : report.figures().held_drains)
    table.rows.push_back({report.history().instances[drain.instance].id, held_drain_words(report, drain)});
  if (table.rows.empty()) return;
  page.section("held", "Does not finish");
  page.table(table);
}

/// The parts of both pages that tell of a cluster.
void add_state(Page& page, const PlaceReport& report, const char* heading) {
  add_cluster(page, heading);
  add_failures(page, report.scenario, left_out(report));
  add_limits(page, report);
}

}  // namespace

void write_place_page(std::ostream& out, const PlaceReport& report) {
  Page page(out, {"place", report.scenario.file, headline(report), report.summary.without_place() == 0});
  page.notes(launch_type_notes(report.assumptions));
  page.section("summary", "In figures");
  page.figures(figures_of(report.summary));
  add_state(page, report, "The cluster");
  page.findings(report.cluster_findings);
  page.assumptions(report.assumptions);
  add_text(page, report, write_place_text);
  page.data([&](JsonWriter& json) {
    json.begin_object();
    write_cluster_data(json, picture_of(report));
    json.end_object();
  });
  page.end();
}

void write_timeline_page(std::ostream& out, const TimelineReport& report) {
  const auto& cluster = report.cluster();
  Page page(out, {"place", report.scenario().file, timeline_headline(report), !report.has_failures()});
  page.notes(launch_type_notes(cluster.assumptions));
  page.section("timeline", "Over time");
  page.view("timeline", "The charts are drawn by scripts; the report as text, below, has one.");
  add_cluster(page, "The cluster");
  page.section("summary", "At the end");
  page.figures(figures_of(cluster.summary));
  add_failures(page, report.scenario(), left_out(report));
  add_cut_off(page, report);
  add_held(page, report);
  page.findings(cluster.cluster_findings);
  page.assumptions(cluster.assumptions);
  add_text(page, report, write_timeline_text);
  page.data([&](JsonWriter& json) {
    json.begin_object();
    write_cluster_data(json, picture_of(report));
    write_page_series(json, report.figures().series);
    json.end_object();
  });
  page.end();
}

}  // namespace bayplan::report
