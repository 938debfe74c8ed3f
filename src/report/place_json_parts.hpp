#pragma once
#include "base/json_writer.hpp"
#include "placement/checks.hpp"

/// Members that the JSON reports of `place` and `why` have in common.
namespace bayplan::report {

/// "shortfall": only what is lacking has a member.
void write_shortfall(JsonWriter& json, const placement::Shortfall& lacking);

}  // namespace bayplan::report
