#include "base/json_writer.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <cstring>

#include "base/decimal.hpp"
#include "base/utf8.hpp"

namespace bayplan {
namespace {

/// Compared all at once: GCC and Clang make vector instructions of it where the processor has them.
using Bytes = signed char __attribute__((vector_size(16)));

/// The bytes of a text of at most 16, some of them twice or a few blanks between them.
inline Bytes load_short(std::string_view text) {
  Bytes bytes = Bytes{} + ' ';
  const auto load_ends = [&](std::size_t size) {
    char* const target = reinterpret_cast<char*>(&bytes);
    std::memcpy(target, text.data(), size);
    std::memcpy(target + size, text.data() + text.size() - size, size);
  };
  if (text.size() >= 8) {
    load_ends(8);
  } else if (text.size() >= 4) {
    load_ends(4);
  } else {
    for (std::size_t i = 0; i < text.size(); ++i) bytes[i] = text[i];
  }
  return bytes;
}

inline Bytes load(const char* text) {
  Bytes bytes;
  std::memcpy(&bytes, text, sizeof bytes);
  return bytes;
}

/// Notes the bytes of a text that may have to be escaped in a JSON string.
class SpecialBytes {
 public:
  void look_at(Bytes bytes) {
    special_ |= (bytes < ' ') | (bytes == 0x7F) | (bytes == '"') | (bytes == '\\');  // beyond ASCII they are negative
    marks_ |= bytes == '#';
    brackets_ |= bytes == '[';
  }
  /// `##word[` has both marks and a bracket.
  bool none() const { return !any(special_) && !(any(marks_) && any(brackets_)); }

 private:
  static bool any(Bytes found) {
    std::array<std::uint64_t, 2> halves{};
    std::memcpy(halves.data(), &found, sizeof found);
    return (halves[0] | halves[1]) != 0;
  }

  Bytes special_{};
  Bytes marks_{};
  Bytes brackets_{};
};

/// Whether the text is written in a JSON string as it is.
bool is_plain(std::string_view text) {
  SpecialBytes special;
  if (text.size() < sizeof(Bytes)) {
    special.look_at(load_short(text));
  } else {
    const char* const last = text.data() + text.size() - sizeof(Bytes);
    for (const char* at = text.data(); at < last; at += sizeof(Bytes)) special.look_at(load(at));
    special.look_at(load(last));
  }
  return special.none();
}

/// Copies a text, which mostly is a short one: a call of memcpy would take longer.
inline void copy_text(std::string_view text, char* target) {
  const auto copy_ends = [&](std::size_t size) {
    std::memcpy(target, text.data(), size);
    std::memcpy(target + text.size() - size, text.data() + text.size() - size, size);
  };
  if (text.size() > 32) {
    std::memcpy(target, text.data(), text.size());
  } else if (text.size() >= 16) {
    copy_ends(16);
  } else if (text.size() >= 8) {
    copy_ends(8);
  } else if (text.size() >= 4) {
    copy_ends(4);
  } else {
    for (std::size_t i = 0; i < text.size(); ++i) target[i] = text[i];
  }
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
  copy_text(text, room(text.size()));
  size_ += text.size();
}

inline void JsonWriter::put_quoted(std::string_view text, bool is_plain) {
  if (!is_plain) return put(json_quoted(text));
  char* at = room(text.size() + 2);
  *at = '"';
  copy_text(text, at + 1);
  at[text.size() + 1] = '"';
  size_ += text.size() + 2;
}

void JsonWriter::indent() {
  const std::size_t blanks = 2 * levels_.size();
  char* at = room(1 + blanks);
  *at = '\n';
  std::memset(at + 1, ' ', blanks);
  size_ += 1 + blanks;
}

/// From the item before, if there is one.
inline void JsonWriter::separate(Level& level) {
  if (!level.empty) {
    char* at = room(2);
    at[0] = ',';
    at[1] = ' ';
    size_ += level.one_line ? 2 : 1;
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

inline void JsonWriter::before_item() {
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
  char* at = room(2);
  at[0] = ':';
  at[1] = ' ';
  size_ += 2;
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
