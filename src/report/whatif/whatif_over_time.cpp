#include "report/whatif/whatif_over_time.hpp"

#include <algorithm>

#include <fmt/core.h>

#include "base/strings.hpp"
#include "base/utf8.hpp"
#include "report/document/assumptions.hpp"
#include "report/document/escape.hpp"
#include "report/document/figures.hpp"
#include "report/document/json_parts.hpp"
#include "report/document/prices.hpp"
#include "report/document/report_document.hpp"
#include "report/document/table.hpp"
#include "report/document/terminal.hpp"
#include "report/place/place_json_parts.hpp"
#include "report/timeline/timeline_report.hpp"
#include "report/timeline/timeline_tables.hpp"
#include "report/timeline/timeline_words.hpp"
#include "report/whatif/whatif_deployment.hpp"
#include "report/whatif/whatif_words.hpp"

namespace bayplan::report {

using placement::Scenario;
using study::ComparedRun;
using study::ComparedVariant;
using study::Comparison;
using study::EachOf;
using study::TimedFigures;

namespace {

constexpr std::size_t kLongestRunName = 26;  ///< Columns.

/// The baseline, or a variant.
struct RunRow {
  const ComparedVariant* variant = nullptr;  ///< Null: the baseline.
  const ComparedRun& compared;

