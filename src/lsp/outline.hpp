#pragma once
#include <string>
#include <vector>

#include "base/json_writer.hpp"
#include "lsp/client.hpp"
#include "lsp/source_positions.hpp"
#include "lsp/workspace.hpp"

namespace bayplan::lsp {

/// A part of a file that has a name.
struct Symbol {
  enum class Kind : std::uint8_t { kModule = 2, kClass = 5, kField = 8, kFunction = 12, kObject = 19 };  ///< Of LSP.
  std::string name;
  std::string detail;
  Kind kind = Kind::kObject;
  Span whole;
  Span name_span;  ///< Inside of `whole`.
  std::vector<Symbol> children = {};
};

/// The definitions, services and other resources of a file, with their containers and other named parts; what a
/// scenario or a cluster lists.
std::vector<Symbol> symbols_in(const text::Document& document, const Check& check, const lint::Tools& tools);

/// As a tree, or for clients without trees as a list.
void write_symbols(JsonWriter& json, const std::vector<Symbol>& symbols, const SourcePositions& positions,
                   const OpenDocument& document, const Client& client);

}  // namespace bayplan::lsp
