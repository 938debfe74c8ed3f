#include "cli/io/guarded_stream.hpp"

#include <algorithm>

#include "base/utf8.hpp"

namespace bayplan::cli {
namespace {

constexpr std::string_view kReplacement = "\xEF\xBF\xBD";  // U+FFFD
constexpr std::size_t kLongestColor = 16;

bool is_control(char byte) {
  const auto c = static_cast<unsigned char>(byte);
  return (c < 0x20 && byte != '\t' && byte != '\n') || c == 0x7F;
}

/// What is allowed before `::` in a line that GitHub trims: blanks of Unicode among others.
bool is_blank(char byte) {
  return byte == ' ' || byte == '\t' || byte == '\r' || byte == '\x1b' || static_cast<unsigned char>(byte) >= 0x80;
}

bool is_letter(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

/// First bytes of the characters beyond ASCII that `is_terminal_control` has: C1, U+061C, U+200E to U+2069.
bool may_begin_steering(unsigned char byte) {
  return byte == 0xC2 || byte == 0xD8 || byte == 0xE2;
}

/// Whether the bytes of one character control the terminal.
bool is_steering(std::string_view text) {
  std::size_t offset = 0;
  return is_terminal_control(decode_utf8(text, offset));
}

/// "ESC [ 1 ; 31 m"
bool is_color(std::string_view text) {
  const auto is_inner = [](char c) { return c == ';' || (c >= '0' && c <= '9'); };
  return text.size() > 2 && text[1] == '[' && text.back() == 'm' &&
         std::all_of(text.begin() + 2, text.end() - 1, is_inner);
}

bool may_become_color(std::string_view text) {
  const char last = text.back();
  if (text.size() == 2) return last == '[';
  return text.size() < kLongestColor && (last == ';' || (last >= '0' && last <= '9'));
}

}  // namespace

bool is_guarded(std::string_view format) {
  constexpr std::string_view kJson[] = {"json", "jsonl", "sarif", "gitlab", "aws"};
  return std::find(std::begin(kJson), std::end(kJson), format) == std::end(kJson);
}

Guard choose_guard(std::string_view format, bool is_colored) {
  const bool has_own_starts = format == "github" || format == "html" || format == "svg";  // ::before of a style sheet
  return {is_colored, format == "csv", !has_own_starts};
}

void GuardedStream::release(bool is_harmless) {
  if (is_harmless) {
    ready_ += waiting_;
  } else {
    ready_ += kReplacement;
  }
  waiting_.clear();
}

/// What waits is ESC and its digits, a carriage return, a colon at the start of a line, or part of a character.
void GuardedStream::take_waiting(char byte) {
  const char first = waiting_.front();
  if (first == ':') {
    release(byte != ':');
    return take(byte);
  }
  if (first == '\r') {
    release(byte == '\n' && guard_.allows_line_end_of_csv);
    return take(byte);
  }
  if (first == '\x1b') {
    waiting_ += byte;
    if (is_color(waiting_)) return release(true);
    if (may_become_color(waiting_)) return;
    const std::string rest = waiting_.substr(1);
    release(false);
    for (const char each : rest) take(each);
    return;
  }
  if ((static_cast<unsigned char>(byte) & 0xC0U) != 0x80U) {
    release(true);
    return take(byte);
  }
  waiting_ += byte;
  const std::size_t wanted = static_cast<unsigned char>(first) == 0xE2 ? 3 : 2;
  if (waiting_.size() == wanted) release(!is_steering(waiting_));
}

void GuardedStream::take(char byte) {
  if (!waiting_.empty()) return take_waiting(byte);
  const auto c = static_cast<unsigned char>(byte);
  const bool is_start = is_line_start_;
  is_line_start_ = byte == '\n' || (is_start && is_blank(byte));
  const int hashes = hashes_;
  hashes_ = byte == '#' ? std::min(hashes + 1, 2) : hashes == 2 && (is_letter(byte) || byte == '-') ? 2 : 0;
  if (may_begin_steering(c) || (byte == ':' && is_start && guard_.line_starts) ||
      (byte == '\r' && guard_.allows_line_end_of_csv) || (byte == '\x1b' && guard_.allows_color)) {
    waiting_ = byte;
  } else if (is_control(byte) || (byte == '[' && hashes == 2)) {
    ready_ += kReplacement;
  } else {
    ready_ += byte;
  }
}

void GuardedStream::hand_on(std::string_view text) {
  for (const char byte : text) take(byte);
  sink_.write(ready_.data(), static_cast<std::streamsize>(ready_.size()));
  ready_.clear();
}

void GuardedStream::finish() {
  if (!waiting_.empty()) release(waiting_.front() == ':' || static_cast<unsigned char>(waiting_.front()) >= 0x80);
  hand_on({});
}

std::streambuf::int_type GuardedStream::overflow(std::streambuf::int_type next) {
  using Traits = std::streambuf::traits_type;
  if (!Traits::eq_int_type(next, Traits::eof())) {
    const char byte = Traits::to_char_type(next);
    hand_on({&byte, 1});
  }
  return sink_.good() ? Traits::not_eof(next) : Traits::eof();
}

std::streamsize GuardedStream::xsputn(const char* text, std::streamsize size) {
  hand_on({text, static_cast<std::size_t>(size)});
  return sink_.good() ? size : 0;
}

int GuardedStream::sync() {
  finish();
  sink_.flush();
  return sink_.good() ? 0 : -1;
}

}  // namespace bayplan::cli
