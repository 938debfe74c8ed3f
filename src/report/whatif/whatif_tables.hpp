#pragma once
#include <optional>
#include <ostream>
#include <string>
#include <vector>

#include "report/document/table.hpp"
#include "report/document/text_options.hpp"
#include "study/comparison.hpp"

namespace bayplan::report {

/// One row of figures, or two where runs differ.
struct FiguresRow {
  std::string label;
  const study::VariantResult* result = nullptr;
  const std::optional<study::RunFigures>* runs = nullptr;
  bool is_failure = false;  ///< One of every single failure.
};

/// The baseline, then those variants that are told.
std::vector<FiguresRow> compared_rows(const study::Comparison& comparison,
                                      const std::vector<const study::ComparedVariant*>& told);

/// What no row can have (GPUs, prices, room, moves) has no column.
Table figures_table(const std::vector<FiguresRow>& rows);

/// Within 80 columns where the labels can be cut.
void write_figures(std::ostream& out, const std::vector<FiguresRow>& rows, const TextOptions& options);

/// The services and standalone tasks of one variant. `all`: also those that nothing happens to, where they
/// are many.
Table names_table(const study::VariantResult& before, const study::VariantResult& after, bool all);

void write_names(std::ostream& out, const study::VariantResult& before, const study::VariantResult& after,
                 const TextOptions& options);

}  // namespace bayplan::report
