#pragma once
#include <optional>
#include <string>
#include <string_view>

#include "importers/cloudformation_evaluator.hpp"
#include "importers/cloudformation_template.hpp"

namespace bayplan::importers {

/// The actions that policies of the template allow a role of it, as they are written ("s3:Get*"), separated by blanks.
/// Nothing if one of its policies is not known. Denials, resources and conditions are not read, so that an action that
/// is not among them is surely not allowed by the template.
std::optional<std::string> allowed_actions(const Template& of, Evaluator& evaluator, std::string_view role);

}  // namespace bayplan::importers
