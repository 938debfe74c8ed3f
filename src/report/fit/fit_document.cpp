#include "report/fit/fit_report.hpp"

#include <fmt/core.h>

#include "base/strings.hpp"
#include "report/document/amounts.hpp"
#include "report/document/assumptions.hpp"
#include "report/document/figures.hpp"
#include "report/document/prices.hpp"

namespace bayplan::report {

using capacity::FitRow;
using capacity::TaskFit;

namespace {

std::string page_price(const std::optional<MicroUsd>& price) {
  return price ? "$" + price_text(price) : "-";
}

std::optional<MicroUsd> hourly_price(const FitRow& row) {
  return row.price ? std::optional(row.price->hourly) : std::nullopt;
}

std::string binding_text(const FitRow& row) {
  return row.binding ? std::string(name_of(*row.binding)) : "-";
}

/// A page has one table of all types that ECS would use.
Table page_table(const TaskFit& task) {
  Table table({"type", "fits", "copies", "limited by", "unused per instance", "per hour", "per month", "per copy"});
  if (task.has_needs) table.columns.emplace_back("unmet needs");
  for (const FitRow& row : task.rows) {
    if (row.fits == capacity::Fits::kNo) continue;
    table.add({row.type->name, fits_text(row), copies_text(row), binding_text(row), idle_text(row),
               page_price(hourly_price(row)), row.price ? monthly(row.price->hourly) : "-",
               page_price(row.price_per_copy)});
    if (task.has_needs) table.rows.back().cells.emplace_back(unmet_text(row));
    table.rows.back().is_best = &row == task.cheapest();
  }
  return table;
}

Table holding_table(const std::vector<const FitRow*>& rows) {
  Table table({"type", number_column("copies"), "limited by", useful_column("unused"), number_column("$/h"),
               month_column(), number_column("$/copy"), "fits"});
  for (const auto* row : rows) {
    // All of them hold the task: only where it is not sure, or the type is no longer sold, there is more to say.
    const auto tone = row->fits == capacity::Fits::kUnsure ? Tone::kDoubtful : Tone::kGood;
    const auto fits = fits_text(*row);
    table.add({row->type->name, copies_text(*row), binding_text(*row), idle_text(*row), price_text(hourly_price(*row)),
               row->price ? monthly_cell(row->price->hourly) : "-", price_text(row->price_per_copy),
               fits == "yes" ? Cell("") : Cell(fits, tone)});
  }
  table.omits_empty = true;
  return table;
}

Table unmet_table(const std::vector<const FitRow*>& rows) {
  Table table({"type", "fits", "unmet needs (ECS does not check them)"});
  for (const auto* row : rows) table.add({row->type->name, Cell(fits_text(*row), Tone::kDoubtful), unmet_text(*row)});
  return table;
}

Table rejected_table(const std::vector<const FitRow*>& rows) {
  Table table({"type", column_for(kTerminal | Medium::kPage, "fits"), "reason"});
  for (const auto* row : rows) table.add({row->type->name, Cell(fits_text(*row), Tone::kBad), reasons_text(*row)});
  return table;
}

/// Types that hold many copies may be cheaper a copy than the cheapest instance; empty if none is.
std::string best_per_copy_words(const TaskFit& task) {
  const FitRow* best = nullptr;
  for (const auto& row : task.rows) {
    if (row.fits != capacity::Fits::kYes || row.type->is_retired() || !row.price_per_copy || !row.unmet_needs.empty())
      continue;
    if (best == nullptr || *row.price_per_copy < *best->price_per_copy) best = &row;
  }
  const FitRow* cheapest = task.cheapest();
  if (best == nullptr || cheapest == nullptr || !cheapest->price_per_copy) return {};
  if (*best->price_per_copy >= *cheapest->price_per_copy) return {};
  return fmt::format("Cheapest per copy: {}, {}, ${}/h, ${}/month each", best->type->name,
                     count_of(*best->copies, "copy", "copies"), usd(*best->price_per_copy),
                     monthly_cell(*best->price_per_copy));
}

void add_task(ReportDocument& document, const TaskFit& task, bool are_types_named) {
  constexpr std::size_t kShownTypes = 12, kShownUnmet = 5, kTypesOfComment = 20;
  const auto rows_of = [&](std::size_t most) {
    return block::Rows{.text = are_types_named ? kEveryRow : most, .comment = kTypesOfComment, .how = "-v or --types"};
  };
  // The types that hold it, those that ECS would use although its GPUs need others, and the rest.
  std::vector<const FitRow*> holding, unmet, rejected;
  for (const auto& row : task.rows)
    (row.fits == capacity::Fits::kNo ? rejected : row.unmet_needs.empty() ? holding : unmet).push_back(&row);
  document.later(Medium::kPage, [&task](ReportDocument& page) { page.table(page_table(task)); });
  document.table(holding_table(holding), rows_of(kShownTypes), kTerminal | Medium::kComment);
  document.paragraph({.text = best_per_copy_words(task), .hanging = 2});
  document.table(unmet_table(unmet), rows_of(kShownUnmet), kTerminal | Medium::kComment);
  if (rejected.empty()) return;
  const auto words = rejected_words(rejected);
  const bool are_all_shown = are_types_named && rejected.size() <= kShownTypes;
  if (!are_all_shown) document.paragraph({.text = words + " (-v or --types lists them)", .hanging = 2}, Medium::kText);
  document.add(
      block::Later{[rejected, words](const Screen&) -> Blocks {
        return {block::ShownTable{.table = rejected_table(rejected), .rows = {.comment = 50}, .summary = words}};
      }},
      are_all_shown ? kEveryMedium : kNotFirstScreen);
}

}  // namespace

ReportDocument fit_document(const capacity::FitReport& report, bool are_types_named) {
  ReportDocument document("fit");
  const auto& tasks = report.tasks;
  const bool is_one = tasks.size() == 1;
  document.subject = is_one ? tasks.front().file : "";
  document.headline = fit_answer(report);
  document.is_good = !report.any_without_type();
  document.verdict.word = document.is_good ? "FITS" : "NO";
  document.notes(notes_of(report.assumptions));
  std::size_t number = 0;
  for (const TaskFit& task : tasks) {
    ++number;
    document.section(fmt::format("task-{}", number), task.family.empty() ? task.file : task.family,
                     number == 1 ? kCommentAndPage : kEveryMedium);
    document.add(block::Answer{.text = fit_headline(task), .hanging = 2},
                 is_one ? kTerminal | Medium::kComment : kEveryMedium);
    add_task(document, task, are_types_named);
  }
  if (!tasks.empty()) {
    document.add_to_footer(block::Section{"prices", "Prices"}, Medium::kPage);
    document.footer.emplace_back(block::SmallPrint{price_words(report.prices)});
    document.footer.emplace_back(block::Assumptions{report.assumptions});
  }
  return document;
}

}  // namespace bayplan::report
