#pragma once
#include <cstdint>
#include <iosfwd>
#include <string>
#include <string_view>

namespace bayplan::lsp {

/// What came in next, framed as the Base Protocol of LSP 3.17 has it: header lines, an empty line, the content.
struct Incoming {
  enum class Kind : std::uint8_t {
    kContent,
    kUnframed,  ///< Header lines that do not say how long the content is; the next message may be well.
    kTooLarge,  ///< Longer than kMaxContent: it was passed over.
    kLost,      ///< Header lines without an end: what follows cannot be separated any more.
    kEnd,       ///< The client has left.
  };
  Kind kind = Kind::kEnd;
  std::string text;  ///< The content; of a fault what is wrong.
};

constexpr std::size_t kMaxContent = 64u << 20;  ///< Bytes: a definition of the largest size, all of it escaped.
constexpr std::size_t kMaxHeader = 8u << 10;    ///< Bytes of the header lines of one message.

/// Takes messages out of a stream. Never trusts a length: memory grows with what really came.
class MessageReader {
 public:
  explicit MessageReader(std::istream& in) : in_(in) {}

  Incoming next();          ///< Waits for it.
  bool is_waiting() const;  ///< Whether something has come that was not read yet.

 private:
  bool read_header_line(std::string& line, std::size_t& budget);
  bool pass_over(std::uint64_t length);
  Incoming read_content(std::uint64_t length);

  std::istream& in_;
};

/// Writes one message with its header and flushes: somebody waits for it.
void write_message(std::ostream& out, std::string_view content);

}  // namespace bayplan::lsp
