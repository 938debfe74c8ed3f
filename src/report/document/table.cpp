#include "report/document/table.hpp"

#include <algorithm>

#include <fmt/core.h>

#include "base/utf8.hpp"
#include "report/document/terminal.hpp"

namespace bayplan::report {

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
    case Tone::kFaint:
      return style.dim(text);
    case Tone::kPlain:
      break;
  }
  return std::string(text);
}

namespace {

/// A cell as a terminal shows it: one line or several.
struct PrintedCell {
  std::vector<std::string> lines;
  std::string colored;  ///< Of a single line with colors of its own.
  Tone tone = Tone::kPlain;
  std::size_t width = 0;

  bool is_empty() const { return width == 0; }
};

void break_lines(PrintedCell& cell, std::size_t width) {
  if (cell.width <= width || cell.lines.size() != 1) return;
  cell.lines = lines_within(cell.lines.front(), width);
  cell.width = 0;
  for (const auto& line : cell.lines) cell.width = std::max(cell.width, display_width(line));
}

PrintedCell printed(const Cell& cell, const Style& style) {
  PrintedCell result{{cell.text.shown([](const TextRun& run) { return printable(run.text); })}, {}, cell.tone, 0};
  result.width = display_width(result.lines.front());
  if (style.colored()) result.colored = cell.colored;
  return result;
}

std::size_t longest_word(std::string_view text) {
  std::size_t width = 0;
  for (const auto& word : lines_within(text, 0)) width = std::max(width, display_width(word));
  return width;
}

/// The cells of a table, row by row, and the widths of its columns.
class PrintedTable {
 public:
  PrintedTable(const Table& table, const Style& style, TableLook look) : style_(style) {
    for (const auto& column : table.columns) {
      if (column.is_below) continue;
      columns_.push_back(column);
      if (look.keeps_columns) columns_.back().need = Need::kAlways;
      const auto text = look.has_headings ? printable(column.heading) : std::string();
      headings_.push_back({{text}, {}, Tone::kPlain, display_width(text)});
    }
    for (const auto& row : table.rows) {
      auto& cells = rows_.emplace_back();
      cells.reserve(columns_.size());
      auto& below = below_.emplace_back();
      for (std::size_t i = 0; i < row.cells.size(); ++i) {
        if (table.columns[i].is_below) {
          below = printable(row.cells[i].text.plain());
        } else {
          cells.push_back(printed(row.cells[i], style));
        }
      }
      cells.resize(columns_.size(), PrintedCell{{std::string()}, {}, Tone::kPlain, 0});
      notes_.push_back(row.note);
    }
    for (std::size_t i = 0; i < columns_.size(); ++i) widths_.push_back(std::max(headings_[i].width, widest_cell(i)));
  }

  void fit() {
    omit_optional_texts();
    // A long text on two lines costs a reader less than a column that is not there.
    const auto whole = rows_;
    const auto widths = widths_;
    for (std::size_t i = columns_.size(); i-- > 1 && overflow() > 0;) break_cells(i, kComfortableText);
    if (overflow() > 0) {
      rows_ = whole;
      widths_ = widths;
    }
    omit(Need::kExtra);
    for (std::size_t i = 0; i < columns_.size() && overflow() > 0; ++i) break_heading(i);
    if (overflow() > 0) gap_ = 1;
    omit(Need::kUseful);
    const auto unbroken = rows_;
    const auto unbroken_widths = widths_;
    for (std::size_t i = columns_.size(); i-- > 1 && overflow() > 0;) break_cells(i, kNarrowestText);
    const bool fits_closely = overflow() == 0;
    gap_ = 2;
    if (overflow() > 0 && fits_closely) gap_ = 1;
    if (fits_closely) return;
    // The table continues below itself, where a text has the whole line next to the first column.
    rows_ = unbroken;
    widths_ = unbroken_widths;
    for (std::size_t i = 1; i < columns_.size(); ++i) break_to_line(i);
  }

  /// Parts of as many columns as fit, each with the first column.
  void print(std::ostream& out) const {
    std::size_t next = 1;
    do {
      if (next > 1) out << '\n';
      std::vector<std::size_t> part = {0};
      for (std::size_t used = kIndent + widths_[0]; next < columns_.size(); ++next) {
        used += gap_ + widths_[next];
        if (used > text_columns() && part.size() > 1) break;
        part.push_back(next);
      }
      print_part(out, part, next == columns_.size());
    } while (next < columns_.size());
  }

