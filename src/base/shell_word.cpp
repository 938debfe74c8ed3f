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

}  // namespace bayplan
