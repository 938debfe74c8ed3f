#pragma once
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace bayplan {

/// A text as one word of a POSIX shell, for lines that people paste: as it is where the shell takes nothing in it for
/// more than a letter, else in single quotes.
std::string shell_word(std::string_view text);

/// The words of a line as a POSIX shell reads it, with quotes and backslashes, and without what it replaces ($HOME, *).
/// Nothing if a quote is not closed.
std::optional<std::vector<std::string>> shell_words(std::string_view line);

}  // namespace bayplan