 private:
  static constexpr std::size_t kIndent = 2;
  static constexpr std::size_t kNarrowestText = 16;  ///< Columns of shorter texts keep their lines.
  static constexpr std::size_t kComfortableText = 36;

  std::size_t widest_cell(std::size_t column) const {
    std::size_t width = 0;
    for (const auto& row : rows_) width = std::max(width, row[column].width);
    return width;
  }

  std::size_t total_width() const {
    std::size_t used = kIndent + gap_ * (columns_.size() - 1);
    for (const auto width : widths_) used += width;
    return used;
  }

  std::size_t overflow() const { return total_width() - std::min(total_width(), text_columns()); }

  /// Where a comfortable text has no room next to them.
  void omit_optional_texts() {
    const auto others = total_width() - widths_.back();
    if (others + kComfortableText <= text_columns()) return;
    for (std::size_t i = 0; i < columns_.size(); ++i) {
      if (columns_[i].optional.empty()) continue;
      for (auto& row : rows_) {
        auto& line = row[i].lines.front();
        line.resize(std::min(line.find(columns_[i].optional), line.size()));
        row[i].width = display_width(line);
      }
      widths_[i] = std::max(headings_[i].width, widest_cell(i));
    }
  }

  void omit(Need need) {
    for (std::size_t i = columns_.size(); i-- > 1 && overflow() > 0;) {
      if (columns_[i].need == need) erase(i);
    }
  }

  void break_heading(std::size_t column) {
    const auto cells = widest_cell(column);
    if (headings_[column].width <= cells) return;
    break_lines(headings_[column], std::max(cells, longest_word(headings_[column].lines.front())));
    widths_[column] = std::max(headings_[column].width, cells);
  }

  void break_cells(std::size_t column, std::size_t narrowest) {
    if (columns_[column].align == Align::kRight || widths_[column] <= narrowest) return;
    std::size_t width =
        std::max({narrowest, headings_[column].width, widths_[column] - std::min(widths_[column], overflow())});
    for (const auto& row : rows_) {
      if (!row[column].colored.empty()) return;
      width = std::max(width, longest_word(row[column].lines.front()));
    }
    for (auto& row : rows_) break_lines(row[column], width);
    widths_[column] = std::max(headings_[column].width, widest_cell(column));
  }

  void break_to_line(std::size_t column) {
    const auto before = kIndent + widths_[0] + gap_;
    const auto room = text_columns() - std::min(text_columns(), before);
    if (columns_[column].align == Align::kRight || widths_[column] <= room) return;
    const auto width = std::max({room, kNarrowestText, headings_[column].width});
    for (auto& row : rows_) break_lines(row[column], width);
    widths_[column] = std::max(headings_[column].width, widest_cell(column));
  }

  void erase(std::size_t column) {
    const auto at = static_cast<std::ptrdiff_t>(column);
    columns_.erase(columns_.begin() + at);
    headings_.erase(headings_.begin() + at);
    widths_.erase(widths_.begin() + at);
    for (auto& row : rows_) row.erase(row.begin() + at);
  }

  void print_part(std::ostream& out, const std::vector<std::size_t>& part, bool is_last) const {
    if (std::any_of(part.begin(), part.end(), [&](std::size_t i) { return !headings_[i].is_empty(); }))
      print_row(out, headings_, part, true);
    for (std::size_t i = 0; i < rows_.size(); ++i) {
      print_row(out, rows_[i], part, false);
      if (!is_last) continue;
      if (!below_[i].empty()) print_below(out, below_[i], part);
      if (!notes_[i].empty()) out << notes_[i] << '\n';
    }
  }

  /// Aligned with the last column.
  void print_below(std::ostream& out, const std::string& text, const std::vector<std::size_t>& part) const {
    std::size_t indent = kIndent;
    for (std::size_t i = 0; i + 1 < part.size(); ++i) indent += widths_[part[i]] + gap_;
    out << std::string(indent, ' ') << wrapped(text, indent) << '\n';
  }

