#pragma once
#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace bayplan::report {

/// Of a text report, where the names allow it.
inline constexpr std::size_t kTextColumns = 80;

/// Broken at blanks to fit 80 columns; every line but the first is indented, the first stands there already.
std::string wrapped(std::string_view text, std::size_t indent);

/// "YES ..." or "NO  ...", broken under the sentence; in one line for scripts (`--quiet`).
std::string answer_lines(const std::string& answer, bool in_one_line);

/// The lines of a text as a reader wants them: of a very long line its two ends, of a very long text its first lines
/// and its last, with a word about what is left out.
std::vector<std::string> elided_lines(std::string_view text);

}  // namespace bayplan::report
