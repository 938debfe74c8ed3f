#include "report/whatif/whatif_report.hpp"

#include <algorithm>
#include <sstream>

#include <fmt/core.h>

#include "base/strings.hpp"
#include "base/utf8.hpp"
#include "placement/explain/ecs_words.hpp"
#include "report/document/amounts.hpp"
#include "report/document/assumptions.hpp"
#include "report/document/figures.hpp"
#include "report/document/first_screen.hpp"
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

void write_headed_list(std::ostream& out, std::string_view heading, const std::vector<std::string>& lines, bool all) {
  if (lines.empty()) return;
  out << '\n' << heading << '\n';
  const auto shown = all ? lines.size() : std::min(kShownListLines, lines.size());
  for (std::size_t i = 0; i < shown; ++i) print_line(out, 2, lines[i]);
  print_left_out(out, lines.size() - shown);
}

std::string share_of_runs(std::int64_t part, std::int64_t whole) {
  return fmt::format("{} of {} runs", percent(part, whole), whole);
}

/// Which runs are meant, and in how many what a planner hopes for holds.
void write_shares(std::ostream& out, const ComparedVariant& variant) {
  if (!variant.runs || !variant.runs->differ()) return;
  const auto& runs = *variant.runs;
  std::vector<std::string> parts;
  if (runs.unplaced.max > 0) parts.push_back("everything is placed in " + share_of_runs(runs.placed_all, runs.runs));
  if (runs.left_idle > 0) parts.push_back("an instance stays empty in " + share_of_runs(runs.left_idle, runs.runs));
  if (parts.empty()) return;
  print_line(out, 2, fmt::format("{}: {}", make_label(variant), join(parts, ", ")));
}

void write_totals(std::ostream& out, const WhatIfReport& report, const VariantResult& result, const Style& style) {
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
  out << style.dim(wrapped(text, 2)) << '\n';
}

/// Those that cost nothing but fewer tasks are always shown.
void write_remedies(std::ostream& out, const std::vector<RemedyWords>& words, std::size_t indent, std::size_t most,
                    const TextOptions& options) {
  std::vector<std::string> costs;
  for (const auto& one : words) costs.push_back(one.cost);
  costs = fitting_costs(std::move(costs), indent);
  std::size_t width = 0;
  for (const auto& cost : costs) width = std::max(width, cost.size());
  const auto shown = options.verbose ? words.size() : std::min(most, words.size());
  for (std::size_t i = 0; i < words.size(); ++i) {
    const auto& one = words[i];
    if (i >= shown && !one.cost.empty()) continue;
    out << std::string(indent + width - costs[i].size(), ' ') << options.style.bold(costs[i]) << "  "
        << wrapped(printable(one.flag + (one.more.empty() ? "" : "  (" + one.more + ")")), indent + width + 2) << '\n';
  }
}

void write_failure(std::ostream& out, const VariantResult& result, const NameResult& name, const Style& style) {
  const auto& scenario = *result.scenario;
  const auto& failed = *name.failure;
  const auto& task = scenario.workloads[failed.attempt.workload].requirement;
  out << "  " << style.bold(printable(fmt::format("{} {}", name.unplaced() - name.held, name.name))) << "  "
      << describe(task) << '\n';
  if (failed.closest) {
    const auto* closest = find_rejection(failed, *failed.closest);
    const auto lacking = closest == nullptr ? std::string() : shortfall_text(scenario, failed, *closest);
    print_line(out, 4,
               fmt::format("closest match: {}, {}{}", scenario.instances[*failed.closest].id,
                           failure_reason(scenario, failed), lacking.empty() ? "" : " (" + lacking + ")"));
  }
  if (const auto counts = reason_counts(scenario, failed); !counts.empty()) print_line(out, 4, "rejected: " + counts);
}

