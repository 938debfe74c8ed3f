#include "model/field.hpp"

#include "base/strings.hpp"
#include "model/placeholder.hpp"

namespace bayplan::model {

using text::Kind;
using text::Value;

namespace {

/// Marks the field unknown where the document does not say the value.
template <class T>
Field<T> start(Value value, const Placeholders& placeholders) {
  Field<T> field;
  field.node = value;
  // An object where a scalar belongs is an intrinsic function ({"Ref": ...}) or a mistake; either way there is no
  // value.
  field.is_unknown = value && placeholders.holds(value);
  return field;
}

}  // namespace

StringField string_value(Value value, const Placeholders& placeholders) {
  auto field = start<std::string_view>(value, placeholders);
  if (!field.present() || field.unknown()) return field;
  switch (value.kind()) {
    case Kind::kString:
    case Kind::kInteger:
    case Kind::kNumber:
    case Kind::kBoolean:
      field.value = value.text();
      break;
    default:
      break;
  }
  return field;
}

StringField string_field(Value object, std::string_view key, const Placeholders& placeholders) {
  return string_value(object ? object.find(key) : Value(), placeholders);
}

IntegerField integer_field(Value object, std::string_view key, const Placeholders& placeholders) {
  auto field = start<std::int64_t>(object ? object.find(key) : Value(), placeholders);
  if (!field.present() || field.unknown()) return field;
  if (field.node.kind() == Kind::kInteger) field.value = field.node.integer();
  if (field.node.is_string()) field.value = to_integer(trim(field.node.text()));
  return field;
}

BooleanField boolean_field(Value object, std::string_view key, const Placeholders& placeholders) {
  auto field = start<bool>(object ? object.find(key) : Value(), placeholders);
  if (!field.present() || field.unknown()) return field;
  if (field.node.kind() == Kind::kBoolean) field.value = field.node.boolean();
  if (field.node.is_string() && equal_ignoring_case(field.node.text(), "true")) field.value = true;
  if (field.node.is_string() && equal_ignoring_case(field.node.text(), "false")) field.value = false;
  return field;
}

List<StringField> string_list(Value object, std::string_view key, const Placeholders& placeholders) {
  List<StringField> list;
  list.node = object ? object.find(key) : Value();
  if (!list.present() || !list.node.is_array()) return list;
  for (const Value element : list.node.children()) list.items.push_back(string_value(element, placeholders));
  return list;
}

}  // namespace bayplan::model
