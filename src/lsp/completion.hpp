#pragma once
#include <optional>

#include "base/json_writer.hpp"
#include "catalog/catalog.hpp"
#include "lsp/client.hpp"
#include "lsp/cursor_place.hpp"
#include "lsp/schema_choice.hpp"

namespace bayplan::lsp {

/// What may be typed somewhere.
struct CompletionItem {
  enum class Kind : std::uint8_t { kKey = 10, kValue = 12, kEnumMember = 20, kConstant = 21 };  ///< Numbers of LSP.
  Kind kind = Kind::kValue;
  std::string label;
  std::string detail;
  std::string documentation;  ///< Plain text.
  Span replaced;              ///< Part of the text that it replaces.
  std::string text;
  std::optional<std::uint32_t> comma;  ///< A comma goes here too: the member before lacks it.
  std::string filter;                  ///< What it is matched by: as much as `replaced` covers.
  std::string order;
  bool is_snippet = false;
  bool is_deprecated = false;
};

/// Keys, values of lists, and from the catalog instance types and GPU counts. `cursor` is where `place` was found.
std::vector<CompletionItem> completions(const CursorPlace& place, const ChosenSchema& schema, std::uint32_t cursor,
                                        const catalog::Catalog& catalog, const Client& client);

void write_completions(JsonWriter& json, const std::vector<CompletionItem>& items, const Positions& positions,
                       const Client& client);

}  // namespace bayplan::lsp
