#include "base/json_writer.hpp"

#include <array>
#include <charconv>
#include <cmath>

#include "base/decimal.hpp"
#include "base/utf8.hpp"

namespace bayplan {
namespace {

/// Whether the text stands in a JSON string as it is.
bool is_plain(std::string_view text) {
  char before = 0;
  for (const char c : text) {
    if (c < 0x20 || c >= 0x7F || c == '"' || c == '\\' || (c == '#' && before == '#')) return false;
    before = c;
  }
  return true;
}

/// Control characters and bidirectional overrides, for the terminal that shows the report; `##word[`, for the log of a
/// pipeline that would take it for a command.
bool is_escaped(char32_t c, std::string_view before) {
  if (c != '[') return is_terminal_control(c);
  const auto word = before.find_last_not_of("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ-");
  return word != std::string_view::npos && word > 0 && before.substr(word - 1, 2) == "##";
}

}  // namespace

std::string json_quoted(std::string_view text) {
  constexpr std::string_view kHex = "0123456789abcdef";
  std::string out;
  out.reserve(text.size() + 2);
  out += '"';
  for (std::size_t offset = 0; offset < text.size();) {
    const char32_t c = decode_utf8(text, offset);
    switch (c) {
      case '"':
        out += "\\\"";
        break;
      case '\\':
        out += "\\\\";
        break;
      case '\n':
        out += "\\n";
        break;
      case '\r':
        out += "\\r";
        break;
      case '\t':
        out += "\\t";
        break;
      default:
        if (is_escaped(c, out)) {
          out += "\\u";
          for (const unsigned shift : {12U, 8U, 4U, 0U}) out += kHex[c >> shift & 15U];
        } else {
          append_utf8(out, c);
        }
    }
  }
  out += '"';
  return out;
}

// A report has tens of millions of small pieces: straight to the buffer of the stream, which is told of a failure.
void JsonWriter::put(std::string_view text) {
  const auto size = static_cast<std::streamsize>(text.size());
  if (out_.good() && out_.rdbuf()->sputn(text.data(), size) != size) out_.setstate(std::ios_base::badbit);
}

void JsonWriter::put_quoted(std::string_view text) {
  if (!is_plain(text)) return put(json_quoted(text));
  put("\"");
  put(text);
  put("\"");
}

void JsonWriter::indent() {
  put("\n");
  for (std::size_t i = 0; i < levels_.size(); ++i) put("  ");
}

void JsonWriter::before_item() {
  if (after_key_) {
    after_key_ = false;
    return;
  }
  if (levels_.empty()) return;
  auto& level = levels_.back();
  if (!level.empty) put(level.one_line ? ", " : ",");
  level.empty = false;
  if (!level.one_line) indent();
}

JsonWriter& JsonWriter::open(char bracket, Layout layout) {
  before_item();
  put({&bracket, 1});
  const bool inherited = !levels_.empty() && levels_.back().one_line;
  levels_.push_back({inherited || layout == Layout::kLine, true});
  return *this;
}

JsonWriter& JsonWriter::close(char bracket) {
  const Level level = levels_.back();
  levels_.pop_back();
  if (!level.empty && !level.one_line) indent();
  put({&bracket, 1});
  return *this;
}

JsonWriter& JsonWriter::key(std::string_view name) {
  before_item();
  put_quoted(name);
  put(": ");
  after_key_ = true;
  return *this;
}

JsonWriter& JsonWriter::raw(std::string_view text) {
  before_item();
  put(text);
  return *this;
}

JsonWriter& JsonWriter::value(std::string_view text) {
  before_item();
  put_quoted(text);
  return *this;
}

JsonWriter& JsonWriter::integer(std::int64_t number) {
  std::array<char, 24> buffer;
  const auto end = std::to_chars(buffer.data(), buffer.data() + buffer.size(), number).ptr;
  return raw({buffer.data(), static_cast<std::size_t>(end - buffer.data())});
}

JsonWriter& JsonWriter::value(double number) {
  if (!std::isfinite(number)) return null();
  return raw(shortest_decimal(number));
}

}  // namespace bayplan
