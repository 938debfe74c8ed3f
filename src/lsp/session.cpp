#include "lsp/session.hpp"

#include <algorithm>
#include <optional>
#include <ostream>
#include <sstream>
#include <string>
#include <utility>

#include <fmt/core.h>

#include "base/hash.hpp"
#include "base/json_writer.hpp"
#include "base/span.hpp"
#include "base/strings.hpp"
#include "base/utf8.hpp"
#include "base/version.hpp"
#include "lsp/client.hpp"
#include "lsp/code_actions.hpp"
#include "lsp/completion.hpp"
#include "lsp/diagnostics.hpp"
#include "lsp/explain.hpp"
#include "lsp/file_uri.hpp"
#include "lsp/hover.hpp"
#include "lsp/outline.hpp"
#include "lsp/schema_choice.hpp"
#include "lsp/source_positions.hpp"
#include "lsp/workspace.hpp"

namespace bayplan::lsp {

namespace {

/// Writes the member `capabilities` of the answer to `initialize`: what this server does for the client.
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
  json.member("documentSymbolProvider", true);
  json.key("executeCommandProvider").begin_object().key("commands").begin_array();
  json.value(kExplainCommand).end_array().end_object();
  if (client.pulls) {
    json.key("diagnosticProvider").begin_object().member("identifier", "bayplan");
    json.member("interFileDependencies", true).member("workspaceDiagnostics", false).end_object();
  }
  json.end_object();
}

/// Writes the request to be notified when a config changes, be it by another program.
void write_watch_registration(JsonWriter& json) {
  json.begin_object(JsonWriter::Layout::kLine).member("jsonrpc", "2.0").member("id", "bayplan-watch");
  json.member("method", "client/registerCapability").key("params").begin_object();
  json.key("registrations").begin_array().begin_object().member("id", "bayplan-config");
  json.member("method", "workspace/didChangeWatchedFiles").key("registerOptions").begin_object();
  json.key("watchers").begin_array();
  for (const char* const pattern : {"**/.bayplan.{yaml,yml}", "**/*.{json,yaml,yml,tf,tfvars}"}) {
    json.begin_object().member("globPattern", pattern).end_object();
  }
  json.end_array().end_object().end_object().end_array().end_object().end_object();
}

using Layout = JsonWriter::Layout;
using text::Value;

/// More than any client sends ahead; each may be as large as a message may be.
constexpr std::size_t kMaxWaiting = 256;

std::string text_of(Value value) {
  return value && value.is_string() ? std::string(value.text()) : std::string();
}

std::string uri_in(Value params) {
  return text_of(params.find("textDocument").find("uri"));
}

/// Nothing when one of them cannot be understood: then what the text became is not known.
std::optional<std::vector<TextChange>> read_changes(Value list) {
  if (!list || !list.is_array()) return std::nullopt;
  std::vector<TextChange> changes;
  for (const Value element : list.children()) {
    const Value text = element.find("text");
    const Value range = element.find("range");
    if (!text || !text.is_string()) return std::nullopt;
    changes.push_back({range ? read_range(range) : std::nullopt, std::string(text.text())});
    if (range && !changes.back().range) return std::nullopt;
  }
  return changes;
}

/// The folder that the client works in.
std::string root_in(Value params) {
  const Value folders = params.find("workspaceFolders");
  const Value first = folders && folders.is_array() ? folders.at(0) : Value();
  for (const auto& uri : {text_of(first.find("uri")), text_of(params.find("rootUri"))}) {
    if (const auto path = path_of(uri)) return normal_path(*path);
  }
  return "/";
}

/// What was read of it when it was linted, else read now.
std::shared_ptr<const text::Document> read_of(const OpenDocument& document, const Check& check) {
  if (check.is_linted) return check.report.document;
  return document.read();
}

std::set<std::string> keys_of(Value object) {
  std::set<std::string> keys;
  if (!object || !object.is_object()) return keys;
  for (const Value member : object.children()) keys.insert(std::string(member.key()));
  return keys;
}

}  // namespace

Session::Session(const Surroundings& around)
    : out_(around.out), reader_(around.in), workspace_(around.files, around.clock) {}

