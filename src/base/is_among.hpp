#pragma once
#include <algorithm>
#include <iterator>
#include <string_view>

namespace bayplan {

/// Whether one of `words` is the word, letter by letter.
template <class Words>
bool is_among(std::string_view word, const Words& words) {
  return std::find(std::begin(words), std::end(words), word) != std::end(words);
}

}  // namespace bayplan
