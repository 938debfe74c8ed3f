#include <algorithm>
#include <string>
#include <string_view>

#include "base/excerpt.hpp"
#include "base/strings.hpp"
#include "base/utf8.hpp"
#include "report/document/report_document.hpp"

namespace bayplan::report {
namespace {

/// Names of ECS have up to 255 characters; a line of them would say nothing else.
std::string with_short_names(std::string_view text) {
  constexpr std::size_t kLongestWord = 48, kTail = 16;
  std::string shortened;
  while (!text.empty()) {
    const auto end = std::min(text.find(' '), text.size());
    shortened += without_middle(std::string(text.substr(0, end)), kLongestWord, kTail, "…");
    if (end < text.size()) shortened += ' ';
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return shortened;
}

/// Where a line of at most `kLongestLine` characters ends, and how many bytes between it and the rest are left out. The
/// first end of a sentence is best, then the last one of a clause, then what begins a remark, then the last word.
/// Nothing inside of parentheses is an end.
struct LineEnd {
  std::size_t at = 0;
  std::size_t skipped = 0;
};

LineEnd find_line_end(std::string_view text) {
  constexpr std::size_t kShortestLine = 12;  // A clause that is shorter answers nothing.
  LineEnd clause, remark, word;
  int depth = 0;
  std::size_t characters = 0;
  for (std::size_t at = 0; at < text.size() && characters <= kLongestLine;
       at = end_of_character(text, at + 1), ++characters) {
    const auto rest = text.substr(at);
    if (text[at] == ' ') word = {at, 1};
    // A remark in parentheses is left for the rest where it ends the headline.
    if (text[at] == '(' && depth++ == 0 && at > 0 && text[at - 1] == ' ' && text.find(')', at) + 1 == text.size())
      remark = {at - 1, 1};
    if (text[at] == ')') --depth;
    if (depth > 0) continue;
    if (rest.starts_with(". ") && at >= kShortestLine) return {at, 2};
    if (rest.starts_with("; ")) clause = {at, 2};
    if (rest.starts_with(": ") || rest.starts_with(", ")) remark = {at, 2};
  }
  return clause.at >= kShortestLine ? clause : remark.at > 0 ? remark : word;
}

}  // namespace

PageAnswer divide_headline(std::string_view headline) {
  PageAnswer answer;
  for (const std::string_view word : {"YES ", "NO "}) {
    if (!headline.starts_with(word)) continue;
    answer.verdict = trim(word);
    headline.remove_prefix(word.size());
    break;
  }
  const auto text = with_short_names(headline);
  if (display_width(text) <= kLongestLine) {
    answer.line = text;
  } else {
    const auto end = find_line_end(text);
    answer.line = text.substr(0, end.at);
    answer.detail = text.substr(std::min(end.at + end.skipped, text.size()));
  }
  if (text != headline) answer.detail = headline;
  return answer;
}

}  // namespace bayplan::report
