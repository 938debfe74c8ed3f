#pragma once
#include <vector>

#include "base/lazy.hpp"
#include "importers/cloudformation_template.hpp"
#include "importers/subject.hpp"
#include "shape/schema.hpp"

namespace bayplan::importers {

/// The task definitions and services of a template, in its order. What its conditions leave out is not among them, nor
/// is what a macro makes.
std::vector<Subject> subjects_of_template(const text::Document& document, const ParameterValues& parameters,
                                          const Lazy<shape::Schema>& task_definition,
                                          const Lazy<shape::Schema>& service);

}  // namespace bayplan::importers
