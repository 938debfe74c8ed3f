#pragma once
#include <ostream>

#include "report/schemas.hpp"

namespace bayplan::report {

/// Whether the file that the schema describes may hold values that are filled in later.
bool takes_placeholders(const Schema& schema);

/// Writes the schema for editors and validators: each value may be a placeholder such as `${MEMORY}`, which bayplan
/// does not judge either; bayplan's own keywords and the patterns that not every validator reads are left out.
void write_editor_schema(std::ostream& out, const Schema& schema);

}  // namespace bayplan::report
