#include <sstream>

#include <fmt/core.h>

#include "report/replay/replay_report.hpp"

namespace bayplan::report {
namespace {

constexpr std::size_t kCommentRows = 10;

void add_table(ReportDocument& document, std::string id, std::string heading, Table table) {
  if (table.rows.empty()) return;
  document.section(std::move(id), std::move(heading));
  document.table(std::move(table), document.is_page() ? kEveryRow : kCommentRows);
}

}  // namespace

ReportDocument replay_document(const ReplayReport& report, Medium medium) {
  const auto& result = report.result;
  ReportDocument document(medium, "replay");
  document.answer(result.cluster, replay_headline(report), report.is_good());
  document.paragraph(record_words(result.history));
  std::vector<RichText> problems;
  for (auto& problem : record_problems(result.history)) problems.emplace_back(std::move(problem));
  if (!problems.empty()) document.list(std::move(problems));
  for (const auto& words :
       {not_judged_words(result), disagreement_counts(result), tie_words(result), failure_words(result)}) {
    if (!words.empty()) document.paragraph(words);
  }
  for (const auto& words : choice_words(result)) document.paragraph(words);
  add_table(document, "strategies", "Agreement by strategy", agreement_table(result.by_strategy, "strategy"));
  add_table(document, "entries", "Agreement by strategy entry", level_table(result));
  add_table(document, "groups", "Agreement by service or task group", agreement_table(result.by_group, "group"));
  add_table(document, "disagreements", "Disagreements", disagreement_table(result));
  add_table(document, "ties", "Tie rules", tie_table(result));
  add_table(document, "failures", "Placement failures", failure_table(result));
  add_table(document, "bookkeeping", "Bookkeeping differences", bookkeeping_table(result));
  add_table(document, "not-judged", "Placements that were not judged", not_judged_table(result));
  document.add(block::Assumptions{replay_assumptions(result)});
  if (!document.is_page()) return document;
  std::ostringstream text;
  TextOptions options;
  options.verbose = true;
  write_replay_text(text, report, options);
  document.as_text("the report as a terminal shows it with -v", text.str());
  return document;
}

}  // namespace bayplan::report
