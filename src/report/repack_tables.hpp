#pragma once
#include <string>
#include <vector>

#include "study/repack.hpp"

namespace bayplan::report {

/// Cells of a table: heading, then rows.
struct RepackTable {
  std::vector<std::string> headings;
  std::vector<bool> is_number;  ///< By column.
  std::vector<std::vector<std::string>> rows;
};

/// A row an instance; of instances that drain at the same time the first says the step's moves. `moves_column`: which
/// one may be cut.
RepackTable steps_table(const study::RepackPlan& plan, std::size_t& moves_column);

/// Services that move; all of them with `all`.
RepackTable services_table(const study::RepackPlan& plan, bool all);

}  // namespace bayplan::report