const std::map<std::string_view, Session::Request>& Session::requests() {
  static const std::map<std::string_view, Request> all{
      {"initialize", &Session::initialize},
      {"shutdown", &Session::shut_down},
      {"textDocument/hover", &Session::hover},
      {"textDocument/completion", &Session::complete},
      {"textDocument/codeAction", &Session::act},
      {"textDocument/diagnostic", &Session::diagnose},
      {"textDocument/documentSymbol", &Session::outline},
      {"workspace/executeCommand", &Session::execute},
  };
  return all;
}

const std::map<std::string_view, Session::Notification>& Session::notifications() {
  static const std::map<std::string_view, Notification> all{
      {"initialized", &Session::initialized},
      {"textDocument/didOpen", &Session::did_open},
      {"textDocument/didChange", &Session::did_change},
      {"textDocument/didSave", &Session::did_save},
      {"textDocument/didClose", &Session::did_close},
      {"workspace/didChangeWatchedFiles", &Session::did_change_watched_files},
  };
  return all;
}

int Session::run() {
  while (!is_over_ && take_in()) {
    while (!queue_.empty() && !is_over_) {
      const Message message = std::move(queue_.front());
      queue_.pop_front();
      handle(message);
    }
    if (!is_over_ && !reader_.is_waiting()) publish_changed();
    if (!out_.good()) return 1;  // the client does not listen any more
  }
  return is_over_ && is_shut_down_ ? 0 : 1;
}

bool Session::take_in() {
  do {
    auto incoming = reader_.next();
    if (incoming.kind == Incoming::Kind::kEnd) break;
    const bool is_lost = incoming.kind == Incoming::Kind::kLost;
    queue(std::move(incoming));
    if (is_lost) break;
  } while (reader_.is_waiting() && queue_.size() < kMaxWaiting);
  return !queue_.empty();
}

void Session::queue(Incoming incoming) {
  if (incoming.kind != Incoming::Kind::kContent) {
    const bool is_too_large = incoming.kind == Incoming::Kind::kTooLarge;
    Message unreadable;
    unreadable.fault = Refusal{is_too_large ? ErrorCode::kInvalidRequest : ErrorCode::kParseError, incoming.text};
    queue_.push_back(std::move(unreadable));
    return;
  }
  auto message = read_message(std::move(incoming.text));
  if (message.method == "$/cancelRequest" && !message.id) return cancel(message.params);
  queue_.push_back(std::move(message));
}

/// What was answered already cannot be canceled any more.
void Session::cancel(Value params) {
  const Value id = params.find("id");
  if (!id) return;
  const auto number = id.integer();
  const Id wanted = number ? Id(*number) : Id(text_of(id));
  const auto waits = std::any_of(queue_.begin(), queue_.end(), [&](const Message& one) { return one.id == wanted; });
  if (waits) canceled_.insert(wanted);
}

void Session::handle(const Message& message) {
  if (message.fault) return send(error_response(message.id.value_or(Id()), *message.fault));
  if (message.is_response) return;
  if (!message.id) {
    if (message.method == "exit") {
      is_over_ = true;
      return;
    }
    const auto known = notifications().find(message.method);
    if (known != notifications().end() && is_initialized_ && !is_shut_down_) (this->*known->second)(message.params);
    return;
  }
  const auto answered = answer(message);
  if (const auto* refusal = std::get_if<Refusal>(&answered)) return send(error_response(*message.id, *refusal));
  std::ostringstream content;
  JsonWriter json(content);
  json.begin_object(Layout::kLine).member("jsonrpc", "2.0");
  write_id(json, *message.id);
  json.key("result");
  std::get<WriteResult>(answered)(json);
  json.end_object();
  send(content.str());
}

Session::Answer Session::answer(const Message& message) {
  if (canceled_.erase(*message.id) > 0) return Refusal{ErrorCode::kRequestCancelled, "canceled"};
  const bool is_first = message.method == "initialize";
  if (is_shut_down_) return Refusal{ErrorCode::kInvalidRequest, "after 'shutdown' only 'exit' may come"};
  if (is_first && is_initialized_) return Refusal{ErrorCode::kInvalidRequest, "duplicate 'initialize'"};
  if (!is_first && !is_initialized_) return Refusal{ErrorCode::kServerNotInitialized, "'initialize' must come first"};
  const auto known = requests().find(message.method);
  if (known == requests().end())
    return Refusal{ErrorCode::kMethodNotFound, "no method '" + printable(message.method) + "'"};
  return (this->*known->second)(message.params);
}

