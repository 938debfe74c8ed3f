#include "text/hcl_json.hpp"

#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "text/read.hpp"
#include "text/string_content.hpp"

namespace bayplan::text {
namespace {

using Part = HclTemplatePart;
using ExpressionKind = HclExpression::Kind;

void move_to_source(std::vector<Part>& parts, const StringContent& content, std::string_view source);

void move_to_source(HclExpression& expression, const StringContent& content, std::string_view source) {
  expression.span = content.original(expression.span);
  for (auto& child : expression.children) move_to_source(child, content, source);
  move_to_source(expression.parts, content, source);
}

/// Spans of a string's content become those of the text. A part with escapes of JSON is not as it is written.
void move_to_source(std::vector<Part>& parts, const StringContent& content, std::string_view source) {
  for (Part& part : parts) {
    part.span = content.original(part.span);
    if (part.is_as_written) part.is_as_written = source.substr(part.span.begin, part.span.length()) == part.text;
    for (auto& expression : part.expression) move_to_source(expression, content, source);
    move_to_source(part.inner, content, source);
    move_to_source(part.otherwise, content, source);
  }
}

class JsonCode {
 public:
  JsonCode(const Document& document, const Limits& limits) : source_(document.source()), limits_(limits) {}

  HclFile values(Value root) && {
    is_literal_ = true;
    return {.body = body_of(root)};
  }

  HclFile file(Value root) && {
    HclFile result{.body = {.span = root.span()}};
    for_each_object(root, [&](Value object) {
      for (const Value member : object.children()) add_blocks(member, labels_of(member.key()), result.body);
    });
    result.faults = std::move(faults_);
    return result;
  }

 private:
  /// How many labels a block of Terraform has.
  static std::size_t labels_of(std::string_view type) {
    if (type == "resource" || type == "data") return 2;
    return type == "variable" || type == "output" || type == "module" || type == "provider" ? 1 : 0;
  }

  /// An object, or each object of a list: both mean the same.
  static void for_each_object(Value value, const std::function<void(Value)>& use) {
    if (value.is_object()) return use(value);
    if (!value.is_array()) return;
    for (const Value element : value.children()) {
      if (element.is_object()) use(element);
    }
  }

  void add_blocks(Value value, std::size_t labels, HclBody& body) {
    HclBlock block{.type = std::string(value.key()), .type_span = value.key_span(), .header = value.key_span()};
    add_labeled(value, labels, block, body);
  }

  /// `block` has the labels around `value`, which holds `left` more levels of labels.
  void add_labeled(Value value, std::size_t left, const HclBlock& block, HclBody& body) {
    for_each_object(value, [&](Value object) {
      if (left == 0) {
        HclBlock made = block;
        made.body = body_of(object);
        if (made.type == "variable") read_type(made.body);
        return body.blocks.push_back(std::move(made));
      }
      for (const Value member : object.children()) {
        HclBlock inner = block;
        inner.labels.emplace_back(member.key());
        inner.header = member.key_span();
        add_labeled(member, left - 1, inner, body);
      }
    });
  }

  HclBody body_of(Value object) {
    HclBody body{.span = object.span()};
    for (const Value member : object.children()) {
      if (member.key() == "//") continue;  // a comment
      if (member.key() == "dynamic" && !is_literal_) {
        add_dynamic(member, body);
        continue;
      }
      body.attributes.push_back({std::string(member.key()), member.key_span(), expression_of(member)});
    }
    return body;
  }

  /// The type of a variable is an expression that is written as a string.
  void read_type(HclBody& body) {
    for (HclAttribute& attribute : body.attributes) {
      const auto& parts = attribute.value.parts;
      if (attribute.name != "type" || parts.size() != 1 || parts[0].kind != Part::Kind::kText) continue;
      HclTemplate read = read_hcl_template("${" + parts[0].text + "}", limits_);
      const bool is_type = read.faults.empty() && read.parts.size() == 1 && read.parts[0].expression.size() == 1;
      if (is_type) attribute.value = std::move(read.parts[0].expression[0]);
    }
  }

