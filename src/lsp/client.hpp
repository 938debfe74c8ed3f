#pragma once
#include "lsp/positions.hpp"

namespace bayplan::lsp {

/// What the client can do, as it said in `initialize`.
struct Client {
  Encoding encoding = Encoding::kUtf16;
  bool takes_related = false;     ///< relatedInformation of diagnostics
  bool takes_code_links = false;  ///< codeDescription of diagnostics
  bool takes_versions = false;    ///< version of publishDiagnostics
  bool takes_markdown = false;    ///< in hovers
  bool takes_snippets = false;
  bool takes_tags = false;              ///< of completion items: deprecated
  bool takes_action_literals = false;   ///< CodeAction, not only Command
  bool takes_document_changes = false;  ///< documentChanges of a WorkspaceEdit
  bool takes_watchers = false;          ///< registers for didChangeWatchedFiles
  bool pulls = false;                   ///< asks for diagnostics (textDocument/diagnostic), so none are published
  bool takes_refresh = false;           ///< workspace/diagnostic/refresh
  bool takes_outlines = false;          ///< DocumentSymbol with children, not only SymbolInformation

  /// Reads the params of `initialize`.
  static Client of(text::Value params);
};

}  // namespace bayplan::lsp
