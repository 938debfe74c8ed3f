#include "text/encoding.hpp"

#include <algorithm>
#include <cstdint>
#include <optional>

#include "base/strings.hpp"
#include "base/utf8.hpp"

namespace bayplan::text {
namespace {

constexpr std::string_view kReplacement = "\xEF\xBF\xBD";
constexpr char32_t kReplacementCharacter = 0xFFFD;
constexpr std::string_view kUtf8Mark = "\xEF\xBB\xBF";

using Form = Encoding::Form;

/// Detects UTF-16 by its mark, else by the zero halves of its first two characters: a definition begins with ASCII (RFC
/// 4627, section 3).
std::optional<Encoding> detect_utf16(std::string_view bytes) {
  if (bytes.size() < 2) return std::nullopt;
  if (bytes.substr(0, 2) == "\xFF\xFE") return Encoding{Form::kUtf16Little, true};
  if (bytes.substr(0, 2) == "\xFE\xFF") return Encoding{Form::kUtf16Big, true};
  if (bytes.size() < 4 || bytes.size() % 2 != 0) return std::nullopt;
  const bool zero[] = {bytes[0] == 0, bytes[1] == 0, bytes[2] == 0, bytes[3] == 0};
  if (!zero[0] && zero[1] && !zero[2] && zero[3]) return Encoding{Form::kUtf16Little, false};
  if (zero[0] && !zero[1] && zero[2] && !zero[3]) return Encoding{Form::kUtf16Big, false};
  return std::nullopt;
}

std::string from_utf16(std::string_view bytes, Form form) {
  const auto unit = [&](std::size_t i) {
    const auto first = static_cast<unsigned char>(bytes[i]);
    const auto second = static_cast<unsigned char>(bytes[i + 1]);
    return static_cast<char32_t>(form == Form::kUtf16Little ? second << 8 | first : first << 8 | second);
  };
  std::string text;
  text.reserve(bytes.size());
  std::size_t i = 0;
  while (i + 1 < bytes.size()) {
    char32_t c = unit(i);
    i += 2;
    if (c >= 0xD800 && c <= 0xDBFF && i + 1 < bytes.size()) {
      const char32_t low = unit(i);
      if (low >= 0xDC00 && low <= 0xDFFF) {
        c = 0x10000 + ((c - 0xD800) << 10) + (low - 0xDC00);
        i += 2;
      }
    }
    append_utf8(text, c);  // a lone half becomes U+FFFD
  }
  if (i < bytes.size()) append_utf8(text, kReplacementCharacter);
  return text;
}

Fault encoding_fault(Span span, std::string message, std::string help) {
  return {FaultKind::kEncoding, span, std::move(message), std::move(help), {}, {}};
}

constexpr std::string_view kSaveAsUtf8 = "save the file as UTF-8 without BOM";

std::string hexadecimal(unsigned char byte) {
  constexpr std::string_view kDigits = "0123456789ABCDEF";
  return {'0', 'x', kDigits[byte >> 4], kDigits[byte & 15]};
}

/// Replaces the bytes of one sort; notes the first and how many there were.
class Sort {
 public:
  void add(std::string& clean, unsigned char byte) {
    if (count_++ == 0) {
      first_ = {static_cast<std::uint32_t>(clean.size()),
                static_cast<std::uint32_t>(clean.size() + kReplacement.size())};
      byte_ = byte;
    }
    clean += kReplacement;
  }

  void note_malformed(std::vector<Fault>& faults) const {
    if (count_ == 0) return;
    faults.push_back(
        encoding_fault(first_, "byte " + hexadecimal(byte_) + " is not UTF-8" + others(), std::string(kSaveAsUtf8)));
  }
  void note_nul(std::vector<Fault>& faults) const {
    if (count_ == 0) return;
    faults.push_back(
        encoding_fault(first_, "NUL byte in the text" + others(), "delete it, or exclude the file if it is not text"));
  }

 private:
  std::string others() const { return count_ > 1 ? " (" + std::to_string(count_) + " in all)" : std::string(); }