void Session::send(const std::string& content) {
  write_message(out_, content);
}

void Session::send_notification(std::string_view method, const WriteResult& params) {
  std::ostringstream content;
  JsonWriter json(content);
  json.begin_object(Layout::kLine).member("jsonrpc", "2.0").member("method", method).key("params");
  params(json);
  json.end_object();
  send(content.str());
}

Session::Answer Session::initialize(Value params) {
  if (!params || !params.is_object()) return Refusal{ErrorCode::kInvalidParams, "'initialize' requires an object"};
  client_ = Client::of(params);
  workspace_.set_root(root_in(params));
  is_initialized_ = true;
  return [this](JsonWriter& json) {
    json.begin_object();
    write_capabilities(json, client_);
    json.key("serverInfo").begin_object().member("name", "bayplan").member("version", version()).end_object();
    json.end_object();
  };
}

Session::Answer Session::shut_down(Value /*params*/) {
  is_shut_down_ = true;
  return [](JsonWriter& json) { json.null(); };
}

std::variant<const OpenDocument*, Refusal> Session::document_in(Value params) {
  const std::string uri = params ? uri_in(params) : std::string();
  if (uri.empty()) return Refusal{ErrorCode::kInvalidParams, "'textDocument.uri' is missing"};
  const OpenDocument* document = workspace_.find(uri);
  if (document == nullptr) return Refusal{ErrorCode::kInvalidParams, "not open: " + uri};
  return document;
}

std::variant<Session::OpenPlace, Refusal> Session::place_of(Value params) {
  const auto found = document_in(params);
  if (const auto* refusal = std::get_if<Refusal>(&found)) return *refusal;
  const auto at = read_position(params.find("position"));
  if (!at) return Refusal{ErrorCode::kInvalidParams, "'position' is missing"};
  return OpenPlace{*std::get<const OpenDocument*>(found), *at};
}

Session::Answer Session::hover(Value params) {
  const auto found = place_of(params);
  if (const auto* refusal = std::get_if<Refusal>(&found)) return *refusal;
  const OpenDocument& document = std::get<OpenPlace>(found).document;
  const Check& check = workspace_.check(document.uri);
  const auto read = read_of(document, check);
  const SourcePositions positions(document, *read, client_.encoding);
  const auto schema = schemas_.choose(document, check, keys_of(read->root()));
  auto hover = hover_at(positions.offset(std::get<OpenPlace>(found).position), *read, check, schema, schemas_,
                        workspace_.tools(), client_.takes_markdown);
  if (!hover) return [](JsonWriter& json) { json.null(); };
  const Range range = positions.range(hover->span);
  return [this, range, text = std::move(hover->text)](JsonWriter& json) {
    json.begin_object().key("contents").begin_object();
    json.member("kind", client_.takes_markdown ? "markdown" : "plaintext").member("value", text).end_object();
    write_range(json, "range", range);
    json.end_object();
  };
}

/// The text is broken while it is typed: what it is comes from the last time that it was linted.
Session::Answer Session::complete(Value params) {
  const auto found = place_of(params);
  if (const auto* refusal = std::get_if<Refusal>(&found)) return *refusal;
  const OpenDocument& document = std::get<OpenPlace>(found).document;
  const Check& check = workspace_.last_check(document.uri);
  const Positions positions(document.text, client_.encoding);
  const std::uint32_t cursor = positions.offset(std::get<OpenPlace>(found).position);
  const auto place = place_in(document.text, document.format(), cursor);
  const auto schema = schemas_.choose_at(place, document, check);
  auto items = completions(place, schema, cursor, workspace_.tools().catalog.get(), client_);
  return [this, &document, items = std::move(items)](JsonWriter& json) {
    write_completions(json, items, Positions(document.text, client_.encoding), client_);
  };
}

