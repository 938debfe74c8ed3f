#pragma once
#include <cstddef>
#include <string>
#include <string_view>

/// Parts of long texts, for messages; never half a character of UTF-8.
namespace bayplan {

/// Where the character begins to which the byte at `at` belongs; `at` itself at the end of the text.
std::size_t beginning_of_character(std::string_view text, std::size_t at);

/// Where the next character begins when `at` is inside one; else `at`.
std::size_t end_of_character(std::string_view text, std::size_t at);

/// A text of at most this many bytes whole; of a longer one these bytes, less a character that does not end among them,
/// and "..." behind.
std::string shortened_to(std::string_view text, std::size_t most);

/// Quotes a text in single quotes: one of at most 200 bytes whole, of a longer one some 40 bytes around
/// `at`.
std::string quoted_around(std::string_view text, std::size_t at);

/// A text of at most `most` bytes whole; of a longer one no more than these with `gap` in place of its middle, `end` of
/// them from its end. `gap` and `end` together are less than `most`.
std::string without_middle(std::string text, std::size_t most, std::size_t end, std::string_view gap = "...");

}  // namespace bayplan
