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

class EditorSchemaWriter {
 public:
  explicit EditorSchemaWriter(std::ostream& out) : json_(out) {}

  void root(Value schema) {
    definitions_ = schema.find("$defs");
    json_.begin_object();
    annotations(schema);
    assertions(schema);
    json_.key("$defs").begin_object();
    for (const Value definition : definitions_.children()) {
      json_.key(definition.key());
      whole(definition);
    }
    json_.key("Placeholder")
        .begin_object()
        .member("description", "A value that is filled in later; bayplan does not judge it.")
        .member("type", "string")
        .member("pattern", kPlaceholder)
        .end_object();
    json_.end_object().end_object().finish();
  }

 private:
  void whole(Value schema) {
    json_.begin_object();
    annotations(schema);
    assertions(schema);
    json_.end_object();
  }

  void or_placeholder(Value schema) {
    if (is_free_text(schema)) return whole(schema);
    json_.begin_object();
    annotations(schema);
    const auto type = type_of(schema);
    type == "object" || type == "array" ? by_type(schema) : one_of_two(schema);
    json_.end_object();
  }

  /// Editors propose the values of enums from here.
  void one_of_two(Value schema) {
    json_.key("anyOf").begin_array();
    json_.begin_object(Layout::kLine);
    assertions(schema);
    json_.end_object();
    placeholder();
    if (schema.find("enum") && rules::is_absent_when_empty(schema.key())) {
      json_.begin_object(Layout::kLine).member("const", "").end_object();
    }
    json_.end_array();
  }

  /// Every validator then names the place inside that is wrong, where of an anyOf it would name the whole.
  void by_type(Value schema) {
    json_.key("if").begin_object(Layout::kLine).member("type", "string").end_object();
    json_.key("then");
    placeholder();
    json_.key("else").begin_object(schema.find("$ref") ? Layout::kLine : Layout::kBlock);
    assertions(schema);
    json_.end_object();
  }

  void placeholder() { json_.begin_object(Layout::kLine).member("$ref", "#/$defs/Placeholder").end_object(); }

  std::string_view type_of(Value schema) const {
    constexpr std::string_view kDefinitions = "#/$defs/";
    if (const Value reference = schema.find("$ref")) {
      schema = definitions_.find(reference.text().substr(kDefinitions.size()));
    }
    const Value type = schema.find("type");
    return type ? type.text() : std::string_view();
  }

  void annotations(Value schema) {
    for (const Value keyword : schema.children()) {
      if (is_annotation(keyword.key())) copy(keyword);
    }
  }

  void assertions(Value schema) {
    for (const Value keyword : schema.children()) {
      if (!is_annotation(keyword.key()) && keyword.key() != "$defs" && !is_left_out(keyword)) assertion(keyword);
    }
  }

  void assertion(Value keyword) {
    const auto name = keyword.key();
    if (name == "properties") {
      json_.key(name).begin_object();
      for (const Value member : keyword.children()) {
        json_.key(member.key());
        or_placeholder(member);
      }
      json_.end_object();
    } else if (is_among(name, {"items", "additionalProperties"}) && keyword.is_object()) {
      json_.key(name);
      or_placeholder(keyword);
    } else if (is_among(name, {"anyOf", "oneOf"})) {
      json_.key(name).begin_array();
      for (const Value choice : keyword.children()) whole(choice);
      json_.end_array();
    } else {
      copy(keyword);
      if (name == "additionalProperties") any_placeholder_key();
    }
  }

  void any_placeholder_key() {
    json_.key("patternProperties").begin_object(Layout::kLine).key(kPlaceholderKey);
    json_.begin_object(Layout::kLine).end_object().end_object();
  }

  void copy(Value value) {
    if (!value.key().empty()) json_.key(value.key());
    if (value.is_array()) {
      json_.begin_array(Layout::kLine);
      for (const Value element : value.children()) copy(element);
      json_.end_array();
    } else if (const auto number = value.integer()) {
      json_.value(*number);
    } else if (const auto flag = value.boolean()) {
      json_.value(*flag);
    } else {
      json_.value(value.text());
    }
  }

  JsonWriter json_;
  Value definitions_;
};

}  // namespace

bool takes_placeholders(const Schema& schema) {
  return is_among(schema.name, {"task-definition", "service", "run-task"});
}

void write_editor_schema(std::ostream& out, const Schema& schema) {
  const auto document = text::read_document(std::string(schema.text), {.format = text::Format::kJson});
  EditorSchemaWriter(out).root(document->root());
}

}  // namespace bayplan::report
