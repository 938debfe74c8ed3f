#pragma once
#include <vector>

#include "base/json_writer.hpp"
#include "lsp/client.hpp"
#include "lsp/open_document.hpp"
#include "lsp/workspace.hpp"
#include "rules/rule_data.hpp"

namespace bayplan::lsp {

/// Writes findings of an open document that are not silenced as elements of a list of diagnostics, and what is to be
/// said of its comments that silence findings. Says why when nothing could be checked.
void write_findings(JsonWriter& json, const OpenDocument& document, const Check& check, const rules::RuleData& data,
                    const Client& client);

/// One finding.
void write_diagnostic(JsonWriter& json, const OpenDocument& document, const lint::LintFinding& finding,
                      const class SourcePositions& positions, const rules::RuleData& data, const Client& client);

/// Writes an error of a file, whose text is `text`, as such an element.
void write_error(JsonWriter& json, const Error& error, std::string_view text, Encoding encoding);

}  // namespace bayplan::lsp
