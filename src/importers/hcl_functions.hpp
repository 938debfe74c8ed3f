#pragma once
#include <string_view>
#include <vector>

#include "importers/hcl_value.hpp"

namespace bayplan::importers {

/// What a function of Terraform makes of its arguments; null if that is not known: a function that is not among those
/// that are evaluated, an argument that is not known, or arguments that Terraform refuses. Functions that read files
/// are not among them. Source: developer.hashicorp.com/terraform/language/functions, 2026-11.
HclValuePtr call_hcl_function(std::string_view name, const std::vector<HclValuePtr>& arguments);

/// Converts the elements of a list, set or map to one type, as Terraform does for `list(any)` and `tolist`: a number or
/// boolean beside a string becomes a string, also inside objects and lists. Beside an unknown value, whose type
/// decides, it becomes unknown.
HclValuePtr with_one_element_type(HclValuePtr collection);

}  // namespace bayplan::importers
