#include "base/json_writer.hpp"

#include <array>
#include <charconv>
#include <cmath>

#include "base/utf8.hpp"

namespace bayplan {

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
        if (c < 0x20 || c == 0x7F) {
          out += "\\u00";
          out += kHex[c >> 4];
          out += kHex[c & 15];
        } else {
          append_utf8(out, c);
        }
    }
  }
  out += '"';
  return out;
}

void JsonWriter::indent() {
  out_ << '\n';
  for (std::size_t i = 0; i < levels_.size(); ++i) out_ << "  ";
}

void JsonWriter::before_item() {
  if (after_key_) {
    after_key_ = false;
    return;
  }
  if (levels_.empty()) return;
  auto& level = levels_.back();
  if (!level.empty) out_ << (level.one_line ? ", " : ",");
  level.empty = false;
  if (!level.one_line) indent();
}

JsonWriter& JsonWriter::open(char bracket, Layout layout) {
  before_item();
  out_ << bracket;
  const bool inherited = !levels_.empty() && levels_.back().one_line;
  levels_.push_back({inherited || layout == Layout::kLine, true});
  return *this;
}

JsonWriter& JsonWriter::close(char bracket) {
  const Level level = levels_.back();
  levels_.pop_back();
  if (!level.empty && !level.one_line) indent();
  out_ << bracket;
  return *this;
}

JsonWriter& JsonWriter::key(std::string_view name) {
  before_item();
  out_ << json_quoted(name) << ": ";
  after_key_ = true;
  return *this;
}

JsonWriter& JsonWriter::raw(std::string_view text) {
  before_item();
  out_ << text;
  return *this;
}

JsonWriter& JsonWriter::value(std::string_view text) {
  return raw(json_quoted(text));
}

JsonWriter& JsonWriter::integer(std::int64_t number) {
  std::array<char, 24> buffer;
  const auto end = std::to_chars(buffer.data(), buffer.data() + buffer.size(), number).ptr;
  return raw({buffer.data(), static_cast<std::size_t>(end - buffer.data())});
}

JsonWriter& JsonWriter::value(double number) {
  if (!std::isfinite(number)) return null();
  std::array<char, 32> buffer;
  const auto end = std::to_chars(buffer.data(), buffer.data() + buffer.size(), number).ptr;
  return raw({buffer.data(), static_cast<std::size_t>(end - buffer.data())});
}

}  // namespace bayplan
