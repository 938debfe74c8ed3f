#pragma once
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "base/limits.hpp"
#include "base/span.hpp"
#include "text/document.hpp"

namespace bayplan::text {

/// One event of the YAML parser. Collections are followed by their children and one kClose; the children of a map are
/// key, value, key, value ...
struct YamlEvent {
  enum class Type : std::uint8_t { kScalar, kNull, kAlias, kMap, kSequence, kClose };

  Type type = Type::kScalar;
  Style style = Style::kPlain;
  bool plain = false;        ///< The parser saw a plain scalar without a tag.
  bool is_cut = false;       ///< A syntax fault ends the scalar: the value that was meant is unknown.
  std::uint32_t at = 0;      ///< Where the parser says it is: at the tag or anchor if there is one.
  std::uint32_t end = 0;     ///< Index after the kClose of a collection, otherwise the next index.
  std::uint32_t anchor = 0;  ///< Its own anchor, or the one an alias names; 0 without.
  Span span;                 ///< Exact text of the value without properties; found by `locate`.
  std::string_view text;     ///< Decoded content of a scalar.
  std::string_view tag;      ///< Explicit tag; empty without.

  bool is_collection() const { return type == Type::kMap || type == Type::kSequence; }
};

/// A whole document. `anchors[id]` is the index of the event that carries the anchor.
struct YamlEvents {
  std::vector<YamlEvent> list;
  std::vector<std::uint32_t> anchors;
};

/// Finds the exact span and style of every event in `text`: the parser gives start marks only, and those at the tag or
/// anchor, of an empty value even at the next token. Returns the fault of a quote that is never closed, which the
/// parser accepts in silence.
std::optional<Fault> locate(std::string_view text, YamlEvents& events);

/// Writes located events into `builder`: scalars resolved, aliases and merge keys expanded, duplicate keys noted. A key
/// that is no scalar, an alias without end and an expansion above `limits.alias_nodes` become faults.
void expand(const YamlEvents& events, const Limits& limits, Builder& builder);

}  // namespace bayplan::text
