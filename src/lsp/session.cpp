#include "lsp/session.hpp"

#include <algorithm>
#include <optional>
#include <ostream>
#include <sstream>
#include <string>
#include <utility>

#include "base/json_writer.hpp"
#include "base/span.hpp"
#include "base/strings.hpp"
#include "base/utf8.hpp"
#include "base/version.hpp"
#include "lsp/catalog_words.hpp"
#include "lsp/client.hpp"
#include "lsp/code_actions.hpp"
#include "lsp/completion.hpp"
#include "lsp/diagnostics.hpp"
#include "lsp/file_uri.hpp"
#include "lsp/schema_choice.hpp"
#include "lsp/source_positions.hpp"
#include "lsp/workspace.hpp"
#include "report/document/escape.hpp"
#include "report/explain/explain_report.hpp"
#include "text/read.hpp"

namespace bayplan::lsp {

namespace {

/// What is known of a place in a text.
struct Hover {
  Span span;         ///< What it is about, in the document that was read.
  std::string text;  ///< Markdown or plain text.
};

using text::Value;

bool holds(Span span, std::uint32_t offset) {
  return span.begin <= offset && offset < span.end;
}

/// Paragraphs in one of the two formats that clients show.
class Page {
 public:
  explicit Page(bool markdown) : markdown_(markdown) {}

  void heading(std::string_view code, std::string_view rest) {
    begin(text_.empty() ? "" : markdown_ ? "\n\n---\n\n" : "\n\n");
    text_ += markdown_ ? "**" + report::markdown_code(code) + "**" : std::string(code);
    if (!rest.empty()) (text_ += ' ') += rest;
  }
  /// Text that is not ours: it has names and values of the file.
  void quote(const std::string& text) {
    begin("\n\n");
    if (!markdown_) {
      text_ += text;
      return;
    }
    std::string fence = "```";
    while (text.find(fence) != std::string::npos) fence += '`';
    text_ += fence + "text\n" + printable_lines(text) + "\n" + fence;
  }
  void paragraph(std::string_view text) {
    if (text.empty()) return;
    begin("\n\n");
    text_ += written(text);
  }
  void named(std::string_view name, std::string_view text) {
    if (text.empty()) return;
    begin("\n\n");
    text_ += (markdown_ ? "*" + std::string(name) + ":* " : std::string(name) + ": ") + written(text);
  }
  void link(std::string_view name, const std::string& address) {
    begin("\n\n");
    text_ += (markdown_ ? "*" + std::string(name) + ":* <" + address + ">" : std::string(name) + ": " + address);
  }
  std::string text() && { return std::move(text_); }

 private:
  /// Our own text has no markup, but may name an `<ACCOUNT>`.
  std::string written(std::string_view text) const {
    std::string out;
    for (const char c : text) {
      if (markdown_ && (c == '<' || c == '*')) out += '\\';
      out += c;
    }
    return out;
  }
  static std::string printable_lines(const std::string& text) {
    std::string out;
    for (const auto line : split(text, '\n')) (out += out.empty() ? "" : "\n") += printable(line);
    return out;
  }
  void begin(std::string_view between) {
    if (!text_.empty()) text_ += between;
  }

