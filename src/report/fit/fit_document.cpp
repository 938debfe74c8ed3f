#include "report/fit/fit_report.hpp"

#include <fmt/core.h>

#include "base/strings.hpp"
#include "report/document/amounts.hpp"
#include "report/document/assumptions.hpp"
#include "report/document/prices.hpp"

namespace bayplan::report {

using capacity::FitRow;
using capacity::TaskFit;

namespace {

constexpr std::size_t kTypesOfComment = 20;
constexpr std::size_t kRejectedOfComment = 50;

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
  }
  return table;
}

void add_rejected(ReportDocument& document, const std::vector<const FitRow*>& rows) {
  if (rows.empty()) return;
  auto table = rejected_table(rows);
  if (document.is_page()) {
    document.paragraph(rejected_words(rows));
    return document.folded("all types", {block::ShownTable{std::move(table)}});
  }
  for (auto& row : table.rows) row.cells.erase(row.cells.begin() + 1);  // the summary says that none holds it
  table.columns.erase(table.columns.begin() + 1);
  document.folded(rejected_words(rows), {block::ShownTable{std::move(table), kRejectedOfComment}});
}

void add_task(ReportDocument& document, const TaskFit& task) {
  const auto rows = sorted_rows(task);
  if (document.is_page()) {
    document.table(page_table(task));
  } else {
    document.add(block::Heading{"bayplan fit: " + fit_headline(task, Style(false))});
    document.table(holding_table(rows.holding), kTypesOfComment);
    document.table(unmet_table(rows.unmet), kTypesOfComment);
  }
  add_rejected(document, rows.rejected);
}

}  // namespace

FitRows sorted_rows(const TaskFit& task) {
  FitRows rows;
  for (const auto& row : task.rows) {
    auto& list = row.fits == capacity::Fits::kNo ? rows.rejected : row.unmet_needs.empty() ? rows.holding : rows.unmet;
    list.push_back(&row);
  }
  return rows;
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
  table.drop_empty_columns();
  return table;
}

Table unmet_table(const std::vector<const FitRow*>& rows) {
  Table table({"type", "fits", "unmet needs (ECS does not check them)"});
  for (const auto* row : rows) table.add({row->type->name, Cell(fits_text(*row), Tone::kDoubtful), unmet_text(*row)});
  return table;
}

Table rejected_table(const std::vector<const FitRow*>& rows) {
  Table table({"type", "fits", "reason"});
  for (const auto* row : rows) table.add({row->type->name, Cell(fits_text(*row), Tone::kBad), reasons_text(*row)});
  return table;
}

ReportDocument fit_document(const capacity::FitReport& report, Medium medium) {
  ReportDocument document(medium, "fit");
  const auto& tasks = report.tasks;
  const bool is_one = tasks.size() == 1;
  if (document.is_page()) {
    document.answer(is_one ? tasks.front().file : "", fit_answer(report), !report.any_without_type());
  }
  document.notes(notes_of(report.assumptions));
  std::size_t number = 0;
  for (const TaskFit& task : tasks) {
    document.section(fmt::format("task-{}", ++number), task.family.empty() ? task.file : task.family);
    if (document.is_page() && !is_one) document.paragraph(fit_headline(task, Style(false)));
    add_task(document, task);
  }
  document.section("prices", "Prices");
  if (document.is_page() || !tasks.empty()) document.paragraph(price_words(report.prices));
  document.add(block::Assumptions{report.assumptions});
  return document;
}

}  // namespace bayplan::report
