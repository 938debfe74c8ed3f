#include "report/whatif_markdown.hpp"

#include <fmt/format.h>

#include <sstream>

#include "report/markdown_page.hpp"
#include "report/whatif_deployment.hpp"
#include "report/whatif_tables.hpp"
#include "report/whatif_words.hpp"

namespace bayplan::report {

using study::ComparedVariant;
using study::Comparison;
using study::EachOf;

namespace {

/// Numbers, but for the labels and what stands from `left_from` on.
void add_table(MarkdownPage& page, const FiguresTable& table, std::size_t left_from) {
  MarkdownPage::Table figures{table.headings, {}, table.rows};
  for (std::size_t i = 0; i < table.headings.size(); ++i) figures.is_number.push_back(i > 0 && i < left_from);
  page.table(figures, table.rows.size());
}

void add_lacking(MarkdownPage& page, const Comparison& comparison, const ComparedVariant& variant) {
  if (comparison.excess(variant) <= 0) return;
  page.line(label_of(variant) + ":", lacking_words(comparison, variant));
  const auto remedies = remedy_words(variant.remedies);
  if (remedies.empty()) return;
  page.line("What would help, each simulated:");
  for (const auto& remedy : remedies) {
    const auto more = remedy.more.empty() ? "" : "(" + remedy.more + ")";
    page.item(remedy.flag, remedy.cost + (remedy.cost.empty() || more.empty() ? "" : " ") + more);
  }
  page.end_items();
}

}  // namespace

void write_whatif_markdown(std::ostream& out, const Comparison& comparison) {
  MarkdownPage page;
  const auto& variants = comparison.variants;
  page.heading("bayplan whatif: " + whatif_headline(comparison));
  if (variants.size() == 1) add_table(page, names_table(comparison.baseline, variants.front().result, true), 4);
  std::vector<FiguresRow> rows{{"baseline", &comparison.baseline, &comparison.baseline_runs}};
  const auto told = told_variants(comparison, false);
  for (const auto* variant : told)
    rows.push_back({label_of(*variant), &variant->result, &variant->runs, variant->asked.each != EachOf::kNone});
  const auto table = figures_table(rows);
  add_table(page, table, table.headings.size());
  if (told.size() < variants.size()) page.line(fmt::format("and {} more", variants.size() - told.size()));
  for (const auto* variant : told) {
    add_lacking(page, comparison, *variant);
    if (!variant->deployed) continue;
    std::ostringstream deployments;
    write_deployments_text(deployments, *variant->deployed, Style(false));
    page.code(deployments.str());
  }
  page.findings(comparison.baseline.scenario->findings);
  page.write(out);
}

}  // namespace bayplan::report
