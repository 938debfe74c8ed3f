#include "report/document/table.hpp"

#include <algorithm>

#include <fmt/core.h>

#include "base/utf8.hpp"
#include "report/document/terminal.hpp"

namespace bayplan::report {
namespace {

std::string in_tone(Tone tone, const Style& style, std::string_view text) {
  switch (tone) {
    case Tone::kStrong:
      return style.bold(text);
    case Tone::kGood:
      return style.green(text);
    case Tone::kDoubtful:
      return style.yellow(text);
    case Tone::kBad:
      return style.red(text);
    case Tone::kPlain:
      break;
  }
  return {};
}

struct PrintedCell {
  std::string plain;
  std::string colored;  ///< Empty = as the plain text.
  std::size_t width = 0;

  const std::string& text() const { return colored.empty() ? plain : colored; }
};

PrintedCell printed(const Cell& cell, const Style& style) {
  PrintedCell result{cell.text.shown([](const TextRun& run) { return printable(run.text); }), {}, 0};
  result.width = display_width(result.plain);
  if (style.colored()) result.colored = cell.colored.empty() ? in_tone(cell.tone, style, result.plain) : cell.colored;
  return result;
}

/// One line of a table whose columns have these widths. Colour never moves a column.
std::string table_line(const std::vector<PrintedCell>& cells, const std::vector<Column>& columns,
                       const std::vector<std::size_t>& widths) {
  std::size_t last = cells.size();
  while (last > 0 && cells[last - 1].plain.empty()) --last;
  std::string line;
  for (std::size_t i = 0; i < last; ++i) {
    const std::string padding(widths[i] - cells[i].width, ' ');
    line += "  ";
    if (columns[i].align == Align::kRight) {
      line += padding + cells[i].text();
    } else {
      line += cells[i].text();
      if (i + 1 < last) line += padding;
    }
  }
  return line;
}

}  // namespace

RichText::RichText(std::initializer_list<TextRun> runs) {
  if (runs.size() == 0) return;
  first_ = *runs.begin();
  rest_.assign(runs.begin() + 1, runs.end());
}

std::string RichText::plain() const {
  return shown([](const TextRun& run) -> const std::string& { return run.text; });
}

std::size_t RichText::width() const {
  std::size_t width = display_width(first_.text);
  for (const auto& run : rest_) width += display_width(run.text);
  return width;
}

TextRun in_bold(std::string_view text) {
  return {std::string(text), Emphasis::kStrong};
}

TextRun in_code(std::string_view text) {
  return {std::string(text), Emphasis::kCode};
}

TextRun in_italics(std::string_view text) {
  return {std::string(text), Emphasis::kItalic};
}

void Table::add_column(Column column, std::vector<std::string> cells) {
  if (columns.empty()) rows.resize(cells.size());
  columns.push_back(std::move(column));
  for (std::size_t i = 0; i < rows.size(); ++i) rows[i].cells.emplace_back(std::move(cells[i]));
}

void Table::drop_empty_columns() {
  for (std::size_t column = columns.size(); column-- > 1;) {
    const bool is_empty = std::all_of(rows.begin(), rows.end(), [&](const Row& row) {
      const auto text = row.cells[column].text.plain();
      return text.empty() || text == "-";
    });
    if (!is_empty) continue;
    const auto at = static_cast<std::ptrdiff_t>(column);
    columns.erase(columns.begin() + at);
    for (auto& row : rows) row.cells.erase(row.cells.begin() + at);
  }
}

std::size_t Table::keep_rows(std::size_t most) {
  const std::size_t dropped = rows.size() - std::min(most, rows.size());
  rows.erase(rows.end() - static_cast<std::ptrdiff_t>(dropped), rows.end());
  return dropped;
}

std::size_t Table::width_of(std::size_t column) const {
  std::size_t width = display_width(columns[column].heading);
  for (const auto& row : rows) width = std::max(width, row.cells[column].text.width());
  return width;
}

std::size_t Table::room_for(std::size_t column, std::size_t fewest) const {
  std::size_t others = 2;
  for (std::size_t i = 0; i < columns.size(); ++i) {
    if (i != column) others += width_of(i) + 2;
  }
  return std::max(fewest, text_columns() - std::min(text_columns(), others));
}

void Table::wrap_last_column() {
  constexpr std::size_t kFewest = 20;
  const std::size_t last = columns.size() - 1;
  const std::size_t room = room_for(last, kFewest);
  const std::size_t begin = text_columns() - std::min(text_columns(), room);
  for (auto& row : rows) {
    const auto text = row.cells[last].text.plain();
    if (display_width(text) <= room) continue;
    const auto lines = wrapped(printable(text), begin);
    const auto end = lines.find('\n');
    row.cells[last].text = lines.substr(0, end);
    if (end != std::string::npos) row.note = lines.substr(end + 1) + (row.note.empty() ? "" : "\n" + row.note);
  }
}

Cell load_cell(std::int64_t part, std::int64_t whole, const Glyphs& glyphs, std::int64_t width) {
  constexpr std::int64_t kHigh = 70;  // percent
  constexpr std::int64_t kFull = 90;
  const auto load = whole > 0 ? 100.0 * static_cast<double>(part) / static_cast<double>(whole) : 0.0;
  const auto tone = part <= 0 ? Tone::kPlain : load < kHigh ? Tone::kGood : load < kFull ? Tone::kDoubtful : Tone::kBad;
  return {bar(part, whole, glyphs, width), tone};
}

void print_table(std::ostream& out, const Table& table, const Style& style) {
  std::vector<PrintedCell> headings;
  std::vector<std::size_t> widths;
  for (const auto& column : table.columns) {
    const auto text = printable(column.heading);
    headings.push_back({text, style.dim(text), display_width(text)});
    widths.push_back(headings.back().width);
  }
  std::vector<std::vector<PrintedCell>> rows(table.rows.size());
  for (std::size_t i = 0; i < rows.size(); ++i) {
    rows[i].reserve(table.columns.size());
    for (const auto& cell : table.rows[i].cells) {
      auto& width = widths[rows[i].size()];
      width = std::max(width, rows[i].emplace_back(printed(cell, style)).width);
    }
  }
  if (std::any_of(headings.begin(), headings.end(), [](const auto& heading) { return !heading.plain.empty(); }))
    out << table_line(headings, table.columns, widths) << '\n';
  for (std::size_t i = 0; i < rows.size(); ++i) {
    out << table_line(rows[i], table.columns, widths) << '\n';
    if (!table.rows[i].note.empty()) out << table.rows[i].note << '\n';
  }
}

void print_left_out(std::ostream& out, std::size_t count) {
  if (count > 0) out << fmt::format("  and {} more (-v)\n", count);
}

}  // namespace bayplan::report
