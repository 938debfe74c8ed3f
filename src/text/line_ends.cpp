#include "text/line_ends.hpp"

namespace bayplan::text {

std::string with_matching_line_ends(std::string_view text, std::string inserted) {
  const auto end = text.find('\n');
  if (end == std::string_view::npos || end == 0 || text[end - 1] != '\r') return inserted;
  for (std::size_t i = inserted.find('\n'); i != std::string::npos; i = inserted.find('\n', i + 2)) {
    if (i == 0 || inserted[i - 1] != '\r') inserted.insert(i, 1, '\r');
  }
  return inserted;
}

}  // namespace bayplan::text
