#include "lsp/message_stream.hpp"

#include <algorithm>
#include <array>
#include <istream>
#include <optional>
#include <ostream>

#include "base/strings.hpp"

namespace bayplan::lsp {
namespace {

using Kind = Incoming::Kind;

constexpr std::size_t kBlock = 1u << 16;

/// What header lines say that matters: how long the content is, and whether it can be read.
struct Header {
  std::optional<std::uint64_t> length;
  std::string fault;

  void take(std::string_view line) {
    const std::size_t colon = line.find(':');
    if (colon == std::string_view::npos) {
      if (fault.empty()) fault = "a header line without a colon";
      return;
    }
    const std::string_view name = trim(line.substr(0, colon));
    const std::string_view value = trim(line.substr(colon + 1));
    if (equal_ignoring_case(name, "Content-Length")) take_length(value);
    if (equal_ignoring_case(name, "Content-Type")) take_type(lower(value));
  }

 private:
  void take_length(std::string_view value) {
    const auto number = to_integer(value);
    if (number && *number >= 0) {
      length = static_cast<std::uint64_t>(*number);
    } else {
      fault = "Content-Length is not a number of bytes";
    }
  }

  void take_type(const std::string& type) {
    const std::size_t charset = type.find("charset=");
    if (charset == std::string::npos) return;
    const std::string_view name = std::string_view(type).substr(charset + 8);
    if (!name.starts_with("utf-8") && !name.starts_with("utf8")) fault = "the content must be UTF-8";
  }
};

}  // namespace

bool MessageReader::read_header_line(std::string& line, std::size_t& budget) {
  line.clear();
  for (int byte = in_.get(); byte != std::istream::traits_type::eof() && budget > 0; byte = in_.get(), --budget) {
    if (byte == '\n') {
      if (line.ends_with('\r')) line.pop_back();
      return true;
    }
    line += static_cast<char>(byte);
  }
  return false;
}

// istream::ignore would wait for the byte behind.
bool MessageReader::pass_over(std::uint64_t length) {
  std::array<char, kBlock> block;
  while (length > 0 && in_.good()) {
    in_.read(block.data(), static_cast<std::streamsize>(std::min<std::uint64_t>(block.size(), length)));
    length -= static_cast<std::uint64_t>(in_.gcount());
  }
  return length == 0;
}

Incoming MessageReader::read_content(std::uint64_t length) {
  if (length > kMaxContent) {
    if (!pass_over(length)) return {Kind::kEnd, {}};
    return {Kind::kTooLarge, "a message of " + std::to_string(length) + " bytes; no more than " +
                                 std::to_string(kMaxContent) + " are read"};
  }
  std::string text;
  while (text.size() < length) {
    const auto size = static_cast<std::size_t>(std::min<std::uint64_t>(kBlock, length - text.size()));
    const std::size_t before = text.size();
    text.resize(before + size);
    in_.read(text.data() + before, static_cast<std::streamsize>(size));
    if (static_cast<std::size_t>(in_.gcount()) < size) return {Kind::kEnd, {}};
  }
  return {Kind::kContent, std::move(text)};
}

Incoming MessageReader::next() {
  Header header;
  std::size_t budget = kMaxHeader;
  std::string line;
  bool has_lines = false;
  do {
    if (!read_header_line(line, budget)) {
      if (budget == 0) return {Kind::kLost, "header lines of more than " + std::to_string(kMaxHeader) + " bytes"};
      return {Kind::kEnd, {}};
    }
    if (line.empty()) continue;  // a line end too many after the last message does no harm
    has_lines = true;
    header.take(line);
  } while (!line.empty() || !has_lines);
  if (!header.length) return {Kind::kUnframed, header.fault.empty() ? "no Content-Length" : header.fault};
  auto content = read_content(*header.length);
  if (content.kind == Kind::kContent && !header.fault.empty()) return {Kind::kUnframed, header.fault};
  return content;
}

bool MessageReader::is_waiting() const {
  return in_.good() && in_.rdbuf()->in_avail() > 0;
}

void write_message(std::ostream& out, std::string_view content) {
  out << "Content-Length: " << content.size() << "\r\n\r\n" << content << std::flush;
}

}  // namespace bayplan::lsp
