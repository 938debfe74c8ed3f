#include "report/document/first_screen.hpp"

#include <algorithm>

#include <fmt/core.h>

namespace bayplan::report {
namespace {

/// Byte behind the first `lines` lines.
std::size_t end_of_lines(std::string_view text, std::size_t lines) {
  std::size_t end = 0;
  for (std::size_t i = 0; i < lines; ++i) end = text.find('\n', end) + 1;
  return end;
}

}  // namespace

std::size_t line_count(std::string_view text) {
  return static_cast<std::size_t>(std::count(text.begin(), text.end(), '\n'));
}

void write_first_screen(std::ostream& out, std::string_view body, std::string_view footer, bool everything) {
  const auto lines = line_count(body);
  const auto room = kFirstScreenLines - std::min(kFirstScreenLines, line_count(footer));
  if (everything || lines <= room) {
    out << body << footer;
    return;
  }
  const auto shown = room - std::min<std::size_t>(room, 1);
  out << body.substr(0, end_of_lines(body, shown)) << fmt::format("and {} more lines (-v)\n", lines - shown) << footer;
}

}  // namespace bayplan::report
