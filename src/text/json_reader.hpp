#pragma once
#include <functional>
#include <optional>
#include <string_view>

#include "base/limits.hpp"
#include "text/document.hpp"

namespace bayplan::text {

/// Whether what a list or object holds is kept, asked when it has been read; it is an empty one else.
using Keep = std::function<bool(Value)>;

/// Reads strict JSON (RFC 8259) from `text` into `builder`: every node with its span in `text`. Duplicate keys are
/// noted as faults and both kept. Stops at the first syntax fault and returns it; nothing means the whole text was
/// read. `text` must be well-formed UTF-8 and live as long as the document.
std::optional<Fault> read_json(std::string_view text, const Limits& limits, Builder& builder, const Keep& keep = {});

}  // namespace bayplan::text
