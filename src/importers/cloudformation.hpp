#pragma once
#include <vector>

#include "base/lazy.hpp"
#include "importers/cloudformation_template.hpp"
#include "importers/subject.hpp"
#include "shape/schema.hpp"

namespace bayplan::importers {

/// The schemas by which the members of each kind of subject are spelled.
struct TemplateSchemas {
  const Lazy<shape::Schema>& task_definition;
  const Lazy<shape::Schema>& service;
  const Lazy<shape::Schema>& capacity_provider;

  const shape::Schema& of(SubjectKind kind) const {
    if (kind == SubjectKind::kService) return service.get();
    return kind == SubjectKind::kCapacityProvider ? capacity_provider.get() : task_definition.get();
  }
};

/// The task definitions, services and capacity providers of a template, in its order. What its conditions leave out is
/// not among them, nor is what a macro makes.
std::vector<Subject> subjects_of_template(const text::Document& document, const ParameterValues& parameters,
                                          const TemplateSchemas& schemas);

}  // namespace bayplan::importers
