#include "report/whatif_markdown.hpp"

#include <fmt/format.h>

#include <sstream>

#include "report/markdown.hpp"
#include "report/markdown_page.hpp"
#include "report/whatif_deployment.hpp"
#include "report/whatif_tables.hpp"
#include "report/whatif_words.hpp"

namespace bayplan::report {

using study::ComparedVariant;
using study::Comparison;
using study::EachOf;

namespace {

void write_table(std::ostream& out, const FiguresTable& table, std::size_t left_from) {
  out << "\n|";
  for (const auto& heading : table.headings) out << ' ' << markdown_text(heading) << " |";
  out << "\n|";
  for (std::size_t i = 0; i < table.headings.size(); ++i) out << (i == 0 || i >= left_from ? " --- |" : " ---: |");
  out << '\n';
  for (const auto& row : table.rows) {
    out << '|';
    for (const auto& cell : row) out << ' ' << markdown_text(cell) << " |";
    out << '\n';
  }
}

void write_lacking(std::ostream& out, const Comparison& comparison, const ComparedVariant& variant) {
  if (comparison.excess(variant) <= 0) return;
  out << "\n**" << markdown_text(label_of(variant)) << "**: " << markdown_text(lacking_words(comparison, variant))
      << '\n';
  const auto remedies = remedy_words(variant.remedies);
  if (remedies.empty()) return;
  out << "\nWhat would help, each simulated:\n\n";
  for (const auto& remedy : remedies) {
    out << "- " << markdown_code(remedy.flag);
    if (!remedy.cost.empty()) out << ' ' << markdown_text(remedy.cost);
    if (!remedy.more.empty()) out << " (" << markdown_text(remedy.more) << ')';
    out << '\n';
  }
}

}  // namespace

void write_whatif_markdown(std::ostream& to, const Comparison& comparison) {
  std::ostringstream out;
  const auto& variants = comparison.variants;
  out << "### bayplan whatif: " << markdown_text(whatif_headline(comparison)) << '\n';
  if (variants.size() == 1) write_table(out, names_table(comparison.baseline, variants.front().result, true), 4);
  std::vector<FiguresRow> rows{{"baseline", &comparison.baseline, &comparison.baseline_runs}};
  const auto told = told_variants(comparison, false);
  for (const auto* variant : told)
    rows.push_back({label_of(*variant), &variant->result, &variant->runs, variant->asked.each != EachOf::kNone});
  const auto table = figures_table(rows);
  write_table(out, table, table.headings.size());
  if (told.size() < variants.size()) out << fmt::format("\nand {} more\n", variants.size() - told.size());
  for (const auto* variant : told) {
    write_lacking(out, comparison, *variant);
    if (!variant->deployed) continue;
    out << "\n```\n";
    write_deployments_text(out, *variant->deployed, Style(false));
    out << "```\n";
  }
  to << cut_to_comment(out.str());
}

}  // namespace bayplan::report