Session::Answer Session::act(Value params) {
  const auto found = document_in(params);
  if (const auto* refusal = std::get_if<Refusal>(&found)) return *refusal;
  const auto range = read_range(params.find("range"));
  if (!range) return Refusal{ErrorCode::kInvalidParams, "'range' is missing"};
  const OpenDocument& document = *std::get<const OpenDocument*>(found);
  const Check& check = workspace_.check(document.uri);
  ActionRequest request;
  if (check.is_linted) {
    request.span = SourcePositions(document, *check.report.document, client_.encoding).span(*range);
  }
  const Value only = params.find("context").find("only");
  if (only && only.is_array()) {
    for (const Value kind : only.children()) request.only.push_back(text_of(kind));
  }
  auto actions =
      client_.takes_action_literals ? code_actions(document, workspace_, request) : std::vector<CodeAction>();
  return [this, &document, &check, actions = std::move(actions)](JsonWriter& json) {
    write_code_actions(json, actions, document, check, workspace_.tools().rule_data.get(), client_);
  };
}

/// The diagnostics of a document, open or not: an editor asks for the files of its tabs, too.
Session::Answer Session::diagnose(Value params) {
  const std::string uri = params ? uri_in(params) : std::string();
  const bool is_open = workspace_.find(uri) != nullptr;
  auto closed = is_open ? std::nullopt : workspace_.check_on_disk(uri);
  if (!is_open && !closed) return Refusal{ErrorCode::kInvalidParams, "no such document: " + uri};
  if (is_open) {
    workspace_.check(uri);
    workspace_.take_changed(uri);
    edited_.erase(uri);
  }
  publish_config_errors();
  const auto write = [this, uri, closed = std::move(closed)](JsonWriter& json) {
    if (closed) return write_diagnostics(json, closed->document, closed->check);
    write_diagnostics(json, *workspace_.find(uri), workspace_.check(uri));
  };
  std::ostringstream content;
  JsonWriter items(content);
  write(items);
  const std::string id = fmt::format("{:016x}", hash(content.str()));
  const bool is_unchanged = text_of(params.find("previousResultId")) == id;
  return [id, is_unchanged, write](JsonWriter& json) {
    json.begin_object().member("kind", is_unchanged ? "unchanged" : "full").member("resultId", id);
    if (!is_unchanged) {
      json.key("items");
      write(json);
    }
    json.end_object();
  };
}

Session::Answer Session::outline(Value params) {
  const auto found = document_in(params);
  if (const auto* refusal = std::get_if<Refusal>(&found)) return *refusal;
  const OpenDocument& document = *std::get<const OpenDocument*>(found);
  const Check& check = workspace_.check(document.uri);
  auto read = read_of(document, check);
  auto symbols = symbols_in(*read, check, workspace_.tools());
  return [this, &document, read = std::move(read), symbols = std::move(symbols)](JsonWriter& json) {
    write_symbols(json, symbols, SourcePositions(document, *read, client_.encoding), document, client_);
  };
}

Session::Answer Session::execute(Value params) {
  const std::string command = params ? text_of(params.find("command")) : std::string();
  if (command != kExplainCommand) return Refusal{ErrorCode::kInvalidParams, "no command '" + printable(command) + "'"};
  const Value arguments = params.find("arguments");
  const Value first = arguments && arguments.is_array() ? arguments.at(0) : Value();
  const std::string text = text_of(first);
  if (trim(text).empty())
    return Refusal{ErrorCode::kInvalidParams,
                   "'" + std::string(kExplainCommand) + "' requires a rule or a message as its argument"};
  // The second argument, if any, is the document at hand: its lines are shown with the answer.
  const std::string uri = text_of(arguments.at(1));
  const bool has_file = !uri.empty() && workspace_.find(uri) != nullptr;
  const auto* open = has_file ? &workspace_.check(uri).report : nullptr;
  return [this, said = explain(text, workspace_.tools(), client_.takes_markdown, open)](JsonWriter& json) {
    json.begin_object().member("kind", client_.takes_markdown ? "markdown" : "plaintext").member("value", said);
    json.end_object();
  };
}

void Session::initialized(Value /*params*/) {
  if (!client_.takes_watchers) return;
  std::ostringstream content;
  JsonWriter json(content);
  write_watch_registration(json);
  send(content.str());
}

void Session::did_open(Value params) {
  const Value item = params.find("textDocument");
  const Value text = item.find("text");
  std::string uri = uri_in(params);
  if (uri.empty() || !text || !text.is_string()) return;
  const Value version = item.find("version");
  edited_.insert(uri);
  const OpenDocument& opened = workspace_.open(std::move(uri), text_of(item.find("languageId")),
                                               version ? version.integer().value_or(0) : 0, std::string(text.text()));
  // What was published of a config while it was closed is now part of what the client asks for.
  if (client_.pulls && config_errors_.contains(opened.path())) publish_nothing(opened.uri);
}

