#pragma once
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace bayplan {

/// Offset of the first byte that is not well-formed UTF-8 (RFC 3629: no surrogates, no overlong forms), or nothing.
std::optional<std::size_t> first_invalid_utf8(std::string_view text);

/// Number of Unicode code points; a malformed byte counts as one.
std::size_t code_points(std::string_view text);

/// Columns that a terminal uses: wide East Asian characters and emoji count 2, combining marks 0. Control
/// characters count 1 (see `printable`).
std::size_t display_width(std::string_view text);

/// Decodes the code point at `offset` and moves `offset` past it; U+FFFD and one byte for malformed input.
char32_t decode_utf8(std::string_view text, std::size_t& offset);

void append_utf8(std::string& out, char32_t code_point);

/// Returns the text with control characters (C0, DEL, C1, bidirectional overrides) shown as U+FFFD, so that no input
/// can steer the terminal. Tabs become one space.
std::string printable(std::string_view text);

/// Whether a terminal executes the character or lets it reorder or break the text: control characters (C0, DEL, C1),
/// directional marks and overrides, U+2028 and U+2029. `printable` replaces them.
bool is_terminal_control(char32_t code_point);

}  // namespace bayplan
