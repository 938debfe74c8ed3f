#pragma once
#include <set>
#include <string>
#include <vector>

#include "base/result.hpp"
#include "importers/cloudformation_template.hpp"
#include "text/document.hpp"

namespace bayplan::importers {

/// What the templates of one run make of --param.
struct ParameterUse {
  std::vector<std::string> templates;                   ///< Their paths, in the order of reading.
  std::set<std::string, std::less<>> known_parameters;  ///< Parameters that one of them declares.
};

/// Takes note of a template; errors for the values that it does not allow.
std::vector<Error> note_template(ParameterUse& use, const std::string& path, text::Value root,
                                 const ParameterValues& given);

/// Errors for what is given and no template has; `what` says that nothing is a template: "the cluster is
/// not".
std::vector<Error> find_unused_parameters(const ParameterUse& use, const ParameterValues& given, std::string_view what);

}  // namespace bayplan::importers