void write_failures(std::ostream& out, const VariantResult& result, const Style& style) {
  bool is_first = true;
  for (const auto& name : result.names) {
    if (!name.failure || name.unplaced() == name.held) continue;
    if (is_first) out << "\nNot placed\n";
    is_first = false;
    write_failure(out, result, name, style);
  }
}

/// Tasks of RunTask that lost their instance.
void write_standalone(std::ostream& out, const VariantResult& result) {
  std::vector<std::string> parts;
  for (const auto& name : result.names) {
    if (!name.is_service && name.moves > 0) parts.push_back(fmt::format("{} {}", name.moves, name.name));
  }
  if (parts.empty()) return;
  out << '\n';
  print_line(
      out, 0,
      fmt::format("ECS does not restart RunTask tasks; counted as restarted by their owner: {}", join(parts, ", ")));
}

void write_fixes(std::ostream& out, const Comparison& comparison, const ComparedVariant& variant,
                 const TextOptions& options) {
  if (comparison.excess(variant) <= 0 || variant.runs) return;
  const auto& found = variant.remedies;
  const auto words = remedy_words(found);
  if (words.empty()) {
    if (found.tried > 0) out << fmt::format("\nNo fix found ({} simulated)\n", count_of(found.tried, "change"));
    return;
  }
  out << fmt::format("\nFixes, cheapest first ({} simulated)\n", found.tried);
  write_remedies(out, words, 2, kShownWhatIfRemedies, options);
}

/// All of one variant.
void write_detail(std::ostream& out, const WhatIfReport& report, const ComparedVariant& variant,
                  const TextOptions& options) {
  const auto& comparison = report.comparison;
  const auto& result = variant.result;
  const auto& asked = variant.asked.variant;
  const auto write_deployments = [&] {
    if (variant.deployed) write_deployments_text(out, *variant.deployed, options.style);
  };
  if (asked.changes.empty() && asked.events.empty()) return write_deployments();
  write_names(out, comparison.baseline, result, options);
  out << '\n';
  const auto& before = comparison.baseline_runs;
  write_figures(out, {{"before", &comparison.baseline, &before}, {"after", &result, &variant.runs}}, options);
  write_shares(out, variant);
  write_totals(out, report, result, options.style);
  if (const auto gone = gone_words(result, options.verbose); !gone.empty()) print_line(out, 0, gone);
  if (options.verbose) write_failures(out, result, options.style);
  write_headed_list(out, "Cannot leave", held_words(result), options.verbose);
  write_headed_list(out, "Moves", move_words(result, options.verbose), options.verbose);
  write_standalone(out, result);
  if (variant.deployed) out << '\n';
  write_deployments();
}

/// Single failures of which the same is to be said.
bool are_alike(const Comparison& comparison, const ComparedVariant& a, const ComparedVariant& b) {
  return a.asked.each != EachOf::kNoFailure && a.asked.each == b.asked.each && !a.deployed && !b.deployed &&
         lacking_words(comparison, a) == lacking_words(comparison, b) &&
         held_words(a.result).size() == held_words(b.result).size();
}

void write_story(std::ostream& out, const Comparison& comparison, const std::vector<const ComparedVariant*>& group,
                 const TextOptions& options) {
  const auto& first = *group.front();
  std::vector<std::string> labels;
  for (const auto* variant : group) labels.push_back(make_label(*variant));
  out << '\n' << options.style.bold(wrapped(printable(join(labels, ", ")), 2)) << '\n';
  if (comparison.excess(first) > 0) {
    print_line(out, 2, lacking_words(comparison, first));
    for (const auto& words : held_words(first.result)) print_line(out, 2, words);
    if (first.remedies.tried > 0) {
      const auto words = remedy_words(first.remedies);
      const auto whom = group.size() > 1 ? " (" + make_label(first) + ")" : std::string();
      print_line(out, 2, (words.empty() ? "No fix found" : "Fixes, cheapest first") + whom);
      write_remedies(out, words, 4, kShownHelp, options);
    }
  }
  if (first.deployed) write_deployments_text(out, *first.deployed, options.style);
}

