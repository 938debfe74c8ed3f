#pragma once
#include <optional>
#include <string_view>

#include "text/yaml_events.hpp"

namespace bayplan::text {

/// Finds the exact span and style of every event in `text`: the parser gives start marks only, and those at the tag or
/// anchor, of an empty value even at the next token. Returns the fault of a quote that is never closed, which the
/// parser accepts in silence.
std::optional<Fault> locate(std::string_view text, YamlEvents& events);

}  // namespace bayplan::text
