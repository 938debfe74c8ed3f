#include "importers/parameter_use.hpp"

#include <algorithm>

#include <fmt/core.h>

#include "base/edit_distance.hpp"
#include "base/strings.hpp"

namespace bayplan::importers {

std::vector<Error> note_template(ParameterUse& use, const std::string& path, text::Value root,
                                 const ParameterValues& given) {
  if (std::find(use.templates.begin(), use.templates.end(), path) == use.templates.end()) use.templates.push_back(path);
  const text::Value declared = root.find("Parameters");
  if (declared && declared.is_object()) {
    for (const text::Value one : declared.children()) use.known_parameters.emplace(one.key());
  }
  const auto check = check_parameters(root, given);
  use.known_parameters.insert(check.declared.begin(), check.declared.end());
  std::vector<Error> errors;
  for (const auto& one : check.refused) {
    errors.push_back(
        {.message = fmt::format("--param {}={}: the template does not allow this value", one.name, one.value),
         .file = path,
         .help = "AllowedValues are " + one_of(one.allowed, "and")});
  }
  return errors;
}

std::vector<Error> find_unused_parameters(const ParameterUse& use, const ParameterValues& given,
                                          std::string_view what) {
  std::vector<Error> errors;
  if (use.templates.empty() && !given.empty()) {
    errors.push_back({.message = fmt::format("--param {}: {} a CloudFormation template", given.begin()->first, what),
                      .help = "a plan of Terraform is made with its variables: terraform plan -var NAME=VALUE"});
    return errors;
  }
  const std::vector<std::string_view> names(use.known_parameters.begin(), use.known_parameters.end());
  const bool is_one = use.templates.size() == 1;
  for (const auto& [name, value] : given) {
    if (use.known_parameters.contains(name)) continue;
    const auto near = nearest(name, names);
    errors.push_back(
        {.message = fmt::format("--param {}: {}", name,
                                is_one ? "the template has no such parameter" : "no template has such a parameter"),
         .file = is_one ? use.templates.front() : std::string(),
         .help = near            ? fmt::format("did you mean {}?", *near)
                 : names.empty() ? "it has no parameters"
                                 : "its parameters are " + one_of(names, "and")});
  }
  return errors;
}

}  // namespace bayplan::importers
