#include "report/html/place_page.hpp"

#include <fmt/format.h>

#include <map>
#include <sstream>

#include "base/strings.hpp"
#include "report/cluster_picture.hpp"
#include "report/figures.hpp"
#include "report/html/cluster_data.hpp"
#include "report/html/page.hpp"
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

using placement::Failure;
using placement::Scenario;
using timeline::Series;

namespace {

constexpr std::size_t kShownFailureRows = 500;
constexpr std::size_t kShownNames = 8;

std::string share_words(const placement::Share& share) {
  if (share.registered == 0) return "-";
  return fmt::format("{} %", share.reserved * 100 / share.registered);
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

/// "train#1-3,5 web#2 and 4 more"
std::string first_ranges(const std::vector<std::string>& ranges) {
  std::vector<std::string> shown(ranges.begin(), ranges.begin() + std::min(ranges.size(), kShownNames));
  return join(shown, " ") +
         (shown.size() < ranges.size() ? fmt::format(" and {} more", ranges.size() - shown.size()) : "");
}

/// What each explanation holds for, in order of the first.
void add_failures(Page& page, const PlaceReport& report) {
  const auto& failures = report.outcome.failures;
  if (failures.empty()) return;
  std::map<const Failure*, std::size_t> row_of;
  std::vector<std::pair<const Failure*, std::vector<placement::Turn>>> rows;
  for (const auto& failure : failures) {
    const Failure* first = &explained(report.outcome, failure);
    const auto [entry, is_new] = row_of.try_emplace(first, rows.size());
    if (is_new) rows.push_back({first, {}});
    rows[entry->second].second.push_back(failure.turn);
  }
  page.section("failures", "Without a place");
  PageTable table{{"tasks", "which", "asks for", "why not"}, {}};
  for (std::size_t i = 0; i < std::min(rows.size(), kShownFailureRows); ++i) {
    const Failure& first = *rows[i].first;
    const auto& turns = rows[i].second;
    table.rows.push_back({std::to_string(turns.size()), first_ranges(task_ranges(report.scenario, turns)),
                          describe(report.scenario.workloads[first.turn.workload].requirement),
                          why_not(report.scenario, first)});
  }
  page.table(table);
  if (rows.size() > kShownFailureRows)
    page.paragraph(fmt::format("and {} more explanations, which the JSON report has", rows.size() - kShownFailureRows));
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
  write(text, report, PlaceTextOptions{.style = Style(false), .glyphs = {}});
  page.section("text", "As text");
  page.text("the report as a terminal shows it", text.str());
}

void write_page_series(JsonWriter& json, const Series& series) {
  json.key("series").begin_object().member("width", series.width).key("columns").begin_object();
  for (const auto& column : series_columns()) {
    json.key(column.name).begin_array(JsonWriter::Layout::kLine);
    for (std::size_t i = 0; i < series.buckets.size(); ++i) json.value(rounded(column.value(series, i)));
    json.end_array();
  }
  json.end_object().end_object();
}

/// A row for all tasks of a workload that have no place for the same reason.
void add_without_place(Page& page, const TimelineReport& report) {
  const auto& all = report.without_place();
  if (all.empty()) return;
  std::map<std::pair<std::uint32_t, std::string>, std::vector<std::uint32_t>> alike;
  for (const auto& one : all)
    alike[{report.history().tasks[one.task].workload, reason_words(report, one)}].push_back(one.task);
  PageTable table{{"tasks", "which", "why not"}, {}};
  for (const auto& group : alike) {
    if (table.rows.size() < kShownFailureRows)
      table.rows.push_back({std::to_string(group.second.size()),
                            task_names(report.scenario(), report.history(), group.second), group.first.second});
  }
  page.section("failures", "Without a place");
  page.table(table);
  if (alike.size() > kShownFailureRows)
    page.paragraph(fmt::format("and {} more, which the JSON report has", alike.size() - kShownFailureRows));
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
  add_failures(page, report);
  add_limits(page, report);
}

}  // namespace

void write_place_page(std::ostream& out, const PlaceReport& report) {
  Page page(out, {"place", report.scenario.file, headline(report), report.summary.without_place() == 0});
  page.section("summary", "In figures");
  page.figures(figures_of(report.summary));
  add_state(page, report, "The cluster");
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
  page.section("timeline", "Over time");
  page.view("timeline", "The charts are drawn by scripts; the report as text, below, has one.");
  add_cluster(page, "The cluster");
  page.section("summary", "At the end");
  page.figures(figures_of(cluster.summary));
  add_without_place(page, report);
  add_cut_off(page, report);
  add_held(page, report);
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
