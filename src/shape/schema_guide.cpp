#include "shape/schema_guide.hpp"

#include <algorithm>

#include "base/strings.hpp"
#include "text/read.hpp"

namespace bayplan::shape {
namespace {

using text::Value;

constexpr std::string_view kDefinitionReference = "#/$defs/";
constexpr std::size_t kMaxSaid = 64;  ///< A guard against schemas that refer to themselves.

std::vector<std::string_view> list_types(const SchemaObjects& said) {
  std::vector<std::string_view> types;
  const auto add = [&](Value type) {
    if (type.is_string() && std::find(types.begin(), types.end(), type.text()) == types.end()) {
      types.push_back(type.text());
    }
  };
  for (const Value schema : said) {
    const Value type = schema.find("type");
    if (!type) continue;
    if (type.is_array()) {
      for (const Value one : type.children()) add(one);
    } else {
      add(type);
    }
  }
  return types;
}

std::string_view keyword(const SchemaObjects& said, std::string_view name) {
  for (const Value schema : said) {
    if (const Value value = schema.find(name)) return value.text();
  }
  return {};
}

std::string bounds(const SchemaObjects& said, std::string_view least, std::string_view most, std::string_view unit) {
  const auto from = keyword(said, least);
  const auto to = keyword(said, most);
  if (from.empty() && to.empty()) return {};
  if (from == "-2147483648" && to == "2147483647") return {};  // of any integer: rules know the real range
  const bool is_one = (to.empty() ? from : to) == "1";
  const std::string of_what = unit.empty() ? "" : " " + std::string(unit.substr(0, unit.size() - (is_one ? 1 : 0)));
  if (to.empty()) return ", " + std::string(from) + of_what + " at least";
  if (from.empty()) return ", " + std::string(to) + of_what + " at most";
  return ", " + std::string(from) + " to " + std::string(to) + of_what;
}

std::string list_type(const SchemaObjects& said, const SchemaGuide& guide) {
  const auto inner = list_types(guide.elements(said));
  if (inner.size() != 1) return "list";
  return "list of " + std::string(inner.front()) + "s";
}

}  // namespace

SchemaGuide::SchemaGuide(std::string_view schema)
    : document_(text::read_document(std::string(schema), {.format = text::Format::kJson})) {}

void SchemaGuide::add(Value schema, SchemaObjects& said) const {
  if (!schema || !schema.is_object() || said.size() >= kMaxSaid) return;
  said.push_back(schema);
  if (const Value reference = schema.find("$ref"); reference && reference.text().starts_with(kDefinitionReference)) {
    add(document_->root().find("$defs").find(reference.text().substr(kDefinitionReference.size())), said);
  }
  for (const char* const choices : {"anyOf", "oneOf"}) {
    const Value list = schema.find(choices);
    if (!list) continue;
    for (const Value choice : list.children()) add(choice, said);
  }
}

SchemaObjects SchemaGuide::root() const {
  SchemaObjects said;
  add(document_->root(), said);
  return said;
}

SchemaObjects SchemaGuide::definition(std::string_view name) const {
  SchemaObjects said;
  add(document_->root().find("$defs").find(name), said);
  return said;
}

SchemaObjects SchemaGuide::member(const SchemaObjects& said, std::string_view key) const {
  SchemaObjects found;
  for (const Value schema : said) {
    const Value named = schema.find("properties").find(key);
    add(named ? named : schema.find("additionalProperties"), found);
  }
  return found;
}

SchemaObjects SchemaGuide::elements(const SchemaObjects& said) const {
  SchemaObjects found;
  for (const Value schema : said) add(schema.find("items"), found);
  return found;
}

SchemaObjects SchemaGuide::at(const Path& path) const {
  SchemaObjects said = root();
  for (const auto& step : path) said = this->step(said, step);
  return said;
}

SchemaObjects SchemaGuide::step(const SchemaObjects& said, const PathStep& step) const {
  return step.is_element ? elements(said) : member(said, step.key);
}

std::vector<Property> SchemaGuide::properties(const SchemaObjects& said) const {
  std::vector<Property> found;
  for (const Value schema : said) {
    const Value properties = schema.find("properties");
    if (!properties) continue;
    const Value required = schema.find("required");
    for (const Value member : properties.children()) {
      const auto name = member.key();
      const auto is_same = [&](const Property& one) { return one.name == name; };
      if (std::any_of(found.begin(), found.end(), is_same)) continue;
      Property property{.name = std::string(name), .said = {}};
      add(member, property.said);
      if (required) {
        const auto all = required.children();
        property.is_required = std::any_of(all.begin(), all.end(), [&](Value one) { return one.text() == name; });
      }
      found.push_back(std::move(property));
    }
  }
  return found;
}

bool SchemaGuide::has_property(std::string_view name) const {
  return bool(document_->root().find("properties").find(name));
}

std::string_view description_of(const SchemaObjects& said) {
  return keyword(said, "description");
}

std::string_view title_of(const SchemaObjects& said) {
  return keyword(said, "title");
}

std::vector<std::string> list_values(const SchemaObjects& said) {
  std::vector<std::string> values;
  for (const Value schema : said) {
    if (const Value list = schema.find("enum")) {
      for (const Value one : list.children()) values.emplace_back(one.text());
    }
    if (const Value constant = schema.find("const")) values.emplace_back(constant.text());
  }
  if (takes(said, "boolean")) values.insert(values.end(), {"true", "false"});
  return values;
}

bool takes(const SchemaObjects& said, std::string_view type) {
  const auto types = list_types(said);
  return std::find(types.begin(), types.end(), type) != types.end();
}

bool is_deprecated(const SchemaObjects& said) {
  return keyword(said, "deprecated") == "true";
}

std::string limits_of(const SchemaObjects& said, const SchemaGuide& guide) {
  std::vector<std::string> names;
  for (const auto type : list_types(said)) {
    names.push_back(type == "array" ? list_type(said, guide) : std::string(type));
  }
  std::string text = join(names, " or ");
  text += bounds(said, "minimum", "maximum", "");
  text += bounds(said, "minItems", "maxItems", "elements");
  text += bounds(said, "minLength", "maxLength", "characters");
  const auto values = list_values(said);
  if (!values.empty() && !takes(said, "boolean")) text += ", one of " + join(values, ", ");
  return text;
}

}  // namespace bayplan::shape
