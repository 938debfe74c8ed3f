// A session of the language server. The first byte chooses: 0 to 127, the rest is what comes in; else the rest is a
// text that is opened, changed and asked about at places all over it (even: JSON, odd: YAML). No crash; every message
// that goes out is JSON; every request is answered once; a session that says shutdown and exit ends well.
#include <cstddef>
#include <cstdint>
#include <sstream>

#include "base/json_writer.hpp"
#include "base/memory_files.hpp"
#include "fuzz.hpp"
#include "lsp/session.hpp"
#include "text/json_reader.hpp"

using namespace bayplan;

namespace {

std::string framed(const std::string& content) {
  std::ostringstream out;
  lsp::write_message(out, content);
  return out.str();
}

std::string request(int id, const std::string& method, const std::string& params) {
  return framed(R"({"jsonrpc": "2.0", "id": )" + std::to_string(id) + R"(, "method": ")" + method + R"(", "params": )" +
                params + "}");
}

std::string notification(const std::string& method, const std::string& params) {
  return framed(R"({"jsonrpc": "2.0", "method": ")" + method + R"(", "params": )" + params + "}");
}

std::string begin(bool takes_everything) {
  const std::string abilities =
      R"({"general": {"positionEncodings": ["utf-8"]}, "textDocument": {"hover": {"contentFormat": ["markdown"]},
          "completion": {"completionItem": {"snippetSupport": true}}, "codeAction": {"codeActionLiteralSupport": {}},
          "publishDiagnostics": {"relatedInformation": true, "codeDescriptionSupport": true}}})";
  return request(0, "initialize", R"({"capabilities": )" + (takes_everything ? abilities : "{}") + "}");
}

struct Ended {
  int code;
  std::size_t answers;
};

Ended talk(const std::string& said) {
  MemoryFiles files;
  std::istringstream in(said);
  std::ostringstream out;
  const int code = lsp::Session({in, out, files}).run();
  std::istringstream written(out.str());
  lsp::MessageReader reader(written);
  std::size_t answers = 0;
  for (auto message = reader.next(); message.kind != lsp::Incoming::Kind::kEnd; message = reader.next()) {
    require(message.kind == lsp::Incoming::Kind::kContent, "a message without a frame");
    text::Builder builder(std::move(message.text), text::Format::kJson);
    require(!text::read_json(builder.source(), Limits{}, builder), "a message that is no JSON");
    const auto document = std::move(builder).finish();
    if (!document->root().find("method")) ++answers;
  }
  return {code, answers};
}

std::string position(std::size_t line, std::size_t character) {
  return R"({"line": )" + std::to_string(line) + R"(, "character": )" + std::to_string(character) + "}";
}

void edit_and_ask(const std::string& text, bool is_yaml, bool takes_everything) {
  const std::string document = std::string(R"("textDocument": {"uri": "file:///w/task-definition.)") +
                               (is_yaml ? "yaml" : "json") + R"(", "languageId": "x", "version": 1)";
  std::string said = begin(takes_everything);
  said += notification("textDocument/didOpen", "{" + document + R"(, "text": )" + json_quoted(text) + "}}");
  int id = 0;
  for (std::size_t at = 0; at < 6; ++at) {
    const std::string place = position(at * at, at * 5);
    said += request(++id, "textDocument/completion", "{" + document + R"(}, "position": )" + place + "}");
    said += request(++id, "textDocument/hover", "{" + document + R"(}, "position": )" + place + "}");
    said += notification("textDocument/didChange", "{" + document + R"(}, "contentChanges": [{"range": {"start": )" +
                                                       place + R"(, "end": )" + position(at * at, at * 6) +
                                                       R"(}, "text": "\"a"}]})");
  }
  said += request(++id, "textDocument/codeAction",
                  "{" + document + R"(}, "context": {}, "range": {"start": )" + position(0, 0) + R"(, "end": )" +
                      position(99, 0) + "}}");
  said += request(++id, "shutdown", "null") + notification("exit", "null");
  const auto ended = talk(said);
  require(ended.code == 0, "a session that ends well has another exit code");
  require(ended.answers == static_cast<std::size_t>(id) + 1, "not every request was answered once");
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size == 0) return 0;
  const std::string bytes(reinterpret_cast<const char*>(data) + 1, size - 1);
  if (data[0] < 128) {
    talk(begin(data[0] % 2 == 1) + bytes);
  } else {
    edit_and_ask(bytes, data[0] % 2 == 1, data[0] % 4 < 2);
  }
  return 0;
}
