#pragma once
#include <optional>
#include <string_view>

#include "base/limits.hpp"
#include "text/document.hpp"

namespace bayplan::text {

/// Reads one YAML 1.2 document from `text` into `builder`: every node with its span in `text`, plain scalars by the
/// core schema, aliases and merge keys expanded. Duplicate keys, keys that are no scalars and endless aliases are noted
/// as faults. Template expressions in place of a value (`{{ x }}`, `${X}`, `<X>`) become kPlaceholder. Returns
/// the syntax fault that stopped the reading; what came before it is in the builder. `text` must be well-formed UTF-8
/// without NUL and live as long as the document. Never give it JSON: the library misreads escapes of JSON.
std::optional<Fault> read_yaml(std::string_view text, const Limits& limits, Builder& builder);

}  // namespace bayplan::text
