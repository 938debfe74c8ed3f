#include "report/document/table.hpp"

#include <fmt/format.h>

#include <algorithm>

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
  return std::string(text);
}

struct PrintedCell {
  std::string plain;
  std::string colored;
};

/// One line of a table whose columns have these widths. Colour never moves a column.
std::string table_line(const std::vector<PrintedCell>& cells, const std::vector<Column>& columns,
                       const std::vector<std::size_t>& widths) {
  std::size_t last = cells.size();
  while (last > 0 && cells[last - 1].plain.empty()) --last;
  std::string line;
  for (std::size_t i = 0; i < last; ++i) {
    const std::string padding(widths[i] - display_width(cells[i].plain), ' ');
    line += "  ";
    if (columns[i].align == Align::kRight) {
      line += padding + cells[i].colored;
    } else {
      line += cells[i].colored;
      if (i + 1 < last) line += padding;
    }
  }
  return line;
}

}  // namespace

std::string RichText::plain() const {
  std::string text;
  for (const auto& run : runs_) text += run.text;
  return text;
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
  for (const auto& row : rows) width = std::max(width, display_width(row.cells[column].text.plain()));
  return width;
}

std::size_t Table::room_for(std::size_t column, std::size_t fewest) const {
  std::size_t others = 2;
  for (std::size_t i = 0; i < columns.size(); ++i) {
    if (i != column) others += width_of(i) + 2;
  }
  return std::max(fewest, kTextColumns - std::min(kTextColumns, others));
}

void print_table(std::ostream& out, const Table& table, const Style& style) {
  std::vector<PrintedCell> headings;
  for (const auto& column : table.columns) {
    const auto text = printable(column.heading);
    headings.push_back({text, style.dim(text)});
  }
  std::vector<std::vector<PrintedCell>> rows;
  std::vector<std::size_t> widths;
  for (const auto& heading : headings) widths.push_back(display_width(heading.plain));
  for (const auto& row : table.rows) {
    auto& printed = rows.emplace_back();
    for (std::size_t i = 0; i < row.cells.size(); ++i) {
      const auto& cell = row.cells[i];
      const auto text = printable(cell.text.plain());
      widths[i] = std::max(widths[i], display_width(text));
      printed.push_back({text, cell.colored.empty() ? in_tone(cell.tone, style, text) : cell.colored});
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
