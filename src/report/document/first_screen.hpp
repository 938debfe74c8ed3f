#pragma once
#include <cstddef>
#include <ostream>
#include <string_view>

namespace bayplan::report {

/// The most lines of a text report without `-v`.
inline constexpr std::size_t kFirstScreenLines = 40;

/// The most lines of a first screen in the examples: what a terminal shows at once.
inline constexpr std::size_t kTerminalLines = 24;

std::size_t line_count(std::string_view text);

/// Writes a text report that ends with `footer`. Without `everything`, lines of `body` beyond kFirstScreenLines are
/// counted in one line instead ("and 37 more lines (-v)").
void write_first_screen(std::ostream& out, std::string_view body, std::string_view footer, bool everything);

}  // namespace bayplan::report
