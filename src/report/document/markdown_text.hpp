#pragma once
#include <string>
#include <string_view>

namespace bayplan::report {

/// Text inside a Markdown table or sentence: shows as written, makes no markup, link, mention or line break.
std::string markdown_text(std::string_view text);

/// The same as code: in backticks that the text cannot end.
std::string markdown_code(std::string_view text);

}  // namespace bayplan::report
