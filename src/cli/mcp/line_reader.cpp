#include "cli/mcp/line_reader.hpp"

#include <cstdint>
#include <istream>
#include <string>

namespace bayplan::cli::mcp {

lsp::Incoming LineReader::next() {
  using Kind = lsp::Incoming::Kind;
  constexpr int kEnd = std::istream::traits_type::eof();
  std::string text;
  std::uint64_t length = 0;
  for (int byte = in_.get();; byte = in_.get()) {
    if (byte != kEnd && byte != '\n') {
      if (++length <= kMaxLine) text += static_cast<char>(byte);
      continue;
    }
    if (text.ends_with('\r')) text.pop_back();
    if (length > kMaxLine) {
      return {Kind::kTooLarge,
              "a message of " + std::to_string(length) + " bytes; the limit is " + std::to_string(kMaxLine)};
    }
    if (!text.empty()) return {Kind::kContent, std::move(text)};
    if (byte == kEnd) return {Kind::kEnd, {}};
    length = 0;
  }
}

}  // namespace bayplan::cli::mcp
