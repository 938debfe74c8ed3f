#include "report/whatif/whatif_report.hpp"

#include <algorithm>
#include <sstream>

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

namespace bayplan::report {

using study::ComparedRun;
using study::ComparisonOverTime;
using study::EachOf;
using study::TimedFigures;

namespace {

constexpr std::size_t kLongestRunName = 26;  ///< Columns.
constexpr std::size_t kAnswer = 4;           ///< Width of "YES " and "NO  ".

TimelineReport report_of(const ComparedRun& one) {
  return {*one.run.scenario, one.run.history, std::nullopt, one.run.held};
}

/// "lose-az us-east-2a at 1h"
std::string name_of(const ComparedRun& one) {
  if (one.is_single_failure()) return fmt::format("losing {} at {}", one.lost, duration(*one.at));
  return one.at ? fmt::format("{} at {}", one.name, duration(*one.at)) : one.name;
}

/// What the run itself is like, without YES or NO.
std::string describe_run(const ComparedRun& one) {
  const TimelineReport report = report_of(one);
  return timeline_headline(report).substr(kAnswer);
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

std::string words_of_one(const ComparisonOverTime& comparison, const ComparedRun& one) {
  const auto& before = comparison.baseline.figures;
  if (comparison.leaves_more(one)) {
    return fmt::format("NO  {}: {} (before: {} unfinished)", name_of(one), describe_run(one), undone_words(before));
  }
  const auto undone = undone_words(one.figures);
  return fmt::format("YES {}: {}{}", name_of(one),
                     undone == "nothing" ? "everything is done" : "no more is unfinished than before (" + undone + ")",
                     difference_words(before, one.figures));
}

/// "YES losing any zone or any single instance at 1h leaves no more unfinished than before"
std::string words_of_harmless(const ComparisonOverTime& comparison) {
  const auto& variants = comparison.variants;
  const auto has = [&](EachOf each) {
    return std::any_of(variants.begin(), variants.end(), [&](const ComparedRun& one) { return one.each == each; });
  };
  if (variants.empty() || has(EachOf::kNoFailure))
    return fmt::format("YES none of {} variants leaves more unfinished than before", variants.size());
  std::vector<std::string> things;
  if (has(EachOf::kZone)) things.emplace_back("any zone");
  if (has(EachOf::kInstance)) things.emplace_back("any single instance");
  return fmt::format("YES losing {} at {} leaves no more unfinished than before", join(things, " or "),
                     duration(*variants.front().at));
}

std::string words_of_many(const ComparisonOverTime& comparison) {
  std::vector<const ComparedRun*> worse;
  for (const auto& one : comparison.variants) {
    if (comparison.leaves_more(one)) worse.push_back(&one);
  }
  const auto all = comparison.variants.size();
  if (worse.empty()) return words_of_harmless(comparison);
  const auto worst = std::max_element(
      worse.begin(), worse.end(), [](const auto* a, const auto* b) { return a->figures.left() < b->figures.left(); });
  return fmt::format("NO  {} of {} variants {} more unfinished; {}{}: {}", worse.size(), all,
                     worse.size() == 1 ? "leaves" : "leave", worse.size() == 1 ? "" : "the worst, ", name_of(**worst),
                     describe_run(**worst));
}

/// The baseline and those variants that are told: of single failures the first.
std::vector<const ComparedRun*> told_runs(const ComparisonOverTime& comparison, bool all) {
  std::vector<const ComparedRun*> told{&comparison.baseline};
  std::size_t failures = 0;
  for (const auto& one : comparison.variants) {
    if (one.is_single_failure() && ++failures > study::kToldFailures && !all) continue;
    told.push_back(&one);
  }
  return told;
}

/// When things happen: one time for all variants.
std::string instant_of(const ComparisonOverTime& comparison) {
  for (const auto& one : comparison.variants) {
    if (one.at) return "at " + duration(*one.at);
  }
  return {};
}

/// The variant of a row: the name of what is lost, or its own.
std::string label_of(const ComparedRun& one) {
  return printable(one.is_single_failure() ? one.lost : one.name);
}

std::int64_t not_placed(const TimedFigures& figures) {
  return figures.tasks.failed + figures.tasks.waiting;
}

/// A count that is worse than that of the baseline is marked.
Cell count_cell(std::int64_t count, std::int64_t before) {
  return Cell(std::to_string(count), count > before ? Tone::kBad : Tone::kPlain);
}

/// A row a run.
Table runs_table(const ComparisonOverTime& comparison, const std::vector<const ComparedRun*>& told) {
  const auto any_has = [&](auto holds) {
    return std::any_of(told.begin(), told.end(), [&](const ComparedRun* one) { return holds(one->figures); });
  };
  const bool has_gpus = any_has([](const TimedFigures& figures) { return figures.gpu_paid > 0; });
  const bool has_cut_off = any_has([](const TimedFigures& figures) { return figures.interrupted_tasks > 0; });
  Table table({instant_of(comparison), number_column("not placed")});
  const auto add_column = [&](const char* heading) { table.columns.push_back(number_column(heading)); };
  if (has_cut_off) add_column("interrupted");
  for (const char* heading : {"wait p50", "p95", "worst", "USD"}) add_column(heading);
  if (has_gpus) add_column("GPU used");
  add_column("ends");
  const auto& before = comparison.baseline.figures;
  for (const auto* one : told) {
    const auto& figures = one->figures;
    std::vector<Cell> cells{label_of(*one), count_cell(not_placed(figures), not_placed(before))};
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
std::string not_simulated_words(const ComparisonOverTime& comparison) {
  if (comparison.left_out == 0) return {};
  return count_of(comparison.left_out, "single failure", "single failures") + " not simulated: the runs are long";
}

void write_runs_table(std::ostream& out, const ComparisonOverTime& comparison, const TextOptions& options) {
  const auto told = told_runs(comparison, options.verbose);
  auto table = runs_table(comparison, told);
  for (std::size_t i = 0; i < told.size(); ++i)
    table.rows[i].cells.front() = cut(label_of(*told[i]), kLongestRunName, options.glyphs);
  print_table(out, table, options.style);
  print_left_out(out, comparison.variants.size() + 1 - told.size());
  if (const auto words = not_simulated_words(comparison); !words.empty()) out << "  " << words << '\n';
}

/// Variants with something to tell: what they leave undone, and how their deployments go.
std::vector<const ComparedRun*> storied_runs(const ComparisonOverTime& comparison, bool all) {
  auto told = told_runs(comparison, all);
  std::erase_if(told, [&](const ComparedRun* one) {
    const bool is_worse = one != &comparison.baseline && comparison.leaves_more(*one);
    return !is_worse && one->run.deployments.empty();
  });
  return told;
}

void write_run_stories(std::ostream& out, const ComparisonOverTime& comparison, const TextOptions& options) {
  for (const auto* one : storied_runs(comparison, options.verbose)) {
    const TimelineReport report = report_of(*one);
    out << '\n' << options.style.bold(printable(name_of(*one))) << '\n';
    out << "  " << wrapped(printable(timeline_headline(report).substr(kAnswer)), 4) << '\n';
    DeploymentReport(report, one->run.deployments).write_text(out, options.style);
  }
}

void add_runs_table(ReportDocument& document, const ComparisonOverTime& comparison) {
  const auto told = told_runs(comparison, document.is_page());
  document.section("variants", "Before and after");
  document.table(runs_table(comparison, told));
  if (const auto left_out = comparison.variants.size() + 1 - told.size(); left_out > 0)
    document.paragraph(fmt::format("and {} more", left_out));
  if (const auto words = not_simulated_words(comparison); !words.empty()) document.paragraph(words);
}

void add_run_stories(ReportDocument& document, const ComparisonOverTime& comparison) {
  const auto storied = storied_runs(comparison, document.is_page());
  if (!storied.empty()) document.section("runs", "What each variant leaves");
  for (const auto* one : storied) {
    const TimelineReport report = report_of(*one);
    document.paragraph({in_bold(name_of(*one)), {": " + timeline_headline(report).substr(kAnswer)}});
    DeploymentReport(report, one->run.deployments).add_to(document);
  }
}

void write_run(JsonWriter& json, const ComparedRun& one) {
  const TimelineReport report = report_of(one);
  json.member("tasksLeft", one.figures.left()).member("cutOff", one.figures.interrupted_tasks);
  json.member("unfinishedDeployments", one.figures.unfinished).member("heldDrains", one.figures.held_drains);
  json.member("answer", timeline_headline(report));
  write_summary(json, report.cluster());
  json.key("timeline").begin_object();
  write_timeline_figures(json, report);
  json.end_object();
  DeploymentReport(report, one.run.deployments).write_json(json);
}

std::vector<Assumption> assumptions_over_time(const ComparisonOverTime& comparison) {
  auto all = comparison.baseline.run.scenario->assumptions;
  all.insert(all.end(), comparison.assumptions.begin(), comparison.assumptions.end());
  return all;
}

}  // namespace

std::string over_time_headline(const ComparisonOverTime& comparison) {
  return comparison.variants.size() == 1 ? words_of_one(comparison, comparison.variants.front())
                                         : words_of_many(comparison);
}

void write_whatif_over_time_text(std::ostream& out, const ComparisonOverTime& comparison, const TextOptions& options) {
  out << options.style.answer(wrapped(printable(over_time_headline(comparison)), kAnswer)) << '\n';
  if (options.quiet) return;
  out << '\n';
  write_runs_table(out, comparison, options);
  write_run_stories(out, comparison, options);
  const auto& scenario = *comparison.baseline.run.scenario;
  write_cluster_findings_text(out, scenario.findings, options.verbose, options.style);
  out << '\n';
  write_assumptions_text(out, assumptions_over_time(comparison), options.verbose, options.style);
}

ReportDocument whatif_over_time_document(const ComparisonOverTime& comparison, Medium medium) {
  ReportDocument document(medium, "whatif");
  document.answer(comparison.baseline.run.scenario->file, over_time_headline(comparison),
                  !comparison.any_leaves_more());
  if (document.is_page()) document.prices = price_words(find_price_range(*comparison.baseline.run.scenario));
  add_runs_table(document, comparison);
  add_run_stories(document, comparison);
  const auto& scenario = *comparison.baseline.run.scenario;
  document.add(block::ClusterFindings{scenario.findings});
  document.add(block::Assumptions{assumptions_over_time(comparison)});
  if (!document.is_page()) return document;
  std::ostringstream text;
  write_whatif_over_time_text(text, comparison, {.verbose = true});
  document.as_text("the report as a terminal shows it with -v", text.str());
  return document;
}

void write_whatif_over_time_json(std::ostream& out, const ComparisonOverTime& comparison) {
  JsonWriter json(out);
  const auto& scenario = *comparison.baseline.run.scenario;
  begin_report(json, "whatif-timeline-report", over_time_headline(comparison));
  json.member("seed", scenario.seed);
  write_prices_json(json, find_price_range(scenario));
  write_assumptions_json(json, assumptions_over_time(comparison));
  if (!scenario.findings.empty()) write_cluster_findings_json(json, scenario.findings);
  json.key("baseline").begin_object();
  write_run(json, comparison.baseline);
  json.end_object();
  json.key("variants").begin_array();
  for (const auto& one : comparison.variants) {
    json.begin_object().member("name", one.name).member("at", one.at);
    write_each(json, one.each, one.lost);
    json.member("leavesMore", comparison.leaves_more(one));
    write_run(json, one);
    json.end_object();
  }
  json.end_array().member("notSimulated", comparison.left_out);
  json.end_object().finish();
}

}  // namespace bayplan::report
