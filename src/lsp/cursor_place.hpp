#pragma once
#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "base/span.hpp"
#include "shape/schema_guide.hpp"
#include "text/document.hpp"

namespace bayplan::lsp {

using shape::Path;
using shape::PathStep;

/// Where in a text somebody types, and what may be typed there. Found by a scan that every text passes, however broken:
/// a text that is being typed is broken most of the time.
struct CursorPlace {
  enum class Kind : std::uint8_t { kNone, kKey, kValue };
  Kind kind = Kind::kNone;
  Path path;  ///< Path to the object whose key is typed, or to the value.
  Span word;  ///< What is there already, with its quotes; a completion takes its place. Empty at the cursor else.
  std::string typed;                         ///< Part of the word before the cursor, without a quote.
  bool is_quoted = false;                    ///< The word begins with a quote.
  bool has_colon = false;                    ///< The key is followed by one.
  bool wants_comma = false;                  ///< JSON, and flow style: something follows that a comma must keep apart.
  std::optional<std::uint32_t> lacks_comma;  ///< The member before ends here, and no comma follows it.
  bool wants_blank = false;                  ///< YAML: the cursor is right behind the colon.
  bool is_flow = true;                       ///< JSON, or flow style of YAML.
  bool is_hcl = false;                       ///< HCL, which has keys without quotes, `=` and blocks.
  bool begins_element = false;               ///< YAML: the key is the first behind a dash, so a scalar may be here too.
  std::uint32_t indent = 0;       ///< YAML: columns from the blanks of its line to the key, a dash for example.
  std::set<std::string> present;  ///< Other keys of the object.
  std::set<std::string> root_keys;
};

CursorPlace place_in_json(std::string_view text, std::uint32_t cursor);
CursorPlace place_in_yaml(std::string_view text, std::uint32_t cursor);

/// Terraform code. The path begins with the type and labels of the outermost block: resource, type, name.
CursorPlace place_in_hcl(std::string_view text, std::uint32_t cursor);
/// JSON inside of another text, from `begin` on; nothing when the cursor is behind its end.
std::optional<CursorPlace> place_in_flow(std::string_view text, std::uint32_t begin, std::uint32_t cursor);

/// Reads the text as JSON when it begins with a bracket, whatever it is called.
CursorPlace place_in(std::string_view text, text::Format format, std::uint32_t cursor);

}  // namespace bayplan::lsp
