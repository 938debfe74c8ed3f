#include "base/name_words.hpp"

#include "base/ascii.hpp"
#include "base/strings.hpp"

namespace bayplan {

std::vector<std::string> words_in_name(std::string_view name) {
  std::vector<std::string> words(1);
  for (std::size_t i = 0; i < name.size(); ++i) {
    const bool separates = !is_letter(name[i]) && !is_digit(name[i]);
    const bool is_hump = i > 0 && is_upper(name[i]) && is_lower(name[i - 1]);
    if ((separates || is_hump) && !words.back().empty()) words.emplace_back();
    if (!separates) words.back() += lower(name.substr(i, 1));
  }
  if (words.back().empty()) words.pop_back();
  return words;
}

}  // namespace bayplan