  Span first_;
  unsigned char byte_ = 0;
  std::int64_t count_ = 0;
};

/// JSON readers take NUL for the end of the text, so that what follows would be lost in silence.
void replace_stray_bytes(Decoded& decoded) {
  std::string_view rest = decoded.text;
  std::size_t next_malformed = first_invalid_utf8(rest).value_or(rest.size());
  std::size_t next_nul = std::min(rest.find('\0'), rest.size());
  if (next_malformed == rest.size() && next_nul == rest.size()) return;
  std::string clean;
  Sort malformed;
  Sort nul;
  for (std::size_t i = 0; i < rest.size();) {
    const std::size_t stop = std::min(next_malformed, next_nul);
    clean += rest.substr(i, stop - i);
    i = stop;
    if (i >= rest.size()) break;
    (i == next_nul ? nul : malformed).add(clean, static_cast<unsigned char>(rest[i]));
    ++i;
    if (stop == next_nul) {
      next_nul = std::min(rest.find('\0', i), rest.size());
    } else {
      next_malformed = i + first_invalid_utf8(rest.substr(i)).value_or(rest.size() - i);
    }
  }
  decoded.text = std::move(clean);
  malformed.note_malformed(decoded.faults);
  nul.note_nul(decoded.faults);
}

/// NUL bytes at the end are padding, not text.
bool drop_padding(std::string& text) {
  if (text.empty() || text.back() != '\0') return false;
  text.erase(text.find_last_not_of('\0') + 1);  // npos + 1 is 0
  return true;
}

}  // namespace

Decoded decode(std::string bytes) {
  Decoded decoded;
  if (bytes.compare(0, kUtf8Mark.size(), kUtf8Mark) == 0) {
    decoded.text = bytes.substr(kUtf8Mark.size());
    decoded.encoding.has_mark = true;
    decoded.faults.push_back(
        encoding_fault({0, 0}, "file starts with a UTF-8 byte order mark", std::string(kSaveAsUtf8)));
  } else if (const auto utf16 = detect_utf16(bytes)) {
    decoded.text = from_utf16(std::string_view(bytes).substr(utf16->has_mark ? 2 : 0), utf16->form);
    decoded.encoding = *utf16;
    const std::string_view name = utf16->form == Form::kUtf16Little ? "UTF-16 (little-endian)" : "UTF-16 (big-endian)";
    decoded.faults.push_back(
        encoding_fault({0, 0}, "file is encoded as " + std::string(name) + "; it was decoded",
                       std::string(kSaveAsUtf8) + "; in PowerShell: Out-File -Encoding utf8NoBOM"));
  } else {
    decoded.text = std::move(bytes);
  }
  const bool was_padded = drop_padding(decoded.text);
  replace_stray_bytes(decoded);
  if (was_padded) {
    const auto end = static_cast<std::uint32_t>(decoded.text.size());
    decoded.faults.push_back(encoding_fault({end, end}, "NUL bytes after the end of the text", "delete them"));
  }
  return decoded;
}

std::string encode(std::string_view text, Encoding encoding) {
  if (encoding.form == Form::kUtf8) return std::string(encoding.has_mark ? kUtf8Mark : "") += text;
  std::string bytes;
  const auto put = [&](char32_t unit) {
    const char high = static_cast<char>(unit >> 8), low = static_cast<char>(unit & 0xFF);
    const bool is_little = encoding.form == Form::kUtf16Little;
    (bytes += is_little ? low : high) += is_little ? high : low;
  };
  if (encoding.has_mark) put(0xFEFF);
  for (std::size_t i = 0; i < text.size();) {
    const char32_t c = decode_utf8(text, i);
    if (c < 0x10000) {
      put(c);
    } else {
      put(0xD800 + ((c - 0x10000) >> 10));
      put(0xDC00 + ((c - 0x10000) & 0x3FF));
    }
  }
  return bytes;
}

}  // namespace bayplan::text
