#include "base/shell_word.hpp"

#include <algorithm>

#include "base/ascii.hpp"

namespace bayplan {
namespace {

constexpr std::string_view kPlainMarks = "_-./:@%+,#";  ///< `#` begins a comment at the beginning of a word only.

bool is_plain_in_shell(char c) {
  return is_letter(c) || is_digit(c) || kPlainMarks.find(c) != std::string_view::npos;
}

}  // namespace

std::string shell_word(std::string_view text) {
  if (!text.empty() && text.front() != '#' && std::all_of(text.begin(), text.end(), is_plain_in_shell))
    return std::string(text);
  std::string word = "'";
  for (const char c : text) {
    if (c == '\'') {
      word += R"('\'')";
    } else {
      word += c;
    }
  }
  return word + "'";
}

std::optional<std::vector<std::string>> shell_words(std::string_view line) {
  std::vector<std::string> words;
  bool is_in_word = false;
  char quote = '\0';
  for (std::size_t i = 0; i < line.size(); ++i) {
    const char c = line[i];
    const bool is_blank = c == ' ' || c == '\t' || c == '\n' || c == '\r';
    if (quote == '\0' && is_blank) {
      is_in_word = false;
      continue;
    }
    if (!is_in_word) words.emplace_back();
    is_in_word = true;
    const bool escapes = c == '\\' && quote != '\'' && i + 1 < line.size();
    if (c == quote) {
      quote = '\0';
    } else if (quote == '\0' && (c == '\'' || c == '"')) {
      quote = c;
    } else if (!escapes) {
      words.back() += c;
    } else if (const char next = line[++i]; next == '\n') {
      is_in_word = !words.back().empty();  // the line goes on
      if (!is_in_word) words.pop_back();
    } else if (quote == '"' && next != '"' && next != '\\' && next != '$' && next != '`') {
      (words.back() += c) += next;
    } else {
      words.back() += next;
    }
  }
  if (quote != '\0') return std::nullopt;
  return words;
}

}  // namespace bayplan
