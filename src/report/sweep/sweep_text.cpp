#include "report/sweep/sweep_report.hpp"

#include <algorithm>
#include <sstream>

#include <fmt/core.h>

#include "base/strings.hpp"
#include "report/document/amounts.hpp"
#include "report/document/assumptions.hpp"
#include "report/document/figures.hpp"
#include "report/document/first_screen.hpp"
#include "report/document/prices.hpp"
#include "report/document/table.hpp"
#include "report/document/terminal.hpp"

namespace bayplan::report {

using study::Measure;
using study::SweepSummary;
using study::Tally;

namespace {

constexpr std::size_t kFewestColumns = 12;  ///< Minimum width of the column of names.
constexpr std::size_t kMostColumns = 32;
constexpr std::size_t kFewestRows = 8;  ///< The table has at least these rows, whatever follows.

/// A column of the table: p50 and worst of a measure.
struct MeasureColumn {
  Measure measure;
  std::string_view heading;
  std::string_view name;  ///< The name inside a sentence.
  bool more_is_worse;
  std::string (*text)(std::int64_t value);

  bool is_monthly() const { return text == monthly_cell; }
  bool is_of_gpus() const { return measure == Measure::kFreeGpus || measure == Measure::kLargestFreeBlock; }
  /// A narrow terminal omits months, which one can derive, then GPUs.
  Column heading_cell() const {
    if (is_monthly()) return month_column();
    const auto column = number_column(std::string(heading));
    return is_of_gpus() ? useful_column(column) : column;
  }
};

std::string number_text(std::int64_t value) {
  return std::to_string(value);
}

const std::array<MeasureColumn, study::kMeasures + 1> kMeasureColumns = {{
    {Measure::kUnplaced, "unplaced", "unplaced tasks", true, number_text},
    {Measure::kInstancesUsed, "in use", "instances in use", true, number_text},
    {Measure::kHourlyCost, "$/h", "the cost", true, usd},
    {Measure::kHourlyCost, "$/month", "the cost", true, monthly_cell},
    {Measure::kFreeGpus, "free GPUs", "free GPUs", false, number_text},
    {Measure::kLargestFreeBlock, "block", "the largest free GPU block", false, number_text},
}};

std::string cell(const MeasureColumn& column, const Tally& tally) {
  if (tally.count() == 0) return "-";
  const std::int64_t worst = column.more_is_worse ? tally.largest() : tally.smallest();
  const std::string middle = (tally.is_exact() ? "" : "~") + column.text(tally.median());
  const std::string end = column.text(worst);
  return middle == end ? end : middle + " / " + end;
}

class SweepTextWriter {
 public:
  SweepTextWriter(std::ostream& out, const SweepReport& report, const TextOptions& options)
      : out_(out), grid_(report.grid), summary_(report.summary), report_(report), options_(options) {
    for (const auto& column : kMeasureColumns) {
      if (!column.is_of_gpus() || summary_.has_gpus()) columns_.push_back(column);
    }
  }

  void write() {
    write_answer();
    if (summary_.scenarios() == 0) return;
    std::ostringstream footer;
    write_effects(footer);
    if (const auto words = policies_words(report_); !words.empty()) footer << wrapped(words, 2) << '\n';
    if (tells_prices()) footer << options_.style.dim(wrapped(price_words(report_.prices), 2)) << '\n';
    write_assumptions_text(footer, report_.assumptions, options_.verbose, options_.style);
    write_table(line_count(footer.str()));
    out_ << footer.str();
  }

  /// What the page shows: p50 and worst of each point of each axis.
  std::vector<std::pair<std::string, Table>> axis_tables() const {
    std::vector<std::pair<std::string, Table>> tables;
    for (std::size_t i = 0; i < grid_.axes.size(); ++i) {
      Table table({grid_.axes[i].name, number_column("all fit")});
      for (const auto& column : columns_) table.columns.push_back(column.heading_cell());
      for (const auto& row : summary_.rows(i)) {
        if (row.scenarios == 0) continue;
        std::vector<Cell> cells{row_name(grid_.axes[i], row)};
        for (auto& cell : figure_cells(row)) cells.emplace_back(std::move(cell));
        table.add(std::move(cells));
      }
      if (!table.rows.empty()) tables.emplace_back(grid_.axes[i].name, std::move(table));
    }
    return tables;
  }

  /// Which axes matter for the first measure that varies, in percent.
  std::string effects_words() const {
    for (const auto& column : columns_) {
      std::vector<std::pair<double, std::string>> shares;
      for (std::size_t i = 0; i < grid_.axes.size(); ++i) {
        if (const auto share = summary_.share(i, column.measure)) shares.emplace_back(*share, grid_.axes[i].name);
      }
      if (shares.empty()) continue;
      std::stable_sort(shares.begin(), shares.end(), [](const auto& a, const auto& b) { return a.first > b.first; });
      std::vector<std::string> parts;
      double left = 1;
      for (const auto& [share, name] : shares) {
        parts.push_back(name + " " + percent(share, 1.0));
        left -= share;
      }
      if (shares.size() == grid_.axes.size() && left >= 0.005) parts.push_back("interactions " + percent(left, 1.0));
      return fmt::format("Influence on {}: {}", column.name, join(parts, ", "));
    }
    return "All scenarios perform the same: no axis matters";
  }

