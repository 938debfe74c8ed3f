#pragma once
#include <ostream>
#include <string>
#include <vector>

#include "base/json_writer.hpp"
#include "capacity/fit.hpp"

namespace bayplan::report {

/// schemas/fit-report.schema.json. `not_answered`: files left out because of lint errors.
void write_fit_json(std::ostream& out, const capacity::FitReport& report, const std::vector<std::string>& not_answered);

/// What one task takes, as an object.
void write_requirement_json(JsonWriter& json, const capacity::TaskRequirement& task);

}  // namespace bayplan::report