  /// Headings end on the same line, other cells begin there.
  void print_row(std::ostream& out, const std::vector<PrintedCell>& cells, const std::vector<std::size_t>& part,
                 bool is_heading) const {
    std::size_t height = 1;
    for (const auto i : part) height = std::max(height, cells[i].lines.size());
    for (std::size_t line = 0; line < height; ++line) {
      std::string text;
      std::size_t blanks = kIndent;
      for (const auto i : part) {
        const auto& cell = cells[i];
        const auto above = is_heading ? height - cell.lines.size() : 0;
        const bool is_shown = line >= above && line - above < cell.lines.size();
        const std::string& words = is_shown ? cell.lines[line - above] : std::string();
        const auto padding = widths_[i] - display_width(words);
        if (columns_[i].align == Align::kRight) blanks += padding;
        if (!words.empty()) {
          text.append(blanks, ' ');
          text += is_heading              ? style_.dim(words)
                  : !cell.colored.empty() ? cell.colored
                                          : in_tone(cell.tone, style_, words);
          blanks = 0;
        }
        if (columns_[i].align == Align::kLeft) blanks += padding;
        blanks += gap_;
      }
      out << text << '\n';
    }
  }

  const Style& style_;
  std::vector<Column> columns_;
  std::vector<PrintedCell> headings_;
  std::vector<std::vector<PrintedCell>> rows_;
  std::vector<std::string> below_;  ///< Of each row, the cell of the column that is below.
  std::vector<std::string> notes_;
  std::vector<std::size_t> widths_;
  std::size_t gap_ = 2;
};

}  // namespace

RichText::RichText(std::initializer_list<TextRun> runs) {
  if (runs.size() == 0) return;
  first_ = *runs.begin();
  rest_.assign(runs.begin() + 1, runs.end());
}

std::string RichText::plain() const {
  return shown([](const TextRun& run) -> const std::string& { return run.text; });
}

bool RichText::is_plain() const {
  return rest_.empty() && first_.emphasis == Emphasis::kNone;
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

TextRun in_command(std::string_view text) {
  return {std::string(text), Emphasis::kCommand};
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

void Table::keep_all_columns() {
  for (auto& column : columns) column.need = Need::kAlways;
}

std::size_t Table::keep_rows(std::size_t most) {
  const std::size_t dropped = rows.size() - std::min(most, rows.size());
  rows.erase(rows.end() - static_cast<std::ptrdiff_t>(dropped), rows.end());
  return dropped;
}

std::size_t Table::width_of(std::size_t column) const {
  std::size_t width = display_width(columns[column].heading);
  for (const auto& row : rows) {
    if (column < row.cells.size()) width = std::max(width, row.cells[column].text.width());
  }
  return width;
}

std::size_t Table::room_for(std::size_t column, std::size_t fewest) const {
  std::size_t others = 2;
  for (std::size_t i = 0; i < columns.size(); ++i) {
    if (i != column && columns[i].need != Need::kExtra) others += width_of(i) + 2;
  }
  const auto room = text_columns() - std::min(text_columns(), others);
  if (room >= fewest || column == 0) return std::max(fewest, room);
  // The table will continue below itself, with this column next to the first one.
  const auto beside_first = 2 + width_of(0) + 2;
  return std::max(fewest, text_columns() - std::min(text_columns(), beside_first));
}

Cell load_cell(std::int64_t part, std::int64_t whole, const Glyphs& glyphs, std::int64_t width) {
  constexpr std::int64_t kHigh = 70;  // percent
  constexpr std::int64_t kFull = 90;
  const auto load = whole > 0 ? 100.0 * static_cast<double>(part) / static_cast<double>(whole) : 0.0;
  const auto tone = part <= 0 ? Tone::kPlain : load < kHigh ? Tone::kGood : load < kFull ? Tone::kDoubtful : Tone::kBad;
  return {bar(part, whole, glyphs, width), tone};
}

void print_table(std::ostream& out, const Table& table, const Style& style, TableLook look) {
  if (table.columns.empty()) return;
  PrintedTable printed(table, style, look);
  printed.fit();
  printed.print(out);
}

void print_left_out(std::ostream& out, std::size_t count) {
  if (count > 0) out << fmt::format("  and {} more (-v)\n", count);
}

}  // namespace bayplan::report
