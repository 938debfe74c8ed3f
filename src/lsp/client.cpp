#include "lsp/client.hpp"

#include <initializer_list>

namespace bayplan::lsp {
namespace {

using text::Value;

Value at_path(Value value, std::initializer_list<std::string_view> keys) {
  for (const auto key : keys) value = value.find(key);
  return value;
}

bool is_true(Value value) {
  return value && value.boolean().value_or(false);
}

bool lists(Value list, std::string_view wanted) {
  if (!list || !list.is_array()) return false;
  for (const Value element : list.children()) {
    if (element.is_string() && element.text() == wanted) return true;
  }
  return false;
}

}  // namespace

Client Client::of(Value params) {
  const Value all = params.find("capabilities");
  const Value document = all.find("textDocument");
  const Value diagnostics = document.find("publishDiagnostics");
  const Value item = at_path(document, {"completion", "completionItem"});
  Client client;
  if (lists(at_path(all, {"general", "positionEncodings"}), "utf-8")) client.encoding = Encoding::kUtf8;
  const Value pulled = document.find("diagnostic");
  client.pulls = bool(pulled);
  client.takes_refresh = is_true(at_path(all, {"workspace", "diagnostics", "refreshSupport"}));
  // Since 3.18 a client may say of the diagnostics that it pulls what it said of published ones before.
  const auto takes = [&](std::string_view what) {
    return is_true(diagnostics.find(what)) || is_true(pulled.find(what));
  };
  client.takes_related = takes("relatedInformation");
  client.takes_code_links = takes("codeDescriptionSupport");
  client.takes_outlines = is_true(at_path(document, {"documentSymbol", "hierarchicalDocumentSymbolSupport"}));
  client.takes_versions = is_true(diagnostics.find("versionSupport"));
  client.takes_markdown = lists(at_path(document, {"hover", "contentFormat"}), "markdown");
  client.takes_tags = bool(item.find("tagSupport"));
  client.takes_snippets = is_true(item.find("snippetSupport"));
  client.takes_action_literals = bool(at_path(document, {"codeAction", "codeActionLiteralSupport"}));
  client.takes_document_changes = is_true(at_path(all, {"workspace", "workspaceEdit", "documentChanges"}));
  client.takes_watchers = is_true(at_path(all, {"workspace", "didChangeWatchedFiles", "dynamicRegistration"}));
  return client;
}

}  // namespace bayplan::lsp
