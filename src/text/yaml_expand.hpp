#pragma once
#include "base/limits.hpp"
#include "text/yaml_events.hpp"

namespace bayplan::text {

/// Writes located events into `builder`: scalars resolved, aliases and merge keys expanded, duplicate keys noted. A key
/// that is no scalar, an alias without end and an expansion above `limits.alias_nodes` become faults.
void expand(const YamlEvents& events, const Limits& limits, Builder& builder);

}  // namespace bayplan::text
