#pragma once
#include <ostream>
#include <streambuf>
#include <string>
#include <string_view>

namespace bayplan::cli {

/// What a reader of a report would obey, and may come from an input.
struct Guard {
  bool allows_color = false;            ///< ESC [ ... m, as we write it.
  bool allows_line_end_of_csv = false;  ///< Carriage return before a line feed.
  bool line_starts = true;              ///< `::` at the start of a line: a workflow command of GitHub.
};

/// What is needed of a format; nothing is guarded in JSON, whose writer escapes all of it, and in workflow commands
/// `::`.
Guard choose_guard(std::string_view format, bool is_colored);
bool is_guarded(std::string_view format);

/// Hands on what is written, but for control characters (C0 without tab and line feed, DEL, C1), bidirectional
/// overrides, `::` at the start of a line and `##word[` (GitHub, Azure Pipelines, TeamCity): a character of each
/// becomes U+FFFD. Writers escape what they show; this holds for the text that somebody forgets.
class GuardedStream : private std::streambuf, public std::ostream {
 public:
  GuardedStream(std::ostream& sink, Guard guard) : std::ostream(this), sink_(sink), guard_(guard) {}
  GuardedStream(const GuardedStream&) = delete;
  GuardedStream& operator=(const GuardedStream&) = delete;
  ~GuardedStream() override { finish(); }

  void finish();  ///< Hands on what waited for its next byte.

 private:
  std::streambuf::int_type overflow(std::streambuf::int_type next) override;
  std::streamsize xsputn(const char* text, std::streamsize size) override;
  int sync() override;

  void take(char byte);
  void take_waiting(char byte);
  void hand_on(std::string_view text);
  void release(bool is_harmless);

  std::ostream& sink_;
  Guard guard_;
  std::string ready_;    ///< Bytes that are written next.
  std::string waiting_;  ///< The beginning of what may be harmful.
  bool is_line_start_ = true;
  int hashes_ = 0;  ///< 2: preceded by `##` and letters.
};

}  // namespace bayplan::cli
