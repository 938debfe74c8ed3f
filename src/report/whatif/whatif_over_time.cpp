#include "report/whatif/whatif_report.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <sstream>

#include "base/strings.hpp"
#include "base/utf8.hpp"
#include "report/document/assumptions.hpp"
#include "report/document/document.hpp"
#include "report/document/escape.hpp"
#include "report/document/figures.hpp"
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
constexpr std::size_t kAnswer = 4;           ///< Of "YES " and "NO  ".

TimelineReport report_of(const ComparedRun& one) {
  return {*one.run.scenario, one.run.history, std::nullopt, one.run.held};
}

/// "lose-az us-east-2a at 1h"
std::string name_of(const ComparedRun& one) {
  if (one.is_single_failure()) return fmt::format("losing {} at {}", one.lost, duration(*one.at));
  return one.at ? fmt::format("{} at {}", one.name, duration(*one.at)) : one.name;
}

/// What the run itself is like, without YES or NO.
std::string story_of(const ComparedRun& one) {
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
  if (before.cost != after.cost) text += fmt::format("; USD {} (before: {})", money(after.cost), money(before.cost));
  const auto& waited = before.tasks.to_place;
  const auto& waits = after.tasks.to_place;
  if (waited && waits && waited->worst != waits->worst) {
    text += fmt::format("; the longest wait for a place is {} (before: {})", duration(waits->worst),
                        duration(waited->worst));
  }
  return text;
}

std::string words_of_one(const ComparisonOverTime& comparison, const ComparedRun& one) {
  const auto& before = comparison.baseline.figures;
  if (comparison.leaves_more(one)) {
    return fmt::format("NO  {}: {} (before: {} undone)", name_of(one), story_of(one), undone_words(before));
  }
  const auto undone = undone_words(one.figures);
  return fmt::format("YES {}: {}{}", name_of(one),
                     undone == "nothing" ? "everything is done" : "no more is left undone than before (" + undone + ")",
                     difference_words(before, one.figures));
}

