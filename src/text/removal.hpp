#pragma once
#include <optional>
#include <string>
#include <vector>

#include "base/finding.hpp"
#include "text/document.hpp"

namespace bayplan::text {

/// Edits that take these members or elements of one parent out of the text, with their commas and, where nothing else
/// is on them, their lines. Nothing when that is not plainly safe: a comment in the way, or a YAML block that would
/// be left empty or whose first line carries a dash.
std::optional<std::vector<Edit>> removal(const std::vector<Value>& siblings);

/// The text of a value as it is in the source.
std::string_view find_source(Value value);

}  // namespace bayplan::text
