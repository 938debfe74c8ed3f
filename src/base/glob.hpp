#pragma once
#include <string_view>

namespace bayplan {

/// Whether the text is a pattern for `glob_matches` (pattern.hpp) rather than a plain name.
inline bool is_glob(std::string_view text) {
  return text.find_first_of("*?[") != std::string_view::npos;
}

}  // namespace bayplan
