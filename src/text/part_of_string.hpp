#pragma once
#include "text/document.hpp"

namespace bayplan::text {

/// Where the bytes `part` of the text of a string value are in the source: exact where the string is written as it
/// reads, else (escapes, block text) the whole value.
Span part_of_string(Value string, Span part);

}  // namespace bayplan::text
