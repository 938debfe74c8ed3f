#include "report/fit_text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "base/strings.hpp"
#include "base/utf8.hpp"
#include "report/assumptions.hpp"
#include "report/figures.hpp"
#include "report/fit_words.hpp"
#include "report/table.hpp"

namespace bayplan::report {

using capacity::FitReport;
using capacity::FitRow;
using capacity::Fits;
using capacity::Resource;
using capacity::TaskFit;

namespace {

constexpr std::size_t kShownFittingTypes = 20;
constexpr std::size_t kShownUnmet = 5;

Table::Paint paint_for(const FitRow& row, const Style& style) {
  if (row.fits == Fits::kUnsure) return [style](std::string_view text) { return style.yellow(text); };
  return [style](std::string_view text) { return style.green(text); };
}

void print_holding(std::ostream& out, const std::vector<const FitRow*>& rows, const Style& style) {
  Table table;
  table.column("type");
  table.column("fits");
  table.column("copies", Align::kRight);
  table.column("bound by");
  table.column("idle per instance");
  table.column("$/h", Align::kRight);
  table.column("$/copy", Align::kRight);
  for (const auto* row : rows) {
    table.row(
        {row->type->name, fits_text(*row), copies_text(*row), row->binding ? std::string(name_of(*row->binding)) : "-",
         idle_text(*row), price_text(row->price ? std::optional(row->price->hourly) : std::nullopt),
         price_text(row->price_per_copy)},
        {{}, paint_for(*row, style)});
  }
  table.print(out, [&](std::string_view text) { return style.dim(text); });
}

/// Types that ECS would use and that are not what the task needs.
void print_unmet(std::ostream& out, const std::vector<const FitRow*>& rows, const Style& style) {
  Table table;
  table.column("type");
  table.column("fits");
  table.column("but ECS does not look at what its GPUs need");
  for (const auto* row : rows) {
    std::vector<std::string> parts;
    for (const auto& need : row->unmet_needs) parts.push_back(need.wanted + " (has " + need.given + ")");
    table.row({row->type->name, fits_text(*row), join(parts, ", ")},
              {{}, [&](std::string_view text) { return style.yellow(text); }});
  }
  table.print(out, [&](std::string_view text) { return style.dim(text); });
}

void print_rejected(std::ostream& out, const std::vector<const FitRow*>& rows, const Style& style) {
  Table table;
  table.column("type");
  table.column("fits");
  table.column("why not");
  for (const auto* row : rows) {
    table.row({row->type->name, fits_text(*row), reasons_text(*row)},
              {{}, [&](std::string_view text) { return style.red(text); }});
  }
  table.print(out, [&](std::string_view text) { return style.dim(text); });
}

void print_rejected_summary(std::ostream& out, const std::vector<const FitRow*>& rows, const Style& style) {
  out << rejected_words(rows) << ' ' << style.dim("(-v or --types shows each)") << '\n';
}

/// Types that hold many copies may be cheaper a copy than the cheapest instance.
void print_best_per_copy(std::ostream& out, const TaskFit& task, const Style& style) {
  const FitRow* best = nullptr;
  for (const auto& row : task.rows) {
    if (row.fits != Fits::kYes || row.type->is_retired() || !row.price_per_copy || !row.unmet_needs.empty()) continue;
    if (best == nullptr || *row.price_per_copy < *best->price_per_copy) best = &row;
  }
  const FitRow* cheapest = task.cheapest();
  if (best == nullptr || cheapest == nullptr || !cheapest->price_per_copy) return;
  if (*best->price_per_copy >= *cheapest->price_per_copy) return;
  out << "cheapest per copy: " << style.bold(best->type->name) << ", " << count_of(*best->copies, "copy", "copies")
      << ", $" << usd(*best->price_per_copy) << " each\n";
}

void print_task(std::ostream& out, const TaskFit& task, const FitTextOptions& options) {
  out << fit_headline(task, options.style) << '\n';
  if (options.quiet) return;
  std::vector<const FitRow*> holding;
  std::vector<const FitRow*> unmet;
  std::vector<const FitRow*> rejected;
  for (const auto& row : task.rows) {
    (row.fits == Fits::kNo ? rejected : row.unmet_needs.empty() ? holding : unmet).push_back(&row);
  }
  const std::size_t shown =
      options.verbose || options.named ? holding.size() : std::min(kShownFittingTypes, holding.size());
  if (shown > 0)
    print_holding(out, {holding.begin(), holding.begin() + static_cast<std::ptrdiff_t>(shown)}, options.style);
  if (shown < holding.size()) {
    out << "  " << options.style.dim(fmt::format("and {} more (-v or --types)", holding.size() - shown)) << '\n';
  }
  print_best_per_copy(out, task, options.style);
  const std::size_t shown_unmet = options.verbose || options.named ? unmet.size() : std::min(kShownUnmet, unmet.size());
  if (shown_unmet > 0)
    print_unmet(out, {unmet.begin(), unmet.begin() + static_cast<std::ptrdiff_t>(shown_unmet)}, options.style);
  if (shown_unmet < unmet.size())
    out << "  " << options.style.dim(fmt::format("and {} more (-v or --types)", unmet.size() - shown_unmet)) << '\n';
  if (rejected.empty()) return;
  if (options.verbose || (options.named && rejected.size() <= kShownFittingTypes)) {
    print_rejected(out, rejected, options.style);
  } else {
    print_rejected_summary(out, rejected, options.style);
  }
}

}  // namespace

void write_fit_text(std::ostream& out, const FitReport& report, const FitTextOptions& options) {
  write_launch_type_notes(out, report.assumptions, options.style);
  for (const auto& task : report.tasks) {
    if (&task != &report.tasks.front() && !options.quiet) out << '\n';
    print_task(out, task, options);
  }
  if (options.quiet || report.tasks.empty()) return;
  out << options.style.dim(price_words(report.prices)) << '\n';
  write_assumptions_text(out, report.assumptions, options.verbose, options.style);
}

}  // namespace bayplan::report
