#include "lsp/capabilities.hpp"

#include "lsp/code_actions.hpp"

namespace bayplan::lsp {

void write_capabilities(JsonWriter& json, const Client& client) {
  json.key("capabilities").begin_object();
  json.member("positionEncoding", client.encoding == Encoding::kUtf8 ? "utf-8" : "utf-16");
  constexpr int kIncremental = 2;
  json.key("textDocumentSync").begin_object().member("openClose", true).member("change", kIncremental);
  json.key("save").begin_object().member("includeText", false).end_object().end_object();
  json.member("hoverProvider", true);
  json.key("completionProvider").begin_object().key("triggerCharacters").begin_array();
  for (const char* const letter : {"\"", ":", " ", "{", "[", ","}) json.value(letter);
  json.end_array().end_object();
  json.key("codeActionProvider").begin_object().key("codeActionKinds").begin_array();
  json.value(kQuickFix).value(kFixAll).end_array().end_object();
  json.end_object();
}

void write_watch_registration(JsonWriter& json) {
  json.begin_object(JsonWriter::Layout::kLine).member("jsonrpc", "2.0").member("id", "bayplan-watch");
  json.member("method", "client/registerCapability").key("params").begin_object();
  json.key("registrations").begin_array().begin_object().member("id", "bayplan-config");
  json.member("method", "workspace/didChangeWatchedFiles").key("registerOptions").begin_object();
  json.key("watchers").begin_array();
  for (const char* const pattern : {"**/.bayplan.yaml", "**/*.{json,yaml,yml}"}) {
    json.begin_object().member("globPattern", pattern).end_object();
  }
  json.end_array().end_object().end_object().end_array().end_object().end_object();
}

}  // namespace bayplan::lsp