  const TimedFigures& figures() const { return compared.figures; }
  const std::string& name() const {
    static const std::string kBefore = "before";
    return variant == nullptr ? kBefore : variant->name();
  }
  bool is_single_failure() const { return variant != nullptr && variant->asked.is_single_failure(); }
};

RunRow row_of(const ComparedVariant& variant) {
  return {&variant, *variant.over_time};
}

const Scenario& baseline_scenario(const Comparison& comparison) {
  return *comparison.baseline_over_time->run.scenario;
}

TimelineReport report_of(const ComparedRun& compared) {
  return {*compared.run.scenario, compared.run.history, std::nullopt, compared.run.held};
}

/// "lose-az us-east-2a at 1h"
std::string name_of(const RunRow& row) {
  const auto& at = row.compared.at;
  if (row.is_single_failure()) return fmt::format("losing {} at {}", row.variant->asked.lost, duration(*at));
  return at ? fmt::format("{} at {}", row.name(), duration(*at)) : row.name();
}

/// What the run itself is like, without YES or NO.
std::string describe_run(const ComparedRun& compared) {
  const TimelineReport report = report_of(compared);
  return timeline_headline(report).substr(kBelowVerdict);
}

/// What is left undone: "3 tasks", "2 tasks and 1 deployment"
std::string undone_words(const TimedFigures& figures) {
  std::vector<std::string> parts;
  if (figures.left() > 0) parts.push_back(count_of(figures.left(), "task"));
  if (figures.unfinished > 0) parts.push_back(count_of(figures.unfinished, "deployment"));
  if (figures.held_drains > 0) parts.push_back(count_of(figures.held_drains, "drain"));
  return parts.empty() ? "nothing" : join(parts, ", ");
}

/// "; ends at 3h (before: 3h20m), USD 12.24 (before: 10.20)": what differs.
std::string difference_words(const TimedFigures& before, const TimedFigures& after) {
  std::string text;
  if (before.end != after.end)
    text += fmt::format("; ends at {} (before: {})", duration(after.end), duration(before.end));
  if (before.cost != after.cost) text += fmt::format("; ${} (before: ${})", money(after.cost), money(before.cost));
  const auto& waited = before.tasks.to_place;
  const auto& waits = after.tasks.to_place;
  if (waited && waits && waited->worst != waits->worst) {
    text += fmt::format("; the longest wait is {} (before: {})", duration(waits->worst), duration(waited->worst));
  }
  return text;
}

std::string words_of_one_run(const Comparison& comparison, const ComparedVariant& variant) {
  const auto& before = comparison.baseline_over_time->figures;
  const RunRow row = row_of(variant);
  if (comparison.is_worse(variant)) {
    return fmt::format("NO  {}: {} (before: {} unfinished)", name_of(row), describe_run(row.compared),
                       undone_words(before));
  }
  const auto undone = undone_words(row.figures());
  return fmt::format("YES {}: {}{}", name_of(row),
                     undone == "nothing" ? "everything is done" : "no more is unfinished than before (" + undone + ")",
                     difference_words(before, row.figures()));
}

/// "YES losing any zone or any single instance at 1h leaves no more unfinished than before"
std::string words_of_harmless_runs(const Comparison& comparison) {
  const auto& variants = comparison.variants;
  const auto has = [&](EachOf each) {
    return std::any_of(variants.begin(), variants.end(), [&](const auto& one) { return one.asked.each == each; });
  };
  if (variants.empty() || has(EachOf::kNoFailure))
    return fmt::format("YES none of {} variants leaves more unfinished than before", variants.size());
  std::vector<std::string> things;
  if (has(EachOf::kZone)) things.emplace_back("any zone");
  if (has(EachOf::kInstance)) things.emplace_back("any single instance");
  return fmt::format("YES losing {} at {} leaves no more unfinished than before", join(things, " or "),
                     duration(*variants.front().over_time->at));
}

std::vector<const ComparedVariant*> worse_variants(const Comparison& comparison) {
  std::vector<const ComparedVariant*> worse;
  for (const auto& one : comparison.variants) {
    if (comparison.is_worse(one)) worse.push_back(&one);
  }
  return worse;
}

/// The one that leaves most tasks undone; the first among equals.
const ComparedVariant& worst_run(const std::vector<const ComparedVariant*>& variants) {
  const auto left = [](const ComparedVariant* one) { return one->over_time->figures.left(); };
  return **std::max_element(variants.begin(), variants.end(),
                            [&](const auto* a, const auto* b) { return left(a) < left(b); });
}

std::string words_of_many_runs(const Comparison& comparison) {
  const auto worse = worse_variants(comparison);
  const auto all = comparison.variants.size();
  if (worse.empty()) return words_of_harmless_runs(comparison);
  const RunRow worst = row_of(worst_run(worse));
  return fmt::format("NO  {} of {} variants {} more unfinished; {}{}: {}", worse.size(), all,
                     worse.size() == 1 ? "leaves" : "leave", worse.size() == 1 ? "" : "the worst, ", name_of(worst),
                     describe_run(worst.compared));
}

/// The baseline and the variants that are shown.
std::vector<RunRow> shown_rows(const Comparison& comparison, bool all) {
  std::vector<RunRow> rows{RunRow{nullptr, *comparison.baseline_over_time}};
  for (const auto* variant : shown_variants(comparison, all)) rows.push_back(row_of(*variant));
  return rows;
}

/// When things happen: one time for all variants.
std::string instant_of(const Comparison& comparison) {
  for (const auto& one : comparison.variants) {
    if (one.over_time->at) return "at " + duration(*one.over_time->at);
  }
  return {};
}

/// The variant of a row: the name of what is lost, or its own.
std::string label_of(const RunRow& row) {
  return printable(row.is_single_failure() ? row.variant->asked.lost : row.name());
}

std::int64_t not_placed(const TimedFigures& figures) {
  return figures.tasks.failed + figures.tasks.waiting;
}

/// A count that is worse than that of the baseline is marked.
Cell count_cell(std::int64_t count, std::int64_t before) {
  return Cell(std::to_string(count), count > before ? Tone::kBad : Tone::kPlain);
}

/// A row a run.
Table runs_table(const Comparison& comparison, const std::vector<RunRow>& rows) {
  const auto any_has = [&](auto holds) {
    return std::any_of(rows.begin(), rows.end(), [&](const RunRow& row) { return holds(row.figures()); });
  };
  const bool has_gpus = any_has([](const TimedFigures& figures) { return figures.gpu_paid > 0; });
  const bool has_cut_off = any_has([](const TimedFigures& figures) { return figures.interrupted_tasks > 0; });
  Column label(instant_of(comparison));
  label.cut_from = label.cut_to = kLongestRunName;
  Table table({std::move(label), number_column("not placed")});
  const auto add_column = [&](const char* heading) { table.columns.push_back(number_column(heading)); };
  if (has_cut_off) add_column("interrupted");
  for (const char* heading : {"wait p50", "p95", "worst", "USD"}) add_column(heading);
  if (has_gpus) add_column("GPU used");
  add_column("ends");
  const auto& before = comparison.baseline_over_time->figures;
  for (const auto& row : rows) {
    const auto& figures = row.figures();
    std::vector<Cell> cells{label_of(row), count_cell(not_placed(figures), not_placed(before))};
    if (has_cut_off) cells.push_back(count_cell(figures.interrupted_tasks, before.interrupted_tasks));
    const auto& wait = figures.tasks.to_place;
    for (const auto which : {&timeline::Delay::p50, &timeline::Delay::p95, &timeline::Delay::worst})
      cells.emplace_back(wait ? duration((*wait).*which) : std::string("-"));
    cells.emplace_back(money(figures.cost));
    if (has_gpus) {
      cells.emplace_back(figures.gpu_paid == 0 ? std::string("-") : percent(figures.gpu_used, figures.gpu_paid));
    }
    cells.emplace_back(duration(figures.end));
    table.add(std::move(cells));
  }
  return table;
}

/// "37 single failures not simulated: the runs are long"; empty where all were.
std::string not_simulated_words(const Comparison& comparison) {
  if (comparison.left_out == 0) return {};
  return count_of(comparison.left_out, "single failure", "single failures") + " not simulated: the runs are long";
}

/// Variants with something to report: what they leave undone, and how their deployments go.
std::vector<RunRow> storied_rows(const Comparison& comparison, bool all) {
  std::vector<RunRow> rows;
  for (const auto& row : shown_rows(comparison, all)) {
    const bool is_worse = row.variant != nullptr && comparison.is_worse(*row.variant);
    if (is_worse || !row.compared.run.deployments.empty()) rows.push_back(row);
  }
  return rows;
}

void add_runs_table(ReportDocument& document, const Comparison& comparison, bool all) {
  const auto rows = shown_rows(comparison, all);
  document.section("variants", "Before and after");
  document.table(runs_table(comparison, rows));
  const auto left_out = comparison.variants.size() + 1 - rows.size();
  document.left_out(left_out);
  if (left_out > 0) document.paragraph(fmt::format("and {} more", left_out), kCommentAndPage);
  const auto not_simulated = not_simulated_words(comparison);
  document.line(2, not_simulated);
  document.paragraph(not_simulated, kCommentAndPage);
}

void add_run_stories(ReportDocument& document, const Comparison& comparison, bool all) {
  const auto storied = storied_rows(comparison, all);
  if (!storied.empty()) document.section("runs", "What each variant leaves", kCommentAndPage);
  for (const auto& row : storied) {
    const TimelineReport report = report_of(row.compared);
    const auto headline = timeline_headline(report).substr(kBelowVerdict);
    document.paragraph({in_bold(name_of(row)), {": " + headline}}, kCommentAndPage);
    document.gap();
    document.line(0, in_bold(name_of(row)));
    document.line(2, headline);
    DeploymentReport(report, row.compared.run.deployments).add_to(document);
  }
}

/// The variant that a page plays: the worst of those that leave more undone, else the first.
const ComparedVariant& played_variant(const Comparison& comparison) {
  const auto worse = worse_variants(comparison);
  return worse.empty() ? comparison.variants.front() : worst_run(worse);
}

/// Page: the run before and the one after, which its scripts play.
void add_played_runs(ReportDocument& page, const Comparison& comparison) {
  if (comparison.variants.empty()) return;
  const RunRow played = row_of(played_variant(comparison));
  page.section("timeline", "Over time");
  if (comparison.variants.size() > 1)
    page.paragraph(fmt::format("Before, and the {}: {}.",
                               comparison.is_worse(*played.variant) ? "worst variant" : "first variant",
                               name_of(played)));
  page.view("timeline", "The charts need JavaScript; the tables have what differs.");
  page.section("cluster", "Cluster");
  page.view("cluster", "The map needs JavaScript; the tables have what differs.");
}

void write_played_runs(JsonWriter& json, const Comparison& comparison) {
  json.begin_object().key("runs").begin_array();
  const auto write = [&](std::string_view name, const ComparedRun& compared) {
    json.begin_object().member("name", name);
    write_page_run(json, report_of(compared));
    json.end_object();
  };
  const RunRow played = row_of(played_variant(comparison));
  write("Before", *comparison.baseline_over_time);
  write("After: " + name_of(played), played.compared);
  json.end_array().end_object();
}

void write_run(JsonWriter& json, const ComparedRun& compared) {
  const TimelineReport report = report_of(compared);
  const auto& figures = compared.figures;
  json.member("tasksLeft", figures.left()).member("cutOff", figures.interrupted_tasks);
  json.member("unfinishedDeployments", figures.unfinished).member("heldDrains", figures.held_drains);
  json.member("answer", timeline_headline(report));
  write_summary(json, report.cluster());
  json.key("timeline").begin_object();
  write_timeline_figures(json, report);
  json.end_object();
  DeploymentReport(report, compared.run.deployments).write_json(json);
}

/// Those of the scenario, and what the requested variants assume. A single failure assumes what its base does.
std::vector<Assumption> assumptions_over_time(const Comparison& comparison) {
  auto all = comparison.baseline_over_time->run.scenario->assumptions;
  for (const auto& variant : comparison.variants) {
    if (variant.asked.is_single_failure()) continue;
    all.insert(all.end(), variant.asked.assumptions.begin(), variant.asked.assumptions.end());
  }
  return all;
}

}  // namespace

std::string over_time_headline(const Comparison& comparison) {
  return comparison.variants.size() == 1 ? words_of_one_run(comparison, comparison.variants.front())
                                         : words_of_many_runs(comparison);
}

ReportDocument runs_document(const Comparison& comparison) {
  const auto& scenario = baseline_scenario(comparison);
  ReportDocument document("whatif");
  document.answer(scenario.file, over_time_headline(comparison), !comparison.any_is_worse());
  document.prices = price_words(find_price_range(scenario));
  document.has_all_lines = true;
  for (const bool all : {false, true}) {
    const Media media = all ? Medium::kFullText | Medium::kPage : Medium::kText | Medium::kComment;
    document.later(media, [&comparison, all](ReportDocument& part) {
      add_runs_table(part, comparison, all);
      add_run_stories(part, comparison, all);
    });
  }
  document.later(Medium::kPage, [&comparison](ReportDocument& page) { add_played_runs(page, comparison); });
  if (!comparison.variants.empty())
    document.data = [&comparison](JsonWriter& json) { write_played_runs(json, comparison); };
  document.add_to_footer(block::ClusterFindings{scenario.findings});
  document.add_to_footer(block::Gap{});
  document.add_to_footer(block::Assumptions{assumptions_over_time(comparison)});
  document.has_text = true;
  return document;
}

void write_runs_json(std::ostream& out, const Comparison& comparison) {
  JsonWriter json(out);
  const auto& scenario = baseline_scenario(comparison);
  begin_report(json, "whatif-timeline-report", over_time_headline(comparison));
  json.member("seed", scenario.seed);
  write_prices_json(json, find_price_range(scenario));
  write_assumptions_json(json, assumptions_over_time(comparison));
  if (!scenario.findings.empty()) write_cluster_findings_json(json, scenario.findings);
  json.key("baseline").begin_object();
  write_run(json, *comparison.baseline_over_time);
  json.end_object();
  json.key("variants").begin_array();
  for (const auto& one : comparison.variants) {
    json.begin_object().member("name", one.name()).member("at", one.over_time->at);
    write_each(json, one.asked);
    json.member("leavesMore", comparison.is_worse(one));
    write_run(json, *one.over_time);
    json.end_object();
  }
  json.end_array().member("notSimulated", comparison.left_out);
  json.end_object().finish();
}

}  // namespace bayplan::report
