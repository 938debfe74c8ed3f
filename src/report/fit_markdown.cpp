#include "report/fit_markdown.hpp"

#include "base/strings.hpp"
#include "report/assumptions.hpp"
#include "report/fit_words.hpp"
#include "report/markdown_page.hpp"

namespace bayplan::report {

using capacity::FitRow;
using capacity::Fits;
using capacity::TaskFit;

namespace {

constexpr std::size_t kTypesOfPage = 20;
constexpr std::size_t kRejectedOfPage = 50;

void add_holding(MarkdownPage& page, const std::vector<const FitRow*>& rows) {
  MarkdownPage::Table table{{"type", "fits", "copies", "bound by", "idle per instance", "$/h", "$/copy"},
                            {false, false, true, false, false, true, true},
                            {}};
  for (const auto* row : rows) {
    table.rows.push_back({row->type->name, fits_text(*row), copies_text(*row),
                          row->binding ? std::string(name_of(*row->binding)) : "-", idle_text(*row),
                          price_text(row->price ? std::optional(row->price->hourly) : std::nullopt),
                          price_text(row->price_per_copy)});
  }
  page.table(table, kTypesOfPage);
}

void add_unmet(MarkdownPage& page, const std::vector<const FitRow*>& rows) {
  MarkdownPage::Table table{{"type", "fits", "but ECS does not look at what its GPUs need"}, {false, false, false}, {}};
  for (const auto* row : rows) {
    std::vector<std::string> parts;
    for (const auto& need : row->unmet_needs) parts.push_back(need.wanted + " (has " + need.given + ")");
    table.rows.push_back({row->type->name, fits_text(*row), join(parts, ", ")});
  }
  page.table(table, kTypesOfPage);
}

void add_rejected(MarkdownPage& page, const std::vector<const FitRow*>& rows) {
  if (rows.empty()) return;
  MarkdownPage::Table table{{"type", "why not"}, {false, false}, {}};
  for (const auto* row : rows) table.rows.push_back({row->type->name, reasons_text(*row)});
  page.open_details(rejected_words(rows));
  page.table(table, kRejectedOfPage);
  page.close_details();
}

void add_task(MarkdownPage& page, const TaskFit& task) {
  std::vector<const FitRow*> holding;
  std::vector<const FitRow*> unmet;
  std::vector<const FitRow*> rejected;
  for (const auto& row : task.rows) {
    (row.fits == Fits::kNo ? rejected : row.unmet_needs.empty() ? holding : unmet).push_back(&row);
  }
  page.heading("bayplan fit: " + fit_headline(task, Style(false)));
  add_holding(page, holding);
  add_unmet(page, unmet);
  add_rejected(page, rejected);
}

}  // namespace

void write_fit_markdown(std::ostream& out, const capacity::FitReport& report) {
  MarkdownPage page;
  for (const auto& note : launch_type_notes(report.assumptions)) page.line("Note:", note);
  for (const auto& task : report.tasks) add_task(page, task);
  if (!report.tasks.empty()) page.line(price_words(report.prices));
  page.assumptions(report.assumptions);
  page.write(out);
}

}  // namespace bayplan::report
