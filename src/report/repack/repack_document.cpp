#include <sstream>

#include <fmt/core.h>

#include "base/strings.hpp"
#include "report/document/prices.hpp"
#include "report/repack/repack_report.hpp"

namespace bayplan::report {
namespace {

void add_steps(ReportDocument& document, const study::RepackPlan& plan) {
  if (plan.steps.empty()) return;
  std::size_t moves = 0;
  document.section("steps", "Drain order");
  document.table(steps_table(plan, moves));
}

void add_services(ReportDocument& document, const study::RepackPlan& plan) {
  auto table = services_table(plan, document.is_page());
  if (table.rows.empty()) return;
  document.section("services", "Effect on services");
  document.table(std::move(table));
  if (const auto words = fewer_zones_words(plan); !words.empty()) document.paragraph(words);
}

void add_staying(ReportDocument& document, const study::RepackPlan& plan) {
  if (plan.staying.empty()) return;
  document.section("staying", "Remaining instances");
  if (!document.is_page()) document.paragraph("Remaining instances:");
  std::vector<RichText> items;
  for (const auto& staying : plan.staying)
    items.emplace_back(fmt::format("{}: {}", staying.instances.size(), staying_words(plan, staying)));
  document.list(std::move(items));
}

}  // namespace

ReportDocument repack_document(const RepackReport& report, Medium medium) {
  const auto& plan = report.plan;
  ReportDocument document(medium, "repack");
  document.answer(plan.scenario->file, repack_headline(report), true);
  if (document.is_page()) document.prices = price_words(find_price_range(*plan.scenario));
  add_steps(document, plan);
  add_services(document, plan);
  add_staying(document, plan);
  if (const auto words = no_deployment_words(plan); !words.empty()) document.paragraph(words);
  if (const auto words = limit_words(plan); !words.empty()) document.paragraph(words);
  if (const auto words = unplaced_words(plan); !words.empty()) document.paragraph(words);
  document.add(block::ClusterFindings{plan.scenario->findings});
  document.add(block::Assumptions{collect_assumptions(plan)});
  if (!document.is_page()) return document;
  std::ostringstream text;
  write_repack_text(text, report, {.verbose = true});
  document.as_text("the report as a terminal shows it with -v", text.str());
  return document;
}

}  // namespace bayplan::report
