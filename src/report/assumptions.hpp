#pragma once
#include <ostream>
#include <vector>

#include "base/assumption.hpp"
#include "base/json_writer.hpp"
#include "report/style.hpp"

namespace bayplan::report {

/// "assumes ..." lines, each on its own; the first five unless `verbose`, then "and N more (-v)".
void write_assumptions_text(std::ostream& out, const std::vector<Assumption>& assumptions, bool verbose,
                            const Style& style);

/// Likewise, broken to fit 80 columns; those that differ in their subject alone share a line.
void write_joined_assumptions_text(std::ostream& out, const std::vector<Assumption>& assumptions, bool verbose,
                                   const Style& style);

/// The member "assumptions" of the object that is open.
void write_assumptions_json(JsonWriter& json, const std::vector<Assumption>& assumptions);

}  // namespace bayplan::report
