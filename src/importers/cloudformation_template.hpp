#pragma once
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "text/document.hpp"

namespace bayplan::importers {

/// What the user says of parameters, in place of their defaults. Pseudo parameters (AWS::Region) may be among them.
using ParameterValues = std::map<std::string, std::string, std::less<>>;

/// Names of parameters.
using ParameterNames = std::set<std::string, std::less<>>;

/// A template's sections, by name. Views its document.
class Template {
 public:
  using Section = std::map<std::string_view, text::Value>;

  /// `set_by_deployment`: parameters whose defaults a deployment replaces by values that are not known here. What is
  /// `given` goes before them.
  Template(const text::Document& document, const ParameterValues& given, ParameterNames set_by_deployment = {});

  /// A parameter's value, as CloudFormation would take it.
  struct Parameter {
    std::string_view type;  ///< "String", "CommaDelimitedList" ...
    std::string_view value;
    bool is_default = false;

    bool is_list() const;
  };
  /// Nothing for a parameter without a value, and for one whose value must not be shown or is kept elsewhere.
  std::optional<Parameter> parameter(std::string_view name) const;

  /// What is given for a parameter, else its default, whatever its type makes of it.
  std::string_view text_of_parameter(std::string_view name) const;

  const Section& resources() const { return resources_; }
  const Section& parameters() const { return parameters_; }
  /// Whether a resource or a parameter is called so.
  bool declares(std::string_view name) const { return resources_.contains(name) || parameters_.contains(name); }
  text::Value condition(std::string_view name) const { return found(conditions_, name); }
  text::Value mapping(std::string_view name) const { return found(mappings_, name); }
  /// "AWS::ECS::Service"; empty when there is no such resource.
  std::string_view type_of(std::string_view logical_id) const;

 private:
  static text::Value found(const Section& section, std::string_view name);

  text::Value default_of(std::string_view name) const;

  const ParameterValues& given_;
  ParameterNames set_by_deployment_;
  Section parameters_;
  Section mappings_;
  Section conditions_;
  Section resources_;
};

/// An object with `Resources`.
bool is_cloudformation(text::Value root);
/// One that says nothing yet: it names its version or `Resources`, and there are none.
bool is_empty_template(text::Value root);
/// A template that the AWS CDK wrote: its resources carry the paths of their constructs.
bool is_cdk(text::Value root);
/// Whether a resource of this type is one of ECS, or may start tasks.
bool is_ecs_type(std::string_view type);
/// Whether a resource is one that is linted.
bool has_ecs_resources(text::Value root);

/// A value of the user's that no deployment of the template takes.
struct RefusedParameter {
  std::string name;
  std::string value;
  std::vector<std::string_view> allowed;
};
struct ParameterCheck {
  std::vector<std::string> declared;  ///< The given parameters that the template declares.
  std::vector<RefusedParameter> refused;
};
ParameterCheck check_parameters(text::Value root, const ParameterValues& given);

}  // namespace bayplan::importers
