#pragma once
#include <cstddef>
#include <ostream>
#include <string_view>

namespace bayplan::report {

/// A text report without `-v` has at most so many lines.
inline constexpr std::size_t kFirstScreenLines = 40;

/// What examples of a first screen keep to: a terminal shows so many lines at once.
inline constexpr std::size_t kTerminalLines = 24;

std::size_t line_count(std::string_view text);

/// Writes a text report that ends with `footer`. Without `everything`, lines of `body` beyond kFirstScreenLines are
/// counted in one line instead ("and 37 more lines (-v)").
void write_first_screen(std::ostream& out, std::string_view body, std::string_view footer, bool everything);

}  // namespace bayplan::report
