#include <algorithm>
#include <sstream>

#include <fmt/core.h>

#include "base/strings.hpp"
#include "base/utf8.hpp"
#include "report/document/assumptions.hpp"
#include "report/document/first_screen.hpp"
#include "report/replay/replay_report.hpp"

namespace bayplan::report {
namespace {

constexpr std::size_t kShownParts = 5;
constexpr std::size_t kShownDisagreements = 5;
constexpr std::size_t kShownOthers = 3;

void write_line(std::ostream& out, const std::string& text) {
  if (!text.empty()) out << wrapped(printable(text), 0) << '\n';
}

void write_table(std::ostream& out, Table table, std::size_t most, const TextOptions& options) {
  if (table.rows.empty()) return;
  for (auto& row : table.rows) {
    for (auto& cell : row.cells) cell.text = printable(cell.text.plain());
  }
  out << '\n';
  const auto left_out = options.verbose ? 0 : table.keep_rows(most);
  print_table(out, table, options.style);
  print_left_out(out, left_out);
}

void write_answer(std::ostream& out, const ReplayReport& report, const TextOptions& options) {
  const auto text = wrapped(printable(replay_headline(report)), 0);
  out << (report.is_good() ? options.style.bold(text) : options.style.red(text)) << '\n';
  if (!report.min_agreement) return;
  write_line(out, fmt::format("The lower end of the interval is {} {:.1f}%.", report.is_good() ? "not below" : "below",
                              *report.min_agreement * 100));
}

void write_body(std::ostream& out, const ReplayReport& report, const TextOptions& options) {
  const auto& result = report.result;
  write_line(out, not_judged_words(result));
  write_line(out, disagreement_counts(result));
  write_line(out, tie_words(result));
  for (const auto& words : choice_words(result)) write_line(out, words);
  write_line(out, failure_words(result));
  write_table(out, agreement_table(result.by_strategy, "strategy"), kShownParts, options);
  if (options.verbose) {
    write_table(out, level_table(result), kShownParts, options);
    write_table(out, agreement_table(result.by_group, "group"), kShownParts, options);
  }
  write_table(out, disagreement_table(result), kShownDisagreements, options);
  write_table(out, bookkeeping_table(result), kShownOthers, options);
  write_table(out, failure_table(result), kShownOthers, options);
  if (options.verbose) {
    write_table(out, not_judged_table(result), kShownParts, options);
    write_table(out, tie_table(result), kShownParts, options);
  }
}

}  // namespace

void write_replay_text(std::ostream& out, const ReplayReport& report, const TextOptions& options) {
  write_answer(out, report, options);
  if (options.quiet) return;
  write_line(out, record_words(report.result.history));
  for (const auto& problem : record_problems(report.result.history))
    out << "  " << wrapped(printable(problem), 4) << '\n';
  std::ostringstream body;
  write_body(body, report, options);
  std::ostringstream footer;
  write_assumptions_text(footer, replay_assumptions(report.result), options.verbose, options.style);
  write_first_screen(out, body.str(), footer.str(), options.verbose);
}

}  // namespace bayplan::report
