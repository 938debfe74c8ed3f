#pragma once
#include <cstdint>
#include <optional>
#include <string_view>

#include "text/document.hpp"

/// What is wrong with a text that is no YAML: where, and in words that say what to write instead.
namespace bayplan::text {

/// The word at `offset`, at least one character of it.
Span word_at(std::string_view text, std::uint32_t offset);

/// What the YAML library says, and the byte at which it stopped, as the place and the words of a fault. `open_bracket`:
/// the innermost `[` or `{` that is open there.
Fault fault_of_library(std::string_view message, std::int64_t position, std::string_view text,
                       std::optional<std::uint32_t> open_bracket);

/// Of a quote that the library missed at the end of the text: where it opens, the first one behind the last value.
/// Other faults stay.
void point_at_quote(std::string_view text, std::uint32_t values_end, Fault& fault);

/// The library ends a text at EOT and takes other control characters for letters; a byte order mark it takes off
/// without counting it, and all places would be off by it.
std::optional<Fault> unreadable_character(std::string_view text);

/// A second root: after `---` another document, without it something that fits neither list nor map above.
Fault second_root(std::string_view text, std::uint32_t begin, std::uint32_t first_end);

}  // namespace bayplan::text
