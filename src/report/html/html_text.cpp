#include "report/html/html_text.hpp"

#include "base/base64.hpp"
#include "base/utf8.hpp"

namespace bayplan::report {
namespace {

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

unsigned digit_of(char c) {
  return static_cast<unsigned>(c <= '9' ? c - '0' : c - 'a' + 10);
}

}  // namespace

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
    bytes += static_cast<char>(digit_of(digest[i]) * 16 + digit_of(digest[i + 1]));
  return "sha256-" + encode_base64(bytes);
}

}  // namespace bayplan::report