/// What makes the loss of any of them harmless.
void write_help_for_all(std::ostream& out, std::string_view thing, const study::Remedies& remedies) {
  const auto words = remedy_words(remedies);
  if (words.empty()) return;
  out << '\n';
  print_line(out, 0, fmt::format("Fix for any {}: {} ({})", thing, words.front().flag, words.front().cost));
}

/// Why variants leave more tasks unplaced, in a few lines each; equal ones together.
void write_stories(std::ostream& out, const Comparison& comparison, const std::vector<const ComparedVariant*>& variants,
                   const TextOptions& options) {
  std::vector<std::vector<const ComparedVariant*>> groups;
  for (const auto* variant : variants) {
    if (comparison.excess(*variant) <= 0 && !variant->deployed) continue;
    const auto same = std::find_if(groups.begin(), groups.end(),
                                   [&](const auto& group) { return are_alike(comparison, *group.front(), *variant); });
    same == groups.end() || options.verbose ? groups.push_back({variant}) : same->push_back(variant);
  }
  const auto shown = options.verbose ? groups.size() : std::min(kShownStories, groups.size());
  for (std::size_t i = 0; i < shown; ++i) write_story(out, comparison, groups[i], options);
  print_left_out(out, groups.size() - shown);
}

/// A row a variant; those that leave more say why.
void write_side_by_side(std::ostream& out, const WhatIfReport& report, const TextOptions& options) {
  const auto& comparison = report.comparison;
  const auto variants = shown_variants(comparison, options.verbose);
  write_figures(out, compared_rows(comparison, variants), options);
  print_left_out(out, comparison.variants.size() - variants.size());
  for (const auto* variant : variants) write_shares(out, *variant);
  write_totals(out, report, comparison.baseline, options.style);
  write_stories(out, comparison, variants, options);
}

bool is_of_one_change(const Comparison& comparison) {
  return comparison.variants.size() == 1 && comparison.variants.front().asked.each == EachOf::kNoFailure;
}

void write_body(std::ostream& out, const WhatIfReport& report, const TextOptions& options) {
  const auto& comparison = report.comparison;
  out << options.style.answer(wrapped(printable(whatif_headline(comparison)), 0)) << '\n';
  if (options.quiet) return;
  if (is_of_one_change(comparison)) {
    write_detail(out, report, comparison.variants.front(), options);
  } else {
    write_side_by_side(out, report, options);
  }
}

/// What to do, and what holds for the whole report: no first screen is too short for it.
void write_footer(std::ostream& out, const WhatIfReport& report, const TextOptions& options) {
  const auto& comparison = report.comparison;
  if (is_of_one_change(comparison)) {
    const auto& variant = comparison.variants.front();
    const bool changes = !variant.asked.variant.changes.empty() || !variant.asked.variant.events.empty();
    if (changes) write_fixes(out, comparison, variant, options);
  } else {
    write_help_for_all(out, "zone loss", comparison.of_zones);
    write_help_for_all(out, "single-instance loss", comparison.of_instances);
  }
  const auto& findings = report.scenario.findings;
  const auto assumptions = collect_assumptions(report.scenario, report.comparison);
  if (!assumptions.empty() || !findings.empty()) out << '\n';
  write_cluster_findings_text(out, findings, options.verbose, options.style);
  write_assumptions_text(out, assumptions, options.verbose, options.style);
}

}  // namespace

void write_whatif_text(std::ostream& out, const WhatIfReport& report, const TextOptions& options) {
  if (report.comparison.is_over_time()) return write_runs_text(out, report.comparison, options);
  std::ostringstream body;
  std::ostringstream footer;
  write_body(body, report, options);
  if (!options.quiet) write_footer(footer, report, options);
  write_first_screen(out, body.str(), footer.str(), options.verbose);
}

}  // namespace bayplan::report
