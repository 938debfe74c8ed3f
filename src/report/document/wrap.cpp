#include "report/document/wrap.hpp"

#include "base/strings.hpp"
#include "base/utf8.hpp"

namespace bayplan::report {

std::string wrapped(std::string_view text, std::size_t indent) {
  std::string result;
  std::size_t column = indent;
  for (const auto word : split(text, ' ')) {
    const auto width = display_width(word);
    if (column > indent && column + 1 + width > kTextColumns) {
      (result += '\n').append(indent, ' ');
      column = indent;
    }
    if (column > indent) {
      result += ' ';
      ++column;
    }
    result += word;
    column += width;
  }
  return result;
}

std::string answer_lines(const std::string& answer, bool in_one_line) {
  constexpr std::size_t kWord = 4;
  if (in_one_line || answer.size() < kWord) return answer;
  return answer.substr(0, kWord) + wrapped(std::string_view(answer).substr(kWord), kWord);
}

}  // namespace bayplan::report
