#pragma once
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <ostream>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "report/document/media.hpp"
#include "report/document/terminal.hpp"

namespace bayplan::report {

/// `kCommand` is code that one pastes: flags, a command; a page has a button that copies it.
enum class Emphasis : std::uint8_t { kNone, kStrong, kCode, kItalic, kCommand };

/// A piece of text that looks the same throughout.
struct TextRun {
  std::string text;
  Emphasis emphasis = Emphasis::kNone;
};

/// A line of text, parts of which may be emphasized. A text report shows the words alone.
class RichText {
 public:
  RichText(std::string text) : first_{std::move(text)} {}           // NOLINT: any text is one
  RichText(std::string_view text) : RichText(std::string(text)) {}  // NOLINT
  RichText(const char* text) : RichText(std::string(text)) {}       // NOLINT
  RichText(TextRun run) : first_(std::move(run)) {}                 // NOLINT
  RichText(std::initializer_list<TextRun> runs);

  std::string plain() const;
  bool is_plain() const;      ///< Nothing is emphasized.
  std::size_t width() const;  ///< Columns of a terminal.
  /// What `show` makes of each run, one after another.
  template <class Show>
  std::string shown(Show show) const {
    std::string text = show(first_);
    for (const auto& run : rest_) text += show(run);
    return text;
  }

 private:
  TextRun first_;
  std::vector<TextRun> rest_;  ///< Mostly empty: a large table has a million cells.
};

TextRun in_bold(std::string_view text);
TextRun in_code(std::string_view text);
TextRun in_command(std::string_view text);
TextRun in_italics(std::string_view text);

enum class Align : std::uint8_t { kLeft, kRight };

/// Which columns a terminal omits if it is too narrow for the table.
enum class Need : std::uint8_t {
  kAlways,
  kUseful,  ///< Omitted after everything else was made narrower.
  kExtra,   ///< Omitted first: the reader can derive it.
};

struct Column {
  std::string heading;
  Align align = Align::kLeft;
  Need need = Need::kAlways;
  Media media = kEveryMedium;  ///< Which show the column.
  std::size_t cut_from = 0;   ///< First screen: the minimum width, in columns, to which cells are truncated; 0 = never.
  std::size_t cut_to = 1000;  ///< Cells that may be cut are not wider.
  bool is_below = false;      ///< Terminal: cells are lines below their row, not next to the others.
  std::string_view optional = {};  ///< A narrow terminal omits this and what follows it in a cell: ", +$73/month".

  Column(std::string text, Align side = Align::kLeft)
      : heading(std::move(text)), align(side) {}  // NOLINT: a text column
  Column(const char* text) : heading(text) {}     // NOLINT
};

/// Numbers are aligned at their ends.
inline Column number_column(std::string heading) {
  return {std::move(heading), Align::kRight};
}

/// What an hour costs times 730, next to the price per hour.
inline Column month_column() {
  Column column{"$/month", Align::kRight};
  column.need = Need::kExtra;
  return column;
}

inline Column useful_column(Column column) {
  column.need = Need::kUseful;
  return column;
}

inline Column column_for(Media media, Column column) {
  column.media = media;
  return column;
}

/// What a cell means to the reader; a terminal shows it by a color, which never carries it alone.
enum class Tone : std::uint8_t { kPlain, kStrong, kGood, kDoubtful, kBad, kFaint };

/// The text in the color of its tone.
std::string in_tone(Tone tone, const Style& style, std::string_view text);

struct Cell {
  RichText text;
  Tone tone = Tone::kPlain;
  std::string colored = {};  ///< The text with its own colors for a terminal; empty = as the tone says.

  template <class Text>
  requires std::convertible_to<Text, RichText> Cell(Text content, Tone meaning = Tone::kPlain)
      : text(std::move(content)), tone(meaning) {}  // NOLINT: a plain cell
};

/// Columns and rows of any report. What is shown of a table in text, Markdown and HTML comes from here; each escapes
/// the texts.
class Table {
 public:
  struct Row {
    std::vector<Cell> cells;     ///< Those that are missing are empty.
    std::string note;            ///< Text: a line below the row, as it is.
    Media media = kEveryMedium;  ///< Which show the row.
    bool is_best = false;        ///< Page: highlighted.
  };

  explicit Table(std::vector<Column> headings) : columns(std::move(headings)) {}

  void add(std::vector<Cell> cells, Media media = kEveryMedium) { rows.push_back({std::move(cells), {}, media}); }
  /// Appends a column with a cell for each row; the first column makes the rows.
  void add_column(Column column, std::vector<std::string> cells);
  /// Drops all columns but the first in which every cell is empty or "-".
  void drop_empty_columns();
  /// A narrow terminal omits no column.
  void keep_all_columns();
  /// Drops the rows beyond the first `most`. Gives how many they were.
  std::size_t keep_rows(std::size_t most);
  /// Returns the width in a terminal, including the heading.
  std::size_t width_of(std::size_t column) const;
  /// What the width of the report leaves for the column, at least `fewest`.
  std::size_t room_for(std::size_t column, std::size_t fewest) const;

  std::vector<Column> columns;
  std::vector<Row> rows;
  bool omits_empty = false;  ///< Columns in which every shown cell is empty or "-" are not shown.
  /// Page: where the screen is too narrow for sentences next to each other, each row is a list of its cells.
  bool holds_sentences = false;
};

struct TableLook {
  bool has_headings = true;
  bool keeps_columns = false;  ///< Omits no column.
};

/// Columns as wide as their widest cell (display width), two spaces between, no trailing spaces, indented by two. No
/// row of headings if all are empty. A table that exceeds the width of the report becomes narrower in these steps, as
/// far as necessary: it omits extra columns, breaks headings into lines, moves the columns together, omits useful
/// columns, breaks long texts into lines, and continues below itself, with the first column repeated.
void print_table(std::ostream& out, const Table& table, const Style& style, TableLook look = {});

/// A bar with its percentage, colored by load: green below 70 %, yellow below 90 %, red from there up.
Cell load_cell(std::int64_t part, std::int64_t whole, const Glyphs& glyphs, std::int64_t width = kBarWidth);

/// "and 3 more (-v)", below a table or a list; nothing where nothing is left out.
void print_left_out(std::ostream& out, std::size_t count);

}  // namespace bayplan::report
