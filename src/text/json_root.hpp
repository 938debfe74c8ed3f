#pragma once
#include <cstddef>
#include <string_view>

#include "text/repair_notes.hpp"

namespace bayplan::text {

/// Where the JSON begins in a text whose first token stands at `offset`: there, or behind a pasted prompt, a Markdown
/// fence or a sentence. npos when nothing looks like JSON.
std::size_t root_begin(std::string_view text, std::size_t offset);

/// Tells why no JSON was found from `offset` on.
void note_no_root(std::string_view text, std::size_t offset, RepairNotes& notes);

/// Tells of what stands at `offset`, behind the end of the JSON, and leaves it out.
void note_after_root(std::string_view text, std::size_t offset, RepairNotes& notes);

}  // namespace bayplan::text
