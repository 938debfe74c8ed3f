#pragma once
#include <string>
#include <string_view>

namespace bayplan {

/// A text as one word of a POSIX shell, for lines that people paste: as it is where the shell takes nothing in it for
/// more than a letter, else in single quotes.
std::string shell_word(std::string_view text);

}  // namespace bayplan
