#pragma once
#include <cstdint>
#include <functional>
#include <optional>
#include <string_view>

#include "base/limits.hpp"
#include "text/document.hpp"

namespace bayplan::text {

/// What of a list or object stays in the tree.
enum class NodeRetention : std::uint8_t {
  kWhole,
  kEmpty,    ///< Keeps the value without its content.
  kNothing,  ///< Removes the value, and later elements move up. Not allowed for the root.
};

/// Asked of each list and object when it has been read.
using RetentionRule = std::function<NodeRetention(Value)>;

/// Reads strict JSON (RFC 8259) from `text` into `builder`: every node with its span in `text`. Duplicate keys are
/// noted as faults and both kept. Stops at the first syntax fault and returns it; nothing means the whole text was
/// read. `text` must be well-formed UTF-8 and live as long as the document.
std::optional<Fault> read_json(std::string_view text, const Limits& limits, Builder& builder,
                               const RetentionRule& keep = {});

}  // namespace bayplan::text
