#include "text/json_blanks.hpp"

#include <algorithm>

#include "base/ascii.hpp"
#include "text/json_lexis.hpp"
#include "text/placeholder_syntax.hpp"
#include "text/template_language.hpp"

namespace bayplan::text {
/// Blanks that JSON does not know: no-break, ideographic and zero-width space, the byte order mark, vertical tab, form
/// feed.
std::size_t JsonBlanks::odd_blank_length(std::size_t offset) const {
  for (const std::string_view blank :
       {"\xC2\xA0", "\xE3\x80\x80", "\xE2\x80\x8B", "\xEF\xBB\xBF", "\xE2\x80\xA8", "\xE2\x80\xAF", "\x0B", "\x0C"}) {
    if (text_.substr(offset, blank.size()) == blank) return blank.size();
  }
  return 0;
}

std::size_t JsonBlanks::comment_length(std::size_t offset) const {
  const std::string_view two = text_.substr(offset, 2);
  if (two == "/*") {
    const std::size_t end = text_.find("*/", offset + 2);
    return (end == std::string_view::npos ? text_.size() : end + 2) - offset;
  }
  const bool is_hash = two.substr(0, 1) == "#" && placeholder_length(text_, offset) == 0;
  if (two != "//" && !is_hash) return 0;
  return std::min(text_.find_first_of("\r\n", offset), text_.size()) - offset;
}

std::size_t JsonBlanks::skip(std::size_t offset) {
  std::vector<Edit> comments;
  for (;;) {
    while (offset < text_.size() && is_space(text_[offset])) ++offset;
    if (offset >= text_.size()) break;
    if (const std::size_t comment = comment_length(offset); comment > 0) {
      comments.push_back({span_of(offset, offset + comment), ""});
      offset += comment;
    } else if (const std::size_t statement = template_statement_length(text_, offset); statement > 0) {
      notes_.edit(span_of(offset, offset + statement), "");
      has_template_ = true;
      offset += statement;
    } else if (const std::size_t blank = odd_blank_length(offset); blank > 0) {
      notes_.common(CommonMistake::kOddBlank, span_of(offset, offset + blank), "invalid whitespace character in JSON",
                    "use a space", {{span_of(offset, offset + blank), " "}});
      offset += blank;
    } else {
      break;
    }
  }
  if (comments.empty()) return offset;
  const Span span{comments.front().span.begin, comments.back().span.end};
  notes_.mend(FaultKind::kComment, span, "comments are not allowed in JSON",
              comments_allowed_ ? "remove it before the AWS CLI reads the file" : "delete it, or use YAML",
              std::move(comments), false);
  return offset;
}

std::size_t JsonBlanks::peek(std::size_t offset) const {
  for (;;) {
    while (offset < text_.size() && is_space(text_[offset])) ++offset;
    if (offset >= text_.size()) return offset;
    std::size_t length = comment_length(offset);
    if (length == 0) length = template_statement_length(text_, offset);
    if (length == 0) length = odd_blank_length(offset);
    if (length == 0) return offset;
    offset += length;
  }
}

}  // namespace bayplan::text
