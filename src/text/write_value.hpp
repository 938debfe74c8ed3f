#pragma once
#include "base/json_writer.hpp"
#include "text/document.hpp"

namespace bayplan::text {

/// A value as JSON, member by member; one that is not known yet as a string with its text.
void write_value(JsonWriter& json, Value value, JsonWriter::Layout layout = JsonWriter::Layout::kBlock);

}  // namespace bayplan::text
