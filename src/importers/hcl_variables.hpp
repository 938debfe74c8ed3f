#pragma once
#include <map>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "base/files.hpp"
#include "base/limits.hpp"
#include "base/result.hpp"
#include "importers/hcl_folder.hpp"
#include "importers/hcl_value.hpp"
#include "text/hcl.hpp"

namespace bayplan::importers {

/// Values that whoever runs Terraform gives the variables of the root module.
struct GivenVariables {
  std::map<std::string, std::string, std::less<>> texts = {};  ///< As `terraform -var` takes them.
  std::vector<std::shared_ptr<const HclSource>> files = {};    ///< As `-var-file` takes them: the last one wins.
};

/// What a root module made of the given values.
struct VariableUse {
  std::set<std::string, std::less<>> declared = {};  ///< Given variables that the module declares.
  std::vector<Error> refused = {};                   ///< Values that Terraform rejects.
};

/// Reads a file of values for `GivenVariables`: `.tfvars`, or JSON if the name ends in `.json`. The first syntax error
/// is the error.
Result<std::shared_ptr<const HclSource>> read_variable_file(const Files& files, const std::string& path,
                                                            const Limits& limits);

/// Errors for --var and --var-file that nothing takes. Terraform rejects a value on its command line that no variable
/// takes, and only warns of one in a file. `declared`: the given variables that some code declares; `has_code`: whether
/// there is code.
std::vector<Error> find_unused_variables(const GivenVariables& given,
                                         const std::set<std::string, std::less<>>& declared, bool has_code);

/// Whether Terraform takes a text on its command line for a variable of this type literally, not as an expression.
/// `type`: null without a type. Source: language documentation, values/variables, "Variables on the Command Line".
bool is_literal_type(const text::HclExpression* type);

/// Why Terraform cannot convert a value to the type, in its words: "a number is required". Empty if it can, or if that
/// is not known. Source: its conversion rules, language/expressions/type-constraints, 2026-11.
std::string why_not_of_type(const HclValue& value, const text::HclExpression& type);

}  // namespace bayplan::importers