  /// Whether a figure of the summary comes from a price.
  bool tells_prices() const { return summary_.best() && summary_.best()->figures.hourly_cost; }

 private:
  void write_answer() {
    const std::string lines = wrapped(sweep_headline(report_), 0);
    const auto end = lines.find('\n');
    out_ << options_.style.bold(lines.substr(0, end)) << (end == std::string::npos ? "" : lines.substr(end)) << '\n';
  }

  /// `below`: lines that follow.
  void write_table(std::size_t below) {
    Table table({"p50 / worst", number_column("all fit")});
    for (const auto& column : columns_) table.columns.push_back(column.heading_cell());
    const std::size_t columns = name_columns();
    for (std::size_t i = 0; i < grid_.axes.size(); ++i) {
      if (summary_.rows(i).empty()) continue;
      table.add({Cell(cut(grid_.axes[i].name, columns, options_.glyphs), Tone::kStrong)});
      for (const auto& row : summary_.rows(i)) {
        if (row.scenarios == 0) continue;
        std::vector<Cell> cells{cut("  " + row_name(grid_.axes[i], row), columns, options_.glyphs)};
        for (auto& cell : figure_cells(row)) cells.emplace_back(std::move(cell));
        table.add(std::move(cells));
      }
    }
    if (table.rows.empty()) return;
    constexpr std::size_t kAround = 6;  // the answer, the headings, "and 3 more (-v)"
    const auto room = kFirstScreenLines - std::min(kFirstScreenLines - kFewestRows, below + kAround);
    const auto left_out = options_.verbose ? 0 : table.keep_rows(room);
    if (options_.verbose) table.keep_all_columns();
    print_table(out_, table, options_.style);
    print_left_out(out_, left_out);
  }

  /// What the figures leave of a line for names.
  std::size_t name_columns() const {
    std::vector<std::size_t> widths{std::string_view("all fit").size()};
    for (const auto& column : columns_) widths.push_back(column.heading.size());
    for (std::size_t i = 0; i < grid_.axes.size(); ++i) {
      for (const auto& row : summary_.rows(i)) {
        const auto cells = row.scenarios == 0 ? std::vector<std::string>() : figure_cells(row);
        for (std::size_t c = 0; c < cells.size(); ++c) widths[c] = std::max(widths[c], cells[c].size());
      }
    }
    std::size_t taken = 2;
    for (std::size_t i = 0; i < widths.size(); ++i) {
      if (i == 0 || !columns_[i - 1].is_monthly()) taken += widths[i] + 2;
    }
    return std::clamp<std::size_t>(taken < text_columns() ? text_columns() - taken : 0, kFewestColumns, kMostColumns);
  }

  static std::string row_name(const study::WrittenAxis& axis, const study::SummaryRow& row) {
    std::string name = study::text_of(point_name(axis, row.first));
    if (row.last > row.first) name += " .. " + study::text_of(point_name(axis, row.last));
    return name;
  }

  std::vector<std::string> figure_cells(const study::SummaryRow& row) const {
    std::vector<std::string> cells{percent(row.placed_all, row.scenarios)};
    for (const auto& column : columns_) cells.push_back(cell(column, row.of(column.measure)));
    return cells;
  }

  void write_effects(std::ostream& out) const { out << wrapped(effects_words(), 2) << '\n'; }

  std::ostream& out_;
  const study::WrittenGrid& grid_;
  const SweepSummary& summary_;
  const SweepReport& report_;
  const TextOptions& options_;
  std::vector<MeasureColumn> columns_;
};

}  // namespace

void write_sweep_text(std::ostream& out, const SweepReport& report, const TextOptions& options) {
  SweepTextWriter(out, report, options).write();
}

ReportDocument sweep_document(const SweepReport& report, Medium medium) {
  std::ostringstream text;
  const TextOptions options{.verbose = true};
  SweepTextWriter writer(text, report, options);
  ReportDocument document(medium, "sweep");
  document.answer("", sweep_headline(report), report.summary.placed_all() > 0);
  if (report.summary.scenarios() == 0) return document;
  document.paragraph(writer.effects_words());
  if (const auto words = policies_words(report); !words.empty()) document.paragraph(words + ".");
  document.paragraph(
      "Figures are the median and the worst of the scenarios with this value, or both if they are equal.");
  for (auto& [axis, table] : writer.axis_tables()) {
    document.section("axis-" + std::to_string(document.blocks.size()), axis);
    document.table(std::move(table));
  }
  document.add(block::Assumptions{report.assumptions});
  if (!document.is_page()) return document;
  if (writer.tells_prices()) document.prices = price_words(report.prices);
  writer.write();
  document.as_text("the report as a terminal shows it with -v", text.str());
  return document;
}

}  // namespace bayplan::report
