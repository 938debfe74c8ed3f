#include "text/write_value.hpp"

#include "base/strings.hpp"

namespace bayplan::text {

void write_value(JsonWriter& json, Value value, JsonWriter::Layout layout) {
  switch (value.kind()) {
    case Kind::kObject:
      json.begin_object(layout);
      for (const Value member : value.children()) {
        json.key(member.key());
        write_value(json, member);
      }
      json.end_object();
      return;
    case Kind::kArray:
      json.begin_array(layout);
      for (const Value element : value.children()) write_value(json, element);
      json.end_array();
      return;
    case Kind::kNull:
      json.null();
      return;
    case Kind::kBoolean:
      json.value(value.boolean().value_or(false));
      return;
    case Kind::kInteger:
      json.value(value.integer().value_or(0));
      return;
    case Kind::kNumber:
      if (const auto number = to_number(value.text())) {
        json.value(*number);
        return;
      }
      break;
    default:
      break;
  }
  json.value(value.text());
}

}  // namespace bayplan::text
