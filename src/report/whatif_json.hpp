#pragma once
#include <ostream>
#include <string>

#include "base/json_writer.hpp"
#include "study/comparison.hpp"

namespace bayplan::report {

/// "each": the zone or instance of a single failure, null of other variants.
void write_each(JsonWriter& json, study::EachOf each, const std::string& lost);

/// schemas/whatif-report.schema.json, streamed.
void write_whatif_json(std::ostream& out, const placement::Scenario& scenario, const study::Comparison& comparison);

}  // namespace bayplan::report
