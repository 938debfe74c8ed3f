#include "report/html/whatif_page.hpp"

#include <fmt/format.h>

#include <sstream>

#include "report/html/page.hpp"
#include "report/whatif_over_time.hpp"
#include "report/whatif_tables.hpp"
#include "report/whatif_words.hpp"

namespace bayplan::report {

using study::ComparedVariant;
using study::Comparison;
using study::EachOf;

namespace {

constexpr std::size_t kShownBars = 40;

PageTable page_table(const FiguresTable& table) {
  return {table.headings, table.rows};
}

/// Tasks without a place, before and in each variant.
void add_bars(Page& page, const Comparison& comparison, const std::vector<const ComparedVariant*>& told) {
  std::vector<PageBar> bars;
  const auto add = [&](std::string name, std::int64_t unplaced) {
    bars.push_back({std::move(name), static_cast<double>(unplaced), std::to_string(unplaced)});
  };
  add("baseline", comparison.baseline.unplaced());
  for (const auto* variant : told) {
    if (bars.size() <= kShownBars) add(label_of(*variant), variant->result.unplaced());
  }
  page.section("without-place", "Tasks without a place");
  page.bars(bars);
}

void add_variant(Page& page, const Comparison& comparison, const ComparedVariant& variant) {
  if (comparison.excess(variant) <= 0) return;
  page.paragraph(label_of(variant) + ": " + lacking_words(comparison, variant));
  const auto remedies = remedy_words(variant.remedies);
  if (remedies.empty()) return;
  PageTable table{{"what would help, simulated", "costs", "also"}, {}};
  for (const auto& one : remedies) table.rows.push_back({one.flag, one.cost, one.more});
  page.table(table);
}

}  // namespace

void write_whatif_page(std::ostream& out, const placement::Scenario& scenario, const Comparison& comparison) {
  Page page(out, {"whatif", scenario.file, whatif_headline(comparison), !comparison.any_is_worse()});
  const auto told = told_variants(comparison, false);
  std::vector<FiguresRow> rows{{"baseline", &comparison.baseline, &comparison.baseline_runs}};
  for (const auto* variant : told)
    rows.push_back({label_of(*variant), &variant->result, &variant->runs, variant->asked.each != EachOf::kNone});
  page.section("variants", "Before and after");
  page.table(page_table(figures_table(rows)));
  if (told.size() < comparison.variants.size())
    page.paragraph(fmt::format("and {} more, which the JSON report has", comparison.variants.size() - told.size()));
  if (comparison.variants.size() == 1) {
    page.section("services", "Services and tasks");
    page.table(page_table(names_table(comparison.baseline, comparison.variants.front().result, true)));
  }
  add_bars(page, comparison, told);
  for (const auto* variant : told) add_variant(page, comparison, *variant);
  page.findings(scenario.findings);
  page.assumptions(assumptions_of(scenario, comparison));
  std::ostringstream text;
  write_whatif_text(text, scenario, comparison, {.verbose = true});
  page.section("text", "As text");
  page.text("the report as a terminal shows it with -v", text.str());
  page.end();
}

void write_whatif_over_time_page(std::ostream& out, const study::ComparisonOverTime& comparison) {
  Page page(out, {"whatif", "", over_time_headline(comparison), !comparison.any_leaves_more()});
  std::ostringstream text;
  write_whatif_over_time_text(text, comparison, {{.verbose = true}, {}});
  page.section("text", "Before and after");
  page.open_text(text.str());
  page.end();
}

}  // namespace bayplan::report
