#include "report/document/escape.hpp"

#include <algorithm>

#include "base/base64.hpp"
#include "base/hexadecimal.hpp"
#include "base/strings.hpp"
#include "base/utf8.hpp"

namespace bayplan::report {

std::string xml(std::string_view text) {
  std::string out;
  for (std::size_t at = 0; at < text.size();) {
    const char32_t c = decode_utf8(text, at);
    switch (c) {
      case U'&':
        out += "&amp;";
        break;
      case U'<':
        out += "&lt;";
        break;
      case U'>':
        out += "&gt;";
        break;
      case U'"':
        out += "&quot;";
        break;
      case U'\t':
      case U'\n':
      case U'\r':
        (out += "&#") += std::to_string(static_cast<unsigned>(c)) + ";";
        break;
      default: {
        const bool is_forbidden = is_terminal_control(c) || c == 0xfffe || c == 0xffff;
        append_utf8(out, is_forbidden ? 0xfffd : c);
      }
    }
  }
  return out;
}

namespace {

bool is_unreserved(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
         std::string_view("-._~/").find(c) != std::string_view::npos;
}

}  // namespace

std::string relative_uri(std::string_view path) {
  constexpr std::string_view kDigits = "0123456789ABCDEF";
  std::string uri = path.starts_with('/') ? "file://" : "";
  for (const char c : repository_path(path)) {
    if (is_unreserved(c)) {
      uri += c;
      continue;
    }
    const auto byte = static_cast<unsigned char>(c);
    ((uri += '%') += kDigits[byte >> 4]) += kDigits[byte & 15];
  }
  return uri;
}

std::string_view repository_path(std::string_view path) {
  while (path.starts_with("./")) path.remove_prefix(2);
  return path;
}

namespace {

/// References instead of backslashes: they also hold inside tables, and keep `@name` and `#12` from notifying anyone.
std::string_view reference_of(char c) {
  switch (c) {
    case '&':
      return "&amp;";
    case '<':
      return "&lt;";
    case '>':
      return "&gt;";
    case '|':
      return "&#124;";
    case '@':
      return "&#64;";
    case '#':
      return "&#35;";
    case '*':
      return "&#42;";
    case '_':
      return "&#95;";
    case '`':
      return "&#96;";
    case '[':
      return "&#91;";
    case '\\':
      return "&#92;";
    case '~':
      return "&#126;";
    default:
      return {};
  }
}

std::string_view html_reference(char c) {
  switch (c) {
    case '&':
      return "&amp;";
    case '<':
      return "&lt;";
    case '>':
      return "&gt;";
    case '"':
      return "&quot;";
    case '\'':
      return "&#39;";
    default:
      return {};
  }
}

/// A path or a field of a definition may be broken behind a slash or bracket; other words are not.
std::size_t piece_of(std::string_view word) {
  constexpr std::size_t kWholePath = 28;  // Is not broken.
  if (word.size() <= kWholePath) return word.size();
  const auto bracket = word.find('[', 1);
  const auto end = std::min(word.find_first_of("/]"), word.size() - 1) + 1;
  return std::min(bracket, end);
}

}  // namespace

std::string html_words(std::string_view given) {
  constexpr std::size_t kLongestName = 48;
  const std::string whole = printable(given);  // what is allowed after a line's end depends on it
  std::string_view text = whole;
  std::string html;
  while (!text.empty()) {
    const auto begin = std::min(text.find_first_not_of(" \n"), text.size());
    html += text.substr(0, begin);
    text.remove_prefix(begin);
    auto word = text.substr(0, text.find_first_of(" \n"));
    text.remove_prefix(word.size());
    while (!word.empty()) {
      const auto piece = word.substr(0, piece_of(word));
      word.remove_prefix(piece.size());
      const bool is_name =
          piece.size() <= kLongestName && piece.size() > 1 && piece.find('-') != std::string_view::npos;
      html += is_name ? "<span class=\"name\">" + html_text(piece) + "</span>" : html_text(piece);
      if (!word.empty()) html += "<wbr>";
    }
  }
  return html;
}

std::string html_with_links(std::string_view text) {
  constexpr std::string_view kScheme = "https://", kBehind = ".,;:)`";
  std::string html;
  while (!text.empty()) {
    const auto begin = std::min(text.find(kScheme), text.size());
    html += html_words(text.substr(0, begin));
    text.remove_prefix(begin);
    auto address = text.substr(0, text.find(' '));
    while (!address.empty() && kBehind.find(address.back()) != std::string_view::npos) address.remove_suffix(1);
    if (!address.empty()) html += "<a href=\"" + html_text(address) + "\">" + html_text(address) + "</a>";
    text.remove_prefix(address.size());
  }
  return html;
}

std::string markdown_with_links(std::string_view text) {
  std::string out;
  for (const char c : printable(text)) {
    const auto reference = reference_of(c);
    reference.empty() ? out += c : out += reference;
  }
  return out;
}

std::string markdown_text(std::string_view text) {
  // What GitHub and GitLab make a link of by themselves. The first does so before it reads references, the second
  // after; neither looks across a comment.
  constexpr std::string_view kBetween = "<!-- -->";
  std::string out;
  const std::string shown = printable(text);
  for (std::size_t i = 0; i < shown.size(); ++i) {
    const auto reference = reference_of(shown[i]);
    if (reference.empty()) {
      out += shown[i];
    } else {
      out += reference;
    }
    const std::string_view rest = std::string_view(shown).substr(i);
    const bool is_scheme = rest.starts_with("://") && rest.size() > 3 && rest[3] != ' ';
    const bool is_www = equal_ignoring_case(rest.substr(0, 1), "w") && i >= 2 && rest.substr(1).starts_with(".") &&
                        equal_ignoring_case(std::string_view(shown).substr(i - 2, 2), "ww");
    if (is_scheme || is_www) out += kBetween;
  }
  return out;
}

std::string markdown_code(std::string_view text) {
  std::string content = printable(text);
  if (content.find_first_of("`|\\") != std::string::npos) return "<code>" + markdown_text(content) + "</code>";
  return "`" + content + "`";
}

std::string html_text(std::string_view text) {
  std::string out;
  for (const char c : printable(text)) {
    const auto reference = html_reference(c);
    reference.empty() ? out += c : out += reference;
  }
  return out;
}

std::string policy_source(std::string_view digest) {
  std::string bytes;
  for (std::size_t i = 0; i + 1 < digest.size(); i += 2)
    bytes += static_cast<char>(*parse_hex(std::string_view(digest).substr(i, 2)));
  return "sha256-" + encode_base64(bytes);
}

}  // namespace bayplan::report