void Session::did_change(Value params) {
  OpenDocument* document = workspace_.find(uri_in(params));
  const auto changes = read_changes(params.find("contentChanges"));
  if (document == nullptr || !changes) return;
  document->apply(*changes, client_.encoding);
  const Value version = params.find("textDocument").find("version");
  if (version) document->version = version.integer().value_or(document->version);
  edited_.insert(document->uri);
  workspace_.note_change(*document);
}

/// What is open was linted as it is; but files next to it may be read for it.
void Session::did_save(Value params) {
  if (const OpenDocument* document = workspace_.find(uri_in(params))) workspace_.note_change(*document);
}

void Session::did_close(Value params) {
  const std::string uri = uri_in(params);
  if (workspace_.find(uri) == nullptr) return;
  workspace_.close(uri);
  if (!client_.pulls) publish_nothing(uri);
}

void Session::publish_nothing(const std::string& uri) {
  send_notification("textDocument/publishDiagnostics", [&](JsonWriter& json) {
    json.begin_object().member("uri", uri).key("diagnostics").begin_array().end_array().end_object();
  });
}

void Session::did_change_watched_files(Value /*params*/) {
  workspace_.note_change_of_disk();
}

void Session::publish_changed() {
  const auto changed = workspace_.take_changed();
  if (changed.empty()) return;
  for (const auto& uri : changed) workspace_.check(uri);
  publish_config_errors();
  if (client_.pulls) {
    // The client asks again for what it changed itself, but cannot know what else is judged otherwise by that.
    const bool is_of_others =
        std::any_of(changed.begin(), changed.end(), [&](const auto& uri) { return !edited_.contains(uri); });
    edited_.clear();
    if (is_of_others && client_.takes_refresh) send_refresh();
    return;
  }
  edited_.clear();
  for (const auto& uri : changed) {
    if (const OpenDocument* document = workspace_.find(uri)) publish(*document);
  }
}

void Session::publish(const OpenDocument& document) {
  send_notification("textDocument/publishDiagnostics", [&](JsonWriter& json) {
    json.begin_object().member("uri", document.uri);
    if (client_.takes_versions) json.member("version", document.version);
    json.key("diagnostics");
    write_diagnostics(json, document, workspace_.check(document.uri));
    json.end_object();
  });
}

void Session::write_diagnostics(JsonWriter& json, const OpenDocument& document, const Check& check) const {
  json.begin_array();
  write_findings(json, document, check, workspace_.tools().rule_data.get(), client_);
  write_config_errors(json, document.path());
  json.end_array();
}

void Session::send_refresh() {
  std::ostringstream content;
  JsonWriter json(content);
  json.begin_object(Layout::kLine).member("jsonrpc", "2.0");
  json.member("id", "bayplan-refresh-" + std::to_string(++refreshes_));
  json.member("method", "workspace/diagnostic/refresh").end_object();
  send(content.str());
}

/// A config that is open itself is published with what else is found in it.
void Session::publish_config_errors() {
  auto before = std::exchange(config_errors_, workspace_.config_errors());
  for (const auto& [path, errors] : config_errors_) before.try_emplace(path);
  for (const auto& [path, errors] : before) {
    if (workspace_.find_at(path) != nullptr) continue;
    const bool was_wrong = !errors.empty();
    if (!was_wrong && !config_errors_.contains(path)) continue;
    publish_config_errors_of(path);
  }
}

void Session::publish_config_errors_of(const std::string& path) {
  send_notification("textDocument/publishDiagnostics", [&](JsonWriter& json) {
    json.begin_object().member("uri", to_file_uri(path)).key("diagnostics").begin_array();
    write_config_errors(json, path);
    json.end_array().end_object();
  });
}

void Session::write_config_errors(JsonWriter& json, const std::string& path) const {
  const auto found = config_errors_.find(path);
  if (found == config_errors_.end()) return;
  const std::string text = workspace_.text_at(path);
  for (const auto& error : found->second) write_error(json, error, text, client_.encoding);
}

}  // namespace bayplan::lsp
