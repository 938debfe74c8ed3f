#include "importers/cloudformation_references.hpp"

#include <algorithm>
#include <optional>

#include "base/ascii.hpp"
#include "base/strings.hpp"
#include "importers/cloudformation_expression.hpp"
#include "importers/members.hpp"

namespace bayplan::importers {
namespace {

using text::Value;

/// Statements of Jinja, ERB and the like. "{{resolve:ssm:name}}" is a dynamic reference of CloudFormation.
bool has_statements(std::string_view source) {
  constexpr std::string_view kResolve = "{{resolve:";
  for (const std::string_view mark : {"{%", "<%", "{{"}) {
    for (auto at = source.find(mark); at != std::string_view::npos; at = source.find(mark, at + mark.size())) {
      if (!source.substr(at).starts_with(kResolve)) return true;
    }
  }
  return false;
}

/// Logical IDs and parameter names are alphanumeric; other text is a placeholder or refers into a module.
bool may_be_logical_id(std::string_view name) {
  return !name.empty() && std::all_of(name.begin(), name.end(), [](char c) { return is_letter(c) || is_digit(c); });
}

/// Collects the names that an expression refers to.
class ReferenceReader {
 public:
  explicit ReferenceReader(const Template& of) : template_(of) {}

  void read(Value value) {
    if (!value) return;
    if (const auto expression = expression_in(value)) {
      if (expression->is("Ref")) return add(expression->argument.text());
      if (expression->is("GetAtt")) return read_get_att(expression->argument);
      if (expression->is("Sub")) return read_sub(expression->argument);
    }
    for (const Value child : value.children()) read(child);
  }

  std::vector<std::string_view> names() && { return std::move(names_); }

 private:
  void read_get_att(Value argument) {
    const Value name = argument.is_array() ? argument.at(0) : argument;
    if (is_scalar(name)) add(name.text().substr(0, name.text().find('.')));
  }

  void read_sub(Value argument) {
    const Value text = argument.is_array() ? argument.at(0) : argument;
    const Value variables = argument.is_array() ? argument.at(1) : Value();
    if (!is_scalar(text)) return;
    const std::string_view words = text.text();
    for (auto at = words.find("${"); at != std::string_view::npos; at = words.find("${", at + 2)) {
      const auto end = words.find('}', at);
      if (end == std::string_view::npos) break;
      const std::string_view name = trim(words.substr(at + 2, end - at - 2));
      if (!variables || !variables.is_object() || !variables.find(name)) add(name.substr(0, name.find('.')));
    }
    if (variables && variables.is_object()) {
      for (const Value variable : variables.children()) read(variable);
    }
  }

  void add(std::string_view name) {
    const bool is_known = std::find(names_.begin(), names_.end(), name) != names_.end();
    if (may_be_logical_id(name) && !is_known && !template_.declares(name)) names_.push_back(name);
  }

  const Template& template_;
  std::vector<std::string_view> names_;
};

}  // namespace

bool is_self_contained(const text::Document& document) {
  const Value root = document.root();
  if (!root.find("AWSTemplateFormatVersion") && !root.find("Parameters")) return false;
  if (root.find("Transform")) return false;
  const std::string_view source = document.source();
  if (source.find("Fn::Transform") != std::string_view::npos || has_statements(source)) return false;
  const Value resources = root.find("Resources");
  const auto members = resources.children();
  return !has_macro(resources) && std::none_of(members.begin(), members.end(), [](Value resource) {
    return text_of(resource, "Type").ends_with("::MODULE");
  });
}

std::vector<std::string_view> undeclared_names(const Template& of, Value value) {
  ReferenceReader reader(of);
  reader.read(value);
  return std::move(reader).names();
}

}  // namespace bayplan::importers
