#pragma once
#include <span>
#include <string_view>
#include <vector>

#include "importers/cloudformation_template.hpp"
#include "importers/subject.hpp"
#include "shape/request_schemas.hpp"

namespace bayplan::importers {

/// The schema by which the members of a subject are spelled.
const Lazy<shape::Schema>& schema_of(SubjectKind kind, const shape::RequestSchemas& schemas);

/// "AWS::ECS::TaskDefinition" and the other types of resources that are read, and what each is.
struct ResourceType {
  std::string_view name;
  SubjectKind kind;
};
std::span<const ResourceType> cloudformation_types();

/// The task definitions, services and other resources of ECS in a template, in its order. What its conditions leave out
/// is not among them, nor is what a macro makes.
std::vector<Subject> subjects_of_template(const text::Document& document, const ParameterValues& parameters,
                                          const shape::RequestSchemas& schemas,
                                          const ParameterNames& set_by_deployment = {});

}  // namespace bayplan::importers
