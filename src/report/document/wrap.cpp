#include "report/document/wrap.hpp"

#include "base/excerpt.hpp"
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

namespace {

constexpr std::size_t kLongestLine = 200;
constexpr std::size_t kLineHead = 50;
constexpr std::size_t kLineTail = 12;
constexpr std::size_t kMostLines = 36;
constexpr std::size_t kFirstLines = 8;
constexpr std::size_t kLastLines = 5;

/// A byte order mark would show as nothing.
std::string with_visible_mark(std::string line) {
  constexpr std::string_view kMark = "\xEF\xBB\xBF";
  return line.starts_with(kMark) ? "<U+FEFF>" + line.substr(kMark.size()) : line;
}

std::string elided_line(std::string_view line) {
  if (line.size() <= kLongestLine) return std::string(line);
  const auto head = beginning_of_character(line, kLineHead);
  const auto tail = beginning_of_character(line, line.size() - kLineTail);
  return std::string(line.substr(0, head)) + " ... " + std::to_string(tail - head) + " bytes ... " +
         std::string(line.substr(tail));
}

}  // namespace

std::vector<std::string> elided_lines(std::string_view text) {
  if (text.ends_with('\n')) text.remove_suffix(1);
  const auto lines = split(text, '\n');
  const bool is_long = lines.size() > kMostLines;
  std::vector<std::string> result;
  for (std::size_t i = 0; i < lines.size(); ++i) {
    if (is_long && i == kFirstLines) {
      const auto indent = lines[i].substr(0, lines[i].find_first_not_of(' '));
      result.push_back(std::string(indent) + "... " + std::to_string(lines.size() - kFirstLines - kLastLines) +
                       " more lines ...");
      i = lines.size() - kLastLines;
    }
    result.push_back(with_visible_mark(elided_line(lines[i])));
  }
  return result;
}

}  // namespace bayplan::report
