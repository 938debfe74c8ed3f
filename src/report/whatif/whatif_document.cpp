#include "report/whatif/whatif_report.hpp"

#include <algorithm>
#include <sstream>

#include <fmt/core.h>

#include "report/document/prices.hpp"
#include "report/whatif/whatif_deployment.hpp"
#include "report/whatif/whatif_words.hpp"

namespace bayplan::report {

using study::ComparedVariant;
using study::Comparison;

namespace {

constexpr std::size_t kShownBars = 40;

void add_services(ReportDocument& document, const Comparison& comparison) {
  if (comparison.variants.size() != 1) return;
  document.section("services", "Services and tasks");
  document.add(block::ShownTable{names_table(comparison.baseline, comparison.variants.front().result, true)});
}

void add_variants(ReportDocument& document, const Comparison& comparison,
                  const std::vector<const ComparedVariant*>& told) {
  document.section("variants", "Before and after");
  document.add(block::ShownTable{figures_table(compared_rows(comparison, told))});
  const auto left_out = comparison.variants.size() - told.size();
  if (left_out == 0) return;
  document.paragraph(fmt::format("and {} more{}", left_out, document.is_page() ? ", which the JSON report has" : ""));
}

/// Tasks not placed, before and in each variant.
void add_bars(ReportDocument& document, const Comparison& comparison, const std::vector<const ComparedVariant*>& told) {
  std::vector<block::Bar> bars;
  const auto add = [&](std::string name, std::int64_t unplaced) {
    bars.push_back({std::move(name), static_cast<double>(unplaced), std::to_string(unplaced)});
  };
  add("baseline", comparison.baseline.unplaced());
  for (const auto* variant : told) {
    if (bars.size() <= kShownBars) add(make_label(*variant), variant->result.unplaced());
  }
  document.section("without-place", "Tasks not placed");
  document.add(block::Bars{std::move(bars), /*is_bad=*/true});
}

void add_remedies(ReportDocument& document, const ComparedVariant& variant) {
  const auto remedies = remedy_words(variant.remedies);
  if (remedies.empty()) return;
  if (document.is_page()) {
    Table table({"fix (simulated)", "cost", "also"});
    for (const auto& one : remedies) table.add({RichText(in_code(one.flag)), one.cost, one.more});
    return document.table(std::move(table));
  }
  document.paragraph("Fixes, each simulated:");
  std::vector<RichText> items;
  for (const auto& one : remedies) {
    const auto more = one.more.empty() ? "" : "(" + one.more + ")";
    const auto blank = one.cost.empty() || more.empty() ? "" : " ";
    items.push_back({in_code(one.flag), {" " + one.cost + blank + more}});
  }
  document.list(std::move(items));
}

/// What makes the loss of any of them harmless.
void add_fix_for_all(ReportDocument& document, std::string_view thing, const study::Remedies& remedies) {
  const auto words = remedy_words(remedies);
  if (words.empty()) return;
  document.paragraph({in_bold(fmt::format("Fix for any {}:", thing)),
                      {" "},
                      in_code(words.front().flag),
                      {words.front().cost.empty() ? "" : " (" + words.front().cost + ")"}});
}

/// What a variant leaves unplaced and how to fix it; a comment has its deployments too, which are in the text
/// of a page.
void add_variant(ReportDocument& document, const Comparison& comparison, const ComparedVariant& variant) {
  if (comparison.excess(variant) > 0) {
    const auto label = make_label(variant) + ":";
    const auto lacking = " " + lacking_words(comparison, variant);
    document.paragraph(document.is_page() ? RichText(label + lacking) : RichText{in_bold(label), {lacking}});
    add_remedies(document, variant);
  }
  if (document.is_page() || !variant.deployed) return;
  std::ostringstream deployments;
  write_deployments_text(deployments, *variant.deployed, Style(false));
  document.add(block::Code{deployments.str()});
}

}  // namespace

ReportDocument whatif_document(const WhatIfReport& report, Medium medium) {
  const auto& scenario = report.scenario;
  const auto& comparison = report.comparison;
  ReportDocument document(medium, "whatif");
  document.answer(scenario.file, whatif_headline(comparison), !comparison.any_is_worse());
  if (document.is_page()) document.prices = price_words(find_price_range(scenario));
  const auto told = told_variants(comparison, false);
  if (!document.is_page()) add_services(document, comparison);
  add_variants(document, comparison, told);
  if (document.is_page()) {
    add_services(document, comparison);
    add_bars(document, comparison, told);
  }
  const bool has_fixes =
      std::any_of(told.begin(), told.end(), [&](const auto* variant) { return comparison.excess(*variant) > 0; });
  if (document.is_page() && has_fixes) document.section("remedies", "Fixes");
  add_fix_for_all(document, "zone loss", comparison.of_zones);
  add_fix_for_all(document, "single-instance loss", comparison.of_instances);
  for (const auto* variant : told) add_variant(document, comparison, *variant);
  document.add(block::ClusterFindings{comparison.baseline.scenario->findings});
  document.add(block::Assumptions{collect_assumptions(scenario, comparison)});
  if (!document.is_page()) return document;
  std::ostringstream text;
  write_whatif_text(text, report, {.verbose = true});
  document.as_text("the report as a terminal shows it with -v", text.str());
  return document;
}

}  // namespace bayplan::report
