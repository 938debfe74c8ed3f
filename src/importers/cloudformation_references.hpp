#pragma once
#include <string_view>
#include <vector>

#include "importers/cloudformation_template.hpp"
#include "text/document.hpp"

namespace bayplan::importers {

/// Whether the document declares all names that it may refer to: no macro, include, module or template language adds
/// resources or parameters, and it is not a fragment that another tool completes.
bool is_self_contained(const text::Document& document);

/// The names that the expression `value` refers to with Ref, Fn::GetAtt or Fn::Sub and that are neither a resource nor
/// a parameter of the template, in text order. Pseudo parameters (AWS::Region) are not among them.
std::vector<std::string_view> undeclared_names(const Template& of, text::Value value);

}  // namespace bayplan::importers
