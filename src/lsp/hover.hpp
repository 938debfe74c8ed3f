#pragma once
#include <cstdint>
#include <optional>
#include <string>

#include "base/span.hpp"
#include "lsp/schema_choice.hpp"
#include "lsp/workspace.hpp"
#include "text/document.hpp"

namespace bayplan::lsp {

/// What is known of a place in a text.
struct Hover {
  Span span;         ///< What it is about, in the document that was read.
  std::string text;  ///< Markdown or plain text.
};

/// The findings there, what the schema says of the key, what the catalog says of the instance type. `document` is what
/// was read of the text, and `schemas` knows the schema of a template's or plan's definitions; `markdown` chooses how
/// it is written.
std::optional<Hover> hover_at(std::uint32_t offset, const text::Document& document, const Check& check,
                              const ChosenSchema& schema, SchemaChoice& schemas, const lint::Tools& tools,
                              bool markdown);

}  // namespace bayplan::lsp
