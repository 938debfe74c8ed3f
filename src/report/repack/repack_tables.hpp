#pragma once
#include <cstddef>

#include "report/document/table.hpp"
#include "study/repack.hpp"

namespace bayplan::report {

/// A row an instance; of instances that drain at the same time the first says the step's moves. `moves_column`: which
/// one may be cut.
Table steps_table(const study::RepackPlan& plan, std::size_t& moves_column);

/// Services that move; all of them with `all`.
Table services_table(const study::RepackPlan& plan, bool all);

}  // namespace bayplan::report
