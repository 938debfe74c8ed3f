#pragma once
#include <iosfwd>
#include <string_view>
#include <vector>

#include "base/result.hpp"

namespace bayplan::report {

/// The report `bayplan/error-report/1` (schemas/error-report.schema.json): what `command` could not answer for, in
/// place of its own report.
void write_error_report(std::ostream& out, std::string_view command, const std::vector<Error>& errors);

}  // namespace bayplan::report
