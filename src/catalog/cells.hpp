#pragma once
#include <string_view>
#include <vector>

/// The tables of data/: lines of cells with commas between them, and comments.
namespace bayplan::catalog {

/// Cuts the text before the next `end` off `rest`, and `end` with it.
inline std::string_view take_until(std::string_view& rest, char end) {
  const auto at = rest.find(end);
  const auto taken = rest.substr(0, at);
  rest = at == std::string_view::npos ? std::string_view() : rest.substr(at + 1);
  return taken;
}

/// The lines of a table without empty ones and comments.
inline std::vector<std::string_view> lines_of(std::string_view csv) {
  std::vector<std::string_view> lines;
  while (!csv.empty()) {
    const auto line = take_until(csv, '\n');
    if (!line.empty() && line.front() != '#') lines.push_back(line);
  }
  return lines;
}

}  // namespace bayplan::catalog
