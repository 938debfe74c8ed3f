#pragma once
#include <vector>

#include "importers/cloudformation_template.hpp"
#include "importers/subject.hpp"
#include "shape/request_schemas.hpp"

namespace bayplan::importers {

/// The schema by which the members of a subject are spelled.
const Lazy<shape::Schema>& schema_of(SubjectKind kind, const shape::RequestSchemas& schemas);

/// The task definitions, services and other resources of ECS in a template, in its order. What its conditions leave out
/// is not among them, nor is what a macro makes.
std::vector<Subject> subjects_of_template(const text::Document& document, const ParameterValues& parameters,
                                          const shape::RequestSchemas& schemas);

}  // namespace bayplan::importers
