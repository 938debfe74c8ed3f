#include "report/document/xml.hpp"

#include "base/steering.hpp"
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
        const bool is_forbidden = steers_terminal(c) || c == 0xfffe || c == 0xffff;
        append_utf8(out, is_forbidden ? 0xfffd : c);
      }
    }
  }
  return out;
}

}  // namespace bayplan::report
