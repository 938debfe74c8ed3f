#pragma once
#include <cstddef>
#include <string_view>

namespace bayplan::text {

/// Where the JSON begins in a text whose first token stands at `offset`: there, or behind a pasted prompt, a Markdown
/// fence or a sentence. npos when nothing looks like JSON.
std::size_t root_begin(std::string_view text, std::size_t offset);

}  // namespace bayplan::text
