#include "report/table.hpp"

#include <algorithm>

#include "base/utf8.hpp"

namespace bayplan::report {

void Table::column(std::string heading, Align align) {
  columns_.push_back({std::move(heading), align});
}

void Table::row(std::vector<std::string> cells, std::vector<Paint> paints) {
  cells.resize(columns_.size());
  paints.resize(columns_.size());
  rows_.push_back({std::move(cells), std::move(paints), {}});
}

void Table::print(std::ostream& out, const Paint& heading_paint) const {
  std::vector<std::size_t> widths;
  for (std::size_t i = 0; i < columns_.size(); ++i) {
    std::size_t width = display_width(columns_[i].heading);
    for (const auto& row : rows_) width = std::max(width, display_width(row.cells[i]));
    widths.push_back(width);
  }
  const auto print_row = [&](const std::vector<std::string>& cells, const std::vector<Paint>& paints) {
    std::size_t last = cells.size();
    while (last > 0 && cells[last - 1].empty()) --last;
    std::string line;
    for (std::size_t i = 0; i < last; ++i) {
      line += "  ";
      const std::string padding(widths[i] - display_width(cells[i]), ' ');
      const std::string text = paints[i] ? paints[i](cells[i]) : cells[i];
      if (columns_[i].align == Align::kRight) {
        line += padding + text;
      } else {
        line += text;
        if (i + 1 < last) line += padding;
      }
    }
    out << line << '\n';
  };
  std::vector<std::string> headings;
  for (const auto& column : columns_) headings.push_back(column.heading);
  if (std::any_of(headings.begin(), headings.end(), [](const auto& heading) { return !heading.empty(); })) {
    print_row(headings, std::vector<Paint>(headings.size(), heading_paint));
  }
  for (const auto& row : rows_) {
    print_row(row.cells, row.paints);
    if (!row.note.empty()) out << row.note << '\n';
  }
}

}  // namespace bayplan::report
