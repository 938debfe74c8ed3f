#include "report/whatif/whatif_report.hpp"

#include <algorithm>
#include <utility>

#include <fmt/core.h>

#include "base/strings.hpp"
#include "report/document/amounts.hpp"
#include "report/document/json_parts.hpp"
#include "report/document/prices.hpp"
#include "report/place/cluster_data.hpp"
#include "report/place/place_words.hpp"
#include "report/whatif/cluster_steps.hpp"
#include "report/whatif/whatif_deployment.hpp"
#include "report/whatif/whatif_over_time.hpp"
#include "report/whatif/whatif_words.hpp"

namespace bayplan::report {

using study::ComparedVariant;
using study::Comparison;

namespace {

constexpr std::size_t kShownBars = 40;
/// Rows, and variants with their fixes: a comment holds 65,536 characters, and is cut at that.
constexpr std::size_t kVariantsOfComment = 400;
constexpr std::size_t kMovesOfComment = 50;

/// The variant does nothing but deploy: its deployments say all.
bool only_deploys(const ComparedVariant& variant) {
  const auto& asked = variant.asked.variant;
  return variant.deployed != nullptr && asked.changes.empty() && asked.events.empty();
}

bool are_only_deployments(const Comparison& comparison) {
  return std::all_of(comparison.variants.begin(), comparison.variants.end(), only_deploys);
}

/// "6 instances: $23.472/h, about $17,135/month at 730 h (us-east-2)"
std::string cost_words(const placement::Scenario& scenario, const study::VariantResult& result) {
  const auto& summary = result.summary;
  return fmt::format("{}: {}", count_of(summary.instances, "instance"),
                     summary.hourly_cost
                         ? fmt::format("{} ({})", hourly_and_monthly(*summary.hourly_cost), scenario.region)
                         : "price unknown");
}

/// What the cluster costs, before and after.
void add_totals(ReportDocument& document, const WhatIfReport& report) {
  const auto& before = report.comparison.baseline;
  const auto totals = cost_words(report.scenario, before);
  const auto* one = only_variant(report.comparison);
  const auto after = one == nullptr ? totals : cost_words(report.scenario, one->result);
  document.paragraph({in_bold(after == totals ? "Cluster:" : "Before:"), {" " + totals}});
  if (after != totals) document.paragraph({in_bold("After:"), {" " + after}});
}

void add_services(ReportDocument& document, const Comparison& comparison) {
  if (comparison.variants.size() != 1) return;
  document.section("services", "Services and tasks");
  document.table(names_table(comparison.baseline, comparison.variants.front().result, true));
}

void add_variants(ReportDocument& document, const Comparison& comparison,
                  const std::vector<const ComparedVariant*>& variants) {
  document.section("variants", "Before and after");
  auto rows = compared_rows(comparison, variants);
  for (std::size_t i = 0; i < variants.size(); ++i) rows[i + 1].label = variant_title(*variants[i]);
  auto table = figures_table(rows);
  document.table(std::move(table), {.comment = kVariantsOfComment});
}

/// Tasks not placed, before and in each variant; nothing where every task is placed.
void add_bars(ReportDocument& document, const Comparison& comparison,
              const std::vector<const ComparedVariant*>& variants) {
  std::vector<block::Bar> bars;
  std::int64_t most = 0;
  const auto add = [&](std::string name, std::int64_t unplaced) {
    bars.push_back({std::move(name), static_cast<double>(unplaced), with_separators(unplaced)});
    most = std::max(most, unplaced);
  };
  add("before", comparison.baseline.unplaced());
  for (const auto* variant : variants) {
    if (bars.size() <= kShownBars) add(variant_title(*variant), variant->result.unplaced());
  }
  if (most == 0 || variants.size() == 1) return;  // of one variant the table says it
  document.section("without-place", "Tasks not placed");
  if (variants.size() > kShownBars)
    document.paragraph(fmt::format("The first {} of {} variants.", kShownBars,
                                   with_separators(static_cast<std::int64_t>(variants.size()))));
  document.add(block::Bars{std::move(bars), /*is_bad=*/true});
}

RichText fix_item(const RemedyWords& one) {
  const auto more = one.more.empty() ? "" : "(" + one.more + ")";
  const auto blank = one.cost.empty() || more.empty() ? "" : " ";
  return {in_command(one.flag), {" " + one.cost + blank + more}};
}

/// Of each variant that leaves more unplaced: what, and each fix in a row.
void add_fixes_table(ReportDocument& document, const Comparison& comparison,
                     const std::vector<const ComparedVariant*>& variants) {
  Table table({"variant", "not placed", "fix (simulated)", "cost", "also"});
  table.holds_sentences = true;
  for (const auto* variant : variants) {
    if (comparison.excess(*variant) <= 0) continue;
    auto lacking = held_words(variant->result);
    lacking.insert(lacking.begin(), lacking_words(comparison, *variant));
    const auto words = remedy_words(variant->remedies);
    RichText title(variant_title(*variant));
    Cell unplaced(join(lacking, "; "), Tone::kBad);
    if (words.empty()) table.add({title, unplaced, variant->remedies.tried > 0 ? "none found" : "-", "", ""});
    // A row for each fix; what is lacking is said once.
    for (const auto& one : words) {
      table.add(
          {std::exchange(title, ""), std::exchange(unplaced, ""), RichText(in_command(one.flag)), one.cost, one.more});
    }
  }
  table.drop_empty_columns();
  document.table(std::move(table));
}

void add_fixes_lists(ReportDocument& document, const Comparison& comparison,
                     const std::vector<const ComparedVariant*>& variants) {
  std::size_t shown = 0;
  for (const auto* variant : variants) {
    if (comparison.excess(*variant) <= 0) continue;
    if (++shown > kVariantsOfComment) continue;
    document.paragraph({in_bold(variant_title(*variant) + ":"), {" " + lacking_words(comparison, *variant)}});
    const auto words = remedy_words(variant->remedies);
    if (words.empty()) continue;
    document.paragraph("Fixes, each simulated:");
    std::vector<RichText> items;
    for (const auto& one : words) items.push_back(fix_item(one));
    document.list(std::move(items));
  }
  if (shown > kVariantsOfComment) document.paragraph(fmt::format("and {} more", shown - kVariantsOfComment));
}

/// What makes the loss of any of them harmless.
void add_fix_for_all(ReportDocument& document, std::string_view thing, const study::Remedies& remedies) {
  const auto words = remedy_words(remedies);
  if (words.empty()) return;
  document.paragraph({in_bold(fmt::format("Fix for any {}:", thing)),
                      {" "},
                      in_command(words.front().flag),
                      {words.front().cost.empty() ? "" : " (" + words.front().cost + ")"}});
}

void add_fixes(ReportDocument& document, const Comparison& comparison,
               const std::vector<const ComparedVariant*>& variants) {
  const bool has_any = std::any_of(variants.begin(), variants.end(),
                                   [&](const auto* variant) { return comparison.excess(*variant) > 0; });
  if (has_any) document.section("remedies", "Fixes");
  add_fix_for_all(document, "zone loss", comparison.of_zones);
  add_fix_for_all(document, "single-instance loss", comparison.of_instances);
  document.later(Medium::kPage,
                 [&comparison, variants](ReportDocument& page) { add_fixes_table(page, comparison, variants); });
  document.later(Medium::kComment,
                 [&comparison, variants](ReportDocument& comment) { add_fixes_lists(comment, comparison, variants); });
}

/// What moves and where, what is removed, and what cannot leave, of one variant.
void add_moves(ReportDocument& document, const ComparedVariant& variant) {
  const auto& result = variant.result;
  const auto moves = move_words(result, true);
  const auto held = held_words(result);
  if (moves.empty() && gone_words(result, true).empty() && held.empty()) return;
  document.section("moves", "Moves");
  document.paragraph(gone_words(result, true), Medium::kPage);
  document.paragraph(gone_words(result, false), Medium::kComment);
  document.paragraph({.text = join(held, "; "), .lead = "Cannot leave:"});
  if (moves.empty()) return;
  document.list({moves.begin(), moves.end()}, Medium::kPage);
  document.paragraph("Moves:", Medium::kComment);
  const auto shorter = move_words(result, false);
  const auto shown = std::min(shorter.size(), kMovesOfComment);
  std::vector<RichText> items(shorter.begin(), shorter.begin() + static_cast<std::ptrdiff_t>(shown));
  if (shown < shorter.size()) items.emplace_back(fmt::format("and {} more", shorter.size() - shown));
  document.list(std::move(items), Medium::kComment);
}

/// Why each service or family has tasks that are not placed, and what comes closest.
void add_failures(ReportDocument& document, const ComparedVariant& variant) {
  const auto& scenario = *variant.result.scenario;
  Table table({number_column("tasks"), "of", "needs", "closest match", "rejected"});
  table.holds_sentences = true;
  for (const auto& name : variant.result.names) {
    if (!name.failure || name.unplaced() == name.held) continue;
    const auto& failure = *name.failure;
    table.add({std::to_string(name.unplaced() - name.held), name.name,
               describe(scenario.workloads[failure.attempt.workload].requirement), closest_words(scenario, failure),
               reason_counts(scenario, failure)});
  }
  if (table.rows.empty()) return;
  document.section("failures", "Not placed");
  document.table(std::move(table));
}

void add_all_deployments(ReportDocument& document, const std::vector<const ComparedVariant*>& variants) {
  const auto deploys = [](const auto* variant) { return variant->deployed != nullptr; };
  if (std::none_of(variants.begin(), variants.end(), deploys)) return;
  document.section("deployments", "Deployments");
  for (const auto* variant : variants) {
    if (!variant->deployed) continue;
    if (variants.size() > 1) document.paragraph(in_bold(variant_title(*variant)));
    add_deployments(document, *variant->deployed);
  }
}

/// Page: the map of the cluster, which its scripts play.
void add_steps(ReportDocument& document, const std::vector<ComparedVariant>& variants) {
  document.section("steps", "Step by step", Medium::kPage);
  if (variants.size() > 1) document.paragraph("The worst: losing " + variants.front().asked.lost + ".", Medium::kPage);
  document.view("timeline", "The steps need JavaScript; the tables have what changes.");
  document.section("cluster", "Cluster", Medium::kPage);
  document.view("cluster", "The map needs JavaScript; the tables have what changes.");
}

/// Comment and page: before and after.
void add_tables(ReportDocument& document, const WhatIfReport& report) {
  const auto& comparison = report.comparison;
  const auto variants = shown_variants(comparison, true);
  const auto* one = only_variant(comparison);
  add_totals(document, report);
  if (!are_only_deployments(comparison)) {
    add_services(document, comparison);
    add_variants(document, comparison, variants);
    if (one != nullptr) add_failures(document, *one);
    add_fixes(document, comparison, variants);
    if (report.played != nullptr) add_steps(document, comparison.variants);
    if (one != nullptr) add_moves(document, *one);
    document.later(Medium::kPage,
                   [&comparison, variants](ReportDocument& page) { add_bars(page, comparison, variants); });
  }
  add_all_deployments(document, variants);
}

}  // namespace

ReportDocument whatif_document(const WhatIfReport& report) {
  const auto& scenario = report.scenario;
  const auto& comparison = report.comparison;
  if (comparison.is_over_time()) return runs_document(comparison);
  ReportDocument document("whatif");
  document.answer(scenario.file, whatif_headline(comparison), !comparison.any_is_worse());
  document.prices = price_words(find_price_range(scenario));
  add_lines(document, report);
  document.later(kCommentAndPage, [report](ReportDocument& part) { add_tables(part, report); });
  document.data = [report](JsonWriter& json) {
    if (report.played == nullptr) return;
    const auto steps = make_cluster_steps(report);
    json.begin_object();
    write_cluster_data(json, steps.picture);
    write_list(json, "steps", steps.words);
    json.end_object();
  };
  // What to do, and what holds for the whole report: no first screen is too short for it.
  ReportDocument footer("whatif");
  add_fixes_to_footer(footer, report);
  footer.add(block::ClusterFindings{comparison.baseline.scenario->findings});
  footer.add(block::Assumptions{collect_assumptions(scenario, comparison)});
  document.footer = std::move(footer.blocks);
  document.has_text = true;
  return document;
}

}  // namespace bayplan::report
