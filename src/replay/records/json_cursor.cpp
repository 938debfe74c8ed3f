#include "replay/records/json_cursor.hpp"

#include <array>
#include <cstring>

#include "base/hexadecimal.hpp"
#include "base/strings.hpp"
#include "base/utf8.hpp"

namespace bayplan::replay {
namespace {

/// The bytes at which skipping a list or an object must look twice.
constexpr std::array<bool, 256> kStructural = [] {
  std::array<bool, 256> is{};
  for (const char c : {'"', '{', '}', '[', ']'}) is[static_cast<unsigned char>(c)] = true;
  return is;
}();

/// Decodes the escape at the beginning of `rest`, a backslash, and returns its length.
std::size_t append_escape(std::string& text, std::string_view rest) {
  constexpr std::string_view kNames = "\"\\/bfnrt";
  constexpr std::string_view kValues = "\"\\/\b\f\n\r\t";
  if (rest.size() < 2) return text += rest, rest.size();
  if (const auto known = kNames.find(rest[1]); known != std::string_view::npos) return text += kValues[known], 2;
  const auto escape = unicode_escape(rest);
  if (!escape) return text += rest.substr(0, 2), 2;
  append_utf8(text, escape->character.value_or(U'\uFFFD'));
  return escape->length;
}

}  // namespace

std::string decoded(std::string_view written) {
  std::string text;
  text.reserve(written.size());
  while (!written.empty()) {
    const std::size_t plain = std::min(written.find('\\'), written.size());
    text += written.substr(0, plain);
    written.remove_prefix(plain);
    if (!written.empty()) written.remove_prefix(append_escape(text, written));
  }
  return text;
}

std::string_view JsonCursor::quoted() {
  if (peek() != '"') return fail(), std::string_view();
  const char* const first = ++at_;
  for (;;) {
    const auto* quote = static_cast<const char*>(std::memchr(at_, '"', static_cast<std::size_t>(end_ - at_)));
    if (quote == nullptr) {
      at_ = end_;
      return fail(), std::string_view();
    }
    const char* slash = quote;
    while (slash != first && slash[-1] == '\\') --slash;
    at_ = quote + 1;
    if ((quote - slash) % 2 == 0) return {first, static_cast<std::size_t>(quote - first)};
  }
}

void JsonCursor::skip_scalar() {
  const char* const first = at_;
  while (at_ != end_ && *at_ != ',' && *at_ != '}' && *at_ != ']' && *at_ != ' ' && *at_ != '\n' && *at_ != '\r' &&
         *at_ != '\t' && *at_ != '"' && *at_ != ':' && *at_ != '{' && *at_ != '[')
    ++at_;
  if (at_ == first) fail();
}

void JsonCursor::skip_nested() {
  std::uint64_t kinds = 0;  // one bit a level that is open, 1 = object; deeper than 64 levels is no event
  int depth = 0;
  do {
    while (at_ != end_ && !kStructural[static_cast<unsigned char>(*at_)]) ++at_;
    if (at_ == end_) return fail();
    const char c = *at_;
    if (c == '"') {
      quoted();
      if (failed_) return;
      continue;
    }
    const bool is_object = c == '{' || c == '}';
    if (c == '{' || c == '[') {
      if (++depth > 64) return fail();
      kinds = (kinds << 1) | (is_object ? 1u : 0u);
    } else {
      if ((kinds & 1u) != (is_object ? 1u : 0u)) return fail();
      kinds >>= 1;
      --depth;
    }
    ++at_;
  } while (depth > 0);
}

void JsonCursor::skip() {
  if (failed_) return;
  const char c = peek();
  if (c == '"') return static_cast<void>(quoted());
  if (c == '{' || c == '[') return skip_nested();
  skip_scalar();
}

std::string_view JsonCursor::raw() {
  peek();
  const char* const first = at_;
  skip();
  return failed_ ? std::string_view() : std::string_view(first, static_cast<std::size_t>(at_ - first));
}

std::string_view JsonCursor::text(std::string& buffer) {
  const char c = peek();
  if (c == '"') {
    const std::string_view written = quoted();
    if (written.find('\\') == std::string_view::npos) return written;
    buffer = decoded(written);
    return buffer;
  }
  const std::string_view scalar = raw();
  return c == '{' || c == '[' || scalar == "null" ? std::string_view() : scalar;
}

std::optional<std::int64_t> JsonCursor::integer() {
  std::string buffer;
  const std::string_view digits = text(buffer);
  if (auto whole = to_integer(digits)) return whole;
  const auto real = to_number(digits);  // 256.0, as jq prints it
  if (!real || *real < -1e12 || *real > 1e12 || *real != static_cast<double>(static_cast<std::int64_t>(*real)))
    return std::nullopt;
  return static_cast<std::int64_t>(*real);
}

}  // namespace bayplan::replay