  bool markdown_;
  std::string text_;
};

void tell_finding(Page& page, const lint::LintFinding& finding, const rules::RuleRow& row) {
  page.heading(finding.code, std::string(row.id) + " (" + std::string(name_of(finding.severity)) + ")");
  page.quote(finding.help.empty() ? finding.message : finding.message + "\nhelp: " + finding.help);
  page.named("Why", row.why);
  page.named("Fix", row.fix);
  page.named("Evidence", report::evidence_in_words(finding.evidence));
  page.named("Source", row.source);
  if (const auto address = row.web_url()) {
    page.link("Rule", *address);
  } else {
    page.named("Rule", row.url());
  }
}

/// The innermost value there, and whether it is its key that is meant.
struct Found {
  Value value;
  bool is_key = false;
};

Found value_at(const text::Document& document, std::uint32_t offset) {
  Found found;
  for (std::uint32_t i = 0; i < document.node_count(); ++i) {
    const Value value = document.node(i);
    if (holds(value.key_span(), offset)) return {value, true};
    if (holds(value.span(), offset)) found = {value, false};
  }
  return found;
}

/// Path of a value in its document.
Path path_to(Value value) {
  Path path;
  for (; value && value.parent(); value = value.parent()) {
    const bool is_element = value.parent().is_array();
    path.push_back({is_element ? std::string() : std::string(value.key()), is_element});
  }
  std::reverse(path.begin(), path.end());
  return path;
}

/// The findings there, what the schema says of the key, what the catalog says of the instance type. `document` is what
/// was read of the text; `markdown` chooses how it is written.
std::optional<Hover> hover_at(std::uint32_t offset, const text::Document& document, const Check& check,
                              const ChosenSchema& schema, const lint::Tools& tools, bool markdown) {
  Page page(markdown);
  std::optional<Span> span;
  const auto about = [&](Span place) {
    if (!span || place.length() < span->length()) span = place;
  };
  if (check.is_linted) {
    for (const auto& finding : check.report.findings) {
      if (finding.suppression || !holds(finding.span, offset)) continue;
      tell_finding(page, finding, tools.rule_data.get().row(finding.code));
      about(finding.span);
    }
  }
  const Found found = value_at(document, offset);
  const Span word = type_word_at(document.source(), offset);
  if (const auto* type = tools.catalog.get().find(document.source().substr(word.begin, word.length()))) {
    page.heading(type->name, "");
    for (const auto& fact : collect_facts(*type)) page.paragraph(fact);
    about(word);
  } else if (found.value && schema.guide != nullptr) {
    const bool is_scalar = !found.value.is_object() && !found.value.is_array();
    const SchemaObjects said = schema.said(path_to(found.value));
    if (!said.empty() && (found.is_key || is_scalar) && !found.value.key().empty()) {
      page.heading(found.value.key(), "");
      page.paragraph(description_of(said));
      page.paragraph(limits_of(said, *schema.guide));
      if (is_deprecated(said)) page.paragraph("deprecated");
      about(found.is_key ? found.value.key_span() : found.value.span());
    }
  }
  if (!span) return std::nullopt;
  return Hover{*span, std::move(page).text()};
}

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
  json.end_object();
}

/// Writes the request to be notified when a config changes, be it by another program.
void write_watch_registration(JsonWriter& json) {
  json.begin_object(JsonWriter::Layout::kLine).member("jsonrpc", "2.0").member("id", "bayplan-watch");
  json.member("method", "client/registerCapability").key("params").begin_object();
  json.key("registrations").begin_array().begin_object().member("id", "bayplan-config");
  json.member("method", "workspace/didChangeWatchedFiles").key("registerOptions").begin_object();
  json.key("watchers").begin_array();
  for (const char* const pattern : {"**/.bayplan.{yaml,yml}", "**/*.{json,yaml,yml}"}) {
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
  return text::read_document(document.text, {.format = text::format_of_name(document.name)});
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
      {"initialize", &Session::initialize},       {"shutdown", &Session::shut_down},
      {"textDocument/hover", &Session::hover},    {"textDocument/completion", &Session::complete},
      {"textDocument/codeAction", &Session::act},
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
  auto hover = hover_at(positions.offset(std::get<OpenPlace>(found).position), *read, check, schema, workspace_.tools(),
                        client_.takes_markdown);
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
  const auto place = place_in(document.text, text::format_of_name(document.name).value_or(text::Format::kYaml), cursor);
  const auto schema = schemas_.choose(document, check, place.root_keys);
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
  workspace_.open(std::move(uri), text_of(item.find("languageId")), version ? version.integer().value_or(0) : 0,
                  std::string(text.text()));
}

void Session::did_change(Value params) {
  OpenDocument* document = workspace_.find(uri_in(params));
  const auto changes = read_changes(params.find("contentChanges"));
  if (document == nullptr || !changes) return;
  document->apply(*changes, client_.encoding);
  const Value version = params.find("textDocument").find("version");
  if (version) document->version = version.integer().value_or(document->version);
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
  for (const auto& uri : changed) {
    if (const OpenDocument* document = workspace_.find(uri)) publish(*document);
  }
}

void Session::publish(const OpenDocument& document) {
  send_notification("textDocument/publishDiagnostics", [&](JsonWriter& json) {
    json.begin_object().member("uri", document.uri);
    if (client_.takes_versions) json.member("version", document.version);
    json.key("diagnostics").begin_array();
    const auto& data = workspace_.tools().rule_data.get();
    write_findings(json, document, workspace_.check(document.uri), data, client_);
    write_config_errors(json, document.path());
    json.end_array().end_object();
  });
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
