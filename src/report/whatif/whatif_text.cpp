#include "report/whatif/whatif_report.hpp"

#include <algorithm>
#include <utility>

#include <fmt/core.h>

#include "base/strings.hpp"
#include "report/document/amounts.hpp"
#include "report/document/figures.hpp"
#include "report/document/fitting_costs.hpp"
#include "report/document/terminal.hpp"
#include "report/place/place_words.hpp"
#include "report/whatif/whatif_deployment.hpp"
#include "report/whatif/whatif_over_time.hpp"
#include "report/whatif/whatif_words.hpp"

namespace bayplan::report {

using namespace placement;  // NOLINT: the report is about nothing else
using study::ComparedVariant;
using study::Comparison;
using study::EachOf;
using study::NameResult;
using study::VariantResult;

namespace {

constexpr std::size_t kShownWhatIfRemedies = 4;
constexpr std::size_t kShownHelp = 2;  ///< Limit for one variant among many.
constexpr std::size_t kShownStories = 4;
constexpr std::size_t kShownListLines = 5;

void add_headed_list(ReportDocument& document, std::string_view heading, const std::vector<std::string>& lines,
                     bool all) {
  if (lines.empty()) return;
  document.gap();
  document.line(0, heading);
  const auto shown = all ? lines.size() : std::min(kShownListLines, lines.size());
  for (std::size_t i = 0; i < shown; ++i) document.line(2, lines[i]);
  document.left_out(lines.size() - shown);
}

std::string share_of_runs(std::int64_t part, std::int64_t whole) {
  return fmt::format("{} of {} runs", percent(part, whole), whole);
}

/// Which runs are meant, and in how many what a planner hopes for holds.
void add_shares(ReportDocument& document, const ComparedVariant& variant) {
  if (!variant.runs || !variant.runs->differ()) return;
  const auto& runs = *variant.runs;
  std::vector<std::string> parts;
  if (runs.unplaced.max > 0) parts.push_back("everything is placed in " + share_of_runs(runs.placed_all, runs.runs));
  if (runs.left_idle > 0) parts.push_back("an instance stays empty in " + share_of_runs(runs.left_idle, runs.runs));
  if (parts.empty()) return;
  document.line(2, fmt::format("{}: {}", make_label(variant), join(parts, ", ")));
}

void add_totals(ReportDocument& document, const WhatIfReport& report, const VariantResult& result) {
  const auto& summary = result.summary;
  std::string text = count_of(summary.instances, "instance");
  if (summary.hourly_cost)
    text += fmt::format(": {} ({})", hourly_and_monthly(*summary.hourly_cost), report.scenario.region);
  if (report.comparison.baseline_runs) {
    const auto& runs = *report.comparison.baseline_runs;
    text += fmt::format(", {} with seeds from {}", count_of(runs.runs, "run"), runs.first_seed);
  } else {
    text += fmt::format(", seed {}", report.scenario.seed);
  }
  if (report.scenario.policy)
    text += fmt::format(", policy {}, which ECS does not offer", placement::name_of(*report.scenario.policy));
  document.paragraph({.text = text, .tone = Tone::kFaint, .hanging = 2}, kTerminal);
}

/// Those that cost nothing but fewer tasks are always shown.
void add_remedies(ReportDocument& document, const std::vector<RemedyWords>& words, std::size_t indent,
                  std::size_t most) {
  std::vector<std::string> costs;
  for (const auto& one : words) costs.push_back(one.cost);
  costs = fitting_costs(std::move(costs), indent);
  std::size_t width = 0;
  for (const auto& cost : costs) width = std::max(width, cost.size());
  for (std::size_t i = 0; i < words.size(); ++i) {
    const auto& one = words[i];
    document.paragraph({.text = one.flag + (one.more.empty() ? "" : "  (" + one.more + ")"),
                        .lead = fmt::format("{:>{}} ", costs[i], width),
                        .indent = indent},
                       i < most || one.cost.empty() ? kTerminal : Media(Medium::kFullText));
  }
}

void add_failure(ReportDocument& document, const VariantResult& result, const NameResult& name) {
  const auto& scenario = *result.scenario;
  const auto& failed = *name.failure;
  const auto& task = scenario.workloads[failed.attempt.workload].requirement;
  document.line(2, {in_bold(fmt::format("{} {}", name.unplaced() - name.held, name.name)), {"  " + describe(task)}});
  if (failed.closest) document.line(4, "closest match: " + closest_words(scenario, failed));
  if (const auto counts = reason_counts(scenario, failed); !counts.empty()) document.line(4, "rejected: " + counts);
}

void add_failure_lines(ReportDocument& document, const VariantResult& result) {
  bool is_first = true;
  for (const auto& name : result.names) {
    if (!name.failure || name.unplaced() == name.held) continue;
    if (std::exchange(is_first, false)) {
      document.gap();
      document.line(0, "Not placed");
    }
    add_failure(document, result, name);
  }
}

/// Tasks of RunTask that lost their instance.
void add_standalone(ReportDocument& document, const VariantResult& result) {
  std::vector<std::string> parts;
  for (const auto& name : result.names) {
    if (!name.is_service && name.moves > 0) parts.push_back(fmt::format("{} {}", name.moves, name.name));
  }
  if (parts.empty()) return;
  document.gap();
  document.line(
      0, fmt::format("ECS does not restart RunTask tasks; counted as restarted by their owner: {}", join(parts, ", ")));
}

void add_fix_lines(ReportDocument& document, const Comparison& comparison, const ComparedVariant& variant) {
  if (comparison.excess(variant) <= 0 || variant.runs) return;
  const auto& found = variant.remedies;
  const auto words = remedy_words(found);
  if (words.empty()) {
    document.gap();
    if (found.tried > 0) document.line(0, fmt::format("No fix found ({} simulated)", count_of(found.tried, "change")));
    return;
  }
  document.gap();
  document.line(0, fmt::format("Fixes, cheapest first ({} simulated)", found.tried));
  add_remedies(document, words, 2, kShownWhatIfRemedies);
}

/// All of one variant.
void add_detail(ReportDocument& document, const WhatIfReport& report, const ComparedVariant& variant,
                const Screen& screen) {
  const auto& comparison = report.comparison;
  const auto& result = variant.result;
  const auto& asked = variant.asked.variant;
  const auto& [options, lines_left] = screen;
  if (asked.changes.empty() && asked.events.empty()) {
    if (variant.deployed) add_deployments(document, *variant.deployed);
    return;
  }
  auto names = names_table(comparison.baseline, result, options.verbose);
  const auto left_out = result.names.size() - names.rows.size();
  document.table(std::move(names));
  document.left_out(left_out);
  document.gap();
  const auto& before = comparison.baseline_runs;
  document.table(with_short_headings(
      figures_table({{"before", &comparison.baseline, &before}, {"after", &result, &variant.runs}}), options.glyphs));
  add_shares(document, variant);
  add_totals(document, report, result);
  document.line(0, gone_words(result, options.verbose));
  if (options.verbose) add_failure_lines(document, result);
  add_headed_list(document, "Cannot leave", held_words(result), options.verbose);
  add_headed_list(document, "Moves", move_words(result, options.verbose), options.verbose);
  add_standalone(document, result);
  document.gap();
  if (variant.deployed) add_deployments(document, *variant.deployed);
}

/// Single failures of which the same is to be said.
bool are_alike(const Comparison& comparison, const ComparedVariant& a, const ComparedVariant& b) {
  return a.asked.each != EachOf::kNoFailure && a.asked.each == b.asked.each && !a.deployed && !b.deployed &&
         lacking_words(comparison, a) == lacking_words(comparison, b) &&
         held_words(a.result).size() == held_words(b.result).size();
}

void add_story(ReportDocument& document, const Comparison& comparison,
               const std::vector<const ComparedVariant*>& group) {
  const auto& first = *group.front();
  std::vector<std::string> labels;
  for (const auto* variant : group) labels.push_back(make_label(*variant));
  document.gap();
  document.line(0, in_bold(join(labels, ", ")));
  if (comparison.excess(first) > 0) {
    document.line(2, lacking_words(comparison, first));
    for (const auto& words : held_words(first.result)) document.line(2, words);
    if (first.remedies.tried > 0) {
      const auto words = remedy_words(first.remedies);
      const auto whom = group.size() > 1 ? " (" + make_label(first) + ")" : std::string();
      document.line(2, (words.empty() ? "No fix found" : "Fixes, cheapest first") + whom);
      add_remedies(document, words, 4, kShownHelp);
    }
  }
  if (first.deployed) add_deployments(document, *first.deployed);
}

/// What makes the loss of any of them harmless.
void add_help_for_all(ReportDocument& document, std::string_view thing, const study::Remedies& remedies) {
  const auto words = remedy_words(remedies);
  if (words.empty()) return;
  document.gap();
  const auto& cost = words.front().cost;
  document.line(0,
                fmt::format("Fix for any {}: {}{}", thing, words.front().flag, cost.empty() ? "" : " (" + cost + ")"));
}

/// Why variants leave more tasks unplaced, in a few lines each; equal ones together.
void add_stories(ReportDocument& document, const Comparison& comparison,
                 const std::vector<const ComparedVariant*>& variants, const TextOptions& options) {
  std::vector<std::vector<const ComparedVariant*>> groups;
  for (const auto* variant : variants) {
    if (comparison.excess(*variant) <= 0 && !variant->deployed) continue;
    const auto same = std::find_if(groups.begin(), groups.end(),
                                   [&](const auto& group) { return are_alike(comparison, *group.front(), *variant); });
    same == groups.end() || options.verbose ? groups.push_back({variant}) : same->push_back(variant);
  }
  const auto shown = options.verbose ? groups.size() : std::min(kShownStories, groups.size());
  for (std::size_t i = 0; i < shown; ++i) add_story(document, comparison, groups[i]);
  document.left_out(groups.size() - shown);
}

/// A row a variant; those that leave more say why.
void add_side_by_side(ReportDocument& document, const WhatIfReport& report, const TextOptions& options) {
  const auto& comparison = report.comparison;
  const auto variants = shown_variants(comparison, options.verbose);
  document.table(with_short_headings(figures_table(compared_rows(comparison, variants)), options.glyphs));
  document.left_out(comparison.variants.size() - variants.size());
  for (const auto* variant : variants) add_shares(document, *variant);
  add_totals(document, report, comparison.baseline);
  add_stories(document, comparison, variants, options);
}

}  // namespace

void add_lines(ReportDocument& document, const WhatIfReport& report) {
  document.later(kTerminal, [report](ReportDocument& text, const Screen& screen) {
    const auto* one = only_variant(report.comparison);
    one != nullptr ? add_detail(text, report, *one, screen) : add_side_by_side(text, report, screen.options);
  });
}

void add_fixes_to_footer(ReportDocument& footer, const WhatIfReport& report) {
  footer.later(kTerminal, [report](ReportDocument& text) {
    const auto& comparison = report.comparison;
    if (const auto* one = only_variant(comparison)) {
      const bool changes = !one->asked.variant.changes.empty() || !one->asked.variant.events.empty();
      if (changes) add_fix_lines(text, comparison, *one);
    } else {
      add_help_for_all(text, "zone loss", comparison.of_zones);
      add_help_for_all(text, "single-instance loss", comparison.of_instances);
    }
    text.gap();
  });
}

}  // namespace bayplan::report
