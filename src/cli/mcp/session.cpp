#include "cli/mcp/session.hpp"

#include <algorithm>
#include <array>
#include <exception>
#include <ostream>
#include <sstream>
#include <utility>

#include "base/json_writer.hpp"
#include "base/threads.hpp"
#include "base/utf8.hpp"
#include "base/version.hpp"
#include "cli/io/error_text.hpp"
#include "lsp/file_uri.hpp"

namespace bayplan::cli::mcp {
namespace {

using lsp::ErrorCode;
using lsp::Refusal;
using text::Value;
using Layout = JsonWriter::Layout;

/// Revisions of the protocol, the newest first: https://modelcontextprotocol.io/specification/versioning. What the
/// server sends is understood in all of them.
constexpr std::array<std::string_view, 4> kRevisions{"2025-11-25", "2025-06-18", "2025-03-26", "2024-11-05"};

/// The number that the protocol has for a resource that does not exist.
constexpr auto kResourceNotFound = static_cast<ErrorCode>(-32002);

constexpr std::string_view kInstructions =
    "bayplan checks, sizes and simulates Amazon ECS tasks offline. lint: what is wrong with task definitions and "
    "services. fit: which "
    "EC2 instance types hold them. place, why, whatif: simulated placement on a cluster, its reasons and its changes. "
    "fleet: the "
    "cheapest instances for a workload. diff: what a change does. dry_run: what an aws ecs command would do. explain: "
    "a rule or an "
    "error message. catalog: instance types. A finding is a result and not an error. Files are read only below the "
    "folders of the "
    "client; relative paths start at the first. Nothing is written.";

/// Whether the command that runs is to end: what Streams::interrupted is of a run that the client cancels. One session
/// runs at a time.
std::atomic<bool> is_canceled{false};

std::string text_of(Value value) {
  return value && value.is_string() ? std::string(value.text()) : std::string();
}

std::optional<lsp::Id> id_in(Value value) {
  if (!value) return std::nullopt;
  if (value.is_string()) return lsp::Id(std::string(value.text()));
  if (const auto number = value.integer()) return lsp::Id(*number);
  return std::nullopt;
}

void write_text_content(JsonWriter& json, const std::string& text) {
  json.key("content").begin_array().begin_object().member("type", "text").member("text", text).end_object().end_array();
}

/// The result of a call that failed: the client shows it to its model, which can repair the call.
std::string tool_error(const std::string& words) {
  std::ostringstream out;
  JsonWriter json(out);
  json.begin_object(Layout::kLine);
  write_text_content(json, words);
  json.member("isError", true).end_object();
  return out.str();
}

std::string tool_result(const std::string& text, std::string_view report) {
  std::ostringstream out;
  JsonWriter json(out);
  json.begin_object(Layout::kLine);
  write_text_content(json, text);
  json.end_object();
  std::string result = out.str();
  result.pop_back();
  return result + ",\"structuredContent\":" + on_one_line(report) + "}";
}

std::string resource_result(const ResourceText& resource, const std::string& text) {
  std::ostringstream out;
  JsonWriter json(out);
  json.begin_object(Layout::kLine).key("contents").begin_array().begin_object();
  json.member("uri", resource.uri).member("mimeType", resource.type).member("text", text);
  json.end_object().end_array().end_object();
  return out.str();
}

}  // namespace

Session::Session(Streams& io) : io_(io), reader_(io.in), commands_(make_rows(all_commands())) {}

int Session::run() {
  {
    const Thread worker = start_thread([this] { work(); });
    has_worker_ = worker.has_started();
    while (is_heard()) {
      auto incoming = reader_.next();
      if (incoming.kind == lsp::Incoming::Kind::kEnd) break;
      take(std::move(incoming));
      if (!has_worker_) run_waiting();
    }
    {
      const std::lock_guard lock(mutex_);
      is_over_ = true;
    }
    changed_.notify_all();
  }
  if (!has_worker_) run_waiting();
  return is_heard() ? kClean : kFindings;
}

void Session::take(lsp::Incoming incoming) {
  if (incoming.kind != lsp::Incoming::Kind::kContent) {
    return respond(lsp::Id(), Refusal{ErrorCode::kInvalidRequest, incoming.text});
  }
  const auto message = lsp::read_message(std::move(incoming.text));
  if (message.fault) return respond(message.id.value_or(lsp::Id()), *message.fault);
  if (message.is_response) return take_roots(message);
  if (!message.id) return notify(message);
  respond(*message.id, answer(message));
}

void Session::notify(const lsp::Message& message) {
  if (message.method == "notifications/cancelled") return cancel(message.params);
  const bool is_asked = message.method == "notifications/initialized" && last_request_ == 0;
  const bool is_changed = message.method == "notifications/roots/list_changed" && is_initialized_;
  if (has_roots_ && (is_asked || is_changed)) ask_roots();
}

Session::Answer Session::answer(const lsp::Message& message) {
  const std::string& method = message.method;
  if (method == "ping") return "{}";
  if (method == "initialize") return initialize(message.params);
  if (!is_initialized_) return Refusal{ErrorCode::kInvalidRequest, "'initialize' must come first"};
  if (method == "tools/list") return list_tools(commands_);
  if (method == "tools/call") return call_tool(message);
  if (method == "resources/list") return list_resources(commands_);
  if (method == "resources/templates/list") return list_resource_templates();
  if (method == "resources/read") return read_resource(message);
  return Refusal{ErrorCode::kMethodNotFound, "no method '" + printable(method) + "'"};
}

Session::Answer Session::initialize(Value params) {
  if (is_initialized_) return Refusal{ErrorCode::kInvalidRequest, "duplicate 'initialize'"};
  const std::string asked = params && params.is_object() ? text_of(params.find("protocolVersion")) : std::string();
  if (asked.empty()) return Refusal{ErrorCode::kInvalidParams, "'protocolVersion' must be a string"};
  const bool is_known = std::find(kRevisions.begin(), kRevisions.end(), asked) != kRevisions.end();
  const Value capabilities = params.find("capabilities");
  has_roots_ = capabilities && capabilities.is_object() && capabilities.find("roots");
  is_initialized_ = true;
  {
    const std::lock_guard lock(mutex_);
    knows_roots_ = !has_roots_;
  }
  std::ostringstream out;
  JsonWriter json(out);
  json.begin_object(Layout::kLine).member("protocolVersion", is_known ? std::string_view(asked) : kRevisions.front());
  json.key("capabilities").begin_object();
  json.key("tools").begin_object().end_object().key("resources").begin_object().end_object().end_object();
  json.key("serverInfo").begin_object().member("name", "bayplan").member("title", "bayplan");
  json.member("version", version()).end_object().member("instructions", kInstructions).end_object();
  return out.str();
}

Session::Answer Session::call_tool(const lsp::Message& message) {
  const Value params = message.params;
  if (!params || !params.is_object()) return Refusal{ErrorCode::kInvalidParams, "'params' must be an object"};
  const Value name = params.find("name");
  if (!name || !name.is_string()) return Refusal{ErrorCode::kInvalidParams, "'name' must be a string"};
  const Tool* tool = find_tool(name.text());
  if (tool == nullptr) return Refusal{ErrorCode::kInvalidParams, "unknown tool '" + printable(name.text()) + "'"};
  const Value arguments = params.find("arguments");
  if (arguments && !arguments.is_object()) return Refusal{ErrorCode::kInvalidParams, "'arguments' must be an object"};
  auto call = read_call(*tool, arguments, commands_);
  if (!call) return tool_error(error_text(call.error()));
  const Value meta = params.find("_meta");
  const auto token = meta && meta.is_object() ? id_in(meta.find("progressToken")) : std::nullopt;
  if (has_roots_ && last_request_ == 0) ask_roots();
  {
    const std::lock_guard lock(mutex_);
    waiting_.push_back({*message.id, *std::move(call), token});
  }
  changed_.notify_all();
  return {};
}

Session::Answer Session::read_resource(const lsp::Message& message) {
  const Value params = message.params;
  const std::string uri = params && params.is_object() ? text_of(params.find("uri")) : std::string();
  if (uri.empty()) return Refusal{ErrorCode::kInvalidParams, "'uri' must be a string"};
  auto resource = find_resource(uri, commands_);
  if (!resource) return Refusal{kResourceNotFound, "no resource '" + printable(uri) + "'"};
  {
    const std::lock_guard lock(mutex_);
    waiting_.push_back({*message.id, *std::move(resource), {}});
  }
  changed_.notify_all();
  return {};
}

/// A request that is canceled has no answer. A command that cannot be interrupted ends by itself.
void Session::cancel(Value params) {
  const auto id = params && params.is_object() ? id_in(params.find("requestId")) : std::nullopt;
  if (!id) return;
  const std::lock_guard lock(mutex_);
  std::erase_if(waiting_, [&](const Job& job) { return job.id == *id; });
  if (running_ == id) is_canceled = true;
}

void Session::ask_roots() {
  {
    const std::lock_guard lock(mutex_);
    knows_roots_ = false;
  }
  send(R"({"jsonrpc":"2.0","id":)" + std::to_string(++last_request_) + R"(,"method":"roots/list"})");
}

/// An error is the answer of a client that lists no folders after all.
void Session::take_roots(const lsp::Message& response) {
  if (last_request_ == 0 || response.id != lsp::Id(last_request_)) return;
  std::optional<std::vector<std::string>> roots;
  const Value result = response.document->root().find("result");
  const Value list = result && result.is_object() ? result.find("roots") : Value();
  if (list && list.is_array()) {
    roots.emplace();
    for (const Value root : list.children()) {
      const Value uri = root.is_object() ? root.find("uri") : Value();
      if (auto path = lsp::path_of(text_of(uri))) roots->push_back(lsp::normal_path(*path));
    }
  }
  {
    const std::lock_guard lock(mutex_);
    roots_ = std::move(roots);
    knows_roots_ = true;
  }
  changed_.notify_all();
}

void Session::work() {
  for (;;) {
    {
      std::unique_lock lock(mutex_);
      changed_.wait(lock, [&] { return is_over_ || (knows_roots_ && !waiting_.empty()); });
      if (waiting_.empty()) return;
    }
    run_waiting();
  }
}

/// Runs what waits, unless it must wait for the folders of the client.
void Session::run_waiting() {
  for (;;) {
    std::optional<Job> job;
    {
      const std::lock_guard lock(mutex_);
      if (waiting_.empty() || (!knows_roots_ && !is_over_)) return;  // the folders do not come after the end
      job = std::move(waiting_.front());
      waiting_.pop_front();
      running_ = job->id;
      is_canceled = false;
    }
    Answer answer;
    try {
      answer = perform(*job);
    } catch (const std::exception& problem) {
      answer = Refusal{ErrorCode::kInternalError, std::string("internal error: ") + problem.what()};
    }
    bool is_wanted = true;
    {
      const std::lock_guard lock(mutex_);
      running_.reset();
      is_wanted = !is_canceled;
    }
    if (is_wanted) respond(job->id, answer);
  }
}

Session::Answer Session::perform(const Job& job) {
  std::optional<std::vector<std::string>> roots;
  {
    const std::lock_guard lock(mutex_);
    // A client that was asked for its folders and did not answer has none.
    roots = knows_roots_ ? roots_ : std::optional(std::vector<std::string>());
  }
  RootFiles files(io_.files, roots);
  if (const auto* resource = std::get_if<ResourceText>(&job.work)) {
    if (!resource->page.empty()) return resource_result(*resource, std::string(resource->page));
    const auto printed = print(resource->words, {}, files, job);
    if (printed.code != kClean) return Refusal{ErrorCode::kInternalError, printed.err};
    return resource_result(*resource, printed.out);
  }
  const auto& call = std::get<ToolCall>(job.work);
  for (const auto& path : call.paths) {
    if (const auto error = files.refusal(path)) return tool_error(error_text(*error));
  }
  const auto printed = print(call.words, call.text, files, job);
  const bool has_answer = printed.code == kClean || printed.code == kFindings;
  if (!has_answer || printed.out.empty()) return tool_error(printed.err + files.text_report());
  return tool_result(files.text_report() + printed.err, printed.out);
}

Session::Printed Session::print(const std::vector<std::string>& words, const std::string& text, RootFiles& files,
                                const Job& job) {
  std::istringstream in(text);
  std::ostringstream out, err;
  // No environment: what a client has set is no part of its question.
  Streams streams{in, out, err, files};
  streams.clock = io_.clock;
  streams.interrupted = [] { return is_canceled.load(); };
  std::mutex progress_mutex;
  std::int64_t said = 0;
  if (job.progress_token) {
    streams.on_progress = [&](std::string_view progress) {
      const std::lock_guard lock(progress_mutex);
      if (is_canceled) return;
      std::ostringstream content;
      JsonWriter json(content);
      json.begin_object(Layout::kLine).member("jsonrpc", "2.0").member("method", "notifications/progress");
      json.key("params").begin_object().key("progressToken");
      if (const auto* number = std::get_if<std::int64_t>(&*job.progress_token)) {
        json.value(*number);
      } else {
        json.value(std::get<std::string>(*job.progress_token));
      }
      json.member("progress", ++said).member("message", progress).end_object().end_object();
      send(content.str());
    };
  }
  const int code = cli::run(words, streams);
  return {code, out.str(), err.str()};
}

void Session::respond(const lsp::Id& id, const Answer& answer) {
  if (const auto* refusal = std::get_if<Refusal>(&answer)) return send(lsp::error_response(id, *refusal));
  const auto* result = std::get_if<std::string>(&answer);
  if (result == nullptr) return;
  std::ostringstream out;
  JsonWriter json(out);
  json.begin_object(Layout::kLine).member("jsonrpc", "2.0");
  lsp::write_id(json, id);
  json.end_object();
  std::string message = out.str();
  message.pop_back();
  send(message + ",\"result\":" + *result + "}");
}

bool Session::is_heard() {
  const std::lock_guard lock(out_mutex_);
  return io_.out.good();
}

void Session::send(const std::string& message) {
  const std::lock_guard lock(out_mutex_);
  io_.out << message << '\n' << std::flush;
}

}  // namespace bayplan::cli::mcp
