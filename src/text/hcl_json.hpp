#pragma once
#include "base/limits.hpp"
#include "text/document.hpp"
#include "text/hcl.hpp"

namespace bayplan::text {

/// Reads Terraform code in JSON (`.tf.json`) as the same tree as that of the native syntax. Strings are templates;
/// spans point into the text, also those of expressions inside of strings. Blocks inside of resources are read as
/// arguments, except for `dynamic`: only the provider knows which is which. Source: the JSON configuration syntax page
/// of Terraform and json/spec.md of hashicorp/hcl, 2026-11. Never fails. `text` must be well-formed UTF-8.
HclFile read_hcl_json(const std::string& text, const Limits& limits = {});

/// Reads values of variables in JSON (`.tfvars.json`): the members of an object as arguments. Strings are literal.
HclFile read_hcl_values_json(const std::string& text, const Limits& limits = {});

}  // namespace bayplan::text
