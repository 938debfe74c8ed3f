#pragma once
#include <ostream>

#include "report/repack_words.hpp"

namespace bayplan::report {

/// schemas/repack-report.schema.json
void write_repack_json(std::ostream& out, const RepackReport& report);

}  // namespace bayplan::report
