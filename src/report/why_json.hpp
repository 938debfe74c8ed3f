#pragma once
#include <ostream>

#include "study/why.hpp"

namespace bayplan::report {

/// schemas/why-report.schema.json
void write_why_json(std::ostream& out, const study::Why& why);

}  // namespace bayplan::report
