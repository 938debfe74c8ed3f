#pragma once
#include <fstream>
#include <string>
#include <vector>

#include "base/strings.hpp"
#include "support/in_sources.hpp"

namespace bayplan {

/// Rows of a table of data/, each split at its commas. Comments are left out.
inline std::vector<std::vector<std::string>> table_rows(const std::string& file) {
  std::ifstream in(in_sources(file));
  std::vector<std::vector<std::string>> rows;
  for (std::string line; std::getline(in, line);) {
    if (line.empty() || line.front() == '#') continue;
    auto& row = rows.emplace_back();
    for (const auto cell : split(line, ',')) row.emplace_back(cell);
  }
  return rows;
}

}  // namespace bayplan
