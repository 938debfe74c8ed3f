#include <fmt/core.h>

#include "base/strings.hpp"
#include "report/document/amounts.hpp"
#include "report/replay/replay_report.hpp"

namespace bayplan::report {

ReportDocument replay_document(const ReplayReport& report) {
  const auto& result = report.result;
  ReportDocument document("replay");
  document.answer(result.cluster, replay_headline(report), report.is_good());
  if (const auto& all = result.all; all.judged > 0) {
    document.headline =
        fmt::format("ECS chose as simulated in {} of {}. {}", with_separators(all.judged - result.disagreement_count),
                    count_of(all.judged, "placement"), replay_headline(report));
  }
  if (report.min_agreement) document.verdict.word = report.is_good() ? "YES" : "NO";
  if (report.min_agreement) {
    document.paragraph(fmt::format("The lower end of the interval is {} {:.1f}%.",
                                   report.is_good() ? "not below" : "below", *report.min_agreement * 100));
  }
  document.paragraph(record_words(result.history));
  const auto problems = record_problems(result.history);
  document.list({problems.begin(), problems.end()});
  document.paragraph(not_judged_words(result));
  document.paragraph(disagreement_counts(result));
  document.paragraph(tie_words(result));
  for (const auto& words : choice_words(result)) document.paragraph(words);
  document.paragraph(failure_words(result));

  const auto add_table = [&](std::string id, std::string heading, Table table, std::size_t rows_of_text) {
    if (table.rows.empty()) return;
    const auto media = rows_of_text == 0 ? kNotFirstScreen : kEveryMedium;
    document.section(std::move(id), std::move(heading), media);
    document.table(std::move(table), {.text = rows_of_text, .comment = 10}, media);
  };
  add_table("strategies", "Agreement by strategy", agreement_table(result.by_strategy, "strategy"), 5);
  add_table("entries", "Agreement by strategy entry", level_table(result), 0);
  add_table("groups", "Agreement by service or task group", agreement_table(result.by_group, "group"), 0);
  add_table("disagreements", "Disagreements", disagreement_table(result), 5);
  add_table("bookkeeping", "Bookkeeping differences", bookkeeping_table(result), 3);
  add_table("failures", "Placement failures", failure_table(result), 3);
  add_table("not-judged", "Placements that were not judged", not_judged_table(result), 0);
  add_table("ties", "Tie rules", tie_table(result), 0);
  document.footer.emplace_back(block::Assumptions{replay_assumptions(result)});
  document.has_text = true;
  return document;
}

}  // namespace bayplan::report
