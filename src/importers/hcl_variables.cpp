#include "importers/hcl_variables.hpp"

#include <algorithm>
#include <string_view>
#include <utility>

#include <fmt/core.h>

#include "text/location.hpp"

namespace bayplan::importers {

Result<std::shared_ptr<const HclSource>> read_variable_file(const Files& files, const std::string& path,
                                                            const Limits& limits) {
  auto bytes = files.read(path, limits.definition_bytes);
  if (!bytes) return bytes.error();
  // Terraform decides by the end of the name, too; without one, a file is in its own syntax.
  const bool is_json = path.ends_with(".json");
  HclSource source = parse_hcl(is_json ? "values.tfvars.json" : "values.tfvars", std::move(*bytes), limits);
  source.name = path;
  const auto place_of = [&](Span span) { return text::LineIndex(*source.text).location(span.begin); };
  const auto& faults = source.text_faults.empty() ? source.file.faults : source.text_faults;
  if (!faults.empty()) {
    const auto place = place_of(faults.front().span);
    return Error{faults.front().message, path, place.line, place.column, faults.front().help};
  }
  if (!source.file.body.blocks.empty()) {
    const auto place = place_of(source.file.body.blocks.front().header);
    return Error{"block in a file of variables", path, place.line, place.column, "write NAME = VALUE"};
  }
  return std::make_shared<const HclSource>(std::move(source));
}

std::vector<Error> find_unused_variables(const GivenVariables& given,
                                         const std::set<std::string, std::less<>>& declared, bool has_code) {
  std::vector<Error> errors;
  const std::string help = "remove it; --param sets parameters of CloudFormation templates";
  for (const auto& [name, text] : given.texts) {
    if (declared.contains(name)) continue;
    errors.push_back(
        has_code
            ? Error{.message = fmt::format("--var {}: the Terraform code declares no such variable", name)}
            : Error{.message = fmt::format("--var {} has no effect: nothing is Terraform code", name), .help = help});
  }
  if (!has_code && errors.empty() && !given.files.empty())
    errors.push_back({.message = "--var-file has no effect: nothing is Terraform code", .help = help});
  return errors;
}

namespace {

/// The name of a type without arguments, also of one in quotes, as Terraform before 0.12 wrote it.
std::string_view plain_type(const text::HclExpression& type) {
  if (type.kind == text::HclExpression::Kind::kName) return type.text;
  const bool is_quoted = type.kind == text::HclExpression::Kind::kTemplate && type.parts.size() == 1;
  return is_quoted ? std::string_view(type.parts[0].text) : std::string_view();
}

bool may_be_number(const HclValue& value) {
  if (value.is(HclValue::Kind::kNumber)) return true;
  constexpr std::string_view kInNumbers = "0123456789.eE+-";
  return value.is(HclValue::Kind::kString) && !value.text.empty() &&
         value.text.find_first_not_of(kInNumbers) == std::string::npos;
}

bool may_be_boolean(const HclValue& value) {
  if (value.is(HclValue::Kind::kBoolean)) return true;
  return value.is(HclValue::Kind::kString) &&
         (value.text == "true" || value.text == "false" || value.text == "1" || value.text == "0");
}

}  // namespace

bool is_literal_type(const text::HclExpression* type) {
  if (type == nullptr) return true;
  const auto name = plain_type(*type);
  return name == "string" || name == "number" || name == "bool";
}

std::string why_not_of_type(const HclValue& value, const text::HclExpression& type) {
  if (value.is(HclValue::Kind::kNull) || value.is(HclValue::Kind::kUnknown) || !value.is_whole) return {};
  const bool is_collection = value.is(HclValue::Kind::kList) || value.is(HclValue::Kind::kObject);
  const auto name = plain_type(type);
  if (name == "number") return may_be_number(value) ? "" : "a number is required";
  if (name == "bool") return may_be_boolean(value) ? "" : "a bool is required";
  if (name == "string") return is_collection ? "a string is required" : "";
  if (type.kind != text::HclExpression::Kind::kCall || type.children.empty()) return {};
  const text::HclExpression& inner = type.children[0];
  if (type.text == "optional") return why_not_of_type(value, inner);
  const bool is_list = type.text == "list" || type.text == "set";
  if (is_list && !value.is(HclValue::Kind::kList)) return fmt::format("a {} is required", type.text);
  if (type.text == "map" && !value.is(HclValue::Kind::kObject)) return "a map is required";
  if (is_list || type.text == "map") {
    for (const auto& member : value.members) {
      if (auto why = why_not_of_type(*member.value, inner); !why.empty())
        return is_list ? "element: " + why : fmt::format("element \"{}\": {}", member.key, why);
    }
    return {};
  }
  if (type.text != "object" || inner.kind != text::HclExpression::Kind::kObject) return {};
  if (!value.is(HclValue::Kind::kObject)) return "an object is required";
  for (std::size_t i = 0; i + 1 < inner.children.size(); i += 2) {
    const text::HclExpression& key = inner.children[i];
    const auto attribute = plain_type(key);
    if (attribute.empty()) continue;
    const text::HclExpression& wanted = inner.children[i + 1];
    const bool is_optional = wanted.kind == text::HclExpression::Kind::kCall && wanted.text == "optional";
    const HclValue* member = value.find(attribute);
    if (member == nullptr && !is_optional) return fmt::format("attribute \"{}\" is required", attribute);
    if (member == nullptr) continue;
    if (auto why = why_not_of_type(*member, wanted); !why.empty())
      return fmt::format("attribute \"{}\": {}", attribute, why);
  }
  return {};
}

}  // namespace bayplan::importers
