#include <fmt/core.h>

#include "base/strings.hpp"
#include "report/document/prices.hpp"
#include "report/repack/repack_report.hpp"

namespace bayplan::report {

ReportDocument repack_document(const RepackReport& report) {
  const auto& plan = report.plan;
  ReportDocument document("repack");
  document.answer(plan.scenario->file, repack_headline(report), true);
  document.verdict.word = report.is_worth_it() ? "SAVES" : "KEEP";
  if (!no_deployment_words(plan).empty()) document.verdict.tone = Tone::kDoubtful;
  document.prices = price_words(find_price_range(*plan.scenario));
  if (!plan.steps.empty()) {
    document.section("steps", "Drain order", kCommentAndPage);
    document.table(steps_table(plan), {.text = 12});
  }
  if (auto services = services_table(plan); !services.rows.empty()) {
    document.section("services", "Effect on services");
    document.table(std::move(services), {.text = 6});
    document.paragraph(fewer_zones_words(plan));
  }
  document.gap();
  document.paragraph({.text = no_deployment_words(plan), .tone = Tone::kBad});
  if (!plan.staying.empty()) {
    std::size_t count = 0;
    for (const auto& staying : plan.staying) count += staying.instances.size();
    document.section("staying", "Remaining instances");
    document.paragraph({.text = fmt::format("{} of {} stay{}", count, count_of(plan.before.instances, "instance"),
                                            count == 1 ? "s" : ""),
                        .tone = Tone::kFaint});
    document.add(
        block::ShownTable{.table = staying_table(plan), .rows = {.text = 4, .noun = "reasons"}, .is_list = true});
  }
  document.gap();
  document.paragraph(limit_words(plan));
  document.gap();
  document.paragraph(unplaced_words(plan));
  document.footer.emplace_back(block::Gap{});
  document.footer.emplace_back(block::ClusterFindings{plan.scenario->findings});
  document.footer.emplace_back(block::Assumptions{collect_assumptions(plan)});
  document.has_text = true;
  return document;
}

}  // namespace bayplan::report
