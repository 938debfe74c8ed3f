#include "base/json_writer.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstring>

#include "base/decimal.hpp"
#include "base/utf8.hpp"

namespace bayplan {
namespace {

/// Looks at eight bytes of a text at once: not zero if one of them, or `##` among them, may have to be escaped in a
/// JSON string.
inline std::uint64_t special_bytes(const char* text) {
  constexpr std::uint64_t kOnes = 0x0101010101010101;
  constexpr std::uint64_t kHighest = 0x80 * kOnes;  // the bits that say so
  std::uint64_t bytes = 0;
  std::memcpy(&bytes, text, sizeof bytes);
  // Zero where they are the same, and zero less one borrows the highest bit. A byte above such a one may be taken for
  // equal if it differs in the lowest bit: `"` for `#`, which is special anyway.
  const auto equal = [&](char c) {
    const std::uint64_t difference = bytes ^ (static_cast<unsigned char>(c) * kOnes);
    return (difference - kOnes) & ~difference & kHighest;
  };
  const std::uint64_t control = bytes - 0x20 * kOnes;
  const std::uint64_t not_ascii = bytes | (bytes + kOnes);  // 0x7F becomes 0x80
  const std::uint64_t mark = equal('#');
  return ((control | not_ascii) & kHighest) | equal('"') | equal('\\') | (mark & mark << 8);
}

/// Whether the text stands in a JSON string as it is.
bool is_plain(std::string_view text) {
  constexpr std::size_t kAtOnce = 8;
  if (text.size() < kAtOnce) {
    char padded[] = "        ";
    std::copy(text.begin(), text.end(), padded);
    return special_bytes(padded) == 0;
  }
  const char* const last = text.data() + text.size() - kAtOnce;
  std::uint64_t special = special_bytes(last);
  for (const char* at = text.data(); at < last; at += kAtOnce - 1) special |= special_bytes(at);
  return special == 0;
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

void JsonWriter::hand_on(std::string_view text) {
  const auto size = static_cast<std::streamsize>(text.size());
  if (out_->good() && out_->rdbuf()->sputn(text.data(), size) != size) out_->setstate(std::ios_base::badbit);
}

void JsonWriter::hand_on() {
  if (out_ == nullptr) return;
  hand_on({block_.data(), size_});
  size_ = 0;
}

void JsonWriter::make_room(std::size_t size) {
  if (block_.size() >= kBlock) hand_on();
  if (size > block_.size() - size_) block_.resize(std::max(size_ + size, 2 * block_.size()));
}

/// Where the next `size` bytes go.
inline char* JsonWriter::room(std::size_t size) {
  if (size > block_.size() - size_) make_room(size);
  return block_.data() + size_;
}

inline void JsonWriter::put(char c) {
  *room(1) = c;
  ++size_;
}

inline void JsonWriter::put(std::string_view text) {
  std::memcpy(room(text.size()), text.data(), text.size());
  size_ += text.size();
}

inline void JsonWriter::put_quoted(std::string_view text, bool is_plain) {
  if (!is_plain) return put(json_quoted(text));
  char* at = room(text.size() + 2);
  *at = '"';
  std::memcpy(at + 1, text.data(), text.size());
  at[text.size() + 1] = '"';
  size_ += text.size() + 2;
}

void JsonWriter::indent() {
  const std::size_t blanks = 2 * levels_.size();
  put('\n');
  std::memset(room(blanks), ' ', blanks);
  size_ += blanks;
}

/// From the item before, if there is one.
inline void JsonWriter::separate(Level& level) {
  if (!level.empty) {
    put(',');
    if (level.one_line) put(' ');
  }
  level.empty = false;
}

std::string JsonWriter::take_items() && {
  block_.resize(size_);
  return std::move(block_);
}

JsonWriter& JsonWriter::items(std::string_view text) {
  separate(levels_.back());
  if (out_ == nullptr || text.size() < kBlock) {
    put(text);
  } else {
    hand_on();
    hand_on(text);
  }
  return *this;
}

void JsonWriter::before_item() {
  if (after_key_) {
    after_key_ = false;
    return;
  }
  if (levels_.empty()) return;
  auto& level = levels_.back();
  separate(level);
  if (!level.one_line) indent();
}

JsonWriter& JsonWriter::open(char bracket, Layout layout) {
  before_item();
  put(bracket);
  const bool inherited = !levels_.empty() && levels_.back().one_line;
  levels_.push_back({inherited || layout == Layout::kLine, true});
  return *this;
}

JsonWriter& JsonWriter::close(char bracket) {
  const Level level = levels_.back();
  levels_.pop_back();
  if (!level.empty && !level.one_line) indent();
  put(bracket);
  after_item();
  return *this;
}

JsonWriter& JsonWriter::key(Name name) {
  before_item();
  put_quoted(name.text, name.is_plain || is_plain(name.text));
  put(':');
  put(' ');
  after_key_ = true;
  return *this;
}

JsonWriter& JsonWriter::raw(std::string_view text) {
  before_item();
  put(text);
  after_item();
  return *this;
}

JsonWriter& JsonWriter::value(std::string_view text) {
  before_item();
  put_quoted(text, is_plain(text));
  after_item();
  return *this;
}

JsonWriter& JsonWriter::integer(std::int64_t number) {
  before_item();
  constexpr std::size_t kLongest = 24;
  char* at = room(kLongest);
  size_ += static_cast<std::size_t>(std::to_chars(at, at + kLongest, number).ptr - at);
  after_item();
  return *this;
}

JsonWriter& JsonWriter::value(double number) {
  if (!std::isfinite(number)) return null();
  return raw(shortest_decimal(number));
}

}  // namespace bayplan
