#include "report/fit/fit_report.hpp"

#include <sstream>

#include <fmt/core.h>

#include "base/strings.hpp"
#include "base/utf8.hpp"
#include "report/document/amounts.hpp"
#include "report/document/assumptions.hpp"
#include "report/document/figures.hpp"
#include "report/document/first_screen.hpp"
#include "report/document/prices.hpp"

namespace bayplan::report {

using capacity::FitReport;
using capacity::FitRow;
using capacity::Fits;
using capacity::Resource;
using capacity::TaskFit;

namespace {

constexpr std::size_t kShownFittingTypes = 12;
constexpr std::size_t kShownUnmet = 5;

/// The first rows, where nobody asked for all of them.
void print_first(std::ostream& out, Table table, std::size_t most, const FitTextOptions& options) {
  const auto left_out = options.verbose || options.named ? 0 : table.keep_rows(most);
  table.drop_empty_columns();
  if (!table.rows.empty()) print_table(out, table, options.style);
  if (left_out > 0) out << "  " << options.style.dim(fmt::format("and {} more (-v or --types)", left_out)) << '\n';
}

void print_rejected_summary(std::ostream& out, const std::vector<const FitRow*>& rows, const Style& style) {
  const auto words = wrapped(rejected_words(rows) + " (-v or --types lists them)", 2);
  const auto hint = words.rfind('(');
  out << words.substr(0, hint) << style.dim(words.substr(hint)) << '\n';
}

/// Types that hold many copies may be cheaper a copy than the cheapest instance.
void print_best_per_copy(std::ostream& out, const TaskFit& task) {
  const FitRow* best = nullptr;
  for (const auto& row : task.rows) {
    if (row.fits != Fits::kYes || row.type->is_retired() || !row.price_per_copy || !row.unmet_needs.empty()) continue;
    if (best == nullptr || *row.price_per_copy < *best->price_per_copy) best = &row;
  }
  const FitRow* cheapest = task.cheapest();
  if (best == nullptr || cheapest == nullptr || !cheapest->price_per_copy) return;
  if (*best->price_per_copy >= *cheapest->price_per_copy) return;
  print_line(out, 0,
             fmt::format("Cheapest per copy: {}, {}, ${}/h, ${}/month each", best->type->name,
                         count_of(*best->copies, "copy", "copies"), usd(*best->price_per_copy),
                         monthly_cell(*best->price_per_copy)));
}

/// The name and the cheapest type are bold, in whichever line they stand.
std::string fit_headline_lines(const TaskFit& task, const FitTextOptions& options) {
  const auto plain = fit_headline(task, Style(false));
  auto text = options.quiet ? plain : wrapped(plain, 2);
  if (!options.style.colored()) return text;
  if (const FitRow* best = task.cheapest()) {
    const auto at = text.rfind(best->type->name);
    if (at != std::string::npos) text.replace(at, best->type->name.size(), options.style.bold(best->type->name));
  }
  const auto name = text.substr(0, text.find(" ("));
  return options.style.bold(name) + text.substr(name.size());
}

void print_task(std::ostream& out, const TaskFit& task, const FitTextOptions& options) {
  out << fit_headline_lines(task, options) << '\n';
  if (options.quiet) return;
  const auto [holding, unmet, rejected] = sorted_rows(task);
  print_first(out, holding_table(holding), kShownFittingTypes, options);
  print_best_per_copy(out, task);
  print_first(out, unmet_table(unmet), kShownUnmet, options);
  if (rejected.empty()) return;
  if (options.verbose || (options.named && rejected.size() <= kShownFittingTypes)) {
    Table table = rejected_table(rejected);
    print_table(out, table, options.style);
  } else {
    print_rejected_summary(out, rejected, options.style);
  }
}

void write_body(std::ostream& out, const FitReport& report, const FitTextOptions& options) {
  write_notes(out, report.assumptions, options.style);
  for (const auto& task : report.tasks) {
    if (&task != &report.tasks.front() && !options.quiet) out << '\n';
    print_task(out, task, options);
  }
}

/// What holds for the whole report.
void write_footer(std::ostream& out, const FitReport& report, const FitTextOptions& options) {
  out << options.style.dim(wrapped(price_words(report.prices), 2)) << '\n';
  write_assumptions_text(out, report.assumptions, options.verbose, options.style);
}

}  // namespace

void write_fit_text(std::ostream& out, const FitReport& report, const FitTextOptions& options) {
  std::ostringstream body;
  std::ostringstream footer;
  write_body(body, report, options);
  if (!options.quiet && !report.tasks.empty()) write_footer(footer, report, options);
  write_first_screen(out, body.str(), footer.str(), options.verbose || options.quiet);
}

}  // namespace bayplan::report
