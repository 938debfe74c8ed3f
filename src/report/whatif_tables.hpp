#pragma once
#include <cstddef>
#include <ostream>
#include <string>
#include <vector>

#include "report/whatif_text.hpp"

namespace bayplan::report {

/// One row of figures, or two where runs differ.
struct FiguresRow {
  std::string label;
  const study::VariantResult* result = nullptr;
  const std::optional<study::RunFigures>* runs = nullptr;
  bool is_failure = false;  ///< One of every single failure.
};

/// The cells of the table: heading, then rows; what no row can have (GPUs, prices, room, moves) has no column.
struct FiguresTable {
  std::vector<std::string> headings;  ///< The first is that of the labels.
  std::vector<std::vector<std::string>> rows;
};
FiguresTable figures_table(const std::vector<FiguresRow>& rows);

/// Within 80 columns where the labels can be cut.
void write_figures(std::ostream& out, const std::vector<FiguresRow>& rows, const TextOptions& options);

/// The cells of the services and standalone tasks of one variant. `all`: also those that nothing happens to, where they
/// are many.
FiguresTable names_table(const study::VariantResult& before, const study::VariantResult& after, bool all);

void write_names(std::ostream& out, const study::VariantResult& before, const study::VariantResult& after,
                 const TextOptions& options);

}  // namespace bayplan::report
