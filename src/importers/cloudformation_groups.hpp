#pragma once
#include "importers/cloudformation_template.hpp"
#include "importers/instance_groups.hpp"
#include "text/document.hpp"

namespace bayplan::importers {

/// The clusters, capacity providers and instances of a template: Auto Scaling groups with their launch templates or
/// launch configurations, and EC2 instances. What a condition leaves out is not among them.
Infrastructure infrastructure_of_template(const text::Document& document, const ParameterValues& parameters);

}  // namespace bayplan::importers
