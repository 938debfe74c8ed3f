#pragma once
#include <atomic>
#include <condition_variable>
#include <cstdint>
#include <deque>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "cli/application.hpp"
#include "cli/mcp/line_reader.hpp"
#include "cli/mcp/resources.hpp"
#include "cli/mcp/root_files.hpp"
#include "cli/mcp/tools.hpp"
#include "cli/options/command_rows.hpp"
#include "lsp/message.hpp"

namespace bayplan::cli::mcp {

/// One session of the Model Context Protocol over standard input and output. A tool call is a command line that is run
/// in this process with streams of its own, one after the other in a second thread, so that pings and cancellations are
/// answered meanwhile. Without threads (WebAssembly), each runs when it arrives.
class Session {
 public:
  explicit Session(Streams& io);
  Session(const Session&) = delete;
  Session& operator=(const Session&) = delete;

  /// Until the end of the input; calls that have arrived by then are still answered. Returns 1 if the client no longer
  /// reads.
  int run();

 private:
  /// A request that runs a command.
  struct Job {
    lsp::Id id;
    std::variant<ToolCall, ResourceText> work;
    std::optional<lsp::Id> progress_token;
  };
  /// The JSON text of a result, or why there is none. No answer yet: a job will give it.
  using Answer = std::variant<std::monostate, std::string, lsp::Refusal>;
  struct Printed {
    int code;
    std::string out;
    std::string err;
  };

  // In the thread that reads.
  void take(lsp::Incoming incoming);
  void notify(const lsp::Message& message);
  Answer answer(const lsp::Message& message);
  Answer initialize(text::Value params);
  Answer call_tool(const lsp::Message& message);
  Answer read_resource(const lsp::Message& message);
  void cancel(text::Value params);
  void ask_roots();
  void take_roots(const lsp::Message& response);

  // In the thread that runs commands.
  void work();
  void run_waiting();
  Answer perform(const Job& job);
  Printed print(const std::vector<std::string>& words, const std::string& text, RootFiles& files, const Job& job);

  // In both.
  void respond(const lsp::Id& id, const Answer& answer);
  void send(const std::string& message);
  bool is_heard();  ///< Whether the client still reads.

  Streams& io_;
  LineReader reader_;
  const std::vector<CommandRows> commands_;
  bool is_initialized_ = false;
  bool has_roots_ = false;  ///< The client can list its folders.
  bool has_worker_ = false;
  std::int64_t last_request_ = 0;  ///< ID of the last request to the client.

  std::mutex out_mutex_;

  std::mutex mutex_;  ///< Of what follows.
  std::condition_variable changed_;
  bool is_over_ = false;
  bool knows_roots_ = false;
  std::optional<std::vector<std::string>> roots_;
  std::deque<Job> waiting_;
  std::optional<lsp::Id> running_;
};

}  // namespace bayplan::cli::mcp
