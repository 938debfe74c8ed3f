#include "importers/terraform_attributes.hpp"

#include <algorithm>

namespace bayplan::importers {

using text::Kind;
using text::Value;

bool is_unknown(Value unknown) {
  return unknown && unknown.boolean().value_or(false);
}

bool is_unset(Value value) {
  if (!value || value.is_null()) return true;
  if (value.is_string()) return value.text().empty();
  return (value.is_array() || value.is_object()) && value.size() == 0;
}

namespace {

bool is_set(const Attribute& attribute, Value value) {
  if (is_unset(value)) return false;
  return attribute.form != Form::kAmount || value.integer() != 0;
}

/// EFS takes no root directory with an access point, and "/" is the provider's default.
bool is_default_of_access_point(const Attribute& attribute, Value values) {
  if (attribute.name != "root_directory") return false;
  const Value directory = values.find(attribute.name);
  return directory && directory.text() == "/" && !is_unset(values.find("authorization_config"));
}

/// The provider sends it for shared volumes only; ECS refuses it for others.
bool is_default_of_task_scope(const Attribute& attribute, Value values) {
  if (attribute.name != "autoprovision") return false;
  const Value given = values.find(attribute.name);
  const Value scope = values.find("scope");
  return given && given.boolean() == false && (is_unset(scope) || scope.text() == "task");
}

}  // namespace

bool AttributeReader::any(std::span<const Attribute> attributes, Value values, Value unknown) {
  return std::any_of(attributes.begin(), attributes.end(), [&](const Attribute& one) {
    return is_set(one, values.find(one.name)) || is_unknown(unknown.find(one.name));
  });
}

void AttributeReader::members(std::span<const Attribute> attributes, Value values, Value unknown) {
  for (const auto& attribute : attributes) member(attribute, values, unknown);
}

void AttributeReader::member(const Attribute& attribute, Value values, Value unknown) {
  const Value given = values.find(attribute.name);
  const Value later = unknown.find(attribute.name);
  if (attribute.form == Form::kComputed && !resource_.may_set(attribute.name)) return;
  if (is_unknown(later)) {
    builder_.key(attribute.member, later.key_span());
    builder_.unknown(kKnownAfterApply, later);
    return;
  }
  if (!is_set(attribute, given) || is_default_of_access_point(attribute, values) ||
      is_default_of_task_scope(attribute, values))
    return;
  builder_.key(attribute.member, given.key_span());
  value(attribute, given, later);
}

void AttributeReader::value(const Attribute& attribute, Value value, Value unknown) {
  // Code has what is not known where its value would be.
  const bool is_only_block = attribute.form == Form::kBlock && value.is_array() && value.size() > 0;
  const Value whole = is_only_block ? value.at(0) : value;
  if (whole.kind() == Kind::kPlaceholder) return builder_.scalar(whole);
  switch (attribute.form) {
    case Form::kScalar:
    case Form::kAmount:
    case Form::kComputed:
      return builder_.scalar(value);
    case Form::kPublicIp:
      return builder_.scalar(Kind::kString, value.boolean().value_or(false) ? "ENABLED" : "DISABLED", value.span(),
                             value.index());
    case Form::kScalars:
      return scalars(value, unknown);
    case Form::kBlock:
      return value.is_array() ? block(attribute.members, value.at(0), unknown ? unknown.at(0) : Value())
                              : block(attribute.members, value, unknown);
    case Form::kBlocks:
      return blocks(attribute.members, value, unknown);
    case Form::kMap:
      return map(value, unknown);
    case Form::kNamedValues:
      return pairs(value, unknown, "name", "value");
    case Form::kTags:
      return pairs(value, unknown, "key", "value");
    case Form::kHostPath:
      builder_.open(Kind::kObject, value);
      builder_.key("sourcePath", value.key_span());
      builder_.scalar(value);
      return builder_.close();
  }
}

void AttributeReader::scalar(Value value, Value unknown) {
  if (is_unknown(unknown)) return builder_.unknown(kKnownAfterApply, unknown);
  builder_.scalar(value);
}

void AttributeReader::scalars(Value list, Value unknown) {
  if (!list.is_array()) return builder_.scalar(list);
  builder_.open(Kind::kArray, list);
  std::size_t position = 0;
  for (const Value element : list.children()) scalar(element, unknown ? unknown.at(position++) : Value());
  builder_.close();
}

void AttributeReader::block(std::span<const Attribute> attributes, Value object, Value unknown) {
  builder_.open(Kind::kObject, object);
  members(attributes, object, unknown);
  builder_.close();
}

void AttributeReader::blocks(std::span<const Attribute> attributes, Value list, Value unknown) {
  if (list.is_object()) {  // one block of code in JSON
    builder_.open(Kind::kArray, list);
    block(attributes, list, unknown);
    return builder_.close();
  }
  if (!list.is_array()) return builder_.scalar(list);
  builder_.open(Kind::kArray, list);
  std::size_t position = 0;
  for (const Value element : list.children()) {
    const Value later = unknown ? unknown.at(position++) : Value();
    if (element.is_object()) {
      block(attributes, element, later);
    } else {
      scalar(element, later);
    }
  }
  builder_.close();
}

void AttributeReader::map(Value object, Value unknown) {
  if (!object.is_object()) return builder_.scalar(object);
  builder_.open(Kind::kObject, object);
  for (const Value one : object.children()) {
    builder_.key(one.key(), one.key_span());
    scalar(one, unknown ? unknown.find(one.key()) : Value());
  }
  builder_.close();
}

void AttributeReader::pairs(Value object, Value unknown, std::string_view name, std::string_view value) {
  if (!object.is_object()) return builder_.scalar(object);
  builder_.open(Kind::kArray, object);
  const auto pair = [&](Value member, bool is_known) {
    builder_.open(Kind::kObject, member);
    builder_.key(name, member.key_span());
    builder_.scalar(Kind::kString, member.key(), member.key_span(), member.index());
    builder_.key(value, member.key_span());
    if (is_known) {
      builder_.scalar(member);
    } else {
      builder_.unknown(kKnownAfterApply, member);
    }
    builder_.close();
  };
  for (const Value member : object.children()) {
    if (!member.is_null()) pair(member, true);
  }
  if (unknown && unknown.is_object()) {
    for (const Value member : unknown.children()) {
      if (is_unknown(member)) pair(member, false);
    }
  }
  builder_.close();
}

}  // namespace bayplan::importers
