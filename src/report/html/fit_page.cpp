#include "report/html/fit_page.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "report/assumptions.hpp"
#include "report/fit_words.hpp"
#include "report/html/page.hpp"

namespace bayplan::report {

using capacity::FitRow;
using capacity::Fits;
using capacity::TaskFit;

namespace {

std::string page_price(const std::optional<MicroUsd>& price) {
  return price ? "$" + price_text(price) : "-";
}

void add_holding(Page& page, const TaskFit& task) {
  PageTable table{
      {"type", "fits", "copies", "bound by", "idle per instance", "an hour", "a copy", "not what its GPUs need"}, {}};
  for (const FitRow& row : task.rows) {
    if (row.fits == Fits::kNo) continue;
    std::string unmet;
    for (const auto& need : row.unmet_needs)
      unmet += (unmet.empty() ? "" : ", ") + need.wanted + " (has " + need.given + ")";
    table.rows.push_back({row.type->name, fits_text(row), copies_text(row),
                          row.binding ? std::string(name_of(*row.binding)) : "-", idle_text(row),
                          page_price(row.price ? std::optional(row.price->hourly) : std::nullopt),
                          page_price(row.price_per_copy), unmet});
  }
  if (!task.has_needs) {
    table.headings.pop_back();
    for (auto& row : table.rows) row.pop_back();
  }
  if (!table.rows.empty()) page.table(table);
}

void add_rejected(Page& page, const TaskFit& task) {
  PageTable table{{"type", "fits", "why not"}, {}};
  std::vector<const FitRow*> rows;
  for (const FitRow& row : task.rows) {
    if (row.fits != Fits::kNo) continue;
    rows.push_back(&row);
    table.rows.push_back({row.type->name, fits_text(row), reasons_text(row)});
  }
  if (rows.empty()) return;
  page.paragraph(rejected_words(rows));
  page.folded_table("each of them", table);
}

}  // namespace

void write_fit_page(std::ostream& out, const capacity::FitReport& report) {
  const auto fitting =
      std::count_if(report.tasks.begin(), report.tasks.end(), [](const auto& task) { return task.holding() > 0; });
  const bool is_one = report.tasks.size() == 1;
  Page page(out, {"fit", is_one ? report.tasks.front().file : "",
                  is_one ? fit_headline(report.tasks.front(), Style(false))
                         : fmt::format("{} of {} task definitions fit some type", fitting, report.tasks.size()),
                  !report.any_without_type()});
  page.notes(launch_type_notes(report.assumptions));
  std::size_t number = 0;
  for (const TaskFit& task : report.tasks) {
    page.section(fmt::format("task-{}", ++number), task.family.empty() ? task.file : task.family);
    if (!is_one) page.paragraph(fit_headline(task, Style(false)));
    add_holding(page, task);
    add_rejected(page, task);
  }
  page.section("prices", "Prices");
  page.paragraph(price_words(report.prices));
  page.assumptions(report.assumptions);
  page.end();
}

}  // namespace bayplan::report