/// "YES any zone and any single instance can be lost at 1h: no more is left undone than before"
std::string words_of_harmless(const ComparisonOverTime& comparison) {
  const auto& variants = comparison.variants;
  const auto has = [&](EachOf each) {
    return std::any_of(variants.begin(), variants.end(), [&](const ComparedRun& one) { return one.each == each; });
  };
  if (variants.empty() || has(EachOf::kNone))
    return fmt::format("YES none of {} variants leaves more undone than before", variants.size());
  std::vector<std::string> things;
  if (has(EachOf::kZone)) things.emplace_back("any zone");
  if (has(EachOf::kInstance)) things.emplace_back("any single instance");
  return fmt::format("YES {} can be lost at {}: no more is left undone than before", join(things, " and "),
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
  return fmt::format("NO  {} of {} variants {} more undone; {}{}: {}", worse.size(), all,
                     worse.size() == 1 ? "leaves" : "leave", worse.size() == 1 ? "" : "the worst, ", name_of(**worst),
                     story_of(**worst));
}

class OverTimeWriter {
 public:
  OverTimeWriter(std::ostream& out, const ComparisonOverTime& comparison, const TextOptions& options)
      : out_(out), comparison_(comparison), options_(options) {}

  void answer() { out_ << options_.style.answer(wrapped(printable(over_time_headline(comparison_)), kAnswer)) << '\n'; }

  /// A row a run.
  void rows() {
    const auto told = told_runs();
    has_gpus_ = any_of(told, [](const TimedFigures& figures) { return figures.gpu_paid > 0; });
    has_cut_off_ = any_of(told, [](const TimedFigures& figures) { return figures.cut_off > 0; });
    Table table({instant(), number_column("no place")});
    const auto add = [&](const char* heading) { table.columns.push_back(number_column(heading)); };
    if (has_cut_off_) add("cut off");
    for (const char* heading : {"wait p50", "p95", "worst", "USD"}) add(heading);
    if (has_gpus_) add("GPU used");
    add("ends");
    for (const auto* one : told) row(table, *one);
    out_ << '\n';
    print_table(out_, table, options_.style);
    const auto left_out = comparison_.variants.size() + 1 - told.size();
    print_left_out(out_, left_out);
    if (comparison_.left_out > 0) {
      out_ << fmt::format("  {} not simulated: the runs are long\n",
                          count_of(comparison_.left_out, "single failure", "single failures"));
    }
  }

  /// What a variant leaves undone, and how its deployments go.
  void stories() {
    for (const auto* one : told_runs()) {
      const bool is_worse = one != &comparison_.baseline && comparison_.leaves_more(*one);
      if (!is_worse && one->run.deployments.empty()) continue;
      const TimelineReport report = report_of(*one);
      out_ << '\n' << options_.style.bold(printable(name_of(*one))) << '\n';
      out_ << "  " << wrapped(printable(timeline_headline(report).substr(kAnswer)), 4) << '\n';
      DeploymentReport(report, one->run.deployments).write_text(out_, options_.style);
    }
  }

  void assumptions() {
    const auto& scenario = *comparison_.baseline.run.scenario;
    write_cluster_findings_text(out_, scenario.findings, options_.style);
    out_ << '\n';
    write_assumptions_text(out_, scenario.assumptions, options_.verbose, options_.style);
  }

 private:
  std::vector<const ComparedRun*> told_runs() const {
    std::vector<const ComparedRun*> told{&comparison_.baseline};
    std::size_t failures = 0;
    for (const auto& one : comparison_.variants) {
      if (one.is_single_failure() && ++failures > study::kToldFailures && !options_.verbose) continue;
      told.push_back(&one);
    }
    return told;
  }

  static bool any_of(const std::vector<const ComparedRun*>& told, bool (*holds)(const TimedFigures&)) {
    return std::any_of(told.begin(), told.end(), [&](const ComparedRun* one) { return holds(one->figures); });
  }

  /// When things happen: one time for all variants.
  std::string instant() const {
    for (const auto& one : comparison_.variants) {
      if (one.at) return "at " + duration(*one.at);
    }
    return {};
  }

  void row(Table& table, const ComparedRun& one) {
    const auto& figures = one.figures;
    const auto wait = [&](timeline::Seconds timeline::Delay::*which) {
      return figures.tasks.to_place ? duration((*figures.tasks.to_place).*which) : std::string("-");
    };
    const auto gpu =
        figures.gpu_paid == 0 ? std::string("-") : fmt::format("{:.0f}%", 100 * figures.gpu_used / figures.gpu_paid);
    const auto label = printable(one.is_single_failure() ? one.lost : one.name);
    std::vector<Cell> cells{cut(label, kLongestRunName, options_.glyphs),
                            std::to_string(figures.tasks.failed + figures.tasks.waiting)};
    if (has_cut_off_) cells.emplace_back(std::to_string(figures.cut_off));
    for (const auto which : {&timeline::Delay::p50, &timeline::Delay::p95, &timeline::Delay::worst})
      cells.emplace_back(wait(which));
    cells.emplace_back(money(figures.cost));
    if (has_gpus_) cells.emplace_back(gpu);
    cells.emplace_back(duration(figures.end));
    table.add(std::move(cells));
  }

  std::ostream& out_;
  const ComparisonOverTime& comparison_;
  const TextOptions& options_;
  bool has_gpus_ = false;
  bool has_cut_off_ = false;
};

void write_run(JsonWriter& json, const ComparedRun& one) {
  const TimelineReport report = report_of(one);
  json.member("tasksLeft", one.figures.left()).member("cutOff", one.figures.cut_off);
  json.member("unfinishedDeployments", one.figures.unfinished).member("heldDrains", one.figures.held_drains);
  json.member("answer", timeline_headline(report));
  write_summary(json, report.cluster());
  json.key("timeline").begin_object();
  write_timeline_figures(json, report);
  json.end_object();
  DeploymentReport(report, one.run.deployments).write_json(json);
}

}  // namespace

std::string over_time_headline(const ComparisonOverTime& comparison) {
  return comparison.variants.size() == 1 ? words_of_one(comparison, comparison.variants.front())
                                         : words_of_many(comparison);
}

void write_whatif_over_time_text(std::ostream& out, const ComparisonOverTime& comparison, const TextOptions& options) {
  OverTimeWriter writer(out, comparison, options);
  writer.answer();
  if (options.quiet) return;
  writer.rows();
  writer.stories();
  writer.assumptions();
}

Document whatif_over_time_document(const ComparisonOverTime& comparison, Medium medium) {
  Document document(medium, "whatif");
  document.answer("", over_time_headline(comparison), !comparison.any_leaves_more());
  std::ostringstream text;
  if (document.is_page()) {
    write_whatif_over_time_text(text, comparison, {.verbose = true});
    document.section("text", "Before and after");
    document.add(block::Code{text.str()});
    return document;
  }
  const TextOptions options;
  OverTimeWriter writer(text, comparison, options);
  writer.rows();
  writer.stories();
  document.add(block::Code{text.str().substr(1), true});  // the blank line before the rows
  document.add(block::ClusterFindings{comparison.baseline.run.scenario->findings});
  return document;
}

void write_whatif_over_time_json(std::ostream& out, const ComparisonOverTime& comparison) {
  JsonWriter json(out);
  const auto& scenario = *comparison.baseline.run.scenario;
  json.begin_object().member("schema", "bayplan/whatif-timeline-report/1").member("seed", scenario.seed);
  json.member("answer", over_time_headline(comparison));
  write_assumptions_json(json, scenario.assumptions);
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
