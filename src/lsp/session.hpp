#pragma once
#include <deque>
#include <functional>
#include <iosfwd>
#include <map>
#include <set>
#include <string>
#include <variant>
#include <vector>

#include "base/files.hpp"
#include "lsp/client.hpp"
#include "lsp/message.hpp"
#include "lsp/message_stream.hpp"
#include "lsp/positions.hpp"
#include "lsp/schema_choice.hpp"
#include "lsp/workspace.hpp"

namespace bayplan::lsp {

/// All that a session touches, so that a whole one runs in a test.
struct Surroundings {
  std::istream& in;
  std::ostream& out;
  Files& files;
  std::int64_t (*clock)() = nullptr;  ///< Seconds since 1970; without one it is 1970.
};

/// One session of the Language Server Protocol 3.17. Messages are answered in order, one at a time. Everything that has
/// come is read before anything is done, so that a request can be canceled while it waits, and nothing is linted while
/// there is more to read: a text that changes ten times meanwhile is linted once. Diagnostics are published, unless the
/// client asks for them itself.
class Session {
 public:
  explicit Session(const Surroundings& around);

  /// Until the client says `exit` or leaves. 0 when it asked for a shutdown before it said `exit`, else 1.
  int run();

 private:
  using WriteResult = std::function<void(JsonWriter&)>;
  using Answer = std::variant<WriteResult, Refusal>;
  using Request = Answer (Session::*)(text::Value params);
  using Notification = void (Session::*)(text::Value params);
  struct OpenPlace {
    const OpenDocument& document;
    Position position;
  };

  static const std::map<std::string_view, Request>& requests();
  static const std::map<std::string_view, Notification>& notifications();

  bool take_in();  ///< Reads what has come, at least one message; false at the end.
  void queue(Incoming incoming);
  void cancel(text::Value params);
  void handle(const Message& message);
  Answer answer(const Message& message);
  void send(const std::string& content);
  void send_notification(std::string_view method, const WriteResult& params);

  Answer initialize(text::Value params);
  Answer shut_down(text::Value params);
  Answer hover(text::Value params);
  Answer complete(text::Value params);
  Answer act(text::Value params);
  Answer diagnose(text::Value params);
  Answer outline(text::Value params);
  Answer execute(text::Value params);
  void initialized(text::Value params);
  void did_open(text::Value params);
  void did_change(text::Value params);
  void did_save(text::Value params);
  void did_close(text::Value params);
  void did_change_watched_files(text::Value params);

  /// The open document that a request is about, or why there is none.
  std::variant<const OpenDocument*, Refusal> document_in(text::Value params);
  /// Does the same and adds the position of the cursor.
  std::variant<OpenPlace, Refusal> place_of(text::Value params);
  void publish_changed();
  void publish(const OpenDocument& document);
  void publish_nothing(const std::string& uri);
  void send_refresh();
  void write_diagnostics(JsonWriter& json, const OpenDocument& document, const Check& check) const;
  void publish_config_errors();
  void publish_config_errors_of(const std::string& path);
  void write_config_errors(JsonWriter& json, const std::string& path) const;

  std::ostream& out_;
  MessageReader reader_;
  Workspace workspace_;
  Client client_;
  SchemaChoice schemas_;
  std::deque<Message> queue_;
  std::set<Id> canceled_;                                    ///< Ids of queued requests that were canceled.
  std::set<std::string> edited_;                             ///< URIs of what the client changed since the last answer.
  int refreshes_ = 0;                                        ///< Number of the last request to ask again.
  std::map<std::string, std::vector<Error>> config_errors_;  ///< The published errors, keyed by absolute path.
  bool is_initialized_ = false;
  bool is_shut_down_ = false;
  bool is_over_ = false;
};

}  // namespace bayplan::lsp
