#pragma once
#include <cstdint>
#include <functional>
#include <ostream>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace bayplan::report {

enum class Align : std::uint8_t { kLeft, kRight };

/// Columns as wide as their widest cell (display width), two blanks between, no trailing blanks, indented by two.
/// Cells hold plain text; `paint` colours a padded cell, so that colour never moves a column.
class Table {
 public:
  using Paint = std::function<std::string(std::string_view padded)>;

  void column(std::string heading, Align align = Align::kLeft);
  void row(std::vector<std::string> cells, std::vector<Paint> paints = {});  ///< One paint a cell; empty = as it is.
  void note(std::string line) { rows_.back().note = std::move(line); }       ///< Below the last row, as it is.
  void print(std::ostream& out, const Paint& heading_paint = {}) const;
  bool empty() const { return rows_.empty(); }

 private:
  struct Row {
    std::vector<std::string> cells;
    std::vector<Paint> paints;
    std::string note;
  };
  struct Column {
    std::string heading;
    Align align;
  };
  std::vector<Column> columns_;
  std::vector<Row> rows_;
};

}  // namespace bayplan::report
