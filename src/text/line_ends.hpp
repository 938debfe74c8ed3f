#pragma once
#include <string>
#include <string_view>

namespace bayplan::text {

/// What is to be inserted into `text`, with line ends as that has them: CRLF when its first line ends so.
std::string with_matching_line_ends(std::string_view text, std::string inserted);

}  // namespace bayplan::text
