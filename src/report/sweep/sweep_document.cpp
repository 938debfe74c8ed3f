#include "report/sweep/sweep_report.hpp"

#include <algorithm>
#include <set>

#include <fmt/core.h>

#include "base/strings.hpp"
#include "report/document/amounts.hpp"
#include "report/document/figures.hpp"
#include "report/document/prices.hpp"
#include "report/document/table.hpp"

namespace bayplan::report {

using study::Measure;
using study::Tally;

namespace {

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

/// The rows of an axis: p50 and worst of each of its points that has scenarios.
std::vector<std::vector<Cell>> axis_rows(const SweepReport& report, std::size_t axis,
                                         const std::vector<MeasureColumn>& columns) {
  const auto& written = report.grid.axes[axis];
  std::vector<std::vector<Cell>> rows;
  for (const auto& row : report.summary.rows(axis)) {
    if (row.scenarios == 0) continue;
    std::string name = study::text_of(point_name(written, row.first));
    if (row.last > row.first) name += " .. " + study::text_of(point_name(written, row.last));
    auto& cells = rows.emplace_back(std::vector<Cell>{name, percent(row.placed_all, row.scenarios)});
    for (const auto& column : columns) cells.emplace_back(cell(column, row.of(column.measure)));
  }
  return rows;
}

/// What was varied against what was measured: a chart a measure, with a bar for each point of the axis. A measure that
/// does not depend on the axis has none. The point of the best scenario is emphasized.
block::Charts axis_charts(const SweepReport& report, std::size_t axis, const std::vector<MeasureColumn>& columns) {
  constexpr std::size_t kMostBars = 24;
  block::Charts charts;
  const auto& rows = report.summary.rows(axis);
  const auto& choices = report.summary.choices();
  const auto& best = choices && choices->best ? choices->best : report.summary.best();
  if (rows.size() < 2 || rows.size() > kMostBars) return charts;
  const auto add = [&](std::string caption, auto make_bar) {
    block::Bars bars;
    std::set<std::string> texts;
    for (const auto& row : rows) {
      if (row.scenarios == 0) continue;
      auto bar = make_bar(row);
      bar.name = study::text_of(point_name(report.grid.axes[axis], row.first)) + (row.last > row.first ? " .." : "");
      texts.insert(bar.text);
      const bool is_chosen = !choices || axis < choices->axes;  // The cases that every choice must bear are not chosen.
      const auto position = best ? report.summary.position(best->index, axis) : -1;
      bar.is_best = is_chosen && row.first <= position && position <= row.last;
      bars.list.push_back(std::move(bar));
    }
    if (texts.size() > 1) charts.list.emplace_back(std::move(caption), std::move(bars));
  };
  add("Scenarios that place all tasks", [](const auto& row) {
    return block::Bar{"", static_cast<double>(row.placed_all) / static_cast<double>(row.scenarios),
                      percent(row.placed_all, row.scenarios)};
  });
  for (const auto& column : columns) {
    if (column.is_monthly()) continue;
    const bool is_price = column.measure == Measure::kHourlyCost;
    add(fmt::format("{}: median / worst", is_price ? column.heading : column.name), [&](const auto& row) {
      const auto& tally = row.of(column.measure);
      return block::Bar{"", tally.count() == 0 ? 0 : static_cast<double>(tally.median()), cell(column, tally)};
    });
  }
  return charts;
}

/// Which axes matter for the first measure that varies, in percent.
std::string effects_words(const SweepReport& report, const std::vector<MeasureColumn>& columns) {
  const auto& axes = report.grid.axes;
  for (const auto& column : columns) {
    std::vector<std::pair<double, std::string>> shares;
    for (std::size_t i = 0; i < axes.size(); ++i) {
      if (const auto share = report.summary.share(i, column.measure)) shares.emplace_back(*share, axes[i].name);
    }
    if (shares.empty()) continue;
    std::stable_sort(shares.begin(), shares.end(), [](const auto& a, const auto& b) { return a.first > b.first; });
    std::vector<std::string> parts;
    double left = 1;
    for (const auto& [share, name] : shares) {
      parts.push_back(name + " " + percent(share, 1.0));
      left -= share;
    }
    if (shares.size() == axes.size() && left >= 0.005) parts.push_back("interactions " + percent(left, 1.0));
    return fmt::format("Influence on {}: {}", column.name, join(parts, ", "));
  }
  return "All scenarios perform the same: no axis matters";
}

}  // namespace

ReportDocument sweep_document(const SweepReport& report) {
  ReportDocument document("sweep");
  document.answer("", sweep_headline(report), report.summary.placed_all() > 0);
  document.verdict.word = document.is_good ? "YES" : "NO";
  if (report.summary.scenarios() == 0) return document;
  std::vector<MeasureColumn> columns;
  std::vector<Column> headings{number_column("all fit")};
  for (const auto& column : kMeasureColumns) {
    if (column.is_of_gpus() && !report.summary.has_gpus()) continue;
    columns.push_back(column);
    headings.push_back(column.heading_cell());
  }

  // A terminal ends with the sentences, which a first screen never omits; the others begin with them.
  for (const auto& words : {effects_words(report, columns), policies_words(report)}) {
    document.paragraph(words, kCommentAndPage);
    if (!words.empty()) document.add_to_footer(block::Paragraph{.text = words, .hanging = 2}, kTerminal);
  }
  document.paragraph(
      "Figures are the median and the worst of the scenarios with this value, or both if they are equal.",
      kCommentAndPage);
  document.paragraph("The values of the best scenario are emphasized.", Medium::kPage);

  // One table in a terminal, with each axis as a row above its points; else a table an axis.
  const auto make_table = [&](Column name) {
    Table table({std::move(name)});
    table.columns.insert(table.columns.end(), headings.begin(), headings.end());
    return table;
  };
  Column name("p50 / worst");
  name.cut_from = 12;
  name.cut_to = 32;
  Table all = make_table(name);
  for (std::size_t i = 0; i < report.grid.axes.size(); ++i) {
    const auto& axis = report.grid.axes[i].name;
    auto rows = axis_rows(report, i, columns);
    if (rows.empty()) continue;
    all.add({Cell(axis, Tone::kStrong)});
    Table own = make_table(axis);
    for (auto& row : rows) {
      own.add(row);
      row.front().text = "  " + row.front().text.plain();
      all.add(std::move(row));
    }
    document.section(fmt::format("axis-{}", i + 1), axis, kCommentAndPage);
    document.table(own, {}, Medium::kComment);
    auto charts = axis_charts(report, i, columns);
    const bool has_charts = !charts.list.empty();
    document.add(std::move(charts), Medium::kPage);
    document.add(block::Details{"All figures", {block::ShownTable{std::move(own)}}, /*is_open=*/!has_charts},
                 Medium::kPage);
  }
  document.add(block::ShownTable{.table = std::move(all), .keeps_columns = true}, kTerminal);

  if (report.summary.best() && report.summary.best()->figures.hourly_cost) {
    document.prices = price_words(report.prices);
    document.add_to_footer(block::SmallPrint{document.prices}, kTerminal);
  }
  document.footer.emplace_back(block::Assumptions{report.assumptions});
  document.has_text = true;
  return document;
}

}  // namespace bayplan::report
