#pragma once
#include <cstddef>
#include <iosfwd>

#include "lsp/message_stream.hpp"

namespace bayplan::cli::mcp {

/// Bytes of a line: a definition of the largest size (Limits::definition_bytes) with every byte escaped.
constexpr std::size_t kMaxLine = 32u << 20;

/// Takes messages out of a stream in which each is a line (the stdio transport of MCP). A longer line is skipped
/// without being kept. The last line may lack its end.
class LineReader {
 public:
  explicit LineReader(std::istream& in) : in_(in) {}

  /// Waits for the next message: kContent, kTooLarge or kEnd. Empty lines are skipped.
  lsp::Incoming next();

 private:
  std::istream& in_;
};

}  // namespace bayplan::cli::mcp