  /// `"dynamic": {"volume": {"for_each": ..., "content": {...}}}`
  void add_dynamic(Value value, HclBody& body) {
    for_each_object(value, [&](Value types) {
      for (const Value type : types.children()) {
        for_each_object(type, [&](Value object) {
          HclBlock block{.type = "dynamic", .type_span = type.key_span(), .header = type.key_span()};
          block.labels.emplace_back(type.key());
          block.body.span = object.span();
          for (const Value member : object.children()) {
            if (member.key() == "content" && member.is_object()) {
              HclBlock content{.type = "content", .type_span = member.key_span(), .header = member.key_span()};
              content.body = body_of(member);
              block.body.blocks.push_back(std::move(content));
            } else if (member.key() == "iterator" && member.is_string()) {
              HclExpression name{
                  .kind = ExpressionKind::kName, .span = member.span(), .text = std::string(member.text())};
              block.body.attributes.push_back({"iterator", member.key_span(), std::move(name)});
            } else {
              block.body.attributes.push_back({std::string(member.key()), member.key_span(), expression_of(member)});
            }
          }
          body.blocks.push_back(std::move(block));
        });
      }
    });
  }

  HclExpression expression_of(Value value) {
    HclExpression result{.span = value.span()};
    switch (value.kind()) {
      case Kind::kNull:
        result.kind = ExpressionKind::kNull;
        break;
      case Kind::kBoolean:
        result.kind = ExpressionKind::kBoolean;
        result.text = value.text();
        break;
      case Kind::kInteger:
      case Kind::kNumber:
        result.kind = ExpressionKind::kNumber;
        result.text = value.text();
        break;
      case Kind::kString:
        return string_of(value);
      case Kind::kArray:
        result.kind = ExpressionKind::kTuple;
        for (const Value element : value.children()) result.children.push_back(expression_of(element));
        break;
      case Kind::kObject:
        result.kind = ExpressionKind::kObject;
        for (const Value member : value.children()) {
          HclExpression key{.kind = ExpressionKind::kTemplate, .span = member.key_span()};
          key.parts.push_back({.span = member.key_span(), .text = std::string(member.key())});
          result.children.push_back(std::move(key));
          result.children.push_back(expression_of(member));
        }
        break;
      case Kind::kPlaceholder:
      case Kind::kAbsent:
        break;
    }
    return result;
  }

  HclExpression string_of(Value value) {
    const StringContent content(value);
    if (is_literal_) {
      HclExpression literal{.kind = ExpressionKind::kTemplate, .span = value.span()};
      literal.parts.push_back({.span = value.span(), .text = std::string(value.text())});
      return literal;
    }
    HclTemplate read = read_hcl_template(content.text(), limits_);
    for (Fault& fault : read.faults) {
      fault.span = content.original(fault.span);
      fault.fix.reset();
      faults_.push_back(std::move(fault));
    }
    HclExpression result{.kind = ExpressionKind::kTemplate, .span = value.span(), .parts = std::move(read.parts)};
    move_to_source(result.parts, content, source_);
    return result;
  }

  std::string_view source_;
  const Limits& limits_;
  bool is_literal_ = false;
  std::vector<Fault> faults_;
};

using ReadObject = HclFile (*)(JsonCode code, Value root);

HclFile read_json_code(const std::string& text, const Limits& limits, ReadObject read) {
  const auto document = read_document(text, {.format = Format::kJson, .limits = limits});
  HclFile file;
  if (document->root() && document->root().is_object()) file = read({*document, limits}, document->root());
  std::vector<Fault> faults = document->faults();
  for (Fault& fault : faults) fault.fix.reset();  // as of all Terraform code
  file.faults.insert(file.faults.begin(), faults.begin(), faults.end());
  return file;
}

}  // namespace

HclFile read_hcl_json(const std::string& text, const Limits& limits) {
  return read_json_code(text, limits, [](JsonCode code, Value root) { return std::move(code).file(root); });
}

HclFile read_hcl_values_json(const std::string& text, const Limits& limits) {
  return read_json_code(text, limits, [](JsonCode code, Value root) { return std::move(code).values(root); });
}

}  // namespace bayplan::text
