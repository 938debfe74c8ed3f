#pragma once
#include "base/limits.hpp"
#include "importers/subject_builder.hpp"
#include "shape/schema.hpp"

namespace bayplan::importers {

/// Derives containerDefinitions from the JSON inside `string`, as the provider's decoder (Go's encoding/json) reads it:
/// keys in any case, null as absent, empty members of lists left out. Faults of that JSON become faults of the subject.
/// Spans lead through both layers of escapes to the place in the plan.
void read_container_definitions(text::Value string, const shape::Schema& task_definition, const Limits& limits,
                                SubjectBuilder& builder);

}  // namespace bayplan::importers
