#include "importers/missing_parameters.hpp"

#include <algorithm>

#include "base/strings.hpp"
#include "importers/cloudformation_expression.hpp"

namespace bayplan::importers {

using text::Value;

MissingParameters::MissingParameters(const Template& of, const text::Document& document) : template_(of) {
  const Value declared = document.root().find("Parameters");
  if (!declared || !declared.is_object()) return;
  for (const Value one : declared.children()) {
    if (is_missing(one)) missing_.insert(one.key());
  }
}

std::string MissingParameters::help(Value value) {
  names_.clear();
  steps_ = 0;
  visit(value);
  std::string text;
  for (const auto name : names_) text += (text.empty() ? "--param " : " --param ") + std::string(name) + "=VALUE";
  return text;
}

bool MissingParameters::is_missing(Value parameter) const {
  const Value type = parameter.is_object() ? parameter.find("Type") : Value();
  if (type && type.text().starts_with("AWS::SSM::")) return false;
  const auto known = template_.parameter(parameter.key());
  return !known || (known->is_default && known->value.empty());
}

void MissingParameters::visit(Value value) {
  constexpr int kMaxSteps = 500;
  if (!value || ++steps_ > kMaxSteps) return;
  const auto expression = expression_in(value);
  if (expression && expression->is("If") && expression->argument.is_array())
    visit_condition(expression->argument.at(0));
  if (value.is_object() || value.is_array()) {
    for (const Value child : value.children()) visit(child);
  } else if (expression && expression->is("Ref")) {
    add(value.text());
  } else {
    visit_text(value.text());
  }
  if (value.key() == "Ref") add(value.text());
}

void MissingParameters::visit_condition(Value name) {
  if (name) visit(template_.condition(name.text()));
}

/// `${X}` of Fn::Sub.
void MissingParameters::visit_text(std::string_view text) {
  for (auto at = text.find("${"); at != std::string_view::npos; at = text.find("${", at + 2)) {
    const auto end = text.find('}', at);
    if (end == std::string_view::npos) return;
    add(trim(text.substr(at + 2, end - at - 2)));
  }
}

void MissingParameters::add(std::string_view name) {
  if (missing_.contains(name) && std::find(names_.begin(), names_.end(), name) == names_.end())
    names_.push_back(*missing_.find(name));
}

}  // namespace bayplan::importers
