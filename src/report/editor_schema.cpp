#include "report/editor_schema.hpp"

#include <algorithm>

#include "base/json_writer.hpp"
#include "rules/file/shape_findings.hpp"
#include "text/read.hpp"

namespace bayplan::report {
namespace {

using Layout = JsonWriter::Layout;
using text::Value;

/// What model::Placeholders finds, in the syntax that JavaScript, Java and Python share.
constexpr std::string_view kPlaceholder =
    R"(\$\{[^}]+\}|\$\([^)]+\)|(^|[^$\\])\$[A-Za-z_]|\{\{.+?\}\}|\{%.+?%\}|#\{.+?\}#|#\{[A-Za-z_][\w.-]*\}|<%.+?%>|<\+.+?>|<[A-Za-z_][\w .-]*>)"
    R"(|%[A-Za-z_]\w*%|\b__\w+__\b|\b(REPLACE_?ME|CHANGE_?ME|(YOUR_)?(AWS_)?ACCOUNT_ID)\b|^REPLACE_[A-Z0-9_]+$)"
    R"(|^(\[\[?[A-Za-z_][\w. -]*\]?\]|\{[A-Za-z_][\w.-]*\}|\(\([\w.-]+\)\)|[%@]\{[\w.-]+\}|%\([\w.-]+\)s|\$\[[\w.-]+\]|##\w+##|\$\$\w+\$\$)$)";
constexpr std::string_view kPlaceholderKey = R"(^(\$\{.+\}|\{\{.+\}\})$)";

bool is_among(std::string_view key, std::initializer_list<std::string_view> keys) {
  return std::find(keys.begin(), keys.end(), key) != keys.end();
}

/// Says something to the reader and nothing of the value.
bool is_annotation(std::string_view key) {
  return is_among(key, {"$schema", "$id", "$comment", "title", "description", "deprecated"});
}

/// Validators built on Python refuse classes of Unicode, so that the rule of bayplan alone judges these.
bool is_left_out(Value keyword) {
  const bool is_pattern = keyword.key() == "pattern";
  return keyword.key().starts_with("x-") || (is_pattern && keyword.text().find("\\p{") != std::string_view::npos);
}

/// A text without limits takes a placeholder as it is.
bool is_free_text(Value schema) {
  const Value type = schema.find("type");
  const auto limits = {"enum", "const", "pattern", "minLength", "maxLength"};
  return type && type.is_string() && type.text() == "string" &&
         std::none_of(limits.begin(), limits.end(), [&](const char* limit) { return schema.find(limit); });
}

void write_assertions(JsonWriter& json, Value definitions, Value schema);

void write_whole(JsonWriter& json, Value definitions, Value schema);

void write_copy(JsonWriter& json, Value value) {
  if (!value.key().empty()) json.key(value.key());
  if (value.is_array()) {
    json.begin_array(Layout::kLine);
    for (const Value element : value.children()) write_copy(json, element);
    json.end_array();
  } else if (const auto number = value.integer()) {
    json.value(*number);
  } else if (const auto flag = value.boolean()) {
    json.value(*flag);
  } else {
    json.value(value.text());
  }
}

void write_annotations(JsonWriter& json, Value schema) {
  for (const Value keyword : schema.children()) {
    if (is_annotation(keyword.key())) write_copy(json, keyword);
  }
}

void write_placeholder(JsonWriter& json) {
  json.begin_object(Layout::kLine).member("$ref", "#/$defs/Placeholder").end_object();
}

/// Editors propose the values of enums from here.
void write_one_of_two(JsonWriter& json, Value definitions, Value schema) {
  json.key("anyOf").begin_array();
  json.begin_object(Layout::kLine);
  write_assertions(json, definitions, schema);
  json.end_object();
  write_placeholder(json);
  if (schema.find("enum") && rules::is_absent_when_empty(schema.key())) {
    json.begin_object(Layout::kLine).member("const", "").end_object();
  }
  json.end_array();
}

/// Every validator then names the place inside that is wrong, where of an anyOf it would name the whole.
void write_by_type(JsonWriter& json, Value definitions, Value schema) {
  json.key("if").begin_object(Layout::kLine).member("type", "string").end_object();
  json.key("then");
  write_placeholder(json);
  json.key("else").begin_object(schema.find("$ref") ? Layout::kLine : Layout::kBlock);
  write_assertions(json, definitions, schema);
  json.end_object();
}

std::string_view type_of(Value definitions, Value schema) {
  constexpr std::string_view kDefinitions = "#/$defs/";
  if (const Value reference = schema.find("$ref")) {
    schema = definitions.find(reference.text().substr(kDefinitions.size()));
  }
  const Value type = schema.find("type");
  return type ? type.text() : std::string_view();
}

void write_or_placeholder(JsonWriter& json, Value definitions, Value schema) {
  if (is_free_text(schema)) return write_whole(json, definitions, schema);
  json.begin_object();
  write_annotations(json, schema);
  const auto type = type_of(definitions, schema);
  type == "object" || type == "array" ? write_by_type(json, definitions, schema)
                                      : write_one_of_two(json, definitions, schema);
  json.end_object();
}

void write_any_placeholder_key(JsonWriter& json) {
  json.key("patternProperties").begin_object(Layout::kLine).key(kPlaceholderKey);
  json.begin_object(Layout::kLine).end_object().end_object();
}

void write_assertion(JsonWriter& json, Value definitions, Value keyword) {
  const auto name = keyword.key();
  if (name == "properties") {
    json.key(name).begin_object();
    for (const Value member : keyword.children()) {
      json.key(member.key());
      write_or_placeholder(json, definitions, member);
    }
    json.end_object();
  } else if (is_among(name, {"items", "additionalProperties"}) && keyword.is_object()) {
    json.key(name);
    write_or_placeholder(json, definitions, keyword);
  } else if (is_among(name, {"anyOf", "oneOf"})) {
    json.key(name).begin_array();
    for (const Value choice : keyword.children()) write_whole(json, definitions, choice);
    json.end_array();
  } else {
    write_copy(json, keyword);
    if (name == "additionalProperties") write_any_placeholder_key(json);
  }
}

void write_assertions(JsonWriter& json, Value definitions, Value schema) {
  for (const Value keyword : schema.children()) {
    if (!is_annotation(keyword.key()) && keyword.key() != "$defs" && !is_left_out(keyword))
      write_assertion(json, definitions, keyword);
  }
}

void write_whole(JsonWriter& json, Value definitions, Value schema) {
  json.begin_object();
  write_annotations(json, schema);
  write_assertions(json, definitions, schema);
  json.end_object();
}

}  // namespace

bool takes_placeholders(const Schema& schema) {
  return is_among(schema.name, {"task-definition", "service", "run-task"});
}

void write_editor_schema(std::ostream& out, const Schema& schema) {
  const auto document = text::read_document(std::string(schema.text), {.format = text::Format::kJson});
  const Value root = document->root();
  const Value definitions = root.find("$defs");
  JsonWriter json(out);
  json.begin_object();
  write_annotations(json, root);
  write_assertions(json, definitions, root);
  json.key("$defs").begin_object();
  for (const Value definition : definitions.children()) {
    json.key(definition.key());
    write_whole(json, definitions, definition);
  }
  json.key("Placeholder")
      .begin_object()
      .member("description", "A value that is filled in later; bayplan does not judge it.")
      .member("type", "string")
      .member("pattern", kPlaceholder)
      .end_object();
  json.end_object().end_object().finish();
}

}  // namespace bayplan::report
