#pragma once
#include "importers/cloudformation_evaluator.hpp"
#include "importers/subject.hpp"
#include "shape/schema.hpp"

namespace bayplan::importers {

/// The properties of a resource as ECS will get them: keys in ECS's spelling, what is known in place of intrinsic
/// functions, and every scalar of the type that the schema wants, as CloudFormation converts it. Nothing when a macro
/// makes the properties.
std::optional<Subject> definition_from(text::Value properties, SubjectKind kind, const shape::Schema& schema,
                                       const Template& of, Evaluator& evaluator);

}  // namespace bayplan::importers
