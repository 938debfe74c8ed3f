#pragma once
#include <string>
#include <string_view>
#include <vector>

namespace bayplan::report {

/// The lines of a text as a reader wants them: of a very long line its two ends, of a very long text its first lines
/// and its last, with a word about what is left out.
std::vector<std::string> elided_lines(std::string_view text);

}  // namespace bayplan::report
